"""The app, pages in use and one training in 2 GB: the memory of all their processes, shared pages counted once.

``python -m tests.soak.small [DATASET …]``. Where a control group limits this process's memory, it says so:
``systemd-run --scope -p MemoryMax=2G -p MemorySwapMax=0 python -m tests.soak.small``.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from app.server.start import running
from mivspool.service.client import Client
from mivspool.service.states import UNFINISHED
from mivspool.settings import Settings
from tests.soak.sessions import Door, Watcher, wave

MOST = 2e9  # bytes
EPOCHS = 3
SESSIONS = 5
EVERY = 0.25  # seconds between two looks
LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


class Held:
    """The most memory that a process and its descendants held at once: the sum of their proportional set sizes."""

    def __init__(self, process: psutil.Process) -> None:
        self.process, self.most, self.parts = process, 0, ""

    def look(self) -> None:
        """Measure once."""
        sizes = []
        for one in (self.process, *self.process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                sizes.append(int(one.memory_full_info().pss))
        if sum(sizes) > self.most:
            self.most, self.parts = sum(sizes), " + ".join(f"{size / 1e6:.0f}" for size in sizes)

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Measure as long as the block runs."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(EVERY):
                self.look()

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()


def measure(home: Path, dataset: str) -> str:
    """What was held while a training ran. Raises AssertionError if that was more than a machine of 2 GB has."""
    environment = {"MIVSPOOL_HOME": str(home), "OMP_NUM_THREADS": "1"}
    with running(environment, log=home / "app.log") as address:
        watch = Watcher()
        held = Held(watch.processes[0])
        with held.looking(), Client(Settings(home=home), run_jobs=False) as client:
            job = client.submit("train", dataset=dataset, max_epochs=EPOCHS).id
            while (found := client.job(job)).state in UNFINISHED:
                seen, _ = asyncio.run(wave(Door(address, thinks=1.0), SESSIONS, 5, 0, watch))
                assert not seen.wrong, seen.wrong
                time.sleep(EVERY)
        assert found.state == "done", found.error
    said = (
        f"{dataset}, {EPOCHS} epochs with the default settings, beside {SESSIONS} sessions that step: "
        f"{held.most / 1e6:,.0f} MB at most ({held.parts})"
    )
    assert held.most < MOST, said
    return said


def limit() -> str:
    """Whether the memory was limited, and not only measured."""
    for path in map(Path, LIMITS):
        said = path.read_text().strip() if path.exists() else ""
        if said.isdecimal() and int(said) < psutil.virtual_memory().total:
            return f"limited by a control group: {int(said) / 1e6:,.0f} MB"
    return "measured, not limited: the sum of the proportional set sizes of all processes"


def main(*datasets: str) -> list[str]:
    """A data set of the usual size, and the largest."""
    found = [limit()]
    for dataset in datasets or ("PROTEINS", "DD"):
        with tempfile.TemporaryDirectory() as home:
            found.append(measure(Path(home), dataset))
    return found


if __name__ == "__main__":
    print("\n".join(main(*sys.argv[1:])))
