"""When a job that waits is expected to begin: about, from how long jobs like it have run on this database."""

from __future__ import annotations

import heapq
import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mivspool.service.store import TIMED, Timed, Times

KEPT_SECONDS = 5.0  # an answer is given again for as long: many pages ask
# what makes jobs alike, the most alike first
_LIKE: tuple[tuple[str, ...], ...] = (
    TIMED,
    ("dataset", "method"),
    ("dataset",),
    (),
)


def expected_starts(times: Times, order: Sequence[str], at_once: int) -> dict[str, float]:
    """Seconds until each job of ``order`` begins, which is the order of the queue; none before any job is done.

    ``at_once``: how many run at once here; that more run now shows that more can.
    """
    lasting = Durations(times.done)
    free = [max(lasting.of(job) - job.seconds, 0.0) for job in times.running] if times.done else []
    free += [0.0] * (at_once - len(free))
    if not (times.done and free):
        return {}
    heapq.heapify(free)
    waiting = {job.id: job for job in times.waiting}
    found = {}
    for name in order:
        if name in waiting:  # else it has just begun
            found[name] = begins = heapq.heappop(free)
            heapq.heappush(free, begins + lasting.of(waiting[name]))
    return found


class Durations:
    """How long jobs last, by those that are done."""

    def __init__(self, done: Sequence[Timed]) -> None:
        self._known = [_medians(done, names) for names in _LIKE]

    def of(self, job: Timed) -> float:
        """Seconds of a job, by the jobs that are most like it: the median of their runs, as often as it has runs."""
        for names, known in zip(_LIKE, self._known, strict=True):
            found = known.get(_likeness(job.request, names))
            if found is not None:
                return found * job.runs
        raise LookupError("no job is done yet")


def _medians(done: Sequence[Timed], names: Sequence[str]) -> dict[tuple[str | None, ...], float]:
    seconds = defaultdict(list)
    for job in done:
        seconds[_likeness(job.request, names)].append(job.seconds / job.runs)
    return {like: statistics.median(some) for like, some in seconds.items()}


def _likeness(request: Mapping[str, str | None], names: Sequence[str]) -> tuple[str | None, ...]:
    return tuple(request[name] for name in names)


@dataclass
class _Kept:
    asked: frozenset[str]
    found: dict[str, float]
    until: float


class Expectation:
    """``ask(order)``: what was found a moment ago, or now. ``times`` looks the jobs up."""

    def __init__(self, times: Callable[[], Times], at_once: int) -> None:
        self._times, self._at_once = times, at_once
        self._asking = threading.Lock()
        self._kept = _Kept(frozenset(), {}, 0.0)

    def ask(self, order: Sequence[str]) -> dict[str, float]:
        """Seconds until each job begins."""
        with self._asking:
            if time.monotonic() >= self._kept.until or not self._kept.asked.issuperset(order):
                found = expected_starts(self._times(), order, self._at_once)
                self._kept = _Kept(frozenset(order), found, time.monotonic() + KEPT_SECONDS)
            return self._kept.found
