"""The ablation is the one that was planned; its runs go on where they were stopped; its table says what is there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mivspool.learning import ablation, ablation_runs, recommended
from mivspool.learning.ablation import (
    REFERENCE,
    VARIANTS,
    WITHOUT,
    Ablation,
    Cost,
    Renumbered,
    ablation_table,
)
from mivspool.learning.recommended import RECOMMENDED
from mivspool.learning.runs import ResultLine, RunConfig, Task
from mivspool.learning.table_formats import FORMATS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "recommended.md").read_text(encoding="utf-8")


def test_each_variant_changes_one_thing_of_the_recommended_network() -> None:
    assert VARIANTS[REFERENCE] == RECOMMENDED
    changed = {
        name: {one for one, value in config.to_dict().items() if value != RECOMMENDED.to_dict()[one]}
        for name, config in VARIANTS.items()
    }
    assert changed.pop(REFERENCE) == set()
    assert changed.pop(WITHOUT) == {"method", "score"}, "without pooling there is no score"
    assert all(len(one) == 1 for one in changed.values())
    assert len({config.config_id for config in VARIANTS.values()}) == len(VARIANTS)


def test_its_folds_are_used_by_nothing_else_and_the_page_says_how_many_runs_there_are() -> None:
    repeats = {
        recommended.REPEAT,
        recommended.SEEN,
        *(r for own in recommended.REPEATS.values() for r in own),
    }
    assert ablation.REPEAT not in repeats
    assert f"{len(ablation.tasks())} runs" in PAGE
    assert f"repeat {ablation.REPEAT}" in PAGE


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tiny networks on MAO instead of seven on ENZYMES."""
    base = RunConfig("", network="multilevel", hidden=4, blocks=1, max_epochs=1, threads=1)
    tiny = {REFERENCE: base, WITHOUT: replace(base, method="none")}
    for name, value in {"VARIANTS": tiny, "DATASET": "MAO", "DATASETS": ("MAO",), "FOLDS": (0, 1)}.items():
        monkeypatch.setattr(ablation, name, value)


@pytest.mark.usefixtures("small")
def test_runs_go_on_where_they_were_stopped(tmp_path: Path) -> None:
    kept = Ablation(tmp_path)

    class StoppedError(Exception):
        pass

    def stop(progress: object) -> None:
        if len(kept.results.lines()) == 3:
            raise StoppedError

    with pytest.raises(StoppedError):
        ablation_runs.run(kept, on_run=stop)
    assert ablation_runs.run(kept) == 1
    assert ablation_runs.run(kept) == 0
    lines = kept.results.lines()
    assert len(lines) == 4
    assert {(one.config_id, one.fold) for one in kept.renumbered()} == {
        (one.config_id, one.fold) for one in lines
    }
    for one in kept.renumbered():
        assert one.graphs in (6, 7)
        assert (one.survivors is None) == (one.config_id == ablation.VARIANTS[WITHOUT].config_id)
        assert 0 <= one.predicted <= one.graphs
    # a line that was lost with its run is made again to the same numbers, and counts once
    again = [line for line in lines if line.fold == 1]
    (tmp_path / "MAO.jsonl").write_text(
        "".join(json.dumps(line.to_dict()) + "\n" for line in lines if line.fold == 0)
    )
    before = kept.renumbered()
    assert ablation_runs.run(kept) == len(again)
    assert sorted(map(repr, kept.renumbered())) == sorted(map(repr, before))
    table = ablation_table(kept.results.lines(), kept.renumbered(), [])
    assert [row["folds"] for row in table.rows] == ["2 of 2"] * 2


@pytest.mark.usefixtures("small")
def test_a_cost_is_of_an_epoch(tmp_path: Path) -> None:
    (config, _) = ablation.costs()
    found = ablation_runs.cost(config, epochs=1)
    assert found.seconds > 0
    assert found.mib is None or found.mib >= 0
    assert (found.dataset, found.config_id) == ("MAO", config.config_id)


def line(task: Task, accuracy: float) -> ResultLine:
    config = task.config
    about = {"epochs": 1, "best_epoch": 1, "val_loss": 0.5, "val_accuracy": 0.5, "confusion": [[1]],
             "iterations": None, "curve": None, "seconds": 1.0, "version": "9", "commit": None, "date": ""}  # fmt: skip
    return ResultLine(config, config.config_id, False, test_accuracy=accuracy, **about)


def test_the_table_says_what_is_there_and_nothing_else() -> None:
    empty = ablation_table([], [], [])
    assert "0 of 28 planned runs are there" in empty.notes[0]
    assert all(row["accuracy"] is row["survivors"] is row["seconds"] is None for row in empty.rows)
    own = [task for task in ablation.tasks() if task.config.fold in (0, 1)]
    lines = [line(task, 0.6 + 0.01 * task.config.fold - 0.1 * (task.config.method == "none")) for task in own]
    moved = [Renumbered(RECOMMENDED.config_id, fold, 60, 5, 15, 3) for fold in (0, 1, 2)]
    paid = [
        Cost("NCI1", VARIANTS[name].config_id, seconds, mib, 5, "", None, "")
        for name, seconds, mib in ((REFERENCE, 3.0, 100.0), (WITHOUT, 2.0, 200.0))
    ]
    table = ablation_table([*lines, line(Task(replace(own[0].config, repeat=0), False), 1.0)], moved, paid)
    rows = {(row["dataset"], row["variant"]): row for row in table.rows}
    first = rows["ENZYMES", REFERENCE]
    assert first["accuracy"] == pytest.approx(60.5)
    assert first["folds"] == "2 of 4"
    assert (first["survivors"], first["predicted"]) == (25.0, 5.0), "a network without a line does not count"
    assert rows["ENZYMES", WITHOUT]["survivors"] is None
    said = "\n".join(table.notes)
    assert f"{REFERENCE} is more accurate than {WITHOUT} (+10.0 percentage points" in said
    assert "after Holm's correction for 6 tests" in said
    assert (
        "NCI1: an epoch takes 1.50 times the processor time and 0.50 times the memory of one without" in said
    )
    for make in FORMATS.values():
        assert "60.5" in make(table)
    assert json.loads(json.dumps(table.to_json()))["table"] == "ablation"
