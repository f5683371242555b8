"""The store's laws: one worker a job, no write without a claim, events without gaps, on either database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from mivspool.errors import JobError
from mivspool.service.store import (
    CANCELLED,
    DONE,
    FAILED,
    INTERRUPTED,
    QUEUED,
    RUNNING,
    Claim,
    Lost,
    Store,
)
from mivspool.settings import Settings


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    made = Store(settings)
    yield made
    made.close()


def submit(store: Store, **more: object) -> str:
    return store.submit("train", {"dataset": "MAO"}, title="a test", **more).id  # type: ignore[arg-type]


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
    assert store.interrupt(old, "a test")
    store.resume(old.job)
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
    assert not store.interrupt(old, "again")
    assert store.beat(new) is False
    assert store.runs(old.job) == {}


def test_a_silent_job_is_interrupted_and_goes_on(store: Store) -> None:
    silent, alive = claim(store, submit(store)), claim(store, submit(store))
    assert store.interrupt_stale(60.0) == []
    assert set(store.interrupt_stale(-60.0)) == {silent.job, alive.job}
    assert store.counts() == {INTERRUPTED: 2}
    assert store.resume(silent.job).state == QUEUED
    assert kinds(store, silent.job) == [QUEUED, "started", INTERRUPTED, QUEUED]


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
    store.interrupt(held, "its process was ended")
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


def test_jobs_are_limited(store: Store) -> None:
    store.settings = store.settings.model_copy(update={"max_waiting_jobs": 2, "max_jobs": 3})
    submit(store, owner="ann")
    submit(store, owner="ann")
    with pytest.raises(JobError, match="not finished yet"):
        submit(store, owner="ann")
    submit(store, owner="bob")
    with pytest.raises(JobError, match="delete some"):
        submit(store, owner="cyd")


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
