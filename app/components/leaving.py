"""What every page needs so that it can be left: see ``leaving.js``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from mivspool.canvas.modules import joined

_KEY = "leaving"
_component: Any = st.components.v2.component(
    "mivspool_leaving",
    html="",
    js=f"{joined(Path(__file__).resolve().with_suffix('.js'))}\nexport default guard;\n",
)


def guard() -> None:
    """Let links be followed while a popover is open."""
    with st.container(key=_KEY):  # takes no place: style.css
        _component(key=f"{_KEY}:guard")
