"""A length of time in words."""

from __future__ import annotations

from app import strings_pages as words


def in_words(seconds: float) -> str:
    """As exactly as it deserves."""
    if seconds < 90:
        return words.SECONDS.format(n=max(round(seconds), 1))
    if seconds < 5400:
        return words.MINUTES.format(n=round(seconds / 60))
    return words.HOURS.format(n=seconds / 3600)
