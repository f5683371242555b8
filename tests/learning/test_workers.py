"""How many runs go on at once: as many as there are cores and memory for, and no core waits long at the end."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mivspool.errors import InputError
from mivspool.learning import evaluation, workers
from mivspool.learning.results import Results
from mivspool.learning.runs import RunConfig, Task, plan
from mivspool.learning.workers import AUTO, FIRST_BYTES, Due, Workers
from tests.learning.conftest import cycles_and_stars
from tests.learning.tu_files import write_tu


def tasks_of(lengths: list[float]) -> dict[str, float]:
    """As many settings as lengths: what a run with each takes."""
    return {
        RunConfig("TOY", hidden=8 * (i + 1), fold=0).config_id: length for i, length in enumerate(lengths)
    }


def makespan(lengths: list[float], cores: int) -> float:
    """The seconds that all runs take, each core taking the next one when it is free."""
    seconds = tasks_of(lengths)
    due = Due([Task(RunConfig("TOY", hidden=8 * (i + 1), fold=0), False) for i in range(len(lengths))])
    for config_id, taken in seconds.items():
        due.took(config_id, taken)
    free = [0.0] * cores
    while due.waiting:
        first = free.index(min(free))
        free[first] += seconds[due.next(cores).config.config_id]
    return max(free)


def shortest(lengths: list[float], cores: int) -> float:
    """The shortest time in which they can be done, by trying every way to share them out."""
    shares = itertools.product(range(cores), repeat=len(lengths))
    return min(
        max(
            sum(length for length, core in zip(lengths, share, strict=True) if core == c)
            for c in range(cores)
        )
        for share in shares
    )


@settings(max_examples=50)
@given(st.lists(st.floats(1, 100), min_size=1, max_size=6), st.integers(2, 3))
def test_at_the_end_the_longest_begin_first(lengths: list[float], cores: int) -> None:
    """So the time is at most 4/3 of the shortest possible (Graham 1969)."""
    assert makespan(lengths, cores) <= shortest(lengths, cores) * 4 / 3 + 1e-9


def test_a_long_last_run_is_not_waited_for() -> None:
    lengths = [random.Random(1).uniform(5, 10) for _ in range(40)] + [60.0]
    assert makespan(lengths, 2) < sum(lengths) / 2 + 10


def test_before_the_end_they_begin_in_order_and_unknown_ones_count_as_the_longest() -> None:
    tasks = plan(RunConfig("TOY"), ["mivspool", "none"], [0, 1])
    due = Due(tasks)
    due.took(tasks[-1].config.config_id, 5.0)
    assert [due.next(2) for _ in range(len(tasks) - 8)] == tasks[:-8]
    last = [due.next(2) for _ in range(8)]
    known = [task.config.config_id == tasks[-1].config.config_id for task in last]
    assert known == sorted(known)


def several(monkeypatch: pytest.MonkeyPatch, cores: int, free: int, asked: int | str = AUTO) -> Workers:
    monkeypatch.setattr(workers, "cores", lambda: cores)
    monkeypatch.setattr(workers, "available", lambda _: free)
    return Workers(asked)


def begin(made: Workers) -> int:
    """How many begin at once."""
    running = 0
    while made.may_begin(running):
        running += 1
        made.begun(running)
    return running


def test_auto_is_one_per_core_as_far_as_memory_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert begin(several(monkeypatch, 4, 100 * FIRST_BYTES)) == 4
    assert begin(several(monkeypatch, 4, 3 * FIRST_BYTES)) == 3
    assert begin(several(monkeypatch, 4, 0)) == 1, "one run always goes on"
    assert begin(several(monkeypatch, 4, 0, 3)) == 3, "a number is what was asked for"


def test_another_begins_when_runs_take_less_than_was_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    made = several(monkeypatch, 4, FIRST_BYTES)
    assert begin(made) == 1
    made.ended(FIRST_BYTES // 4)
    assert begin(made) == 4


def test_no_other_begins_when_runs_take_more(monkeypatch: pytest.MonkeyPatch) -> None:
    made = several(monkeypatch, 4, 2 * FIRST_BYTES)
    assert begin(made) == 2
    monkeypatch.setattr(workers, "available", lambda _: 2 * FIRST_BYTES)
    made.ended(3 * FIRST_BYTES)
    assert begin(made) == 2


def test_cores_are_shared_and_threads_that_a_run_names_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "cores", lambda: 8)
    (task,) = plan(RunConfig("TOY", threads=4), ["none"], [0], [0])
    assert (Workers(AUTO).most, Workers(AUTO).threads) == (8, 1)
    assert Workers(AUTO, [task]).most == 2
    assert Workers(3).threads == 2
    assert Workers(20).threads == 1


@pytest.mark.parametrize("asked", [0, -1, "many"])
def test_anything_else_is_refused(asked: int | str) -> None:
    with pytest.raises(InputError, match="workers must be at least 1, or auto"):
        Workers(asked)


def test_the_workers_of_an_evaluation_share_the_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "cores", lambda: 2)
    source = write_tu(cycles_and_stars(), tmp_path / "TOY")
    tasks = plan(RunConfig(str(source), hidden=8, blocks=1, max_epochs=2), ["none"], [0], [0, 1, 2])
    results = Results(tmp_path / "results")
    before = torch.get_num_threads()
    assert evaluation.evaluate(tasks, results, workers=AUTO) == 3
    assert {
        json.loads(line)["threads"] for line in (results.folder / "TOY.jsonl").read_text().splitlines()
    } == {1}
    assert torch.get_num_threads() == before
