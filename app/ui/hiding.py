"""What a lecturer can hide by the link (``hide=score,options``), and the dialog that makes such a link.

The names stand in ``app.ui.common.CONTROLS``, one table for the dialog, the pages and the canvas.
"""

from __future__ import annotations

import streamlit as st

from app.state import State, hidden_by_link
from app.ui import common

# parts of the canvas: it hides them itself
CANVAS = tuple(common.CONTROLS["canvas"])


def menu_hidden() -> bool:
    """Whether the link of this session hides the menu of pages."""
    return "menu" in hidden_by_link()


def canvas_hides(state: State) -> tuple[str, ...]:
    """What the canvas is to hide."""
    return tuple(name for name in CANVAS if state.hidden(name))


@st.dialog(common.HIDE_TITLE, width="large")
def dialog(state: State) -> None:
    """Controls to tick off, and the link that hides them."""
    st.caption(common.HIDE_ABOUT)
    hidden = []
    for column, (group, controls) in zip(
        st.columns(len(common.CONTROLS)), common.CONTROLS.items(), strict=True
    ):
        with column:
            st.markdown(f"**{common.HIDE_GROUPS[group]}**")
            with st.container(gap=None):
                hidden += [
                    name
                    for name, title in controls.items()
                    if st.checkbox(title, value=state.hidden(name), key=f"hide:{name}")
                ]
    with st.container(horizontal=True):
        present = st.checkbox(common.HIDE_PRESENT, value=state.present, key="hide:as-present")
        predict = st.checkbox(common.HIDE_PREDICT, value=state.mode == "predict", key="hide:as-predict")
    link = link_hiding(state, hidden, present=present, predict=predict)
    st.code(link, language=None, wrap_lines=True)
    st.link_button(common.HIDE_OPEN, link, icon=":material/open_in_new:", type="primary")


def link_hiding(state: State, hidden: list[str], *, present: bool, predict: bool) -> str:
    """The link to what is seen, without these controls."""
    mode = "predict" if predict else "" if state.mode == "predict" else state.mode
    return state.but(hide=",".join(hidden), present=present, mode=mode).address()
