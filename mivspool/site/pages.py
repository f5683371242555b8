"""The static site's pages: each chapter of Learn, and Step with Predict. What moves is ``files/site.js``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from mivspool import __version__
from mivspool.content import shared
from mivspool.content.classify import words as classify_words
from mivspool.content.compare import words as compare_words
from mivspool.content.compare.legend import legend
from mivspool.html import render
from mivspool.lecture import chapters as words
from mivspool.lecture import exercises, markup
from mivspool.lecture.chapters import CHAPTERS, Chapter
from mivspool.lecture.paper import CITATION
from mivspool.messages import fill
from mivspool.pooling.score import SCORES
from mivspool.site import strings
from mivspool.site.graphs import GIVEN, Entry, Scene

STEP_FILE, COMPARE_FILE, CLASSIFY_FILE, RESULTS_FILE = (
    "step.html",
    "compare.html",
    "classify.html",
    "results.html",
)
# nothing from outside, no script or style within a page, no script made of text (but WebAssembly, which reads SMILES),
# nothing to send
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'"
)


def chapter_file(name: str) -> str:
    """Where a chapter is; the first is the site's start."""
    return "index.html" if name == CHAPTERS[0].name else f"learn-{name}.html"


def menu() -> list[tuple[str, str, str]]:
    """The pages, as the menu has them: name, link, title."""
    return [
        ("learn", chapter_file(CHAPTERS[0].name), strings.LEARN),
        ("step", STEP_FILE, strings.STEP),
        ("predict", f"{STEP_FILE}#mode=predict", strings.PREDICT),
        ("compare", COMPARE_FILE, strings.COMPARE),
        ("classify", CLASSIFY_FILE, strings.CLASSIFY),
        ("results", RESULTS_FILE, strings.RESULTS),
    ]


def chapter_page(chapter: Chapter, scene: Scene) -> str:
    """One chapter: its text on one side, its graph on the other."""
    at = CHAPTERS.index(chapter)
    return page(
        "chapter.html",
        "learn",
        chapter=chapter,
        chapters=CHAPTERS,
        before=CHAPTERS[at - 1] if at else None,
        after=CHAPTERS[at + 1] if at + 1 < len(CHAPTERS) else None,
        scene=scene,
        words=words,
        exercises=exercises.of(chapter.name),
    )


def step_page(entries: Sequence[Entry], smiles: bool) -> str:
    """Any graph of the site, to watch or to predict. ``smiles``: whether a person's may be SMILES."""
    return page("step.html", "step", groups=_groups(entries), scores=_scores(), smiles=smiles)


def compare_page(entries: Sequence[Entry], smiles: bool) -> str:
    """Several methods on a graph of the site. ``smiles``: as in :func:`step_page`."""
    return page(
        "compare.html",
        "compare",
        groups=_groups(entries),
        words=compare_words,
        legend=legend(),
        smiles=smiles,
    )


def classify_page(entries: Sequence[Entry], models: Mapping[str, str], smiles: bool) -> str:
    """The class of a graph of the site.

    ``models``: what the menu calls each, by name; ``smiles``: as in :func:`step_page`.
    """
    return page(
        "classify.html",
        "classify",
        groups=_groups(entries),
        models=models,
        words=classify_words,
        smiles=smiles,
    )


def _groups(entries: Sequence[Entry]) -> list[tuple[str, list[Entry]]]:
    """The graphs as the menu has them."""
    return [(name, list(members)) for name, members in groupby(entries, key=lambda entry: entry.group)]


def _scores() -> dict[str, str]:
    """Every score by name, and what the menu calls it: no model is here to give a learned one its weights."""
    labels = {
        score.name: fill(strings.UNTRAINED, score=score.name) if score.learned else score.label
        for score in SCORES.values()
    }
    return {GIVEN: strings.GIVEN_LABEL, **labels}


def page(template: str, name: str, **values: Any) -> str:
    """A page of a template; ``name``: its entry in the menu."""
    return render(
        "mivspool.site",
        template,
        name=name,
        strings=strings,
        policy=POLICY,
        file_of=chapter_file,
        menu=menu(),
        step_file=STEP_FILE,
        citation=CITATION,
        foot=fill(strings.FOOT, version=__version__),
        fill=fill,
        text=markup,
        shared=shared,
        **values,
    )
