"""A formula of the lecture on a page of the app, its symbols within reach of the graph beside it.

Streamlit's own formulas (KaTeX) and its HTML (which drops MathML) cannot say which symbol means which vertices.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from mivspool.lecture.markup import mathml

_component: Any = st.components.v2.component(
    "mivspool_formula",
    html="",
    js="""export default ({ parentElement, data }) => {
      if (parentElement.dataset.shown === data) return;
      parentElement.dataset.shown = data;
      parentElement.innerHTML = `<div class="formula-line" tabindex="-1">${data}</div>`; // ours, no reader's text
    };""",
    isolate_styles=False,
)


def formula(latex: str, key: str) -> None:
    """Show a formula of ours (``lecture/chapters.py``)."""
    _component(key=key, data=mathml(latex))
