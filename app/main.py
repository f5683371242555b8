"""What Streamlit runs for each visitor, at each change: see ``mivspool app``."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import streamlit as st

# the app is a package beside the library, wherever it was installed; first, because others may have a package app too
_ROOT = str(Path(__file__).resolve().parent.parent)
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)

from app import backend
from app.components import history, leaving
from app.navigation import DEFAULT, PAGES
from app.server import garbage, hosted
from app.ui import common, hiding, theme
from mivspool.errors import MIVSPoolError
from mivspool.lecture.paper import CITATION
from mivspool.settings import settings


def _meet() -> None:
    """Find out who this browser is, where the backend may tell visitors apart."""
    if not (settings().separate_visitors or settings().backend_url):
        return
    with contextlib.suppress(MIVSPoolError):  # without a backend the pages go on, and say so
        backend.meet()


st.set_page_config(page_title=common.TITLE, page_icon=theme.ICON, layout="wide")
st.html(theme.STYLE)
st.logo(theme.LOGO, size="large")
hosted.admit()
leaving.guard()
history.keep()

shown = [entry.page() for entry in PAGES]
# the first page stands at the root of the address; a link that names it is right as well
named = [
    st.Page(entry.run(), title=entry.title, url_path=entry.name, visibility="hidden")
    for entry in PAGES
    if entry.name == DEFAULT
]
try:
    page = st.navigation([*shown, *named], position="hidden" if hiding.menu_hidden() else "top")
    if page.url_path == DEFAULT:  # the menu knows it at the root alone
        first = next(entry for entry in shown if entry.url_path == "")
        st.switch_page(first, query_params=st.query_params.to_dict())
    _meet()
    page.run()
    st.html(f"<p class=paper>{common.ABOUT} {CITATION}</p>")
finally:
    garbage.collect()
