"""The lecture's text: every chapter is whole, its words light what there is, and its formulas can be set."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from mivspool.graphs import open_source
from mivspool.graphs.presets import PRESETS
from mivspool.lecture.chapters import CHAPTERS, SHORT, Chapter
from mivspool.lecture.markup import formulas, markup, mathml

LIGHTS = {"candidates", "survivors", "non-survivors", "selected", "neighbours", "rival", "cluster"}


def test_every_chapter_has_a_short_name_of_its_own() -> None:
    assert list(SHORT) == [chapter.name for chapter in CHAPTERS]
    assert len(set(SHORT.values())) == len(CHAPTERS)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_words_light_vertices_that_the_graph_has(chapter: Chapter) -> None:
    graph = PRESETS[chapter.preset].graph() if chapter.preset else open_source(chapter.source)
    for text in (*chapter.text, chapter.attempt, chapter.keep, chapter.mends):
        for what in re.findall(r"\(light:([^)]+)\)", text):
            assert what in LIGHTS or what.removeprefix("vertex:") in graph.nodes


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_formulas_become_mathml(chapter: Chapter) -> None:
    for paragraph in chapter.text:
        for formula in formulas(paragraph):
            math = ElementTree.fromstring(mathml(formula))
            assert math.tag.endswith("math")
            assert "\\" not in "".join(math.itertext()), "a command that was not understood"


def test_text_becomes_words_that_light_vertices_and_nothing_else() -> None:
    assert markup("a <b> *c* **d** [e](light:vertex:0)") == (
        "a &lt;b&gt; <em>c</em> <strong>d</strong> "
        "<span class='light' tabindex='0' data-light='vertex:0'>e</span>"
    )
    assert formulas("words") == []
    assert formulas(r"$$a \qquad b$$") == ["a", "b"]
