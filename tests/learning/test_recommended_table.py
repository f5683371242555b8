"""The table of the recommended network is right while runs are missing; its aims follow from complete cells alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from mivspool.learning import recommended
from mivspool.learning.recommended import AIMS, CHOSEN, DATASETS, RECOMMENDED, REPEATS
from mivspool.learning.recommended_table import OTHERS, OWN, TWINS, RecommendedTable, recommended_table
from mivspool.learning.runs import ResultLine, Task
from mivspool.learning.table_formats import FORMATS
from mivspool.learning.tables import Row


def tasks() -> Iterator[Task]:
    for part in recommended.evaluation(RECOMMENDED):
        yield from part


def line(task: Task, accuracy: float, numbers: str | None = "abc") -> ResultLine:
    config = task.config
    # each fold its own way off, the same for all methods but for a little
    wobble = 0.01 * ((7 * config.repeat + 3 * (config.fold or 0)) % 5 - 2)
    wobble += 0.001 * ((len(config.method) * (config.fold or 0)) % 3 - 1)
    about = {"epochs": 1, "best_epoch": 1, "val_loss": 1.0, "val_accuracy": 0.5, "confusion": [[1]],
             "iterations": None, "curve": None, "seconds": 1.0, "version": "9", "commit": None, "date": ""}  # fmt: skip
    return ResultLine(
        config, config.config_id, False, test_accuracy=accuracy + wobble, numbers=numbers, **about
    )


def every(accuracy: Any) -> list[ResultLine]:
    return [line(task, accuracy(task.config)) for task in tasks()]


def ahead(config: Any) -> float:
    """MIVSPool reaches every aim."""
    return 0.85 if config.method == "mivspool" else 0.80


def state(table: RecommendedTable, start: str) -> str:
    (found,) = [aim.state for aim in table.aims if aim.title.startswith(start)]
    return found


def row(table: RecommendedTable, dataset: str, method: str, seen: bool = False) -> Row:
    (found,) = [one for one in table.rows if (one.dataset, one.method, one.seen) == (dataset, method, seen)]
    return found


def test_the_network_of_the_table_is_the_one_that_the_search_chose() -> None:
    from mivspool.learning.results import Results
    from mivspool.places import place

    assert recommended.chosen(Results(place("results") / "search").lines()) == CHOSEN


def test_without_runs_nothing_is_reached_and_nothing_failed() -> None:
    table = recommended_table([])
    assert {aim.state for aim in table.aims} == {"open"}
    assert len(table.aims) == len(AIMS) + 3
    assert all((one.measured, one.there, one.rank) == (None, 0, None) for one in table.rows)
    assert "0 of 840 planned runs are there." in table.notes


def test_every_aim_is_reached_by_a_network_that_is_ahead_everywhere() -> None:
    table = recommended_table(every(ahead))
    assert {aim.state for aim in table.aims} == {"reached"}
    assert "840 of 840 planned runs are there." in table.notes
    for name in DATASETS:
        own = row(table, name, "mivspool")
        assert (own.there, own.due, own.rank) == (10 * len(REPEATS[name]),) * 2 + (1,)
        assert own.repeats == len(REPEATS[name])


@pytest.mark.parametrize("name", DATASETS)
def test_each_aim_can_fail(name: str) -> None:
    low = recommended_table(
        every(lambda c: AIMS[name] / 100 - 0.02 if c.method == "mivspool" and c.dataset == name else ahead(c))
    )
    failed = {aim.title for aim in low.aims if aim.state == "failed"}
    assert any(title.startswith("D&D" if name == "DD" else name) for title in failed)
    for method, start in (("none", "At or above its twin without"), ("gpool", "At or above every other")):
        table = recommended_table(
            every(lambda c, m=method: 0.95 if c.method == m and c.dataset == name else ahead(c))
        )
        failed = {aim.title for aim in table.aims if aim.state == "failed"}
        assert len(failed) == 1
        assert failed.pop().startswith(start)


def test_beyond_the_noise_on_two_is_counted() -> None:
    for count, wanted in ((1, "failed"), (2, "reached")):
        level = set(DATASETS[count:])
        table = recommended_table(
            every(lambda c, level=level: 0.85 if c.method == "none" and c.dataset in level else ahead(c))
        )
        assert state(table, "Above its twin") == wanted


def test_a_missing_fold_leaves_open_what_depends_on_it() -> None:
    found = every(ahead)
    gone = next(
        one for one in found if (one.dataset, one.method, one.repeat, one.fold) == ("NCI1", "none", 1, 4)
    )
    table = recommended_table(one for one in found if one is not gone)
    assert row(table, "NCI1", "none").there == 9
    assert [aim.title for aim in table.aims if aim.state == "open"] == [
        "At or above its twin without pooling on all four data sets",
        "Above its twin without pooling beyond the noise on two data sets",
    ]
    assert all(one.rank is None for one in table.rows if one.dataset == "NCI1" and not one.seen)
    assert row(table, "ENZYMES", "mivspool").rank == 1
    for form, make in FORMATS.items():
        if form != "csv":
            assert "9 of 10" in make(table)


def test_an_incomplete_repeat_is_counted_as_there_and_not_in_the_mean() -> None:
    own = [one for one in every(ahead) if one.dataset == "ENZYMES" and one.method == "mivspool"]
    first = [one for one in own if one.repeat == 1]
    more = [replace(one, test_accuracy=0.0) for one in own if one.repeat == 2][:2]
    found = row(recommended_table(first + more), "ENZYMES", "mivspool")
    assert (found.there, found.due, found.runs, found.repeats) == (12, 30, 10, 1)
    assert found.measured == pytest.approx(100 * sum(one.test_accuracy for one in first) / 10)


def test_repeat_0_is_apart_and_decides_nothing() -> None:
    seen = [one for one in every(ahead) if one.repeat == 0]
    table = recommended_table(seen)
    assert {aim.state for aim in table.aims} == {"open"}
    assert not table.pairs
    assert row(table, "PROTEINS", "mivspool").there == 0
    assert row(table, "PROTEINS", "mivspool", seen=True).there == 10


def test_other_runs_are_in_no_cell() -> None:
    others = [
        replace(one, config=replace(one.config, **change), config_id=replace(one.config, **change).config_id)
        for one in every(ahead)
        for change in ({"network": "paper"}, {"hidden": 64})
    ]
    others += [line(Task(replace(RECOMMENDED, dataset="ENZYMES", repeat=9), False), 1.0)]
    assert recommended_table(others).rows == recommended_table([]).rows


def test_a_cell_says_how_many_digests_are_behind_it() -> None:
    found = [
        replace(one, numbers={0: "a", 1: "b", 2: None}.get(one.fold, "a"))
        for one in every(ahead)
        if one.dataset == "DD"
    ]
    own = row(recommended_table(found), "DD", "sagpool")
    assert (own.digests, own.undigested) == (2, 1)


def test_every_comparison_is_corrected_with_those_that_answer_the_same_question() -> None:
    table = recommended_table(every(ahead))
    assert len(table.pairs) == len(DATASETS) * len(TWINS)
    for pair in table.pairs:
        assert pair.comparison.tests == len(DATASETS) * (len(OTHERS) if pair.twin in OTHERS else 1)
        assert pair.comparison.difference == pytest.approx(5.0, abs=0.2)


def test_json_is_that_of_the_other_tables() -> None:
    document = json.loads(json.dumps(recommended_table(every(ahead)).to_json()))
    assert document["table"] == "recommended"
    wanted = {"dataset", "method", "score", "measured", "std", "folds", "repeats"}
    assert all(wanted <= set(one) for one in document["rows"])
    assert [aim["state"] for aim in document["aims"]] == ["reached"] * 7
    assert {one["method"] for one in document["comparisons"]} == {name for name, _ in TWINS}
    assert OWN == ("mivspool", "multiview")
