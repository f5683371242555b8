"""Kill the worker of a job, and the backend itself, at random moments, and see that nothing is lost.

``python -m tests.soak.kills [KILLS]``. Each job is killed again and again, resumed each time, and must end with the
weights of a run that nobody disturbed; its events stay numbered without gaps, and no run is recorded twice.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from mivspool.service.client import Client
from mivspool.service.store import Store
from mivspool.settings import Settings

# checkpoints and events are written all the time, so that a kill often falls into one
BUSY = {"MIVSPOOL_CHECKPOINT_SECONDS": "0.02", "MIVSPOOL_STALE_SECONDS": "6", "MIVSPOOL_RATE_PER_MINUTE": "0"}
JOB: dict[str, Any] = {"dataset": "MAO", "blocks": 2, "hidden": 16, "batch_size": 8, "patience": 10**5}
WAIT = 120.0  # seconds without a new event


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
            f"{self.seconds:.0f} s: every job ended as an undisturbed run does"
        )


class Server:
    """``mivspool serve`` on a home of its own."""

    def __init__(self, home: Path) -> None:
        self.environment = {**os.environ, **BUSY, "MIVSPOOL_HOME": str(home), "OMP_NUM_THREADS": "1"}
        self.environment.pop("MIVSPOOL_BACKEND_URL", None)
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
def serving(home: Path) -> Iterator[Server]:
    server = Server(home)
    try:
        yield server
    finally:
        server.stop()


def campaign(home: Path, kills: int, epochs: int, seed: int, most_per_job: int = 10) -> Report:
    """Kill as often as asked, in as many jobs as that takes. Raises AssertionError when something is lost."""
    random_ = random.Random(seed)
    report, start = Report(), time.monotonic()
    store = Store(Settings(home=home, database_url=f"sqlite:///{home / 'jobs.sqlite'}"))
    with serving(home) as server:
        expected = _weights(store, _finish(server, _submit(server, epochs)))
        while sum(report.kills.values()) < kills:
            job = _submit(server, epochs)
            for _ in range(min(most_per_job, kills - sum(report.kills.values()))):
                if not _disturb(server, job, random_, report):
                    break  # it was done before it could be killed
            _finish(server, job)
            _check(store, job)
            assert _weights(store, job) == expected, "the resumed run ended with other weights"
            found = store.get(job)
            assert found is not None
            report.jobs, report.attempts = report.jobs + 1, report.attempts + found.attempt
        assert set(store.counts()) == {"done"}
    store.close()
    report.seconds = time.monotonic() - start
    return report


def _submit(server: Server, epochs: int) -> str:
    return server.client.submit("train", **JOB, max_epochs=epochs).id


def _disturb(server: Server, job: str, random_: random.Random, report: Report) -> bool:
    """One kill at a random moment, and the job queued again."""
    before = server.client.job(job).last_event
    starting = random_.random() < 0.1  # kill it while it starts; else wait until it trains
    while True:
        found = server.client.job(job)
        if found.state == "done":
            return False
        if found.state == "running" and server.workers() and (starting or found.last_event > before + 1):
            break
        time.sleep(0.02)
    time.sleep(random_.random() * 0.5)
    if random_.random() < 0.2:
        server.kill()
        report.kills["backend"] += 1
        server.start()
    else:
        workers = server.workers()
        if not workers:
            return False
        workers[0].send_signal(random_.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGSEGV]))
        report.kills["worker"] += 1
    ended = _wait(server, job, {"interrupted", "done"})
    if ended == "interrupted":
        server.client.resume(job)
    return ended == "interrupted"


def _wait(server: Server, job: str, states: set[str]) -> str:
    last, moved = 0, time.monotonic()
    while (found := server.client.job(job)).state not in states:
        assert found.state in {"queued", "running"}, server.client.log(job)
        if found.last_event > last:
            last, moved = found.last_event, time.monotonic()
        assert time.monotonic() - moved < WAIT, f"the job is stuck: {found.state}"
        time.sleep(0.05)
    return found.state


def _finish(server: Server, job: str) -> str:
    while _wait(server, job, {"interrupted", "done"}) != "done":
        server.client.resume(job)
    return job


def _check(store: Store, job: str) -> None:
    events = store.events(job, limit=10**6)
    assert [event.n for event in events] == list(range(1, len(events) + 1))
    kinds = Counter(event.kind for event in events)
    assert kinds["run"] == 1
    assert kinds["done"] == 1
    assert kinds["started"] == kinds["queued"] == kinds["interrupted"] + 1
    assert list(store.runs(job)) == ["train"]
    assert store.load(job, "checkpoint:train") is None


def _weights(store: Store, job: str) -> bytes:
    """The weights of the model that a job left, without the card that names the job."""
    import io
    import zipfile

    content = store.load(job, "model")
    assert content is not None
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read("model.safetensors")


def main(kills: int = 50) -> Report:
    """The whole campaign."""
    with tempfile.TemporaryDirectory() as home:
        return campaign(Path(home), kills, epochs=150, seed=int(time.time()))


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:2])))
