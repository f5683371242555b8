"""Kill everything that a job needs, at random moments, and see that it goes on by itself and nothing is lost.

``python -m tests.soak.kills [KILLS]``: the worker of a job, the backend, its orderly end and start (an upgrade), and
PostgreSQL's fast restart. Each job is disturbed again and again, nobody resumes it, and it must end with the weights of
a run that nobody disturbed; its events stay numbered without gaps, and no run is recorded twice. Checkpoints and models
lie in the database, or in the object store that MIVSPOOL_STORE_URL names.
"""

from __future__ import annotations

import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import Any, TypeVar

import psutil

from mivspool.errors import BackendError
from mivspool.service.client import Client
from mivspool.service.store import Store
from mivspool.settings import Settings
from tests.service import postgres
from tests.service.backends import until

# checkpoints and events are written all the time, so that a kill often falls into one
BUSY = {"MIVSPOOL_CHECKPOINT_SECONDS": "0.02", "MIVSPOOL_STALE_SECONDS": "6", "MIVSPOOL_RATE_PER_MINUTE": "0"}
JOB: dict[str, Any] = {"dataset": "MAO", "blocks": 2, "hidden": 16, "batch_size": 8, "patience": 10**5}
WAIT = 900.0  # seconds without a new event; the machine may be busy

T = TypeVar("T")


@dataclass
class Report:
    """What happened."""

    kills: Counter[str] = field(default_factory=Counter)
    jobs: int = 0
    attempts: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        killed = ", ".join(f"{count} × {what}" for what, count in sorted(self.kills.items()))
        return (
            f"{sum(self.kills.values())} kills ({killed}) in {self.jobs} jobs and {self.attempts} attempts, "
            f"{self.seconds:.0f} s: every job went on by itself and ended as an undisturbed run does"
        )


class Server:
    """``mivspool serve`` on a home of its own."""

    def __init__(self, home: Path, more: Mapping[str, str] | None = None) -> None:
        self.environment = {**os.environ, **BUSY, "MIVSPOOL_HOME": str(home), "OMP_NUM_THREADS": "1"}
        self.environment.pop("MIVSPOOL_BACKEND_URL", None)
        self.environment.update(more or {})
        self.leavings = home / "tmp"
        self.leavings.mkdir(exist_ok=True)
        self.environment["TMPDIR"] = str(self.leavings)
        self.start()

    def start(self) -> None:
        """Start it and connect."""
        command = [sys.executable, "-m", "mivspool", "serve", "--port", "0"]
        self.process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[3]
        self.client = Client(Settings(backend_url=self.address))

    def ask(self, question: Callable[[Client], T]) -> T:
        """What the backend answers, once its database lets it."""
        while True:
            try:
                return question(self.client)
            except BackendError:
                assert self.process.poll() is None, "the backend has ended"
                time.sleep(0.05)

    def workers(self) -> list[psutil.Process]:
        """The processes of its jobs."""
        try:
            children = psutil.Process(self.process.pid).children()
            return [child for child in children if "mivspool.service.worker" in child.cmdline()]
        except psutil.NoSuchProcess:
            return []

    def kill(self) -> None:
        """End it without a warning."""
        self.client.close()
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """End it as a person would."""
        self.client.close()
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


@contextmanager
def serving(home: Path, more: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server for as long as the block lasts."""
    server = Server(home, more)
    try:
        yield server
    finally:
        server.stop()


Disturbance = Callable[[], bool]  # False: there was nothing to kill


def disturbances(server: Server, random_: random.Random, database: str | None) -> dict[str, Disturbance]:
    """What can be done to a backend on this machine; ``database``: the folder of its PostgreSQL server."""

    def worker() -> bool:
        workers = server.workers()
        with suppress(psutil.NoSuchProcess):
            for one in workers:
                one.send_signal(random_.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGSEGV]))
                return True
        return False

    def backend() -> bool:
        server.kill()
        server.start()
        return True

    def upgrade() -> bool:
        server.stop()
        server.start()
        return True

    def restart() -> bool:
        assert database is not None
        postgres.restart(database)
        return True

    found: dict[str, Disturbance] = {"worker": worker, "backend": backend, "upgrade": upgrade}
    return found if database is None else {**found, "database": restart}


def campaign(
    home: Path, epochs: int, seed: int, *, kinds: Sequence[str] = (), kills: int = 0, most_per_job: int = 10
) -> Report:
    """Kill what ``kinds`` lists, or ``kills`` times what chance says, in as many jobs as that takes.

    Raises AssertionError when something is lost.
    """
    random_, binaries = random.Random(seed), postgres.find_binaries()
    with ExitStack() as stack:
        address, folder = f"sqlite:///{home / 'jobs.sqlite'}", None
        if binaries is not None:
            folder = stack.enter_context(postgres.server(binaries))
            address = postgres.new_database(folder, "jobs")
        server = stack.enter_context(serving(home, {"MIVSPOOL_DATABASE_URL": address}))
        can = disturbances(server, random_, folder)
        if kinds:
            chosen = [kind for kind in kinds if kind in can]
        else:
            chosen = random_.choices([*can], [5 if kind == "worker" else 1 for kind in can], k=kills)
        return disturb(
            server, address, can, chosen, random_, {**JOB, "max_epochs": epochs}, "train", most_per_job
        )


def disturb(
    server: Server,
    address: str,
    can: Mapping[str, Disturbance],
    chosen: Sequence[str],
    random_: random.Random,
    job: Mapping[str, Any],
    kind: str,
    most_per_job: int,
) -> Report:
    """Jobs of one kind, one after the other, until each of the ``chosen`` has happened."""
    report, start, left = Report(), time.monotonic(), list(chosen)
    store = Store(Settings(home=Path(server.environment["MIVSPOOL_HOME"]), database_url=address))
    submit = lambda: server.ask(lambda client: client.submit(kind, **job)).id  # noqa: E731
    expected = _outcome(store, _finish(server, submit()))
    while left:
        name = submit()
        for _ in repeat(None, most_per_job):
            if not (left and _wait_for_work(server, name, random_)):
                break  # it was done before it could be disturbed
            time.sleep(random_.random() * 0.5)
            if can[left[0]]():
                report.kills[left.pop(0)] += 1
        _finish(server, name)
        _check(store, name)
        assert _outcome(store, name) == expected, "the disturbed job ended otherwise"
        found = store.get(name)
        assert found is not None
        report.jobs, report.attempts = report.jobs + 1, report.attempts + found.attempt
    assert set(store.counts()) == {"done"}
    until(lambda: not list(server.leavings.glob("mivspool-*")))  # the last process may still be ending
    store.close()
    report.seconds = time.monotonic() - start
    return report


def _wait_for_work(server: Server, job: str, random_: random.Random) -> bool:
    """Wait until the job gets further, or seldom only until it starts; False when it is done."""
    before, starting = server.ask(lambda client: client.job(job)).last_event, random_.random() < 0.1
    moved = time.monotonic()
    while time.monotonic() - moved < WAIT:
        found = server.ask(lambda client: client.job(job))
        if found.state == "done":
            return False
        assert found.state in {"queued", "running"}, (found.state, found.error)
        if found.state == "running" and (starting or found.last_event > before + 2):
            return True
        time.sleep(0.05)
    raise AssertionError(f"the job is stuck: {found.state}")


def _finish(server: Server, job: str) -> str:
    """Wait for its end; nobody resumes it."""
    last, moved = 0, time.monotonic()
    while (found := server.ask(lambda client: client.job(job))).state != "done":
        assert found.state in {"queued", "running"}, (found.error, server.client.log(job))
        if found.last_event > last:
            last, moved = found.last_event, time.monotonic()
        assert time.monotonic() - moved < WAIT, f"the job is stuck: {found.state}"
        time.sleep(0.2)
    return job


def _check(store: Store, job: str) -> None:
    events = store.events(job, limit=10**6)
    assert [event.n for event in events] == list(range(1, len(events) + 1))
    kinds = Counter(event.kind for event in events)
    assert kinds["run"] == len(store.runs(job))
    assert kinds["done"] == 1
    assert kinds["started"] == kinds["queued"]
    assert not kinds["interrupted"]
    assert all(store.load(job, f"checkpoint:{key}") is None for key in store.runs(job))


def _outcome(store: Store, job: str) -> tuple[dict[str, Any], bytes | None]:
    """What a job came to: its runs, without the time they took, and the weights of a model."""
    lines = {
        key: {name: value for name, value in line.items() if name != "seconds"}
        for key, line in store.runs(job).items()
    }
    content = store.load(job, "model")
    if content is None:
        return lines, None
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return lines, archive.read("model.safetensors")


def main(kills: int = 60) -> Report:
    """The whole campaign."""
    with tempfile.TemporaryDirectory() as home:
        return campaign(Path(home), epochs=150, seed=int(time.time()), kills=kills)


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:2])))
