"""The Results page: claims follow from the runs alone, and what was not run is empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from app import claims, paper_table, strings_pages
from mivspool.learning import paper
from mivspool.learning.tables import Row, Runs, Table, make_table


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
    assert "+5.0 points" in clear.evidence[0].sentence
    worse = claim("complement", [*same, *runs("PROTEINS", "mivspool-comp", "multiview", 0.70)])
    assert worse.verdict == "fails"
    noise = [
        Run("PROTEINS", "mivspool-comp", "multiview", 0, f, 0.75 + (0.05 if f % 2 else -0.049))
        for f in range(10)
    ]
    unclear = claim("complement", [*same, *noise])
    assert unclear.verdict == "noise"
    assert "within the noise" in unclear.evidence[0].sentence


def test_scores_are_compared_pair_by_pair_with_a_correction() -> None:
    found = [run for score in paper.SCORES for run in runs("NCI1", "mivspool", score, 0.72)]
    assert claim("score", found).verdict == "holds"
    found = [run for score in paper.SCORES[1:] for run in runs("NCI1", "mivspool", score, 0.72)]
    found += runs("NCI1", "mivspool", "uniform", 0.60)
    told = claim("score", found)
    assert told.verdict == "fails"
    assert "over uniform" in told.evidence[0].sentence
    assert "for 6 pairs" in told.evidence[0].sentence


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
    assert html.count(strings_pages.NO_RUNS) == 4 * 7 - 1
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
    page.get_by_text("Stopped after epoch").or_(page.get_by_text("No run has kept")).first.wait_for()
