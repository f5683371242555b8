"""Free layout on Step: what is seen as a pyvis network that a person pulls apart, and what is made of it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import streamlit as st
import torch

from app import sources
from app.components.free import free_layout, layout_of
from app.pooled import Pooling, view
from app.pooled.view import Viewport
from app.state import State
from app.step import words
from mivspool.canvas.appearance import colour_by, is_number, size_by
from mivspool.colours import GREY
from mivspool.graphs.graph import SCORE_ATTRIBUTE, Graph
from mivspool.graphs.labels import label_texts
from mivspool.levels import Level
from mivspool.messages import fill

FREE = "free:network"
LEVEL, REDUCED = "level", "reduced"
CLUSTER, DEGREE, SCORE = "cluster", "degree", "score"
MOST_VERTICES = 2000  # a page that moves more of them at once stands still


def show(state: State, pooling: Pooling, viewport: Viewport, *, reduced: bool) -> None:
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
            if state.free:
                _choose(state, "colour", words.COLOUR, colours_of(pooling.graph), words.COLOUR_HELP)
                _choose(state, "size", words.SIZE_BY, sizes_of(pooling.graph), None)
        if not state.free:
            return
        if state.free == REDUCED and not reduced:
            st.html(f"<p class='later'>{words.LATER_REDUCED}</p>")
            return
        n = len(viewport.level.nodes)
        if n > MOST_VERTICES:
            st.caption(fill(words.FREE_TOO_LARGE, n=f"{n:,}", most=f"{MOST_VERTICES:,}"))
            return
        network = network_of(state, pooling, viewport, reduced=reduced)
        meaning = dress(network, state, pooling, viewport)
        if meaning:
            st.html(f"<div class='legend'>{legend(meaning)}</div>")
        elif state.colour:
            st.caption(words.CLUSTERS_LATER)

        def take() -> None:
            places = layout_of(FREE, network)
            if places is not None:
                vertices = vertices_of(state, pooling, viewport)
                view.use_layout(pooling.source, state.level + (state.free == REDUCED), vertices, places)
                st.session_state["another"] = True  # what stands below the canvas follows

        free_layout(network, key=FREE, strings=words.FREE_STRINGS, on_layout=take)


def network_of(state: State, pooling: Pooling, viewport: Viewport, *, reduced: bool) -> Any:
    """What is seen as a network of pyvis with its forces on: the level at its step, or its reduced graph.

    ``reduced``: whether there is a reduced graph yet; until then it is the level.
    """
    from mivspool.canvas.network import cluster_network, level_network

    level, title = viewport.level, sources.graph_title(state.graph, pooling.graph)
    words_of = viewport.trace["labels"]
    if state.free == REDUCED and reduced:
        kept = level.survivors.numpy()
        clusters = pooling.levels[state.level].cluster.numpy()[viewport.part.vertices[kept]]
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
            positions=viewport.positions,
            labels=words_of,
            physics=True,
            arrows=_assigned(state, level),
            part=state.part if 1 <= state.step <= updates else 0,
        )
        made.heading = title
    if state.labels != "label" or words_of is None:
        for node in made.nodes:
            node["label"] = "" if state.labels == "none" else node["id"]
    return made


def _choose(state: State, name: str, label: str, offered: list[str], about: str | None) -> None:
    if getattr(state, name) not in offered:
        setattr(state, name, "")
    empty = words.BY_STATE if name == "colour" or state.free == LEVEL else words.BY_CLUSTER_SIZE
    titles = {"": empty, CLUSTER: words.CLUSTER, DEGREE: words.DEGREE, SCORE: words.SCORE_OF}
    st.selectbox(
        label,
        ["", *offered],
        format_func=lambda value: titles.get(value, value),
        help=about,
        width=160,
        **state.bind(name),
    )


def colours_of(graph: Graph) -> list[str]:
    """By what a vertex can be coloured: its attributes, and its cluster."""
    return [*attributes(graph), CLUSTER]


def sizes_of(graph: Graph) -> list[str]:
    """By what a vertex can be sized: score, degree, and its attributes that are numbers."""
    numbers = [name for name, values in attributes(graph).items() if any(map(is_number, values))]
    return [SCORE, DEGREE, *numbers]


def attributes(graph: Graph) -> dict[str, Sequence[Any]]:
    """The attributes that are one text or number per vertex, by name; what has a word of its own here is left out."""
    found: dict[str, Sequence[Any]] = {}
    for name, values in graph.node_attributes.items():
        if name in (CLUSTER, DEGREE, SCORE_ATTRIBUTE):
            continue
        shown = label_texts(values) if name == "label" else values
        if shown is not None and all(isinstance(value, str | int | float | None) for value in shown):
            found[name] = shown
    return found


def dress(network: Any, state: State, pooling: Pooling, viewport: Viewport) -> list[tuple[str, str]]:
    """Colour and size as chosen, and what the colours mean; nothing where colours show the state."""
    level, own, known = (
        viewport.level,
        vertices_of(state, pooling, viewport).tolist(),
        attributes(pooling.graph),
    )
    kept = level.survivors if state.free == REDUCED else torch.arange(len(level.nodes))
    by: dict[str, Sequence[Any]] = {name: [values[v] for v in own] for name, values in known.items()}
    if state.size:
        by |= {SCORE: level.score[kept].tolist(), DEGREE: level.adjacency.degree[kept].tolist()}
        size_by(network, [value if is_number(value) else None for value in by[state.size]])
    if state.colour == CLUSTER:
        if state.free == LEVEL and not _assigned(state, level):
            return []
        largest = torch.argsort(torch.bincount(level.cluster), descending=True, stable=True)
        names = level.reduced_nodes
        order = [names[c] for c in largest.tolist()]
        return colour_by(network, [names[c] for c in level.cluster[kept].tolist()], order)
    return colour_by(network, by[state.colour]) if state.colour else []


def _assigned(state: State, level: Level) -> bool:
    """Whether the assignment has been seen."""
    return bool(state.step > level.num_iterations + bool(level.trace.added.any()))


def legend(meaning: Sequence[tuple[str, str]]) -> str:
    """What the colours mean, as HTML."""
    return "".join(
        f"<span><i class='round' style='background: {_themed(colour)}'></i> <bdi>{escape(text)}</bdi></span>"
        for text, colour in meaning
    )


def _themed(colour: str) -> str:
    return f"light-dark({GREY['light']}, {GREY['dark']})" if colour == GREY["light"] else colour


def vertices_of(state: State, pooling: Pooling, viewport: Viewport) -> np.ndarray[Any, Any]:
    """int64: which vertex of the graph each vertex of the network is."""
    kept = viewport.part.vertices
    if state.free == REDUCED:
        kept = kept[viewport.level.survivors.numpy()]
    return np.asarray(pooling.origin[state.level][kept])


def _forget(source: str) -> None:
    view.forget_layout(source)
    st.session_state["another"] = True
