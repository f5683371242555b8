"""The app where Streamlit itself runs it (``streamlit run app/main.py``), as hosts of Streamlit apps do.

``mivspool app`` has its access control before the pages (``app/server/access.py``). Streamlit alone lets in whoever
reaches its address. So the pages are shown on an address of this machine alone, or where MIVSPOOL_PUBLIC says that
everyone may use them; then visitors are kept apart.
"""

from __future__ import annotations

import streamlit as st

from app.server.streamlit_internals import is_served
from app.ui import common
from mivspool.hosts import is_loopback
from mivspool.settings import keep_visitors_apart, settings

guarded = False
"""Whether the access control stands before the pages: ``app/server/run.py`` says so."""
frames = "*"
"""The sites whose pages may show the app in a frame, as MIVSPOOL_EMBED lists them; Streamlit alone lets all."""


def admit() -> None:
    """Go on with the page, or say instead why it is not shown."""
    if guarded or not is_served():
        return
    if settings().public:
        keep_visitors_apart()
    elif not is_loopback(st.get_option("server.address") or ""):
        st.error(common.NOT_ADMITTED, icon=":material/lock:")
        st.stop()
