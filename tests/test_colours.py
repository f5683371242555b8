"""The palette: what Streamlit and the style sheets take from it, legible in both themes, written nowhere else."""

from __future__ import annotations

import re

import pytest
from streamlit import config

from app.ui import theme
from mivspool.canvas import THEME
from mivspool.colours import (
    ACCENT,
    CATEGORIES,
    COLOURS,
    GREY,
    HIGHLIGHT,
    PAGE,
    SCALE,
    Theme,
    for_css,
    for_streamlit,
)
from tests.test_house import ROOT

HEX = re.compile(r"#[0-9a-f]{6}\b")
# what the canvas shows where nobody gives it the variables of a theme
FALLBACKS = {"mivspool/canvas/canvas.css", "mivspool/canvas/gallery.css", "mivspool/canvas/js/draw/theme.js"}
# the file that is written from it: tests/app/test_hosted.py compares them
MADE = {"app/.streamlit/config.toml"}
STRONG = {"#ffffff", "#000000"}


def palette() -> set[str]:
    states = {value for state in COLOURS.values() for value in vars(state).values()}
    pages = {value for page in PAGE.values() for value in vars(page).values()}
    return {*states, *pages, *ACCENT.values(), *GREY.values(), *CATEGORIES, *SCALE, HIGHLIGHT}


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", PAGE)
def test_text_links_and_the_accent_are_legible(name: Theme) -> None:
    """WCAG 2.2: 4.5 for text, on the page and on what is set off from it."""
    page = PAGE[name]
    for background in (page.background, page.panel):
        for colour in (page.text, page.link, ACCENT[name], GREY[name]):
            assert contrast(colour, background) >= 4.5, (colour, background)


def test_streamlit_has_each_option() -> None:
    assert set(for_streamlit()) <= set(config.get_config_options())
    assert all(HEX.fullmatch(colour) for colour in for_streamlit().values())


def test_style_sheets_take_their_colours_from_it() -> None:
    for name in PAGE:
        assert for_css(name) in THEME
        assert f"--accent-{name}: {ACCENT[name]};" in theme.STYLE
    used = set(re.findall(r"var\(--(accent-\w+|page-\w+|highlight)\)", theme.STYLE))
    assert all(f"--{name}: " in theme.STYLE for name in used)


def test_no_colour_of_it_is_written_elsewhere() -> None:
    written = {
        f"{path.relative_to(ROOT)}: {colour}"
        for folder in ("app", "mivspool")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".css", ".js", ".toml", ".html"} and path.name != "colours.py"
        for colour in set(HEX.findall(path.read_text(encoding="utf-8").lower())) & (palette() - STRONG)
        if str(path.relative_to(ROOT)) not in FALLBACKS | MADE
    }
    assert written == set()
