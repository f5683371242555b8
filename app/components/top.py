"""On a phone a page shows its top when something else is looked at there: see ``top.js``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

_component: Any = st.components.v2.component(
    "mivspool_top", html="", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)


def show_top(what: str) -> None:
    """Scroll a narrow page to its top, once for each ``what``; on such a page, the column of this call comes first."""
    with st.container(key="top"):  # takes no place, and puts its column first: style.css
        _component(key=f"top:{what}")
