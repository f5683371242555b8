"""Free layout on Step: what is seen as a pyvis network that a person pulls apart, and what is made of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from app import sources
from app.components.free import free_layout, layout_of
from app.pooled import Pooling, view
from app.pooled.view import Viewport
from app.state import State
from app.step import words
from mivspool.messages import fill

FREE = "free:network"
LEVEL, REDUCED = "level", "reduced"
MOST_VERTICES = 2000  # a page that moves more of them at once stands still


def show(state: State, pooling: Pooling, seen: Viewport, *, reduced: bool) -> None:
    """The choice of what is laid out freely, and the network. ``reduced``: whether there is a reduced graph yet."""
    with st.container(key="free"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.segmented_control(
                words.FREE,
                list(words.FREE_OF),
                format_func=lambda name: words.FREE_OF[name],
                required=True,
                help=words.FREE_HELP,
                **state.bind("free"),
            )
            if view.layout_of(pooling.source) is not None:
                st.button(
                    words.FREE_FORGET,
                    key="free:forget",
                    on_click=_forget,
                    args=(pooling.source,),
                    help=words.FREE_FORGET_HELP,
                )
        if not state.free:
            return
        if state.free == REDUCED and not reduced:
            st.html(f"<p class='later'>{words.LATER_REDUCED}</p>")
            return
        n = len(seen.level.nodes)
        if n > MOST_VERTICES:
            st.caption(fill(words.FREE_TOO_LARGE, n=f"{n:,}", most=f"{MOST_VERTICES:,}"))
            return
        network = network_of(state, pooling, seen, reduced=reduced)

        def take() -> None:
            places = layout_of(FREE, network)
            if places is not None:
                vertices = vertices_of(state, pooling, seen)
                view.use_layout(pooling.source, state.level + (state.free == REDUCED), vertices, places)
                st.session_state["another"] = True  # what stands below the canvas follows

        free_layout(network, key=FREE, strings=words.FREE_STRINGS, on_layout=take)


def network_of(state: State, pooling: Pooling, seen: Viewport, *, reduced: bool) -> Any:
    """What is seen as a network of pyvis with its forces on: the level at its step, or its reduced graph.

    ``reduced``: whether there is a reduced graph yet; until then it is the level.
    """
    from mivspool.canvas.network import cluster_network, level_network

    level, title = seen.level, sources.graph_title(state.graph, pooling.graph)
    words_of = seen.trace["labels"]
    if state.free == REDUCED and reduced:
        kept = level.survivors.numpy()
        clusters = pooling.levels[state.level].cluster.numpy()[seen.part.vertices[kept]]
        made = cluster_network(
            title,
            level.reduced_nodes,
            level.reduced,
            pooling.sizes[state.level + 1][clusters].tolist(),
            view.reduced_positions(pooling, state.level, state.around),
            None if words_of is None else [words_of[v] for v in kept.tolist()],
            physics=True,
        )
    else:
        updates = level.num_iterations
        made = level_network(
            level,
            state.step if state.step <= updates else None,
            positions=seen.positions,
            labels=words_of,
            physics=True,
            arrows=state.step > updates + bool(level.trace.added.any()),
            part=state.part if 1 <= state.step <= updates else 0,
        )
        made.heading = title
    if state.labels != "label" or words_of is None:
        for node in made.nodes:
            node["label"] = "" if state.labels == "none" else node["id"]
    return made


def vertices_of(state: State, pooling: Pooling, seen: Viewport) -> np.ndarray[Any, Any]:
    """int64: which vertex of the graph each vertex of the network is."""
    kept = seen.part.vertices
    if state.free == REDUCED:
        kept = kept[seen.level.survivors.numpy()]
    return np.asarray(pooling.origin[state.level][kept])


def _forget(source: str) -> None:
    view.forget_layout(source)
    st.session_state["another"] = True
