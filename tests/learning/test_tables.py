"""The paper's tables: figures as printed, cells from runs alone, and the design's measured values."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
import torch

import mivspool
from mivspool import meer
from mivspool.errors import InputError
from mivspool.graphs import load_dataset
from mivspool.learning import iterations, paper
from mivspool.learning import results as results_module
from mivspool.learning.iterations import Iterations, count_iterations, uniform_iterations
from mivspool.learning.results import Results, read_results
from mivspool.learning.table_formats import FORMATS
from mivspool.learning.tables import EARLIER_ORDER, Row, Table, make_table
from mivspool.pooling.scores.uniform import uniform
from mivspool.sparse import Adjacency


@pytest.fixture
def every_set(tu: Callable[[str], object]) -> None:
    """The data sets of the paper's tables are here."""
    for name in paper.DATASETS:
        tu(name)


@dataclass(frozen=True)
class Run:
    dataset: str = "ENZYMES"
    method: str = "mivspool"
    score: str | None = "multiview"
    grid: bool = False
    repeat: int = 0
    fold: int = 0
    val_loss: float = 1.0
    test_accuracy: float = 0.5
    iterations: list[float] | None = None
    earlier_order: bool = False
    numbers: str | None = None


def folds(accuracy: float, repeat: int = 0, **changes: object) -> list[Run]:
    return [replace(Run(), repeat=repeat, fold=f, test_accuracy=accuracy, **changes) for f in range(10)]


def cell(table: Table, **wanted: object) -> Row:
    (row,) = [row for row in table.rows if all(getattr(row, key) == value for key, value in wanted.items())]
    return row


@pytest.fixture
def no_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Table 3 without the data sets."""
    monkeypatch.setattr(
        iterations, "uniform_iterations", lambda name, levels: [Iterations(3.0, 0.5)] * levels
    )


def test_the_paper_is_copied_whole() -> None:
    for table in (paper.TABLE_1, paper.TABLE_2, paper.TABLE_3, paper.TABLE_4):
        assert tuple(table) == paper.DATASETS
    # Table 2's reference column is Table 4's MIVSPool
    for name in paper.DATASETS:
        assert paper.TABLE_2[name]["multiview"] == paper.TABLE_4[name]["mivspool"]


@pytest.mark.parametrize("number", [2, 4])
def test_a_table_without_runs_has_the_paper_and_empty_cells(number: int) -> None:
    table = make_table(number, [])
    for row in table.rows:
        assert (row.measured, row.std, row.runs, row.rank, row.grid) == (None,) * 5
        assert (row.paper is None) == (row.method in ("none", "structure-blind"))
    assert any("no runs" in note for note in table.notes)


def test_there_is_no_table_5() -> None:
    with pytest.raises(InputError, match="no table 5"):
        make_table(5, [])


def test_a_cell_comes_from_its_own_runs_alone() -> None:
    runs = (
        folds(0.5) + folds(0.6, repeat=1) + folds(0.9, score="uniform") + folds(0.9, method="mivspool-comp")
    )
    row = cell(make_table(4, runs), dataset="ENZYMES", method="mivspool")
    assert row.measured == pytest.approx(55)
    assert row.std == pytest.approx(np.std([50, 60], ddof=1))
    assert (row.folds, row.repeats, row.runs, row.grid) == (10, 2, 20, False)
    assert cell(make_table(2, runs), dataset="ENZYMES", score="uniform").measured == pytest.approx(90)


def test_best_and_second_are_ranked_among_the_papers_methods() -> None:
    runs = folds(0.5) + folds(0.4, method="gpool", score=None) + folds(0.9, method="none", score=None)
    table = make_table(4, runs)
    assert cell(table, dataset="ENZYMES", method="mivspool").rank == 1
    assert cell(table, dataset="ENZYMES", method="gpool").rank == 2
    assert cell(table, dataset="ENZYMES", method="none").rank is None
    assert cell(table, dataset="NCI1", method="mvpool-sl").paper_rank == 1
    assert cell(table, dataset="NCI1", method="mivspool-comp").paper_rank == 2


def test_a_cell_that_is_behind_in_its_folds_or_alone_has_no_rank() -> None:
    behind = folds(0.9, method="mvpool-sl", score=None)[:9]
    table = make_table(4, folds(0.5) + folds(0.4, method="gpool", score=None) + behind)
    ranked = {row.method: row.rank for row in table.rows if row.dataset == "ENZYMES" and row.measured}
    assert ranked == {"mivspool": 1, "gpool": 2, "mvpool-sl": None}
    alone = make_table(4, folds(0.5))
    assert cell(alone, dataset="ENZYMES", method="mivspool").rank is None


def test_the_grid_is_decided_by_each_folds_validation_loss() -> None:
    chosen = folds(0.3, grid=True, val_loss=0.5)
    runs = chosen + folds(0.9, grid=True, val_loss=0.7) + folds(0.8, val_loss=0.1)
    row = cell(make_table(4, runs), dataset="ENZYMES", method="mivspool")
    assert (row.measured, row.grid, row.runs) == (pytest.approx(30), True, 10)


def test_without_a_grid_no_run_is_chosen_by_its_loss() -> None:
    runs = folds(0.5, val_loss=0.9) + folds(0.9, val_loss=0.1)
    assert cell(make_table(4, runs), dataset="ENZYMES", method="mivspool").measured == pytest.approx(50)


def test_methods_are_compared_on_the_folds_they_share() -> None:
    noise = [0.5 + 0.01 * (f % 3) for f in range(10)]
    first = [replace(run, test_accuracy=noise[run.fold]) for run in folds(0.5)]
    second = [replace(run, method="gpool", score=None, test_accuracy=noise[9 - run.fold]) for run in first]
    notes = make_table(4, first + second).notes
    assert any(
        note.startswith("ENZYMES: no significant difference between mivspool and gpool") for note in notes
    )


def test_learned_scores_count_iterations_too(no_counting: None) -> None:
    runs = [replace(run, iterations=[3.0 + run.fold / 10, 2.5]) for run in folds(0.5)]
    table = make_table(3, runs)
    row = cell(table, dataset="ENZYMES", level=0, score="multiview")
    assert row.measured == pytest.approx(3.45)
    assert (row.paper, row.runs, row.folds, row.repeats) == (3.2, 10, 10, 1)
    assert cell(table, dataset="ENZYMES", level=2, score="uniform").measured == 3.0
    assert not [row for row in table.rows if row.score == "multiview" and row.dataset != "ENZYMES"]


def test_json_has_the_rows_of_the_design() -> None:
    document = json.loads(json.dumps(make_table(4, folds(0.5)).to_json()))
    assert document["table"] == 4
    wanted = {
        "dataset", "level", "method", "score", "statistic", "paper", "paper_std", "measured", "std", "folds",
        "repeats", "runs", "rank", "grid",
    }  # fmt: skip
    assert all(wanted <= set(row) for row in document["rows"])


@pytest.mark.parametrize("form", FORMATS)
def test_every_form_shows_every_figure(form: str) -> None:
    table = make_table(4, folds(0.51) + folds(0.4, method="gpool", score=None))
    text = FORMATS[form](table)
    assert "46.8" in text
    assert "51.0" in text
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert len(rows) == len(table.rows)
        assert float(rows[0]["paper"]) == 75.76
        return
    assert "D&D" in text.replace("\\", "")
    assert text.count("not searched") == 2
    best = {"text": "51.00 *", "markdown": "**51.00**", "latex": r"\textbf{51.00}"}
    assert best[form] in text


def test_latex_escapes_what_tex_would_read() -> None:
    text = FORMATS["latex"](make_table(2, folds(0.5)))
    body = text.replace(r"\&", "").replace(r"\_", "").replace(r"\%", "")
    assert "%" not in body
    assert "±" not in body
    assert body.count(" & ") == 5 * (1 + 16)  # six columns, a heading and one row per cell


def test_a_batch_counts_as_each_graph_alone() -> None:
    dataset = load_dataset("MAO")
    (counts,) = count_iterations(dataset, 1, seed=4)
    for i in (0, 7, 67):
        graph = dataset[i]
        adjacency = Adjacency.from_edge_index(torch.from_numpy(graph.edge_index), num_nodes=graph.num_nodes)
        batch = torch.zeros(graph.num_nodes, dtype=torch.int64)
        course = meer.trace(adjacency, uniform(4, 0, batch, 1))
        assert counts[i] == int(course.num_iterations[0]) + 1


def test_what_was_counted_is_kept_and_what_is_damaged_made_anew(own_home: Path) -> None:
    row = uniform_iterations("MAO", 2)
    (kept,) = (own_home / "tables").iterdir()
    assert uniform_iterations("MAO", 2) == row
    kept.write_text("{")
    assert uniform_iterations("MAO", 2) == row


@pytest.mark.usefixtures("every_set")
def test_table_1_is_the_designs() -> None:
    table = make_table(1, [])
    measured = {
        "DD": (284.3, 272.1, 715.7, 694.2), "PROTEINS": (39.1, 45.8, 72.8, 84.6),
        "NCI1": (29.9, 13.6, 32.3, 14.9), "ENZYMES": (32.6, 15.3, 62.1, 25.5),
    }  # fmt: skip
    for name, (vertices, vertices_std, edges, edges_std) in measured.items():
        row = cell(table, dataset=name, statistic="vertices")
        assert row.measured == pytest.approx(vertices, abs=0.1)
        assert row.std == pytest.approx(vertices_std, abs=0.1)
        row = cell(table, dataset=name, statistic="edges")
        assert row.measured == pytest.approx(edges, abs=0.1)
        assert row.std == pytest.approx(edges_std, abs=0.1)
        row = cell(table, dataset=name, statistic="graphs")
        assert row.measured == row.paper


@pytest.mark.usefixtures("every_set")
def test_table_3_is_within_a_tenth_of_the_paper() -> None:
    for row in make_table(3, []).rows:
        assert row.score == "uniform"
        assert row.measured is not None
        assert row.measured == pytest.approx(row.paper, abs=0.1)


@pytest.mark.parametrize("number", [2, 3])
def test_runs_of_the_earlier_order_are_marked_in_every_form(number: int, no_counting: None) -> None:
    marked = folds(0.5, score="attention", earlier_order=True, iterations=[4.0])
    table = make_table(number, marked + folds(0.6, iterations=[4.0]))
    assert [row.score for row in table.rows if row.earlier_order] == ["attention"]
    assert table.notes.count(EARLIER_ORDER) == 1
    for name, form in FORMATS.items():
        assert {"csv": ",True", "latex": r"\dag{}"}.get(name, "†") in form(table)
    assert any(row["earlier_order"] for row in table.to_json()["rows"])
    again = make_table(number, folds(0.5, score="attention", iterations=[4.0]))
    assert EARLIER_ORDER not in again.notes
    assert all("†" not in form(again) for form in FORMATS.values())


def test_published_lines_say_which_order_they_were_made_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of attention and projection were; each is done again where it is asked for, and then counts alone."""
    released = read_results("ENZYMES", reference_only=True)
    earlier = {line.score for line in released if line.earlier_order}
    assert earlier <= {"attention", "projection"}
    assert all(line.version.startswith("0.1.") for line in released if line.earlier_order)
    line = next(line for line in released if line.score == "attention")
    old, new = replace(line, version="0.1.0"), replace(line, version=mivspool.__version__, test_accuracy=0.9)
    assert (old.earlier_order, new.earlier_order) == (True, False)
    assert not replace(old, config=replace(old.config, score="multiview")).earlier_order
    assert not replace(old, config=replace(old.config, method="gpool")).earlier_order
    monkeypatch.setattr(results_module, "results_folders", lambda: [tmp_path])
    for written in (old, new):
        Results(tmp_path).append(written)
        assert read_results() == [written]
