"""The one place for colours: the three states, one accent, one grey.

The states have the paper's fills, with borders that hold on white and on dark.
State is never colour alone: a survivor is large, round and ringed, a candidate round, a non-survivor a small square.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Theme = Literal["light", "dark"]
State = Literal["candidate", "survivor", "non_survivor"]

# in the order of the codes that the canvas uses: 0, 1, 2
STATES: tuple[State, ...] = ("candidate", "survivor", "non_survivor")


@dataclass(frozen=True)
class StateColour:
    """One state: the paper's fill, a border of the same hue for each theme, and what is written on the fill."""

    fill: str
    light_border: str
    dark_border: str
    ink: str

    def border(self, theme: Theme) -> str:
        """The border that is seen on this theme's background."""
        return self.light_border if theme == "light" else self.dark_border


COLOURS: dict[State, StateColour] = {
    "candidate": StateColour("#aaffff", "#0a7f86", "#e8ffff", "#0b2a2c"),
    "survivor": StateColour("#00aa00", "#005c00", "#7dff7d", "#001d00"),
    "non_survivor": StateColour("#ff8888", "#a83232", "#ffd0d0", "#330a0a"),
}

ACCENT: dict[Theme, str] = {"light": "#4f46c8", "dark": "#9d97ff"}
GREY: dict[Theme, str] = {"light": "#6b6d76", "dark": "#a3a5ae"}


def for_canvas() -> dict[str, Any]:
    """What the canvas needs of this, as JSON."""
    return {"states": [asdict(COLOURS[state]) for state in STATES], "accent": ACCENT, "grey": GREY}
