"""What docs/reproduction.md says was found is what tools/reproduction.py makes of results/."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from mivspool.learning import paper
from mivspool.learning.runs import ResultLine
from mivspool.learning.tables import Runs, reference_score
from tools import reproduction


@pytest.fixture(scope="module")
def lines() -> list[ResultLine]:
    return reproduction.published()


@pytest.fixture(scope="module")
def text() -> str:
    return reproduction.PAGE.read_text(encoding="utf-8")


def test_the_page_is_up_to_date(lines: list[ResultLine], text: str) -> None:
    assert reproduction.page(reproduction.section(lines), text) == text, "run `make docs`"


def test_so_is_what_came_of_the_recommended_network(lines: list[ResultLine]) -> None:
    text = reproduction.RECOMMENDED.read_text(encoding="utf-8")
    assert reproduction.page(reproduction.recommended(lines), text) == text, "run `make docs`"


def test_its_aims_follow_the_runs(lines: list[ResultLine]) -> None:
    for more, state in ((-0.3, "failed"), (0.3, "reached")):
        other = [replace(line, test_accuracy=min(line.test_accuracy + more, 1.0)) for line in lines]
        told = reproduction.recommended(other)
        for name in ("ENZYMES", "PROTEINS", "NCI1", "D&D"):
            assert f"**Aim {state}: {name}: at least" in told


def test_its_sentences_follow_the_runs(lines: list[ResultLine]) -> None:
    """A network that is 20 points better everywhere is on top, and beyond the noise even after the correction."""
    better = [
        replace(line, test_accuracy=min(1.0, line.test_accuracy + 0.2)) if line.method == "gpool" else line
        for line in lines
    ]
    told = reproduction.section(better)
    assert told != reproduction.section(lines)
    nci1 = told[told.index("### NCI1") : told.index("### ENZYMES")]
    assert re.findall(r"^\| ([^|]+) \|", nci1, re.MULTILINE)[2] == "gPool"
    assert re.search(r"\| gPool \| structure-blind \|.*\*\*[0-9.e-]+\*\* \|", nci1)


def test_what_the_size_alone_says_agrees_with_the_runs(lines: list[ResultLine], text: str) -> None:
    runs = Runs(line for line in lines if line.is_reference)
    rows = {
        row.split(" | ")[0].strip("| "): row
        for row in text.splitlines()
        if row.startswith(("| sums", "| the size"))
    }
    columns = ("DD", "PROTEINS", "ENZYMES")
    sums, alone = (
        dict(zip(columns, map(float, re.findall(r"([\d.]+) %", row)), strict=True)) for row in rows.values()
    )
    for name in columns:
        first = [
            value
            for (repeat, _), value in runs.accuracies(name, "structure-blind", None).items()
            if repeat == 0
        ]
        assert sums[name] == round(sum(first) / len(first), 1)
    for name, points in (("DD", 1.5), ("PROTEINS", 3.3)):
        cells = [runs.cell(name, method, reference_score(method))[0] for method in paper.METHODS]
        figures = [cell.mean for cell in cells if cell] + [one.mean for one in paper.TABLE_4[name].values()]
        assert max(abs(value - alone[name]) for value in figures) < points + 0.05
        assert f"{points} " in text
