"""What every page needs so that Back takes back one thing that a person did: see ``history.js``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

_KEY = "history"
_component: Any = st.components.v2.component(
    "mivspool_history", html="", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)


def one_entry_per_action() -> None:
    """Let each action of a person make at most one entry in the browser's history."""
    with st.container(key=_KEY):  # takes no place: style.css
        _component(key=f"{_KEY}:watch")
