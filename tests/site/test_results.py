"""The pages of Results say what the app's page says, and their charts show the numbers that they are made of."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable
from html import unescape
from itertools import accumulate

import pytest

from mivspool.content.results import claims, paper_table, points, words
from mivspool.content.results.found import Found, cell_of
from mivspool.errors import DatasetError
from mivspool.learning import paper
from mivspool.learning.results import read_curve, read_results
from mivspool.learning.tables import make_table, pairs
from mivspool.site import charts, results
from mivspool.site.results import Written, results_pages, view_file

FOUND = Found((), read_results())


@pytest.fixture(scope="module")
def made() -> Written:
    return results_pages()


def text(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.mark.parametrize("number", [2, 4])
def test_a_table_is_the_apps(made: Written, number: int) -> None:
    same(made, number)


@pytest.mark.parametrize("number", [1, 3])
def test_a_table_of_the_data_sets_is_the_apps(
    made: Written, number: int, tu: Callable[[str], object]
) -> None:
    for name in paper.DATASETS:
        tu(name)
    same(made, number)


def same(made: Written, number: int) -> None:
    """The page of a table holds what the app's has, and its files are there."""
    page, table = made.files[view_file(str(number))], make_table(number, FOUND.lines)
    assert paper_table.html(table) in page
    assert table.heading in text(page)
    for name in ("csv", "md", "tex"):
        assert f'href="tables/table-{number}.{name}"' in page
        assert made.files[f"tables/table-{number}.{name}"]


@pytest.mark.parametrize("number", [2, 4])
def test_below_a_table_stand_all_runs_pairs_and_sentences(made: Written, number: int) -> None:
    page = made.files[view_file(str(number))]
    said = text(page)
    dots = re.findall(r'<path class="run" d="([^"]*)"', page)
    expected = []
    for name in paper.DATASETS:
        compared = pairs(FOUND.runs, name)
        columns = points.columns(FOUND.runs, number, name)
        assert points.heading(columns, name) in said
        expected += [len(column.accuracies) for column in columns if column.accuracies]
        assert len(points.pair_rows(compared, number, name)) > 0
        if number == 4:
            assert all(" ".join(one.split()) in said for one in points.sentences(compared))
    assert [path.count("M") for path in dots] == expected


def test_every_claim_and_aim_is_there_with_its_evidence(made: Written, tu: Callable[[str], object]) -> None:
    for name in paper.DATASETS:
        tu(name)
    said = text(made.files[view_file("claims")])
    tables = [make_table(number, FOUND.lines).rows for number in (3, 4)]
    for claim in claims.claims(FOUND.runs, *tables):
        assert f"{claim.title} — {' '.join(words.VERDICTS[claim.verdict])}" in said
        assert all(one.sentence in said for one in claim.evidence)
    assert not re.search(r"(?<!\w)-\d", said), "a minus sign is one"
    said = text(made.files[view_file("recommended")])
    assert all(aim.title in said for aim in FOUND.recommended.aims)


def test_a_curve_is_drawn_epoch_by_epoch(made: Written) -> None:
    page = made.files["results-curves-mao.html"]
    lines = [line for line in FOUND.with_curves if line.dataset == "MAO"]
    assert page.count("<h2>") == len({cell_of(line) for line in lines})
    curve = read_curve(lines[0])
    assert curve is not None
    found = re.findall(r'<path class="val" transform="scale\(0.25\)" d="M(\d+) (\d+)([^"]*)"', page)[0]
    steps = re.findall(r"l(-?\d+)([ +-]-?\d+)", found[2])
    down = list(accumulate((int(step) for _, step in steps), initial=int(found[1])))
    values = curve["val_loss"]
    assert len(down) == len(values)
    low, high = min(values), max(values)
    scale = (max(down) - min(down)) / (high - low)
    for value, at in zip(values, down, strict=True):
        assert abs((high - value) * scale + min(down) - at) <= 1, "quarters of a pixel"


def test_ticks_are_round() -> None:
    assert doctest.testmod(charts).failed == 0


def test_a_table_whose_data_sets_are_not_here_is_left_out_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent(number: int, lines: object) -> object:
        if number in (1, 3):
            raise DatasetError("it is not on this machine")
        return make_table(number, FOUND.lines)

    monkeypatch.setattr(results, "make_table", absent)
    monkeypatch.setattr(results, "_curves", lambda lines: [])  # which take longest
    found = results_pages()
    assert found.missing == ["Table 3: it is not on this machine", "Table 1: it is not on this machine"]
    assert view_file("3") not in found.files
    assert 'href="results-3.html"' not in found.files[view_file("4")]
