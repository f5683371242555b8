"""docs/examples.md: its TikZ is what the exporter writes, its figure is drawn, and its links lead to what they say."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from app.navigation import PAGES
from app.state import PROPERTIES
from mivspool.cli import main
from mivspool.graphs import open_source
from mivspool.lecture.paper import BIBTEX
from mivspool.pooling import METHODS

DOCS = Path(__file__).resolve().parents[2] / "docs"
TEXT = (DOCS / "examples.md").read_text(encoding="utf-8")
EXAMPLES = DOCS / "examples"
DRAWN = dict(re.findall(r"\$ mivspool (draw .*-o (\S+))$", TEXT, re.M))


def test_the_tikz_of_the_slide_is_what_the_exporter_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in DRAWN:
        assert main(command.split()) == 0
    assert Path("tie.tex").read_text() == (EXAMPLES / "tie.tex").read_text()
    assert Path("karate.pdf").read_bytes().startswith(b"%PDF")


def test_slide_and_thesis_show_what_was_drawn_and_cite_the_paper() -> None:
    slide = (EXAMPLES / "slide.tex").read_text(encoding="utf-8")
    assert slide in TEXT
    shown = re.findall(r"includegraphics\[.*?\]\{(.*?)\.pdf\}", TEXT)
    assert set(shown) == {Path(name).stem for name in DRAWN.values()}
    (cited,) = re.findall(r"\\cite\{(.*?)\}", TEXT)
    assert f"@misc{{{cited}," in BIBTEX


def test_every_link_opens_a_page_and_a_graph_by_values_that_there_are() -> None:
    links = re.findall(r"\]\((http://127[^)]+)\)", TEXT)
    assert len(links) == 4
    for link in map(urlsplit, links):
        assert link.path.strip("/") in {entry.name for entry in PAGES}
        asked = {name: value for name, (value,) in parse_qs(link.query).items()}
        assert asked.keys() <= {prop.name for prop in PROPERTIES}
        assert open_source(asked["graph"]).num_nodes > 1
        assert set(filter(None, asked.get("methods", "").split(","))) <= set(METHODS)
