"""The store's laws: one worker per job, no write without a claim, events without gaps, on either database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from mivspool.errors import JobError, UnavailableError
from mivspool.service import store as store_module
from mivspool.service import tables
from mivspool.service.patience import Patience
from mivspool.service.quotas import Quota, set_quota
from mivspool.service.states import CANCELLED, DONE, FAILED, INTERRUPTED, QUEUED, RUNNING
from mivspool.service.store import Claim, Lost, Store
from mivspool.settings import Settings


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    made = Store(settings)
    yield made
    made.close()


def submit(store: Store, **more: object) -> str:
    return store.submit("train", {"dataset": "MAO"}, title="a test", **more).id


def claim(store: Store, job: str | None = None) -> Claim:
    made = store.claim("tester", job)
    assert made is not None
    return made


def kinds(store: Store, job: str) -> list[str]:
    return [event.kind for event in store.events(job)]


def test_two_servers_never_run_a_job_twice(store: Store, settings: Settings) -> None:
    other = Store(settings)
    jobs = {submit(store) for _ in range(12)}
    with ThreadPoolExecutor(8) as pool:
        claims = list(pool.map(lambda i: (store, other)[i % 2].claim(f"w{i}"), range(40)))
    taken = Counter(made.job for made in claims if made is not None)
    other.close()
    assert taken == Counter(jobs)


def test_the_one_that_has_waited_longest_comes_first(store: Store) -> None:
    jobs = [submit(store) for _ in range(3)]
    assert store.places() == {job: i + 1 for i, job in enumerate(jobs)}
    assert [claim(store).job for _ in jobs] == jobs
    assert store.claim("tester") is None


def test_events_are_numbered_without_gaps(store: Store) -> None:
    held = claim(store, submit(store))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: store.append(held, "epoch", {"epoch": i}), range(60)))
    events = store.events(held.job)
    assert [event.n for event in events] == list(range(1, 63))
    assert store.events(held.job, after=60) == events[60:]
    assert store.events(held.job, after=3, limit=2) == events[3:5]
    job = store.get(held.job)
    assert job is not None
    assert job.last_event == 62


def test_a_run_is_recorded_once(store: Store) -> None:
    held = claim(store, submit(store))
    assert store.record(held, "r0-f0", {"loss": 1.0})
    assert not store.record(held, "r0-f0", {"loss": 2.0})
    assert store.runs(held.job) == {"r0-f0": {"loss": 1.0}}
    assert kinds(store, held.job).count("run") == 1


def test_who_lost_the_job_can_write_nothing(store: Store) -> None:
    old = claim(store, submit(store))
    assert store.give_back(old, "a test") == QUEUED
    new = claim(store, old.job)
    assert new.attempt == old.attempt + 1
    for write in (
        lambda: store.beat(old),
        lambda: store.append(old, "epoch", {}),
        lambda: store.record(old, "late", {}),
        lambda: store.save(old, "model", b""),
        lambda: store.finish(old, DONE),
    ):
        with pytest.raises(Lost):
            write()
    assert store.give_back(old, "again") is None
    assert store.beat(new) is False
    assert store.runs(old.job) == {}


def test_a_job_whose_worker_has_gone_is_queued_again_in_its_old_place(store: Store) -> None:
    first, later = submit(store), submit(store)
    died, stopped = claim(store, first), claim(store, later)
    assert store.give_back(stopped, "the backend was stopped", died=False) == QUEUED
    assert store.give_back(died, "its process was ended by signal 9") == QUEUED
    last = store.events(first)[-1]
    assert (last.kind, last.data) == (QUEUED, {"why": "its process was ended by signal 9"})
    assert [claim(store).job, claim(store).job] == [first, later]


def test_a_silent_job_goes_on_by_itself(store: Store) -> None:
    silent, alive = claim(store, submit(store)), claim(store, submit(store))
    assert store.give_back_stale(60.0) == {}
    assert store.give_back_stale(-60.0) == {silent.job: QUEUED, alive.job: QUEUED}
    again = claim(store, silent.job)
    assert again.attempt == 2
    assert kinds(store, silent.job) == [QUEUED, "started", QUEUED, "started"]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts follow each other without a pause."""
    monkeypatch.setattr(store_module, "AGAIN_SECONDS", 0.0)


def test_a_job_that_dies_again_and_again_is_interrupted_with_the_reason(store: Store, at_once: None) -> None:
    job = submit(store)
    deaths = [store.give_back(claim(store, job), "out of memory") for _ in range(store.settings.job_deaths)]
    assert deaths == [QUEUED] * (store.settings.job_deaths - 1) + [INTERRUPTED]
    ended = store.get(job)
    assert ended is not None
    assert ended.error == "it ended 5 times in a row without getting further: out of memory"
    assert store.resume(job).deaths == 0
    assert store.give_back(claim(store, job), "out of memory") == QUEUED


@pytest.mark.parametrize("kept", ["checkpoint", "run"])
def test_a_job_that_gets_further_may_die_as_often_as_it_does(store: Store, at_once: None, kept: str) -> None:
    job = submit(store)
    for i in range(2 * store.settings.job_deaths):
        held = claim(store, job)
        if kept == "run":
            store.record(held, f"r{i}", {})
        else:
            store.save(held, "checkpoint", b"")
        assert store.give_back(held, "killed") == QUEUED


def test_an_orderly_end_is_no_death(store: Store) -> None:
    job = submit(store)
    for _ in range(2 * store.settings.job_deaths):
        assert store.give_back(claim(store, job), "the backend was stopped", died=False) == QUEUED


def test_the_pause_before_another_attempt_grows(store: Store) -> None:
    job = submit(store)
    assert store.give_back(claim(store, job), "killed") == QUEUED
    pauses = []
    for _ in range(3):
        assert store.give_back(claim(store, job), "killed") == QUEUED
        assert store.claim("tester") is None
        waiting = store.get(job)
        assert waiting is not None
        assert waiting.due is not None
        pauses.append(round(waiting.due - store.events(job)[-1].time))
        with store.database.write() as db:
            db.exec_driver_sql("UPDATE jobs SET due = due - 3600")
    assert pauses == [2, 4, 8]
    held = claim(store, job)
    store.save(held, "checkpoint", b"")
    store.give_back(held, "killed")
    assert claim(store, job)


class Away:
    """A database that goes away in the next transaction: before it is done, or after, without a word."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch, *, done: bool) -> None:
        self._write, self._done, self.soon = store.database.write, done, False
        monkeypatch.setattr(store.database, "write", self.write)
        monkeypatch.setattr("mivspool.service.patience.AGAIN_SECONDS", 0.0)

    @contextmanager
    def write(self) -> Iterator[Any]:
        goes, self.soon = self.soon, False
        if goes and not self._done:
            raise UnavailableError("it is away")
        with self._write() as db:
            yield db
        if goes:
            raise UnavailableError("it went before it had answered")


@pytest.mark.parametrize("done", [False, True], ids=["refused", "done-unsaid"])
def test_what_a_worker_writes_is_written_once_though_the_database_went_away(
    store: Store, monkeypatch: pytest.MonkeyPatch, done: bool
) -> None:
    held = claim(store, submit(store))
    away = Away(store, monkeypatch, done=done)
    away.soon = True
    with pytest.raises(UnavailableError):  # whoever waits for an answer is told
        store.save(held, "checkpoint", b"")
    store.patience = Patience(60.0)
    epochs = [{"key": "train", "epoch": i, "loss": 1.0 / 3} for i in range(4)]
    for write in (
        lambda: store.append_all(held, "epoch", epochs[:3], {"epoch": 2}),
        lambda: store.append_all(held, "epoch", epochs[3:]),
        lambda: store.save(held, "checkpoint", b"weights"),
        lambda: store.record(held, "train", {"loss": 1.0}, done_with="checkpoint"),
        lambda: store.add_log(held.job, "a line"),
        lambda: store.finish(held, DONE, result={"runs": 1}),
    ):
        away.soon = True
        write()
        assert not away.soon
    assert kinds(store, held.job) == [QUEUED, "started", *["epoch"] * 4, "run", DONE]
    assert store.runs(held.job) == {"train": {"loss": 1.0}}
    assert store.load(held.job, "checkpoint") is None


def test_patience_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mivspool.service.patience.AGAIN_SECONDS", 0.001)
    tries = []

    def fail() -> None:
        tries.append(1)
        raise UnavailableError("it is away")

    with pytest.raises(UnavailableError):
        Patience(0.05).insist(fail)
    assert len(tries) > 1
    tries.clear()
    stopped = Patience(3600.0)
    stopped.stop = lambda: len(tries) == 3
    with pytest.raises(UnavailableError):
        stopped.insist(fail)
    assert len(tries) == 3


def test_cancel_in_every_state(store: Store) -> None:
    waiting = submit(store)
    assert store.cancel(waiting).state == CANCELLED
    running = claim(store, submit(store))
    assert store.cancel(running.job).state == RUNNING
    assert store.beat(running) is True
    store.finish(running, CANCELLED)
    for job in (waiting, running.job):
        with pytest.raises(JobError, match="not running"):
            store.cancel(job)
        assert store.resume(job).state == QUEUED


def test_a_job_whose_worker_dies_after_a_cancel_is_cancelled(store: Store) -> None:
    held = claim(store, submit(store))
    store.cancel(held.job)
    assert store.give_back(held, "its process was ended") == CANCELLED
    job = store.get(held.job)
    assert job is not None
    assert job.state == CANCELLED


def test_only_what_ended_early_is_resumed(store: Store) -> None:
    held = claim(store, submit(store))
    with pytest.raises(JobError, match="running"):
        store.resume(held.job)
    store.finish(held, DONE, result={"test_accuracy": 0.5})
    with pytest.raises(JobError, match="done"):
        store.resume(held.job)
    failed = claim(store, submit(store))
    store.finish(failed, FAILED, error="why")
    assert store.resume(failed.job).error is None


def test_deleting_leaves_nothing(store: Store) -> None:
    held = claim(store, submit(store))
    store.save(held, "model", b"weights")
    store.record(held, "train", {})
    with pytest.raises(JobError, match="cancel it"):
        store.delete(held.job)
    store.finish(held, DONE)
    store.delete(held.job)
    assert store.get(held.job) is None
    assert store.events(held.job) == []
    assert store.load(held.job, "model") is None
    assert store.runs(held.job) == {}
    store.save_log(held.job, b"too late")
    assert store.load(held.job, "log") is None


def test_a_worker_whose_job_s_visitor_wants_it_forgotten_can_write_nothing(store: Store) -> None:
    held, other = claim(store, submit(store, owner="ann")), submit(store, owner="bob")
    store.save(held, "checkpoint", b"weights")
    store.forget("ann")
    assert [job.id for job in store.all()] == [other]
    assert store.load(held.job, "checkpoint") is None
    with pytest.raises(Lost):
        store.save(held, "checkpoint", b"weights")


def test_files_are_whole_and_replaced(store: Store) -> None:
    held = claim(store, submit(store))
    big = bytes(range(256)) * 4096
    store.save(held, "checkpoint", b"first")
    store.save(held, "checkpoint", big)
    assert store.load(held.job, "checkpoint") == big
    store.record(held, "train", {}, done_with="checkpoint")
    assert store.load(held.job, "checkpoint") is None


def test_of_many_who_add_to_a_log_none_is_lost(store: Store) -> None:
    job = submit(store)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: store.add_log(job, f"line {i}\n"), range(40)))
    log = (store.load(job, "log") or b"").decode()
    assert sorted(log.splitlines()) == sorted(f"line {i}" for i in range(40))
    store.add_log(job, "the end", most=4)
    assert store.load(job, "log") == b" end"


def test_unfinished_jobs_are_limited_by_visitor_by_address_and_in_all(store: Store) -> None:
    limits = {"max_waiting_jobs": 2, "max_waiting_jobs_per_address": 3, "max_jobs": 5}
    store.settings = store.settings.model_copy(update=limits)
    mine = [submit(store, owner="ann", address="a") for _ in range(2)]
    with pytest.raises(JobError, match="of your jobs"):
        submit(store, owner="ann", address="b")
    store.cancel(mine[0])
    submit(store, owner="bob", address="a")
    submit(store, owner="cyd", address="a")
    with pytest.raises(JobError, match="network"):
        submit(store, owner="a-made-up-name", address="a")
    with pytest.raises(JobError, match="network"):
        store.resume(mine[0], address="a")
    submit(store, owner="dan", address="b")
    submit(store, owner="eve")
    with pytest.raises(JobError, match="all visitors"):
        submit(store, owner="fay")


def test_finished_jobs_shut_nobody_out(store: Store) -> None:
    """What cost nothing makes way first: jobs that were cancelled before they ran, then those that did not end well."""
    store.settings = store.settings.model_copy(update={"max_jobs": 3})
    good, bad = claim(store, submit(store)), claim(store, submit(store))
    store.finish(good, DONE)
    store.finish(bad, FAILED, error="why")
    for _ in range(50):
        store.cancel(submit(store, owner="a-made-up-name"))
    assert {job.state for job in store.all()} == {DONE, FAILED, CANCELLED}
    running = claim(store, submit(store))
    submit(store, owner="ann")
    assert {job.id for job in store.all()} >= {good.job, running.job}
    submit(store, owner="bob")
    assert store.get(good.job) is None
    with pytest.raises(JobError, match="not finished yet"):
        submit(store, owner="cyd")


def test_a_finished_job_is_forgotten_after_its_days_and_its_address_at_once(store: Store) -> None:
    ended, waits = submit(store, address="192.0.2.1"), submit(store, address="192.0.2.1")
    store.cancel(ended)
    assert [job.address for job in map(store.get, (ended, waits)) if job] == [None, "192.0.2.1"]
    assert store.delete_old() == 0
    with store.database.write() as db:
        days = store.settings.keep_jobs_days
        db.exec_driver_sql(
            f"UPDATE jobs SET created = created - 86400 * {days}, finished = finished - 86400 * {days}"
        )
    assert store.delete_old() == 1
    assert [job.id for job in store.all()] == [waits]


def test_a_visitor_sees_its_own_and_what_is_shared(store: Store) -> None:
    mine, theirs = submit(store, owner="ann"), submit(store, owner="bob")
    shared = submit(store, owner="bob", shared=True)
    assert {job.id for job in store.all("ann")} == {mine, shared}
    assert {job.id for job in store.all()} == {mine, theirs, shared}
    assert [job.id for job in store.all(states=[DONE])] == []
    assert len(store.all(kinds=["train"], limit=2)) == 2


def test_times_are_the_database_s(store: Store) -> None:
    held = claim(store, submit(store))
    job = store.get(held.job)
    assert job is not None
    assert job.started is not None
    assert 0 <= job.started - job.created < 60
    assert replace(job, started=None).finished is None


def begun_earlier(store: Store, job: str, seconds: float) -> None:
    """As if the attempt that runs had begun so long ago."""
    with store.database.write() as db:
        db.execute(update(tables.jobs).where(tables.jobs.c.id == job).values(begun=tables.now() - seconds))


@pytest.mark.parametrize("ends", ["by itself", "by force"])
def test_a_job_runs_for_its_hours_over_all_attempts_and_is_then_interrupted(
    settings: Settings, ends: str
) -> None:
    store = Store(settings.model_copy(update={"job_hours": 2.0}))
    other = submit(store)
    job = submit(store)
    held = claim(store, job)
    begun_earlier(store, job, 1.5 * 3600)
    assert store.stop_overtime() == []
    store.give_back(held, "the backend was stopped", died=False)
    held = claim(store, job)
    begun_earlier(store, job, 0.4 * 3600)
    assert store.stop_overtime() == []
    assert not store.beat(held)
    begun_earlier(store, job, 0.6 * 3600)
    assert store.stop_overtime() == [job]
    assert store.stop_overtime() == []
    assert store.beat(held), "its worker is asked to stop"
    if ends == "by itself":
        store.finish(held, CANCELLED)
    else:
        store.give_back(held, "its process was ended by signal 9")
    found = store.get(job)
    assert found is not None
    assert found.state == INTERRUPTED
    assert "it has run for 2 h" in str(found.error)
    assert "MIVSPOOL_JOB_HOURS" in str(found.error)
    assert store.get(other).state == QUEUED
    store.resume(job)
    held = claim(store, job)
    assert store.stop_overtime() == [], "it has its hours again"
    store.finish(held, DONE, result={"runs": 1})
    assert store.get(job).state == DONE
    store.close()


def test_a_job_that_is_done_in_time_is_not_stopped_late(settings: Settings) -> None:
    store = Store(settings.model_copy(update={"job_hours": 1.0}))
    job = submit(store)
    held = claim(store, job)
    begun_earlier(store, job, 7200)
    assert store.stop_overtime() == [job]
    store.finish(held, DONE, result={"runs": 1})
    assert (store.get(job).state, store.get(job).error) == (DONE, None)
    store.close()


def test_without_a_limit_a_job_runs_on(store: Store) -> None:
    job = submit(store)
    claim(store, job)
    begun_earlier(store, job, 1e6)
    assert store.stop_overtime() == []


def test_what_an_administrator_ends_says_so(store: Store) -> None:
    waits, runs = submit(store), submit(store)
    held = claim(store, runs)
    for job in (waits, runs):
        store.cancel(job, "ended by hand")
    assert store.beat(held)
    store.finish(held, CANCELLED)
    for job in (waits, runs):
        found = store.get(job)
        assert found is not None
        assert (found.state, found.error) == (INTERRUPTED, "ended by hand")
        assert kinds(store, job)[-1] == INTERRUPTED
    store.resume(runs)
    held = claim(store, runs)
    store.cancel(runs)
    store.finish(held, CANCELLED)
    assert store.get(runs).state == CANCELLED


def test_a_quota_holds_for_one_visitor(settings: Settings) -> None:
    store = Store(settings.model_copy(update={"max_waiting_jobs": 2}))
    for owner, given in (("ann", Quota(waiting_jobs=1)), ("bob", Quota(waiting_jobs=3)), ("eve", Quota(0))):
        with store.database.write() as db:
            set_quota(db, owner, given)
    most = {"ann": 1, "bob": 3, "cyd": 2, "eve": 0}
    for owner, number in most.items():
        for _ in range(number):
            submit(store, owner=owner)
        with pytest.raises(JobError, match="of your jobs"):
            submit(store, owner=owner)
    with store.database.write() as db:
        set_quota(db, "ann", Quota())
    submit(store, owner="ann")
    store.close()


def test_times_are_those_that_jobs_have_run(store: Store) -> None:
    done, runs, waits = (submit(store) for _ in range(3))
    held = claim(store, done)
    begun_earlier(store, done, 10_000)
    store.finish(held, DONE, result={"runs": 2})
    held = claim(store, runs)
    begun_earlier(store, runs, 3_000)
    store.give_back(held, "the backend was stopped", died=False)
    claim(store, runs)
    begun_earlier(store, runs, 1_000)
    times = store.times()
    (ended,), (going,), (waiting,) = times.done, times.running, times.waiting
    assert (ended.id, going.id, waiting.id) == (done, runs, waits)
    assert (ended.runs, waiting.runs) == (2, 1)
    assert (ended.seconds, going.seconds, waiting.seconds) == pytest.approx((10_000, 4_000, 0), abs=300)
    assert ended.request["dataset"] == waiting.request["dataset"] == "MAO"
    assert ended.request["method"] is None
