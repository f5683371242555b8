"""What every page needs so that Back takes back one thing that a person did, and a reload none: see ``history.js``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from mivspool.canvas.modules import joined

_KEY = "history"
_component: Any = st.components.v2.component(
    "mivspool_history",
    html="",
    js=f"{joined(Path(__file__).resolve().with_suffix('.js'))}\nexport default watch;\n",
)


def keep() -> None:
    """Let each action of a person make at most one entry in the browser's history, and stay over a reload."""
    with st.container(key=_KEY):  # takes no place: style.css
        _component(key=f"{_KEY}:watch")
