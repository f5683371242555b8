"""Jobs wait for memory of the GPU: as many begin as it has room for, and a GPU that is free is never left idle."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivspool.service import runner as module
from mivspool.service.gpu import begin_now, memory_of
from mivspool.service.runner import BEGIN_SECONDS, LocalRunner
from mivspool.service.store import Claim
from mivspool.settings import Settings

GB = 10**9
bytes_ = st.integers(0, 100 * GB)


class Gpus:
    """A table of devices that stands for the machine's."""

    def __init__(self) -> None:
        self.table: dict[str, tuple[int, int]] = {}
        self.asked = 0

    def memory_of(self, wanted: str) -> tuple[int, int] | None:
        self.asked += 1
        return self.table.get(wanted)


@pytest.fixture
def gpus(monkeypatch: pytest.MonkeyPatch) -> Gpus:
    made = Gpus()
    monkeypatch.setattr(module, "memory_of", made.memory_of)
    return made


class Queue:
    """A store in which jobs wait without an end (or none, while it is ``empty``), and a runner that only notes them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
        store = SimpleNamespace(
            settings=Settings(device="cuda:1", workers=8, **changes),
            claim=lambda _: None if self.empty else Claim("job", next(attempts)),
            waits=lambda: not self.empty,
        )
        self.empty, attempts = False, count(1)
        self.runner = LocalRunner(cast("Any", store), cast("Any", None))
        monkeypatch.setattr(self.runner, "poll", lambda: None)
        monkeypatch.setattr(self.runner, "_sweep", lambda: None)
        monkeypatch.setattr(self.runner, "begin", self._begin)

    def _begin(self, claim: Claim) -> None:
        self.runner._children.append(module._Child(claim, cast("Any", None), Path(), b""))

    def turn(self, later: float = 0.0) -> int:
        """How many jobs run after the runner's next turn, so many seconds ``later``."""
        for claim in self.runner._begun:
            self.runner._begun[claim] -= later
        self.runner._turn()
        return len(self.runner._children)


@pytest.fixture
def queues(monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda **changes: Queue(monkeypatch, **changes)


def test_as_many_begin_as_fit(gpus: Gpus, queues: Any) -> None:
    queue = queues(gpu_free_bytes=4 * GB)
    gpus.table["cuda:1"] = (3 * GB, 40 * GB)
    assert queue.turn() == 0
    gpus.table["cuda:1"] = (9 * GB, 40 * GB)
    assert queue.turn() == 2, "the two that have begun will take eight of them"
    assert queue.turn() == 2
    assert queue.turn(later=BEGIN_SECONDS + 1) == 4, "they have taken what they take, and 9 GB are free"


def test_never_more_than_workers(gpus: Gpus, queues: Any) -> None:
    gpus.table["cuda:1"] = (10**15, 10**15)
    assert queues(gpu_free_bytes=GB).turn() == 8


def test_nothing_waits_on_a_processor_or_where_nobody_asks_it_to(gpus: Gpus, queues: Any) -> None:
    assert queues(gpu_free_bytes=GB).turn() == 8
    gpus.table["cuda:1"] = (0, 10 * GB)
    assert queues(gpu_free_bytes=0).turn() == 8


def test_the_gpu_is_asked_where_a_job_waits_and_else_not(gpus: Gpus, queues: Any) -> None:
    queue = queues(gpu_free_bytes=GB)
    gpus.table["cuda:1"] = (10 * GB, 10 * GB)
    queue.empty = True
    assert queue.turn() == 0
    assert gpus.asked == 0
    queue.empty = False
    assert queue.turn() == 8
    asked = gpus.asked
    assert queue.turn() == 8, "no process is free"
    assert gpus.asked == asked


def test_waiting_is_said_once(gpus: Gpus, queues: Any, caplog: pytest.LogCaptureFixture) -> None:
    queue = queues(gpu_free_bytes=4 * GB)
    gpus.table["cuda:1"] = (3 * GB, 40 * GB)
    for _ in range(5):
        queue.turn()
    assert caplog.text.count("MIVSPOOL_GPU_FREE_BYTES") == 1


@given(free=bytes_, total=bytes_, needed=st.integers(1, 100 * GB), beginning=st.integers(0, 10))
def test_what_begins_fits(free: int, total: int, needed: int, beginning: int) -> None:
    free = min(free, total)
    if begin_now(free, total, needed, beginning):
        assert free >= min((beginning + 1) * needed, total * 3 // 4)
    if free == total and not beginning:
        assert begin_now(free, total, needed, beginning), "a GPU that is free takes a job"


def test_a_device_without_a_gpu_has_none() -> None:
    assert memory_of("cpu") is None
    assert memory_of("cuda:99") is None
