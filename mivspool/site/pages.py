"""The static site's pages: each chapter of Learn, and Step with Predict. What moves is ``files/site.js``."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from mivspool import __version__
from mivspool.lecture import chapters as words
from mivspool.lecture.chapters import CHAPTERS, SHORT, Chapter
from mivspool.lecture.markup import formulas, markup, mathml
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
    before = CHAPTERS[at - 1] if at else None
    after = CHAPTERS[at + 1] if at + 1 < len(CHAPTERS) else None
    walk = []
    if before is not None:
        walk.append(
            f'<a rel="prev" href="{chapter_file(before.name)}">← {escape(words.PREVIOUS_CHAPTER)}</a>'
        )
    if after is not None:
        title = escape(fill(words.NEXT_CHAPTER, title=after.title))
        walk.append(f'<a rel="next" class="primary" href="{chapter_file(after.name)}">{title} →</a>')
    shows = " ".join(chapter.shows)
    body = (
        f"{_chapters(chapter.name)}"
        '<main id="content" class="lesson">'
        f"<article><h1>{escape(chapter.title)}</h1>{_text(chapter)}"
        f'<p class="walk">{"".join(walk)}</p></article>'
        f'<section class="live" data-page="learn" data-graph="{escape(scene.source)}" '
        f'data-score="{escape(scene.score)}" data-step="{chapter.step}" data-shows="{escape(shows)}">'
        f'<p class="notice" role="alert" hidden></p><div class="canvas">{_without_script()}</div>'
        f'<p class="walk"><a class="open" href="{STEP_FILE}">{escape(strings.OPEN_IN_STEP)}</a></p>'
        '<div class="below"></div></section></main>'
    )
    return _page(f"{chapter.title} · {strings.TITLE}", "learn", body)


def _scores() -> dict[str, str]:
    """Every score by name, and what the menu calls it: no model is here to give a learned one its weights."""
    labels = {
        score.name: fill(strings.UNTRAINED, score=score.name) if score.learned else score.label
        for score in SCORES.values()
    }
    return {GIVEN: strings.GIVEN_LABEL, **labels}


def step_page(entries: Sequence[Entry]) -> str:
    """Any graph of the site, to watch or to predict."""
    groups = "".join(
        f'<optgroup label="{escape(name)}">'
        + "".join(f'<option value="{escape(e.source)}">{escape(e.title)}</option>' for e in members)
        + "</optgroup>"
        for name, members in groupby(entries, key=lambda entry: entry.group)
    )
    scores = "".join(
        f'<option value="{escape(name)}">{escape(title)}</option>' for name, title in _scores().items()
    )
    body = (
        '<main id="content" class="step">'
        f'<h1 class="hidden">{escape(strings.STEP)}</h1>'
        '<div class="bar">'
        f'<label>{escape(strings.GRAPH)} <select id="graph">{groups}</select></label>'
        f'<label>{escape(strings.SCORE)} <select id="score">{scores}</select></label>'
        f'<div class="choice" id="mode" role="group" aria-label="{escape(strings.MODE)}">'
        f'<button type="button" data-mode="">{escape(strings.STEP_THROUGH)}</button>'
        f'<button type="button" data-mode="predict">{escape(strings.PREDICT)}</button>'
        f'<button type="button" data-mode="edit">{escape(strings.EDIT)}</button></div>'
        f'<button type="button" id="present">{escape(strings.PRESENT)}</button></div>'
        '<p class="about"></p><p class="says"></p>'
        f'<div class="choice" id="levels" role="group" aria-label="{escape(strings.LEVELS)}"></div>'
        '<section class="live" data-page="step" data-shows="badges S cluster">'
        f'<p class="notice" role="alert" hidden></p><div class="canvas">{_without_script()}</div>'
        '<div class="below"></div></section></main>'
    )
    return _page(f"{strings.STEP} · {strings.TITLE}", "step", body)


def _page(title: str, name: str, body: str) -> str:
    pages = "".join(
        f'<a href="{href}" data-page="{page}"{_here(page == name)}>{escape(text)}</a>'
        for page, href, text in (
            ("learn", chapter_file(CHAPTERS[0].name), strings.LEARN),
            ("step", STEP_FILE, strings.STEP),
            ("predict", f"{STEP_FILE}#mode=predict", strings.PREDICT),
        )
    )
    foot = fill(strings.FOOT, version=__version__)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><meta name="description" content="{escape(strings.ABOUT)}">'
        '<link rel="icon" href="icon.svg"><link rel="stylesheet" href="site.css">'
        '<script src="theme.js"></script><script src="site.js" defer></script>'
        '<script src="graphs.js" defer></script></head>\n'
        f'<body><a class="skip" href="#content">{escape(strings.SKIP)}</a>'
        f'<header><a class="brand" href="index.html">{escape(strings.TITLE)}</a>'
        f'<nav aria-label="{escape(strings.PAGES_LABEL)}">{pages}</nav>'
        '<button type="button" id="theme"></button></header>\n'
        f"{body}\n<footer><p>{escape(CITATION)}</p><p>{escape(foot)}</p></footer></body></html>\n"
    )


def _here(here: bool) -> str:
    return ' aria-current="page"' if here else ""


def _chapters(name: str) -> str:
    items = "".join(
        f'<li><a href="{chapter_file(chapter.name)}"'
        f"{' aria-current=' + chr(34) + 'page' + chr(34) if chapter.name == name else ''}>"
        f"{escape(SHORT[chapter.name])}</a></li>"
        for chapter in CHAPTERS
    )
    return f'<nav class="chapters" aria-label="{escape(words.CHAPTERS_LABEL)}"><ol>{items}</ol></nav>'


def _text(chapter: Chapter) -> str:
    parts = []
    for paragraph in chapter.text:
        lines = formulas(paragraph)
        parts += [f'<div class="formula-line">{mathml(line)}</div>' for line in lines]
        if not lines:
            parts.append(f"<p>{markup(paragraph)}</p>")
    for title, text, kind in chapter.asides:
        parts.append(f'<p class="aside {kind}"><b>{escape(title)}</b>{markup(text)}</p>')
    return "".join(parts)


def _without_script() -> str:
    return f"<noscript><p>{escape(strings.WITHOUT_SCRIPT)}</p></noscript>"
