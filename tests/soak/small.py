"""The app, pages in use and one training in 2 GB: the memory of all their processes, shared pages counted once.

``python -m tests.soak.small [DATASET …]``. Where a control group can be made (by root, as a rule), the app and all that
it starts run in one of 2 GB, and are killed where they need more; elsewhere they are only measured.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path

import psutil

from app.server.start import running
from mivspool.service.client import Client
from mivspool.service.states import UNFINISHED
from mivspool.settings import Settings
from tests.service.backends import until
from tests.soak.sessions import Door, Watcher, wave

MOST = 2e9  # bytes
EPOCHS = 3
SESSIONS = 5
EVERY = 0.25  # seconds between two looks
GROUPS = Path("/sys/fs/cgroup")
LIMITS = {
    "memory": "memory.limit_in_bytes",
    "": "memory.max",
}  # of control groups of the first and second version


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


class Group:
    """A control group below this process's own, whose memory is limited to MOST."""

    def __init__(self, parent: Path, limit: str) -> None:
        self.parent, self.folder = parent, parent / f"mivspool-{os.getpid()}"
        self.folder.mkdir()
        try:
            (self.folder / limit).write_text(str(int(MOST)))
        except OSError:
            self.folder.rmdir()
            raise

    @classmethod
    def new(cls) -> Group | None:
        """A group, where this machine lets this account make one."""
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controller, path = line.split(":", 2)
            with suppress(OSError):
                if controller in LIMITS:
                    return cls(GROUPS / controller / path.lstrip("/"), LIMITS[controller])
        return None

    @contextmanager
    def starting(self) -> Iterator[None]:
        """What this process starts in the block is in the group, and stays there."""
        self._enter(self.folder)
        try:
            yield
        finally:
            self._enter(self.parent)

    def close(self) -> None:
        """Remove it; nothing runs there any more."""
        until(lambda: not (self.folder / "cgroup.procs").read_text())
        self.folder.rmdir()

    def _enter(self, folder: Path) -> None:
        (folder / "cgroup.procs").write_text(str(os.getpid()))


def measure(home: Path, dataset: str, group: Group | None) -> str:
    """What was held while a training ran. Raises AssertionError if that was more than a machine of 2 GB has."""
    environment = {"MIVSPOOL_HOME": str(home), "OMP_NUM_THREADS": "1"}
    with ExitStack() as stack:
        with group.starting() if group else nullcontext():
            address = stack.enter_context(running(environment, log=home / "app.log"))
        watch = Watcher()
        held = Held(watch.processes[0])
        with held.looking(), Client(Settings(home=home), run_jobs=False) as client:
            job = client.submit("train", dataset=dataset, max_epochs=EPOCHS).id
            while (found := client.job(job)).state in UNFINISHED:
                seen, _ = asyncio.run(wave(Door(address, thinks=1.0), SESSIONS, 5, 0, watch))
                assert not seen.wrong, seen.wrong
                time.sleep(EVERY)
        assert found.state == "done", found.error
        assert found.attempt == 1, "it was killed, and went on"
    said = (
        f"{dataset}, {EPOCHS} epochs with the default settings, beside {SESSIONS} sessions that step: "
        f"{held.most / 1e6:,.0f} MB at most ({held.parts})"
    )
    assert held.most < MOST, said
    return said


def main(*datasets: str) -> list[str]:
    """A data set of the usual size, and the largest."""
    group = Group.new()
    how = f"limited by a control group to {MOST / 1e6:,.0f} MB" if group else "measured, not limited"
    found = [f"{how}; the sum of the proportional set sizes of all processes"]
    try:
        for dataset in datasets or ("PROTEINS", "DD"):
            with tempfile.TemporaryDirectory() as home:
                found.append(measure(Path(home), dataset, group))
    finally:
        if group:
            group.close()
    return found


if __name__ == "__main__":
    print("\n".join(main(*sys.argv[1:])))
