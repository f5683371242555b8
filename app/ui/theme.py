"""What Streamlit's own elements look like beyond the theme: little, and all of it here."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent

ICON = str(HERE / "icon.svg")
LOGO = str(HERE / "logo.svg")
STYLE = HERE / "style.css"
