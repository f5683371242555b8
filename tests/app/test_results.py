"""The Results page: claims follow from the runs alone, and what was not run is empty."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import runs as app_runs
from app.results import evaluations
from mivspool.content import shared
from mivspool.content.results import claims, paper_table
from mivspool.content.results import words as results_words
from mivspool.learning import paper, results
from mivspool.learning.results import Results
from mivspool.learning.runs import ResultLine, RunConfig
from mivspool.learning.tables import MARK, Row, Runs, Table, make_table
from mivspool.places import place
from mivspool.service.jobs_schemas import JobDocument
from tests.learning.test_recommended_table import ahead, every


@dataclass
class Run:
    """What a table needs of a run."""

    dataset: str
    method: str
    score: str | None
    repeat: int
    fold: int
    test_accuracy: float
    grid: bool = False
    val_loss: float = 0.5
    iterations: tuple[float, ...] | None = None
    earlier_order: bool = False
    numbers: str | None = None


def runs(dataset: str, method: str, score: str | None, accuracy: float, wobble: float = 0.001) -> list[Run]:
    """Ten folds around an accuracy (a share), each its own way off it."""
    return [Run(dataset, method, score, 0, f, accuracy + wobble * ((7 * f) % 10 - 4.5)) for f in range(10)]


def claim(name: str, found: list[Run], table_3: list[Row] | None = None) -> claims.Claim:
    table_4 = make_table(4, found).rows
    return next(one for one in claims.claims(Runs(found), table_3 or [], table_4) if one.name == name)


def test_without_runs_every_claim_is_open() -> None:
    assert {one.verdict for one in claims.claims(Runs([]), [], make_table(4, []).rows)} == {"open"}


def test_a_clear_difference_is_told_from_noise() -> None:
    same = runs("PROTEINS", "mivspool", "multiview", 0.75)
    clear = claim("complement", [*same, *runs("PROTEINS", "mivspool-comp", "multiview", 0.80)])
    assert clear.verdict == "holds"
    assert "+5.0 percentage points" in clear.evidence[0].sentence
    worse = claim("complement", [*same, *runs("PROTEINS", "mivspool-comp", "multiview", 0.70)])
    assert worse.verdict == "fails"
    noise = [
        Run("PROTEINS", "mivspool-comp", "multiview", 0, f, 0.75 + (0.05 if f % 2 else -0.049))
        for f in range(10)
    ]
    unclear = claim("complement", [*same, *noise])
    assert unclear.verdict == "noise"
    assert "no significant difference" in unclear.evidence[0].sentence


def test_scores_are_compared_pair_by_pair_with_a_correction() -> None:
    found = [run for score in paper.SCORES for run in runs("NCI1", "mivspool", score, 0.72)]
    assert claim("score", found).verdict == "holds"
    found = [run for score in paper.SCORES[1:] for run in runs("NCI1", "mivspool", score, 0.72)]
    found += runs("NCI1", "mivspool", "uniform", 0.60)
    told = claim("score", found)
    assert told.verdict == "fails"
    assert "over uniform" in told.evidence[0].sentence
    assert "for 6 tests" in told.evidence[0].sentence


def test_a_rank_needs_every_method() -> None:
    found = [
        run
        for k, method in enumerate(paper.METHODS)
        for run in runs(
            "ENZYMES", method, "multiview" if method.startswith("mivspool") else None, 0.3 + 0.03 * k
        )
    ]
    assert claim("best", found).verdict == "holds"
    assert claim("best", found[10:]).verdict == "open"


def test_iterations_are_held_against_five() -> None:
    rows = [Row("DD", 0, "mivspool", "uniform", "iterations", 4.1, 0.6, 4.08, 0.58)]
    assert claim("iterations", [], rows).verdict == "holds"
    rows = [Row("DD", 0, "mivspool", "uniform", "iterations", 4.1, 0.6, 5.2, 0.58)]
    assert claim("iterations", [], rows).verdict == "fails"


def test_the_table_is_the_papers_with_empty_cells_empty() -> None:
    html = paper_table.html(make_table(4, runs("ENZYMES", "gpool", None, 0.37)))
    assert html.count(results_words.NO_RUNS) == 4 * 7 - 1
    assert "46.80" in html
    assert "10 folds × 1" in html
    assert html.count("<tr>") == 5


def test_names_in_a_table_stay_text() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    html = paper_table.html(Table(4, "", [Row(hostile, method="gpool")]))
    assert "<img" not in html
    assert "&lt;img" in html


@pytest.mark.browser
def test_the_page_shows_the_papers_table_and_keeps_its_view_in_the_link(app: Any) -> None:
    page = app.open("results", graph=False)
    page.get_by_text("Table 4.").wait_for()
    page.locator(".mp-table tbody tr").nth(3).wait_for()
    assert page.locator(".mp-table tbody tr").count() == 4
    assert "77.88" in page.locator(".mp-table").inner_text()
    page.get_by_text("Learning curves").click()
    page.wait_for_url("**table=curves**")
    page.get_by_text("Stopped after epoch").or_(
        page.get_by_text("No learning curves are available")
    ).first.wait_for()


def _page() -> None:
    from app.results.page import page

    page()


@pytest.mark.parametrize("view", ["recommended", "4", "2"])
def test_a_tab_shows_its_table_and_every_pair(view: str, tmp_path: Path, monkeypatch: Any) -> None:
    """One repeat of the recommended network's ENZYMES and nothing else of it; other tables: the published runs too."""
    own = [one for one in every(ahead) if one.dataset == "ENZYMES" and one.repeat == 1]
    for one in own:
        Results(tmp_path).append(one)
    folders = [tmp_path] if view == "recommended" else [place("results"), tmp_path]
    for module in (results, app_runs):
        monkeypatch.setattr(module, "results_folders", lambda: folders)
    page = AppTest.from_function(_page, default_timeout=120)
    page.query_params["table"] = view
    page.run()
    assert not page.exception
    (pairs,) = [one.value for one in page.dataframe if results_words.PAIR_COLUMNS["tests"] in one.value]
    wanted = {"recommended": 6, "4": 45, "2": 6}
    assert len(pairs) == wanted[view]
    said = "\n".join(one.value for one in page.markdown)
    if view == "recommended":
        assert "10 of 30 folds" in said
        assert said.count("not yet measured") == 7
        assert set(pairs[results_words.PAIR_COLUMNS["folds"]]) == {10}
    for low, difference, high in zip(
        *(pairs[results_words.PAIR_COLUMNS[n]] for n in ("low", "difference", "high")), strict=True
    ):
        assert low <= difference <= high


def line(
    dataset: str, fold: int, accuracy: float, val_loss: float = 0.5, grid: bool = False, **settings: Any
) -> Any:
    """A line of results on the data set, as `mivspool evaluate` writes it."""
    config = RunConfig(dataset, repeat=0, fold=fold, **settings)
    return ResultLine(
        config, config.config_id, grid, 3, 2, val_loss, accuracy, accuracy, [[1]], None, None, 1.0, "0", None, "2026"
    )  # fmt: skip


def test_an_evaluation_of_ones_own_is_on_the_page_with_its_data_set(tmp_path: Path, monkeypatch: Any) -> None:
    kept = Results(tmp_path / "own")
    for fold in range(10):
        kept.append(line("my-graphs", fold, 0.5, method="none", hidden=16))
        for lr, loss in ((1e-3, 0.4), (1e-4, 0.3)):
            kept.append(line("my-graphs", fold, 10 * lr, loss, grid=True, lr=lr))
    monkeypatch.setattr("mivspool.learning.results.results_folders", lambda: [kept.folder])
    found = evaluations.rows(results.evaluations(results.read_results()), [], {})
    names = results_words.EVALUATION_COLUMNS
    told = {row[names["method"]]: row for row in found}
    assert len(found) == 2
    assert {row[names["dataset"]] for row in found} == {"my-graphs"}
    plain, searched = told[shared.method_title("none")], told["MIVSPool"]
    assert (plain[names["mean"]], plain[names["folds"]], plain[names["settings"]]) == (50, 10, "Channels: 16")
    # the search is decided by validation loss, and what it searched is no changed setting
    assert (searched[names["mean"]], searched[names["settings"]]) == (0.1, "")
    assert searched[names["search"]] != plain[names["search"]]


def test_a_finished_job_is_on_the_page_and_no_other_is() -> None:
    request = {
        "kind": "evaluate",
        "dataset": "upload:1",
        "method": "gpool",
        "folds": [0, 1, 2],
        "repeats": 2,
        "lr": 0.01,
    }
    done: dict[str, Any] = {
        "id": "a", "kind": "evaluate", "state": "done", "title": "", "request": request, "mine": True, "shared": False,
        "created": 0, "attempt": 1, "cancelling": False, "resumable": False, "progress": {}, "last_event": 0,
        "result": {"test_accuracy": 0.75, "test_accuracy_std": 0.01, "runs": 6},
    }  # fmt: skip
    others: list[dict[str, Any]] = [{"state": "running", "result": None}, {"kind": "train"}, {"result": None}]
    jobs = [JobDocument.model_validate(done | change) for change in ({}, *others)]
    (row,) = evaluations.rows([], jobs, {"upload:1": "my-graphs.zip"})
    assert list(row.values()) == [
        "my-graphs.zip", "gPool", "", 75, 1, 3, 2, results_words.NO_SEARCH, "Learning rate: 0.01", "job",
    ]  # fmt: skip


def test_an_evaluation_by_the_earlier_order_is_marked() -> None:
    old = [replace(line("MAO", fold, 0.5, score="attention"), version="0.1.0") for fold in range(10)]
    new = [replace(one, version="9") for one in old]
    source = results_words.EVALUATION_COLUMNS["source"]
    marked, plain = (
        evaluations.rows(results.evaluations(lines), [], {})[0][source].endswith(MARK) for lines in (old, new)
    )
    assert (marked, plain) == (True, False)


def test_the_mark_of_the_earlier_order_stands_on_the_line_of_its_number() -> None:
    old = [replace(run, earlier_order=True) for run in runs("NCI1", "mivspool", "attention", 0.72)]
    made = paper_table.html(make_table(2, old))
    lines = [line for cell in made.split("<td>") for line in re.split("(?=<span class=mp-)", cell)]
    (marked,) = (line for line in lines if MARK in line)
    assert marked.startswith("<span class=mp-measured>")
    assert "72." in marked
