"""docs/examples.md: its TikZ is what the exporter writes, its figure is drawn, and its links lead to what they say."""

from __future__ import annotations

import re
import shutil
import subprocess
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


def _has_latex() -> bool:
    find = shutil.which("kpsewhich")
    names = ("standalone.cls", "beamer.cls", "tikz.sty")
    return bool(find) and not subprocess.run([find, *names], capture_output=True, check=False).returncode


THESIS = r"""\documentclass{report}
\usepackage{graphicx}
\begin{document}
FIGURE
\end{document}
"""


@pytest.mark.skipif(not _has_latex(), reason="no LaTeX with standalone, beamer and TikZ")
def test_latex_sets_slide_and_figure_on_one_page_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in DRAWN:
        assert main(command.split()) == 0
    Path("ids.csv").write_text("source,target\na_b,50%\n50%,#1 & {x}\n#1 & {x},\\^~$é\n", encoding="utf-8")
    assert main(["draw", "ids.csv", "-o", "ids.tex"]) == 0
    shutil.copy(EXAMPLES / "slide.tex", tmp_path)
    (figure,) = re.findall(r"```tex\n(\\begin\{figure\}.*?)```", TEXT, re.DOTALL)
    Path("thesis.tex").write_text(THESIS.replace("FIGURE", figure), encoding="utf-8")
    for name in ("tie", "ids", "slide", "thesis"):
        done = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:]
        assert f"Output written on {name}.pdf (1 page" in done.stdout


def test_every_link_opens_a_page_and_a_graph_by_values_that_there_are() -> None:
    links = re.findall(r"\]\((http://127[^)]+)\)", TEXT)
    assert len(links) == 4
    for link in map(urlsplit, links):
        assert link.path.strip("/") in {entry.name for entry in PAGES}
        asked = {name: value for name, (value,) in parse_qs(link.query).items()}
        assert asked.keys() <= {prop.name for prop in PROPERTIES}
        assert open_source(asked["graph"]).num_nodes > 1
        assert set(filter(None, asked.get("methods", "").split(","))) <= set(METHODS)
