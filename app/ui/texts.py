"""A person's own text where it stands among ours: marks that would act on it or on what is around it are shown.

And names, cut where they are too long.
"""

from __future__ import annotations

import unicodedata

# what Markdown, and Streamlit in it, reads as markup
_MARKS = "\\`*_{}[]()<>#+-!|~$:"
_DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def visible(text: str) -> str:
    """The text with control characters and marks of direction written out: ⟨U+202E⟩."""
    return "".join(f"⟨U+{ord(c):04X}⟩" if _acts(c) else c for c in text)


def _acts(c: str) -> bool:
    if c in "\u200e\u200f\u061c":
        return True
    return (unicodedata.category(c) == "Cc" and c not in "\n\t") or unicodedata.bidirectional(
        c
    ) in _DIRECTIONS


def safe(text: str) -> str:
    """A person's text where Markdown would read markup."""
    text = visible(text)
    for mark in _MARKS:
        text = text.replace(mark, f"\\{mark}")
    return text


def for_plotly(text: str) -> str:
    """A person's text where plotly would read markup."""
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def cut(text: str, most: int) -> str:
    """The text with at most so many characters, an ellipsis as its last where it is longer."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
