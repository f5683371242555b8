"""docs/large.md and its plot are what tools/large.py makes of docs/performance/large.json."""

from __future__ import annotations

from pathlib import Path

from tools import figures, large


def test_the_page_and_its_plot_are_made_of_what_was_measured(tmp_path: Path) -> None:
    made, plot = figures.documents()["large"], large.PAGE.with_suffix(".svg")
    assert large.PAGE.read_text(encoding="utf-8") == large.page(made, plot.name), "run `make docs`"
    large.draw(made["sizes"], tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").read_bytes() == plot.read_bytes(), "run `make docs`"
