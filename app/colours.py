"""The app's colours: the three states (mivspool/colours.py), one accent and one grey for each theme."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from mivspool.colours import COLOURS, STATES, State, StateColour, Theme

__all__ = ["ACCENT", "COLOURS", "GREY", "STATES", "State", "StateColour", "Theme", "for_canvas"]

ACCENT: dict[Theme, str] = {"light": "#4f46c8", "dark": "#9d97ff"}
GREY: dict[Theme, str] = {"light": "#6b6d76", "dark": "#a3a5ae"}


def for_canvas() -> dict[str, Any]:
    """What the canvas needs of this, as JSON."""
    return {"states": [asdict(COLOURS[state]) for state in STATES], "accent": ACCENT, "grey": GREY}
