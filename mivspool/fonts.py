"""Fonts for the texts of a figure: which of those that are installed have its letters, and which letters none has."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from mivspool.extras import need

DEFAULT = "DejaVu Sans"  # comes with matplotlib
_LAST_RESORT = "Last Resort"  # has a box for every letter


@dataclass(frozen=True)
class Fonts:
    """``families``: what to write with, the first that has a letter; ``missing``: the letters that none has."""

    families: tuple[str, ...]
    missing: str


def fonts_for(texts: Iterable[str]) -> Fonts:
    """As few of the installed fonts as have all the letters of ``texts`` that any of them has.

    Raises MissingPackageError where matplotlib, which finds them, is not installed.
    """
    need("a figure", "matplotlib")
    letters = frozenset(c for text in texts for c in text if c.isprintable() and not c.isspace())
    return _chosen(letters)


@lru_cache(maxsize=64)
def _chosen(letters: frozenset[str]) -> Fonts:
    families, missing = [DEFAULT], letters - _has(DEFAULT, letters)
    covers = {name: _has(name, missing) for name in _installed()} if missing else {}
    while missing:
        best = max(covers, key=lambda name: len(covers[name] & missing), default=DEFAULT)
        if not covers.get(best, frozenset()) & missing:
            break
        families.append(best)
        missing -= covers[best]
    return Fonts(tuple(families), "".join(sorted(missing)))


def _installed() -> list[str]:
    """The upright fonts of this machine, plain names first."""
    from matplotlib.font_manager import fontManager

    upright = {font.name for font in fontManager.ttflist if font.style == "normal"}
    return sorted((name for name in upright if _LAST_RESORT not in name), key=lambda name: (len(name), name))


def _has(name: str, letters: frozenset[str]) -> frozenset[str]:
    from matplotlib.font_manager import findfont, get_font

    font = get_font(findfont(name))
    return frozenset(c for c in letters if font.get_char_index(ord(c)))


def named(letters: str) -> str:
    """Letters with their names, for a sentence: ``𐀀 (LINEAR B SYLLABLE B008 A)``; the first three of them."""
    shown = [f"{c} ({unicodedata.name(c, f'U+{ord(c):04X}')})" for c in letters[:3]]
    return ", ".join(shown) + (f" and {len(letters) - 3} more" if len(letters) > 3 else "")
