"""The lecture's text: every chapter is whole, its words light what there is, and its formulas can be set."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mivspool import canvas
from mivspool.canvas.strings import CANVAS
from mivspool.graphs import open_source
from mivspool.graphs.collections.teaching import PRESETS
from mivspool.lecture.chapters import CHAPTERS, SHORT, Chapter
from mivspool.lecture.markup import formulas, markup, mathml

LIGHTS = {"candidates", "survivors", "non-survivors", "selected", "neighbours", "rival", "cluster"}
SYMBOLS = Path(canvas.__file__).parent / "js" / "model" / "symbols.js"


def test_every_chapter_has_a_short_name_of_its_own() -> None:
    assert list(SHORT) == [chapter.name for chapter in CHAPTERS]
    assert len(set(SHORT.values())) == len(CHAPTERS)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_words_light_vertices_that_the_graph_has(chapter: Chapter) -> None:
    graph = PRESETS[chapter.preset].graph() if chapter.preset else open_source(chapter.source)
    for text in (*chapter.text, chapter.attempt, chapter.key_point, chapter.mends):
        for what in re.findall(r"\(light:([^)]+)\)", text):
            assert what in LIGHTS or what.removeprefix("vertex:") in graph.nodes


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_formulas_become_mathml(chapter: Chapter) -> None:
    for paragraph in chapter.text:
        for formula in formulas(paragraph):
            math = ElementTree.fromstring(mathml(formula))
            assert math.tag.endswith("math")
            assert "\\" not in "".join(math.itertext()), "a command that was not understood"


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_symbols_of_formulas_light_what_the_canvas_knows(chapter: Chapter) -> None:
    known = LIGHTS | set(re.findall(r'^  "?([a-z-]+)"?: ', SYMBOLS.read_text(encoding="utf-8"), re.MULTILINE))
    for paragraph in chapter.text:
        for formula in formulas(paragraph):
            math = ElementTree.fromstring(mathml(formula))
            lit = [part for part in math.iter() if "data-light" in part.attrib]
            assert len(lit) == formula.count(r"\light{") > 0
            assert {part.attrib["data-light"] for part in lit} <= known
            symbols = {(part.attrib["data-light"], "".join(part.itertext())) for part in lit}
            assert len([part for part in lit if "tabindex" in part.attrib]) == len(symbols)


def test_a_score_is_s_in_the_lecture_as_it_is_beside_the_graph() -> None:
    assert "s = score" in CANVAS["why"]["letters"]
    found = [
        "".join(ElementTree.fromstring(mathml(formula)).itertext())
        for chapter in CHAPTERS
        for paragraph in chapter.text
        for formula in formulas(paragraph)
    ]
    assert any("s" in text for text in found)
    assert not [text for text in found if "x" in text.replace("max", "")], "the paper's letter for a score"


UNSPOKEN = set("=+-(){}|∣,: \u2062\u2061′'/1") | {""}  # what school taught


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_what_a_formula_says_stands_in_words_before_it(chapter: Chapter) -> None:
    said = ""
    for paragraph in chapter.text:
        if not formulas(paragraph):
            said += "" if paragraph.startswith("own:") else f" {paragraph}"
            last = paragraph
            continue
        assert last.endswith(":"), "the sentence before a formula leads to it"
        letters = set(re.findall(r"\*([A-Za-z])′?\*", said))
        for formula in formulas(paragraph):
            for part in ElementTree.fromstring(mathml(formula)).iter():
                symbol = unicodedata.normalize("NFKC", (part.text or "").strip())
                kind = part.tag.rpartition("}")[2]
                if kind == "mi" and len(symbol) == 1 and symbol.isascii():
                    assert symbol in letters, f"{symbol} of {formula}"
                elif kind in {"mi", "mo"} and symbol not in UNSPOKEN:
                    assert any(form in said for form in _forms(symbol)), f"{symbol} of {formula}"


def _forms(symbol: str) -> set[str]:
    """Ways to write the same sign."""
    same = ({"∑", "Σ"}, {"∖", "⧵", "\\"}, {"⊤", "⟙"}, {"¯", "‾", "bar", "\u0305", "―", "_"})
    return next((forms for forms in same if symbol in forms), {symbol})


def test_a_formula_without_symbols_to_light_is_a_formula_all_the_same() -> None:
    assert "data-light" not in mathml(r"a \leq b")
    with pytest.raises(ValueError, match="no colours"):
        mathml(r"\textcolor{red}{a}")


def test_text_becomes_words_that_light_vertices_and_nothing_else() -> None:
    assert markup("a <b> *c* **d** [e](light:survivors)") == (
        "a &lt;b&gt; <em>c</em> <strong>d</strong> "
        "<span class='light' tabindex='0' data-light='survivors'>e</span>"
    )


def test_a_word_for_one_vertex_is_a_button_that_selects_it() -> None:
    for what in ("vertex:0", "rival"):
        made = markup(f"[e](light:{what})")
        assert f"data-light='{what}' role='button' data-choose='1'" in made


def test_formulas_are_parted() -> None:
    assert formulas("words") == []
    assert formulas(r"$$a \qquad b$$") == ["a", "b"]
