"""How many runs of an evaluation go on at once on this machine, and which of them begins next."""

from __future__ import annotations

import math
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean

import torch

from mivspool.errors import InputError
from mivspool.learning.runs import ResultLine, Task
from mivspool.pooling.parts.memory import available

AUTO = "auto"
# a worker before its first run has ended: the paper's network on D&D took 1.15 GB, without pooling 1.5 GB
FIRST_BYTES = 2 * 2**30
LAST = 4
"""So many runs per worker at the end begin in the order of their length."""


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def peak() -> int:
    """The bytes that this process has taken at most; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return taken if sys.platform == "darwin" else taken * 1024


class Workers:
    """The worker processes of an evaluation: a number of them, or ``auto``.

    ``auto`` is one per core that the process may use, as far as memory goes: another worker is started only where
    there is as much free as the largest has taken so far.
    """

    def __init__(self, asked: int | str, tasks: Sequence[Task] = (), first_bytes: int = FIRST_BYTES) -> None:
        """InputError for anything but ``auto`` and a positive number.

        Args:
            asked: how many, or ``auto``.
            tasks: the runs; the threads that their settings name are counted as cores.
            first_bytes: what a worker is taken to need before its first run has ended.
        """
        if asked != AUTO and (not isinstance(asked, int) or asked < 1):
            raise InputError(f"workers must be at least 1, or {AUTO}: it is {asked}")
        threads = max((task.config.threads or 1 for task in tasks), default=1)
        self.checked = asked == AUTO
        self.most = max(1, cores() // threads) if isinstance(asked, str) else asked
        self.needed = first_bytes
        self.started = self.grown = 0

    @property
    def threads(self) -> int:
        """How many threads each may use, where its run does not say."""
        return max(1, cores() // self.most)

    def may_begin(self, running: int) -> bool:
        """Whether another run may begin beside those that are running; one always may."""
        if running >= self.most:
            return False
        if running < self.started or not running or not self.checked:
            return True
        growing = self.started - self.grown  # what these will take is still counted as free
        return available(torch.device("cpu")) >= (growing + 1) * self.needed

    def begun(self, running: int) -> None:
        """So many are running now."""
        self.started = max(self.started, running)

    def ended(self, peak: int) -> None:
        """A run has ended in a worker that took ``peak`` bytes at most."""
        if peak:
            self.needed = peak if not self.grown else max(self.needed, peak)
        self.grown = min(self.grown + 1, self.started)


class Due:
    """The runs that are to be done: in order, and the last of them the longest first, so that no core waits long.

    How long a run takes is known from others with its settings; one that is not known counts as the longest.
    """

    def __init__(self, tasks: Iterable[Task], lines: Iterable[ResultLine] = ()) -> None:
        self.waiting = list(tasks)
        self._seconds: dict[str, list[float]] = defaultdict(list)
        for line in lines:
            self.took(line.config_id, line.seconds)

    def took(self, config_id: str, seconds: float) -> None:
        """A run with these settings took so many seconds."""
        self._seconds[config_id].append(seconds)

    def next(self, workers: int) -> Task:
        """Take the run that begins next."""
        if len(self.waiting) > LAST * workers:
            return self.waiting.pop(0)
        longest = max(self.waiting, key=self.expected)  # of equals the first
        self.waiting.remove(longest)
        return longest

    def expected(self, task: Task) -> float:
        """Its seconds, as far as runs with its settings tell."""
        known = self._seconds.get(task.config.config_id)
        return fmean(known) if known else math.inf
