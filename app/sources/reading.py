"""How an uploaded file was read, in one sentence, and how else it can be: each other reading is one click away."""

from __future__ import annotations

from html import escape

import streamlit as st

from app.sources import uploads, words
from app.sources.picker import Chosen
from app.state import State
from app.ui import common
from app.ui.texts import safe
from mivspool.graphs.graph import Graph


def show(state: State, graph: Graph, chosen: Chosen) -> None:
    """Beside a graph that was uploaded, not one that was drawn or changed here; ``chosen`` is told of a reading."""
    made_here = state.origin or graph.name == words.DRAWING or graph.name.endswith(common.CHANGED_GRAPH)
    if graph.read_as is None or not uploads.is_upload(state.graph) or made_here:
        return
    chose = uploads.reading(state.graph)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="read-as"):
        st.html(f"<p class='scored'>{escape(graph.read_as)}</p>", width="content")
        others = [(reading.as_, reading.title) for reading in graph.readings]
        for as_, title in [*others, ("", words.READ_AGAIN)] if chose else others:
            st.button(
                safe(title),
                key=f"read-as:{as_}",
                type="tertiary",
                on_click=chosen,
                args=(state, uploads.read_otherwise(state.graph, as_)),
            )
