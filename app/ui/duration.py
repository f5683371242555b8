"""A length of time in words."""

from __future__ import annotations

from app.ui import common


def in_words(seconds: float) -> str:
    """As exactly as it deserves."""
    if seconds < 90:
        return common.SECONDS.format(n=max(round(seconds), 1))
    if seconds < 5400:
        return common.MINUTES.format(n=round(seconds / 60))
    return common.HOURS.format(n=seconds / 3600)
