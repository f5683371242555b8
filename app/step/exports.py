"""Graphs, S and scores as data: the graph, a level of it or its reduced graph, in every format that is written."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app.pooled import Pooling
from app.step import words
from mivspool.graphs.export import WRITERS, assignment_csv, assignment_npz, scores_csv, write_graph
from mivspool.graphs.graph import Graph
from mivspool.levels import Level
from mivspool.messages import fill
from mivspool.sparse import Adjacency

TABLES = {"csv": ("CSV", "text/csv"), "npz": ("NPZ (numpy)", "application/octet-stream")}


def controls(pooling: Pooling, level: int, title: str) -> None:
    """Choose what to take along as data; it is written when it is asked for, and always whole."""
    st.markdown(f"**{words.DATA}**")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        what = st.selectbox(
            words.DATA_WHAT,
            list(words.DATA_THINGS),
            format_func=lambda name: fill(words.DATA_THINGS[name], level=level),
            key="data:what",
            width=230,
        )
        forms = list(TABLES) if what == "S" else ["csv"] if what == "scores" else list(WRITERS)
        form = st.selectbox(
            words.DATA_AS,
            forms,
            format_func=lambda name: TABLES[name][0] if what in ("S", "scores") else WRITERS[name].title,
            key=f"data:as:{len(forms)}",
            width=230,
        )
    name = re.sub(r"[^\w-]+", "-", title).strip("-")[:60] or "graph"
    write, extension, media_type = _writing(pooling, level, what, form)
    st.download_button(
        words.DATA_DOWNLOAD,
        write,
        file_name=f"{name}-{what}{'' if what == 'graph' else f'-level-{level}'}{extension}",
        mime=media_type,
        on_click="ignore",
        icon=":material/download:",
        key=f"data:download:{what}:{form}",
    )


def _writing(pooling: Pooling, level: int, what: str, form: str) -> tuple[Callable[[], bytes], str, str]:
    """What writes the file, how its name ends, and its media type."""
    if what in ("S", "scores"):
        return (lambda: table(pooling.levels[level], what, form)), f".{form}", TABLES[form][1]
    writer = WRITERS[form]
    return (
        lambda: write_graph(graph_of(pooling, level, what), form).encode("utf-8", "replace"),
        writer.extension,
        writer.media_type,
    )


def table(level: Level, what: str, form: str) -> bytes:
    """S or the scores of a level as CSV; S with the scores as NPZ."""
    cluster, score = level.cluster.numpy(), level.score.numpy()
    if form == "npz":
        return assignment_npz(level.nodes, level.reduced_nodes, cluster, score)
    if what == "scores":
        return scores_csv(level.nodes, score).encode("utf-8", "replace")
    return assignment_csv(level.nodes, level.reduced_nodes, cluster).encode("utf-8", "replace")


def graph_of(pooling: Pooling, level: int, what: str) -> Graph:
    """The graph as it was read, a level of it, or the level's reduced graph.

    A vertex of a level has the attributes it has in the graph, ``vertices``, how many it stands for, and
    ``diagonal``, its own entry in SᵀAS; an edge has its weight there.
    """
    if what == "graph":
        return pooling.graph
    shown = pooling.levels[level]
    if what == "level":
        return _of(pooling, level, shown.nodes, shown.adjacency)
    return _of(pooling, level + 1, shown.reduced_nodes, shown.reduced)


def _of(pooling: Pooling, level: int, nodes: tuple[str, ...], adjacency: Adjacency) -> Graph:
    graph, kept = pooling.graph, pooling.origin[level]
    index = adjacency.edge_index.numpy()
    once = index[0] < index[1]
    weight = None if adjacency.weight is None else adjacency.weight.numpy()[once]
    attributes = {name: _taken(values, kept) for name, values in graph.node_attributes.items()}
    if level:
        attributes["vertices"] = tuple(pooling.sizes[level].tolist())
    if adjacency.loops is not None:
        attributes["diagonal"] = tuple(adjacency.loops.tolist())
    return Graph(
        f"{graph.name}, level {level}" if level else graph.name,
        nodes,
        index[:, once],
        weight,
        attributes,
        label=graph.label,
        positions=None if graph.positions is None else graph.positions[kept],
    )


def _taken(values: tuple[object, ...], kept: NDArray[np.int64]) -> tuple[object, ...]:
    return tuple(values[v] for v in kept.tolist())
