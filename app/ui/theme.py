"""What Streamlit's own elements look like beyond the theme: little, and all of it here."""

from __future__ import annotations

from pathlib import Path

from mivspool.colours import ACCENT, HIGHLIGHT, PAGE
from mivspool.content import style

HERE = Path(__file__).parent

ICON = str(HERE / "icon.svg")
LOGO = str(HERE / "logo.svg")
_VARIABLES = " ".join(
    f"--accent-{theme}: {ACCENT[theme]}; --page-{theme}: {page.background};" for theme, page in PAGE.items()
)
_SHEET = (HERE / "style.css").read_text(encoding="utf-8") + style("legend") + style("classes")
STYLE = f"<style>:root {{ {_VARIABLES} --highlight: {HIGHLIGHT}; }}\n{_SHEET}</style>"
