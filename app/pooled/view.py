"""One level as a page shows it: all of it, or the part of it that can be drawn, with the reason in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import sources
from app.pooled.pooling import Pooling
from app.state import State
from app.ui import common
from app.ui.texts import safe
from mivspool.canvas.payload import reduced_data, trace_data
from mivspool.canvas.sample import Part, part_of, too_large
from mivspool.graphs import positions as lay_out
from mivspool.graphs.graph import Graph
from mivspool.levels import Level, PooledGraph
from mivspool.messages import fill


@dataclass(frozen=True, eq=False)
class Viewport:
    """What the canvas shows of a level; ``positions`` float64 [k, 2] of the vertices drawn."""

    part: Part
    positions: NDArray[np.float64]
    trace: dict[str, Any]

    @property
    def level(self) -> Level:
        """What is drawn: the level itself, or the sample as a level of its own."""
        return self.part.level


def viewport_of(pooled: PooledGraph, level: int, source: str, around: str = "") -> Viewport:
    """A level of the graph called ``source``, as much of it as can be drawn.

    ``around``: the id of the vertex of the graph in whose neighbourhood a sample is taken.
    """
    part = part_of(pooled.levels[level], pooled.place(around, level))
    kept = pooled.origin[level][part.vertices]
    at = _positions(source, pooled.graph, part, kept)
    labels = sources.vertex_labels(pooled.graph)
    words = None if labels is None else [labels[v] for v in kept.tolist()]
    own = pooled.sizes[level][part.vertices].tolist() if level else None
    data = trace_data(part.level, at, labels=words, sizes=own, learned=pooled.learned)
    if part.sampled:
        data["outside"] = part.outside.tolist()
        data["id"] = f"{data['id']}-{level}-{int(part.outside.sum())}"
    return Viewport(part, at, data)


def viewport(pooling: Pooling, level: int, around: str = "") -> Viewport:
    """One level for the canvas, kept; a sample of one that is too large, ``around`` a vertex of the graph."""
    return _viewport(pooling.key, level, around, pooling)


def reduced(pooling: Pooling, level: int, around: str = "") -> dict[str, Any]:
    """The reduced graph of what is drawn of a level, for a canvas that stands still; kept."""
    return _reduced(pooling.key, level, around, pooling)


@st.cache_resource(max_entries=24, show_spinner=False)
def _viewport(key: tuple[Any, ...], level: int, around: str, _pooling: Pooling) -> Viewport:
    return viewport_of(_pooling, level, _pooling.source, around)


@st.cache_resource(max_entries=24, show_spinner=False)
def _reduced(key: tuple[Any, ...], level: int, around: str, _pooling: Pooling) -> dict[str, Any]:
    shown = viewport(_pooling, level, around)
    kept = shown.level.survivors.numpy()
    clusters = _pooling.levels[level].cluster.numpy()[shown.part.vertices[kept]]
    return reduced_data(shown.level, shown.positions[kept], _pooling.sizes[level + 1][clusters].tolist())


def _positions(source: str, graph: Graph, part: Part, kept: NDArray[np.int64]) -> NDArray[np.float64]:
    """The places in the graph, where it has some or is small enough for a layout; else a layout of the part."""
    if graph.positions is not None or not too_large(graph.num_nodes, graph.num_edges):
        return sources.positions(source, graph)[kept]
    index = part.level.adjacency.edge_index.numpy()
    return lay_out(Graph(graph.name, part.level.nodes, index[:, index[0] < index[1]]))


def why_a_sample(state: State, shown: Viewport, selected: int, known: Callable[[str], bool]) -> None:
    """Where not all is drawn: why, what is, and the way to other places. ``selected``: a vertex of what is drawn.

    ``known``: whether there is a vertex of that id.
    """
    if not shown.part.sampled:
        return
    whole = shown.part.whole
    text = fill(
        common.SAMPLE,
        n=f"{len(whole.nodes):,}",
        m=f"{whole.adjacency.col.numel() // 2:,}",
        k=f"{len(shown.level.nodes):,}",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sample"):
        st.html(f"<p class='says'>{escape(text)}</p>")
        key = f"widget:{state.page}:around"
        st.text_input(
            common.SAMPLE_AROUND,
            placeholder=common.SAMPLE_PLACEHOLDER,
            max_chars=200,
            width=200,
            key=key,
            on_change=_ask,
            args=(state, key, known),
        )
        if selected >= 0:
            vertex = shown.level.nodes[selected]
            st.button(
                common.SAMPLE_HERE,
                key=f"{key}:here",
                on_click=_go,
                args=(state, vertex),
                help=common.SAMPLE_HERE_HELP,
            )
    missing = st.session_state.pop(f"{key}:missing", None)
    if missing is not None:
        st.warning(fill(common.SAMPLE_MISSING, vertex=safe(missing[:60])), icon=":material/error:")


def _ask(state: State, key: str, known: Callable[[str], bool]) -> None:
    vertex = str(st.session_state[key]).strip()
    if not vertex or known(vertex):
        _go(state, vertex)
    else:
        st.session_state[f"{key}:missing"] = vertex


def _go(state: State, vertex: str) -> None:
    state.around, state.vertex = vertex, vertex
