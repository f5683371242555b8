"""docs/performance.md is what tools/performance.py makes of docs/performance/, and says what the figures say."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest

from benchmarks import BENCHMARKS
from tools import figures, performance
from tools.figures import Document, Row
from tools.performance import ASKED, Asked

CALM = {
    "command": "mivspool bench one",
    "commit": "0123456789ab",
    "took_s": 3.0,
    "others": 0.0,
    "missing": [],
}
MACHINE = {
    "processor": "P", "cores": 2, "date": "2026-11-30 10:00 UTC", "clock": "wall time", "python": "3.11",
    "torch": "2", "numba": "0",
}  # fmt: skip


@pytest.fixture
def found() -> dict[str, Document]:
    return figures.documents()


def document(*rows: Row, **changed: object) -> Document:
    return {"name": "one", **CALM, "machine": MACHINE, "rows": list(rows), **changed}


def compared(ratio: float, equal: bool | None = True, **more: object) -> Row:
    return {
        "what": "sum",
        "ours_ms": 2.0,
        "peer": "it",
        "peer_ms": 2 * ratio,
        "ratio": ratio,
        "equal": equal,
        **more,
    }


def test_the_page_and_its_plot_are_up_to_date(found: dict[str, Document], tmp_path: Path) -> None:
    text = performance.PAGE.read_text(encoding="utf-8")
    assert performance.page(found, text) == text, "run `make docs`"
    assert performance.EVERY.read_text(encoding="utf-8") == performance.every_figure(found), "run `make docs`"
    performance.draw(found, tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").read_bytes() == performance.PLOT.read_bytes(), "run `make docs`"


def test_every_benchmark_has_its_figures_or_is_named_as_not_measured(found: dict[str, Document]) -> None:
    assert set(found) <= set(BENCHMARKS)
    told, every = performance.section(found), performance.every_figure(found)
    for name in BENCHMARKS:
        made = found.get(name)
        source = (
            f"`{made['command']}`, {made['machine']['date']}"
            if made
            else f"not measured yet, `mivspool bench {name} "
        )
        assert f"\n- {name}: {source}" in told
        part = every.split(f"\n## {name}: ")[1].split("\n## ")[0]
        assert source in part
        assert all(row["what"] in part for row in (made["rows"] if made else ()))


@pytest.mark.parametrize("asked", ASKED, ids=lambda one: f"{one.benchmark}: {one.what}")
def test_what_is_asked_is_asked_of_a_row(asked: Asked, found: dict[str, Document]) -> None:
    made = found.get(asked.benchmark)
    assert asked.benchmark in BENCHMARKS
    assert made is None or asked.rows(made) or made["missing"], f"{asked.benchmark}.json has no such row"
    for row in asked.rows(made) if made else ():
        assert asked.measure.value(row) > 0


def test_whether_something_is_reached_follows_from_the_figures() -> None:
    asked = Asked("adding", "one", "sum", 3)

    def said(made: Document) -> str:
        return performance._judged(asked, made)[3]

    assert said(document(compared(3.5))) == "reached"
    assert said(document(compared(2.9))) == "**not reached**"
    assert said(document(compared(3.5), compared(2.9))) == "**not reached**"
    assert said(document(compared(3.5, equal=False))) == "**not reached**"
    assert said(document(compared(3.5), others=0.5)) == "reached, provisionally"
    assert said(document(compared(3.5), command="mivspool bench one --cpu-time")) == "reached, provisionally"
    assert said(document(missing=["no such peer"])) == "**not measured** (no such peer)"
    with pytest.raises(ValueError, match="no row for: adding"):
        said(document())


def test_what_is_asked_of_all_threads_is_judged_by_all_threads() -> None:
    made = document(compared(9, threads=1), compared(2, threads=2))
    one, every = (
        performance._judged(Asked("adding", "one", "sum", 3, every=by), made) for by in (False, True)
    )
    assert (one[3], every[3]) == ("reached", "**not reached**")
    assert one[2] == every[2]
    assert re.findall(r"one thread: 9.00 ×|2 threads: 2.00 ×", one[2]) == [
        "one thread: 9.00 ×",
        "2 threads: 2.00 ×",
    ]
    alone = document(compared(9, threads=1))
    assert performance._judged(Asked("adding", "one", "sum", 3, every=True), alone)[3] == (
        "**not measured** (by all threads)"
    )


def test_what_to_expect_follows_the_figures(found: dict[str, Document]) -> None:
    slower = copy.deepcopy(found)
    slower["large"]["sizes"][0]["edge_index_ms"] = 7654.0
    assert "7.65 s" not in "".join(performance.expected(found))
    assert "7.65 s" in "".join(performance.expected(slower))
