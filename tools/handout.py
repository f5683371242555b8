"""Write the lecture's exercises into docs/handout.md: ``python -m tools.handout``.

The part between two marks is made here, of what Learn asks and checks (``mivspool.lecture.exercises``).
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from mivspool.lecture import exercises
from mivspool.lecture.chapters import CHAPTERS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "handout.md"
START = "<!-- from here made by `python -m tools.handout` -->"
END = "<!-- to here -->"


def section() -> str:
    """Every exercise with its answer, by chapter, in Markdown."""
    parts = []
    for place, chapter in enumerate(CHAPTERS, start=1):
        parts.append(f"### Chapter {place}: {chapter.title}")
        for number, one in exercises.of(chapter.name):
            title = one.title if one.title.endswith("?") else f"{one.title}."
            said = f"**{number}. {title}** {one.question} *{one.answer}*"
            parts.append(textwrap.fill(said, 119, break_long_words=False, break_on_hyphens=False))
    return "\n\n".join(parts)


def page(text: str) -> str:
    """The page with its generated part replaced."""
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    return f"{before}{START}\n\n{section()}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(PAGE)
