"""One level as a page shows it: all of it, or the part of it that can be drawn, with the reason in a sentence."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
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

_LAYOUTS = "layouts"  # of this session, by the graph's name


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


@dataclass(frozen=True, eq=False)
class Layout:
    """Places that a person has taken over from a free layout: by level, vertices of the graph int64 [k], and where they
    stand from that level on, float64 [k, 2]. ``name`` says which they are.
    """

    levels: dict[int, tuple[NDArray[np.int64], NDArray[np.float64]]]

    @cached_property
    def name(self) -> str:
        """A digest of all of it."""
        digest = hashlib.sha256()
        for level, (vertices, places) in sorted(self.levels.items()):
            digest.update(f"{level}:{len(vertices)}:".encode() + vertices.tobytes() + places.tobytes())
        return digest.hexdigest()[:16]

    def moved(self, at: NDArray[np.float64], vertices: NDArray[np.int64], level: int) -> NDArray[np.float64]:
        """The places ``at`` [n, 2] of these vertices of the graph [n] on a level, moved to those taken over."""
        out = at.copy()
        for below in sorted(of for of in self.levels if of <= level):
            known, places = self.levels[below]
            place = dict(zip(known.tolist(), places, strict=True))
            for row, vertex in enumerate(vertices.tolist()):
                out[row] = place.get(vertex, out[row])
        return out


def layout_of(source: str) -> Layout | None:
    """The places that this session has taken over for the graph of this name."""
    found: Layout | None = st.session_state.get(_LAYOUTS, {}).get(source)
    return found


def use_layout(source: str, level: int, vertices: NDArray[np.int64], places: NDArray[np.float64]) -> None:
    """Draw these vertices of the graph [k] at these places [k, 2], from this level on; levels above begin anew."""
    before = layout_of(source)
    kept = {} if before is None else {of: one for of, one in before.levels.items() if of < level}
    st.session_state.setdefault(_LAYOUTS, {})[source] = Layout({**kept, level: (vertices, places)})


def forget_layout(source: str) -> None:
    """Draw the graph of this name as it is drawn first."""
    st.session_state.get(_LAYOUTS, {}).pop(source, None)


def viewport_of(
    pooled: PooledGraph, level: int, source: str, around: str = "", layout: Layout | None = None
) -> Viewport:
    """A level of the graph called ``source``, as much of it as can be drawn.

    ``around``: the id of the vertex of the graph in whose neighbourhood a sample is taken.
    """
    part = part_of(pooled.levels[level], pooled.place(around, level))
    kept = pooled.origin[level][part.vertices]
    at = _positions(source, pooled.graph, part, kept)
    if layout is not None:
        at = layout.moved(at, kept, level)
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
    layout = layout_of(pooling.source)
    return _viewport(pooling.key, level, around, layout.name if layout else "", pooling, layout)


def reduced(pooling: Pooling, level: int, around: str = "") -> dict[str, Any]:
    """The reduced graph of what is drawn of a level, for a canvas that stands still; kept."""
    layout = layout_of(pooling.source)
    return _reduced(pooling.key, level, around, layout.name if layout else "", pooling)


def reduced_positions(pooling: Pooling, level: int, around: str = "") -> NDArray[np.float64]:
    """float64 [n', 2]: where the vertices of the reduced graph of what is drawn stand."""
    shown, layout = viewport(pooling, level, around), layout_of(pooling.source)
    kept = shown.level.survivors.numpy()
    at: NDArray[np.float64] = shown.positions[kept]
    if layout is None:
        return at
    return layout.moved(at, pooling.origin[level][shown.part.vertices[kept]], level + 1)


@st.cache_resource(max_entries=24, show_spinner=False)
def _viewport(
    key: tuple[Any, ...], level: int, around: str, layout: str, _pooling: Pooling, _layout: Layout | None
) -> Viewport:
    return viewport_of(_pooling, level, _pooling.source, around, _layout)


@st.cache_resource(max_entries=24, show_spinner=False)
def _reduced(key: tuple[Any, ...], level: int, around: str, layout: str, _pooling: Pooling) -> dict[str, Any]:
    shown = viewport(_pooling, level, around)
    kept = shown.level.survivors.numpy()
    clusters = _pooling.levels[level].cluster.numpy()[shown.part.vertices[kept]]
    at = reduced_positions(_pooling, level, around)
    return reduced_data(shown.level, at, _pooling.sizes[level + 1][clusters].tolist())


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
            on_change=state.while_shown(_ask),
            args=(state, key, known),
        )
        if selected >= 0:
            vertex = shown.level.nodes[selected]
            st.button(
                common.SAMPLE_HERE,
                key=f"{key}:here",
                on_click=state.while_shown(_go),
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
