"""The one place for colours: the three states, one accent, one grey, and those of a page.

Streamlit's theme, the variables of the style sheets, plotly's figures and the canvas are made from it.
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


@dataclass(frozen=True)
class PageColours:
    """A page in one theme: its background, that of what is set off from it, text, borders, links."""

    background: str
    panel: str
    text: str
    border: str
    link: str


PAGE: dict[Theme, PageColours] = {
    "light": PageColours("#ffffff", "#f5f5f6", "#1d1e22", "#dcdde1", "#4f46c8"),
    "dark": PageColours("#16171a", "#202227", "#e9e9ec", "#3a3c43", "#b1acff"),
}
# by what a vertex is, where a person asks for it: told apart by most who do not see red and green apart (Okabe and Ito
# 2008), and a scale from light to dark
CATEGORIES = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7")
SCALE = ("#f0e442", "#0072b2")
HIGHLIGHT = "#7f7aff"  # mixed with the background behind what is pointed at, in both themes


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a colour as #rrggbb, from 0 to 255."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def for_streamlit() -> dict[str, str]:
    """Streamlit's options for both themes: ``theme.light.primaryColor`` and the like."""
    options: dict[str, str] = {}
    for theme, page in PAGE.items():
        named = {
            "primaryColor": ACCENT[theme],
            "backgroundColor": page.background,
            "secondaryBackgroundColor": page.panel,
            "textColor": page.text,
            "linkColor": page.link,
            "borderColor": page.border,
        }
        options |= {f"theme.{theme}.{name}": colour for name, colour in named.items()}
    return options


def for_css(theme: Theme) -> str:
    """A theme as declarations of the variables that Streamlit gives a component: ``--st-primary-color: …; …``."""
    page = PAGE[theme]
    named = {
        "text": page.text,
        "background": page.background,
        "secondary-background": page.panel,
        "border": page.border,
        "primary": ACCENT[theme],
    }
    return " ".join(f"--st-{name}-color: {colour};" for name, colour in named.items())


def for_canvas() -> dict[str, Any]:
    """What the canvas needs of this, as JSON."""
    return {"states": [asdict(COLOURS[state]) for state in STATES], "accent": ACCENT, "grey": GREY}
