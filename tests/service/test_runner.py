"""The runner's laws, with processes that are no jobs: whatever ends, its job goes on or says why it does not."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mivspool.errors import UnavailableError
from mivspool.service import runner as runner_module
from mivspool.service import store as store_module
from mivspool.service.parent import LEFT
from mivspool.service.runner import LocalRunner
from mivspool.service.states import DONE, FAILED, INTERRUPTED, QUEUED, RUNNING
from mivspool.service.store import Claim, Store
from mivspool.service.uploads import Uploads
from tests.service.backends import until
from tests.service.conftest import Make

DIES = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
WAITS = "import sys; sys.stdin.read()"
LEAVES = f"raise SystemExit({LEFT})"


class Fakes(LocalRunner):
    """Each attempt of a job is one of these programs, the last one again and again."""

    def __init__(self, store: Store, *programs: str) -> None:
        super().__init__(store, Uploads(store.database, store.settings))
        self.programs = programs
        self.claims: list[Claim] = []

    def command(self, *arguments: str) -> list[str]:
        """The program of this attempt."""
        job, attempt = arguments
        self.claims.append(Claim(job, int(attempt)))
        return [sys.executable, "-S", "-c", self.programs[min(int(attempt), len(self.programs)) - 1]]


Run = Callable[..., Fakes]


@pytest.fixture(autouse=True)
def leavings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever happened to the processes, no folder is left of them."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    yield
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def store(leavings: None, make_settings: Make, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(runner_module, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(store_module, "AGAIN_SECONDS", 0.0)
    made = Store(make_settings())
    yield made
    made.close()


@pytest.fixture
def running(store: Store) -> Iterator[Run]:
    """Makes a runner that has begun, and stops it."""
    made: list[Fakes] = []

    def run(*programs: str) -> Fakes:
        made.append(Fakes(store, *programs))
        made[-1].start()
        return made[-1]

    yield run
    for one in made:
        one.stop()


def submit(store: Store) -> str:
    return store.submit("train", {"dataset": "MAO"}, title="a test").id


def state(store: Store, job: str) -> str:
    found = store.get(job)
    assert found is not None
    return found.state


def test_a_job_whose_process_dies_is_started_again(store: Store, running: Run) -> None:
    job = submit(store)
    running(DIES, LEAVES, WAITS)
    until(lambda: state(store, job) == RUNNING and store.get(job).attempt == 3)
    again = [event.data for event in store.events(job) if event.kind == QUEUED][1:]
    assert again == [
        {"why": "its process was ended by signal 9"},
        {"why": f"its process ended with status {LEFT}"},
    ]
    assert store.get(job).deaths == 1


def test_a_job_that_kills_every_process_ends_with_the_reason(store: Store, running: Run) -> None:
    job, other = submit(store), submit(store)
    runner = running(DIES)
    until(lambda: state(store, job) == state(store, other) == INTERRUPTED)
    found = store.get(job)
    assert found is not None
    assert found.error is not None
    assert found.error.endswith("its process was ended by signal 9")
    assert found.attempt == store.settings.job_deaths
    assert len(runner.claims) == 2 * store.settings.job_deaths


def test_a_runner_that_stops_leaves_its_jobs_to_the_next(store: Store, running: Run) -> None:
    job = submit(store)
    first = running(WAITS)
    until(lambda: state(store, job) == RUNNING)
    first.stop()
    assert state(store, job) == QUEUED
    assert store.events(job)[-1].data == {"why": "the backend was stopped"}
    running(WAITS)
    until(lambda: state(store, job) == RUNNING)
    found = store.get(job)
    assert found is not None
    assert (found.attempt, found.deaths) == (2, 0)


def test_a_job_that_cannot_be_started_is_given_back(
    store: Store, running: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    with monkeypatch.context() as patch:
        patch.setattr(runner_module.subprocess, "Popen", full)
        job = submit(store)
        running(WAITS)
        until(lambda: len(store.events(job)) > 2)
        assert store.events(job)[2].data == {
            "why": "it could not be started: [Errno 12] Cannot allocate memory"
        }


@pytest.mark.parametrize("method", ["give_back", "get", "claim"])
def test_a_database_that_was_away_is_asked_again(
    store: Store, running: Run, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """Whatever the runner was at when it went."""
    ask, refused = getattr(store, method), threading.Event()
    misses = iter(range(3))

    def away(*arguments: object, **named: object) -> object:
        if next(misses, None) is not None:
            raise UnavailableError("it is away")
        refused.set()
        return ask(*arguments, **named)

    monkeypatch.setattr(store, method, away)
    job = submit(store)
    running(DIES, WAITS)
    refused.wait(60)
    until(lambda: [event.kind for event in store.events(job)][2:] == [QUEUED, "started"])


def test_silence_of_the_database_is_no_silence_of_its_jobs(make_settings: Make, store: Store) -> None:
    """Those that lived through its absence say so in a moment; until then nobody takes their jobs away."""
    store.settings = store.settings.model_copy(update={"stale_seconds": 1e-6})
    runner = Fakes(store, WAITS)
    job = submit(store)
    store.claim("another")
    time.sleep(0.002)
    runner._missed = time.monotonic() + 60
    runner._sweep()
    assert state(store, job) == RUNNING
    runner._missed = None
    runner._sweep()
    assert state(store, job) == QUEUED


def test_a_runner_that_stops_without_its_database_ends_its_processes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one finds the job silent."""

    def away(*_: object, **__: object) -> None:
        raise UnavailableError("it is away")

    job = submit(store)
    runner = Fakes(store, WAITS)
    runner.start()
    until(lambda: runner._children)
    children = list(runner._children)
    with monkeypatch.context() as patch:
        patch.setattr(store, "give_back", away)
        runner.stop()
    assert [child.process.returncode for child in children] == [-signal.SIGTERM]
    assert store.give_back_stale(-1.0) == {job: QUEUED}


def test_a_finished_job_is_left_alone(store: Store, running: Run) -> None:
    job = submit(store)
    runner = running(WAITS)
    until(lambda: runner._children)
    store.finish(runner.claims[0], DONE)
    until(lambda: not runner._children)
    assert state(store, job) == DONE
    assert len(runner.claims) == 1


def test_the_log_says_how_each_attempt_ended_and_after_how_long(
    store: Store, running: Run, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "mivspool.service.runner")
    job = submit(store)
    runner = running(DIES, WAITS)
    until(lambda: state(store, job) == RUNNING and store.get(job).attempt == 2)
    until(lambda: len(runner.claims) == 2)
    store.finish(runner.claims[-1], DONE, result={"runs": 1})

    def told() -> list[tuple[str, int, bool]]:
        records = [vars(one) for one in caplog.records if getattr(one, "job", None) == job]
        return [(one["state"], one["attempt"], "seconds" in one) for one in records]

    ends = [(RUNNING, 1, False), (QUEUED, 1, True), (RUNNING, 2, False), (DONE, 2, True)]
    until(lambda: len(told()) >= len(ends))
    assert told() == ends
    assert all(one.seconds >= 0 for one in caplog.records if hasattr(one, "seconds"))
    assert "was ended by signal 9" in caplog.text


def test_the_log_says_why_a_job_failed(store: Store, running: Run, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "mivspool.service.runner")
    job = submit(store)
    runner = running(WAITS)
    until(lambda: len(runner.claims) == 1)
    store.finish(runner.claims[0], FAILED, error="the loss is no number")

    def whys() -> list[str]:
        records = [one for one in caplog.records if getattr(one, "job", None) == job]
        return [one.why for one in records if one.state == FAILED]

    until(whys)
    assert whys() == ["the loss is no number"]


def test_a_job_that_has_run_for_its_hours_is_ended(running: Run, store: Store) -> None:
    store.settings = store.settings.model_copy(update={"job_hours": 1e-6, "stale_seconds": 0.4})
    job = submit(store)
    running(WAITS)
    until(lambda: state(store, job) == INTERRUPTED)
    assert "MIVSPOOL_JOB_HOURS" in str(store.get(job).error)
