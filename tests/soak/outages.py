"""Five jobs whose database goes away for a minute, and one whose disk is full for a while: they wait, and go on.

``python -m tests.soak.outages [SECONDS]``
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from mivspool.service.store import Store
from mivspool.settings import Settings
from tests.service import postgres
from tests.soak.kills import JOB, _check, _finish, _outcome, serving

JOBS = 5


def database(home: Path, seconds: float, epochs: int) -> str:
    """PostgreSQL is stopped in the middle of five jobs, and started again. Raises AssertionError."""
    binaries = postgres.find_binaries()
    assert binaries is not None, "PostgreSQL is not installed here"
    with ExitStack() as stack:
        folder = stack.enter_context(postgres.server(binaries))
        address = postgres.new_database(folder, "jobs")
        settings = {"MIVSPOOL_DATABASE_URL": address, "MIVSPOOL_WORKERS": str(JOBS)}
        server = stack.enter_context(serving(home, settings))
        store = Store(Settings(home=home, database_url=address))
        stack.callback(store.close)
        submit = lambda: server.client.submit("train", **JOB, max_epochs=epochs).id  # noqa: E731
        expected = _outcome(store, _finish(server, submit()))
        jobs = [submit() for _ in range(JOBS)]
        while not all((server.client.job(job).progress.epoch or 0) > epochs / 10 for job in jobs):
            time.sleep(0.1)
        before = [server.client.job(job).progress.epoch for job in jobs]
        postgres.stop(folder)
        time.sleep(seconds)
        postgres.start(folder)
        attempts = []
        for job in jobs:
            _check(store, _finish(server, job))
            assert _outcome(store, job) == expected, "the job ended otherwise"
            attempts.append(server.client.job(job).attempt)
        return (
            f"the database was away for {seconds:.0f} s when {JOBS} jobs were at epochs "
            f"{', '.join(map(str, before))} of {epochs}: all ended as undisturbed, in {', '.join(map(str, attempts))} "
            "attempts"
        )


def disk(home: Path, seconds: float, epochs: int) -> str:
    """The disk that holds the database (SQLite) is full, and emptied. Raises AssertionError."""
    with ExitStack() as stack:
        stack.enter_context(_small_disk(home))
        address = f"sqlite:///{home / 'jobs.sqlite'}"
        server = stack.enter_context(serving(home))
        store = Store(Settings(home=home, database_url=address))
        stack.callback(store.close)
        submit = lambda: server.client.submit("train", **JOB, max_epochs=epochs).id  # noqa: E731
        expected = _outcome(store, _finish(server, submit()))
        job = submit()
        while (server.client.job(job).progress.epoch or 0) < epochs / 10:
            time.sleep(0.1)
        _fill(home / "rest", 2)
        stood = server.client.job(job).last_event
        _fill(home / "rest", seconds)
        found = server.client.job(job)
        assert (found.state, found.last_event) == ("running", stood), "it went on without a place to write"
        (home / "rest").unlink()
        _check(store, _finish(server, job))
        assert _outcome(store, job) == expected, "the job ended otherwise"
        return (
            f"the disk was full for {seconds:.0f} s when a job was at epoch {found.progress.epoch} of {epochs}: it "
            f"ended as undisturbed, in attempt {server.client.job(job).attempt}"
        )


@contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    """A file system of its own in this folder (for root on Linux)."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def _fill(file: Path, seconds: float) -> None:
    """Take all the space there is, and for so long what others give back."""
    end = time.monotonic() + seconds
    with file.open("ab", buffering=0) as output:
        while time.monotonic() < end:
            try:
                output.write(bytes(2**16))
            except OSError:
                time.sleep(0.02)


def main(seconds: float = 60.0) -> list[str]:
    """What was found."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        return [database(Path(one), seconds, epochs=400), disk(Path(other), seconds / 2, epochs=400)]


if __name__ == "__main__":
    print("\n".join(main(*map(float, sys.argv[1:2]))))
