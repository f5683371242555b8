"""A length of time in words."""

from __future__ import annotations

from app.ui import common
from mivspool.messages import fill


def in_words(seconds: float) -> str:
    """As exactly as it deserves."""
    if seconds < 90:
        return fill(common.SECONDS, n=max(round(seconds), 1))
    if seconds < 5400:
        return fill(common.MINUTES, n=round(seconds / 60))
    return fill(common.HOURS, n=seconds / 3600)
