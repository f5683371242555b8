"""What is seen, to download: figures, an animation, and a page that steps without the app and without a network."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from app import sources
from app.pooled import Pooling, view
from app.state import State
from app.step import exports, free, words
from app.ui import common
from app.ui.texts import safe
from mivspool.canvas import standalone
from mivspool.errors import MIVSPoolError
from mivspool.messages import fill, sentence

MIME = {
    "html": "text/html",
    "free": "text/html",
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "tex": "text/x-tex",
    "gif": "image/gif",
    "mp4": "video/mp4",
}


@st.fragment
def popover(state: State, pooling: Pooling, vertex: int, *, reduced: bool) -> None:
    """Choose what to download of the level that is seen; it is made when it is chosen.

    ``reduced``: whether the iterations have come to the reduced graph.
    """
    with st.popover(common.DOWNLOAD, icon=":material/download:", key="take", on_change="rerun") as opened:
        if not opened.open:
            return
        form = st.segmented_control(
            words.DOWNLOAD_AS,
            list(MIME),
            format_func=lambda name: words.DOWNLOAD_FORMATS[name],
            default="html",
            required=True,
            key="take:form",
        )
        step = _extent(form, state.step)
        about = words.DOWNLOAD_ABOUT[form] if step is None else words.DOWNLOAD_STEP
        by_parts = state.part and step is None and form not in ("html", "free")
        st.caption(fill(words.DOWNLOAD_PARTS, about=about) if by_parts else about)
        title = sources.graph_title(state.graph, pooling.graph)
        try:
            with st.spinner(words.DOWNLOAD_MAKING):
                if form == "html":
                    viewport = view.viewport(pooling, state.level, state.around)
                    page = standalone(viewport.trace, title, state.step, vertex, part=state.part)
                    made = page.encode("utf-8", "replace")
                elif form == "free":
                    viewport = view.viewport(pooling, state.level, state.around)
                    network = free.network_of(state, pooling, viewport, reduced=reduced)
                    made = network.generate_html().encode("utf-8", "replace")
                else:
                    layout = view.layout_of(pooling.source)
                    drawn = layout.name if layout else ""
                    made = _figure(
                        pooling.key, state.level, state.around, drawn, form, step, state.part, pooling
                    )
        except MIVSPoolError as error:
            st.error(safe(sentence(error.message)))
            exports.controls(pooling, state.level, title)
            return
        name = re.sub(r"[^\w-]+", "-", title).strip("-")[:60] or "graph"
        st.download_button(
            fill(words.DOWNLOAD_BUTTON, format=words.DOWNLOAD_FORMATS[form]),
            made,
            file_name=f"{name}-level-{state.level}{_of(form, step, state.part)}",
            mime=MIME[form],
            type="primary",
            on_click="ignore",
            key=f"take:download:{form}",
        )
        exports.controls(pooling, state.level, title)


def _of(form: str, step: int | None, part: int) -> str:
    """How the name of the file ends: what of the level it holds, and in which format."""
    if form == "free":
        return "-free-layout.html"
    of_step = "" if step is None else f"-step-{step}"
    of_part = "" if not part or form == "html" else "-parts" if step is None else f"-part-{part}"
    return f"{of_step}{of_part}.{form}"


def _extent(form: str, step: int) -> int | None:
    """All iterations (None), or the step that is seen alone, where the format can be either."""
    from mivspool.figures import PICTURES

    if form not in PICTURES:
        return None
    extent = st.segmented_control(
        words.DOWNLOAD_EXTENT,
        list(words.DOWNLOAD_EXTENTS),
        format_func=lambda name: words.DOWNLOAD_EXTENTS[name],
        default="all",
        required=True,
        key="take:extent",
    )
    return step if extent == "one" else None


@st.cache_data(max_entries=16, show_spinner=False)
def _figure(
    key: tuple[Any, ...],
    level: int,
    around: str,
    layout: str,
    form: str,
    step: int | None,
    part: int,
    _pooling: Pooling,
) -> bytes:
    from mivspool.figures import draw

    viewport = view.viewport(_pooling, level, around)
    return draw(viewport.level, viewport.positions, form, step=step, part=part)
