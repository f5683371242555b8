"""The static site's pages: each chapter of Learn, and Step with Predict. What moves is ``files/site.js``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from mivspool import __version__
from mivspool.html import render
from mivspool.lecture import chapters as words
from mivspool.lecture import exercises, markup
from mivspool.lecture.chapters import CHAPTERS, Chapter
from mivspool.lecture.paper import CITATION
from mivspool.messages import fill
from mivspool.pooling.score import SCORES
from mivspool.site import strings
from mivspool.site.graphs import GIVEN, Entry, Scene

STEP_FILE = "step.html"
# nothing from outside, no script or style within a page, nothing to send
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'"
)


def chapter_file(name: str) -> str:
    """Where a chapter is; the first is the site's start."""
    return "index.html" if name == CHAPTERS[0].name else f"learn-{name}.html"


def chapter_page(chapter: Chapter, scene: Scene) -> str:
    """One chapter: its text on one side, its graph on the other."""
    at = CHAPTERS.index(chapter)
    return _page(
        "chapter.html",
        "learn",
        chapter=chapter,
        chapters=CHAPTERS,
        before=CHAPTERS[at - 1] if at else None,
        after=CHAPTERS[at + 1] if at + 1 < len(CHAPTERS) else None,
        scene=scene,
        words=words,
        text=markup,
        exercises=exercises.of(chapter.name),
    )


def step_page(entries: Sequence[Entry]) -> str:
    """Any graph of the site, to watch or to predict."""
    groups = [(name, list(members)) for name, members in groupby(entries, key=lambda entry: entry.group)]
    return _page("step.html", "step", groups=groups, scores=_scores())


def _scores() -> dict[str, str]:
    """Every score by name, and what the menu calls it: no model is here to give a learned one its weights."""
    labels = {
        score.name: fill(strings.UNTRAINED, score=score.name) if score.learned else score.label
        for score in SCORES.values()
    }
    return {GIVEN: strings.GIVEN_LABEL, **labels}


def _page(template: str, name: str, **values: Any) -> str:
    return render(
        "mivspool.site",
        template,
        name=name,
        strings=strings,
        policy=POLICY,
        first=chapter_file(CHAPTERS[0].name),
        file_of=chapter_file,
        step_file=STEP_FILE,
        citation=CITATION,
        foot=fill(strings.FOOT, version=__version__),
        fill=fill,
        **values,
    )
