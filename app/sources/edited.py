"""A graph that a person has changed in the canvas: it becomes a graph like any that is uploaded, its scores given.

What the canvas tells is written as node-link JSON, with the score as an attribute of each vertex, and kept as an upload
(``uploads.py``): a small one lies in the link. The link also says which graph it was made from (``origin``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from torch import Tensor

from app import pooled, sources
from app.pooled import Pooling, view
from app.sources import uploads, words
from app.state import GIVEN, State
from app.ui import common
from mivspool import meer
from mivspool.errors import BackendError, InputError, MIVSPoolError
from mivspool.graphs.graph import SCORE_ATTRIBUTE, Graph
from mivspool.graphs.labels import label_text
from mivspool.messages import sentence

MODE = "edit"
_REPORTED = "edited:reported"  # the change that the canvas told of last, and what became of it
_TRACE = (
    "graph",
    "score",
    "seed",
    "weights",
    "model",
)  # complement is left out: the canvas computes that itself
_MOST = 20_000  # vertices
_LARGE = 2_000  # vertices of a graph that is not sent twice without need
_LEARNED_UNIT = 2.0**meer.SCORE_BITS


# ---- what the canvas gets -----------------------------------------------------------------------------------------


def answer(state: State) -> dict[str, Any] | None:
    """The change that is shown now, if the canvas itself told of it: then it has it already."""
    report: dict[str, Any] | None = st.session_state.get(_REPORTED)
    if report is None or report["made"] != _made_by(state):
        return None
    return {"token": report["token"], "n": report["n"], "error": report["error"]}


def forget() -> None:
    """Take what is shown for no answer to a change: it came from a link."""
    st.session_state.pop(_REPORTED, None)


def goes_on(state: State, report: Mapping[str, Any]) -> bool:
    """Whether a change follows the one whose answer is shown, though the canvas has not heard that answer yet."""
    last = st.session_state.get(_REPORTED)
    return last is not None and last["token"] == report.get("token") and last["made"] == _made_by(state)


def original(state: State) -> dict[str, Any] | None:
    """The trace of the graph that this one was made from; None where there is none or the canvas has it."""
    if state.mode != MODE or not state.origin:
        return None
    made = State.made_from(state.origin)
    key = (made["graph"], made["score"], made["seed"], state.complement, state.weights, made["model"])
    try:
        trace: dict[str, Any] = view.viewport(pooled.pool(*key), 0).trace
    except BackendError:  # for now: it stays what this graph was made from
        return None
    except MIVSPoolError:  # gone, or a link that was written by hand: then this graph is its own original
        state.origin = ""
        return None
    known = answer(state) is not None and len(trace["ids"]) > _LARGE
    return None if known or trace.get("outside") else trace


def _made_by(state: State) -> tuple[Any, ...]:
    return tuple(getattr(state, name) for name in _TRACE)


# ---- what the canvas tells ---------------------------------------------------------------------------------------


def take(state: State, pooling: Pooling, report: Mapping[str, Any]) -> None:
    """The canvas tells of a change: ``state`` then names the changed graph, or the original again.

    ``pooling`` is what was shown. A change that cannot be kept leaves what is shown, with a sentence in the canvas.
    """
    error = ""
    try:
        known = _known(state, pooling.graph)
        original, graph = (
            None if content is None else changed(content, known)
            for content in (report.get("original"), report.get("graph"))
        )
        if original is not None:
            _name(state, original)
            state.origin = ""
        elif graph is None:
            _back(state)
        if graph is not None:
            _name(state, graph)
        state.step = max(int(report.get("step") or 0), 0)
        state.part = int(report.get("part") or 0)
        if isinstance(report.get("vertex"), str):
            state.vertex = report["vertex"]
    except MIVSPoolError as problem:
        error = sentence(problem.message)
    st.session_state[_REPORTED] = {
        "token": str(report.get("token"))[:60],
        "n": int(report.get("n") or 0),
        "error": error,
        "made": _made_by(state),
    }


def _back(state: State) -> None:
    if state.origin:
        for name, value in State.made_from(state.origin).items():
            setattr(state, name, value)
        state.origin = ""


def _known(state: State, shown: Graph) -> list[Graph]:
    """Where a vertex's attributes may stand: the original has those of vertices that were deleted in between."""
    if not state.origin:
        return [shown]
    try:
        return [sources.load(State.made_from(state.origin)["graph"]), shown]
    except MIVSPoolError:
        return [shown]


def _name(state: State, graph: Graph) -> None:
    """Keep a changed graph; ``state`` then names it."""
    from mivspool.graphs.write.formats.node_link import write as node_link

    source = uploads.keep(node_link(graph).encode("utf-8", "replace"), f"{graph.name[:60]}.json")
    sources.load(source)  # what cannot be read again is no graph
    if not state.origin:
        state.origin = state.origin_of()
    state.graph, state.score, state.model = source, GIVEN, ""


def by_hand(state: State, pooling: Pooling) -> None:
    """The scores that are shown become scores given by hand; ``pooling`` is what was shown before the menu changed.

    ``state`` names that graph and is set to the new one. Raises MIVSPoolError where it cannot be kept.
    """
    graph, level = pooling.graph, pooling.levels[0]
    scores = plain_scores(level.score.numpy(), meer.rank(level.key).numpy(), level.rounded)
    at = sources.positions(state.graph, graph)
    _name(state, _graph(graph, graph.nodes, scores, at, graph.edges, [graph], None))


def blank() -> str:
    """The name of a graph to begin a drawing with: one vertex. Raises MIVSPoolError."""
    from mivspool.graphs.write.formats.node_link import write as node_link

    graph = Graph(
        name=words.DRAWING,
        nodes=("1",),
        edges=np.zeros((2, 0), dtype=np.int64),
        node_attributes={SCORE_ATTRIBUTE: (0.5,)},
        positions=np.zeros((1, 2)),
    )
    return uploads.keep(node_link(graph).encode(), f"{words.DRAWING}.json")


# ---- the graph ---------------------------------------------------------------------------------------------------


def changed(content: Mapping[str, Any], known: Sequence[Graph]) -> Graph:
    """The graph that a canvas describes, with the attributes its vertices and edges have in ``known``.

    ``content``: ids, labels (or None), x, y, edges (u0, v0, u1, v1, … by index) and score, as the canvas has them.
    Raises InputError where that is no graph: it comes from a browser.
    """
    try:
        nodes = tuple(content["ids"])
        n = len(nodes)
        at = np.array([content["x"], content["y"]], dtype=np.float64).T
        score = np.array(content["score"], dtype=np.float64)
        pairs = np.array(content["edges"], dtype=np.int64).reshape(-1, 2)
        labels = content["labels"]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError("what the canvas sent is not a graph: reload the page") from error
    right = (
        0 < n <= _MOST
        and all(isinstance(node, str) and node for node in nodes)
        and len(set(nodes)) == n
        and at.shape == (n, 2)
        and bool(np.isfinite(at).all())
        and score.shape == (n,)
        and (labels is None or (len(labels) == n and all(isinstance(label, str) for label in labels)))
        and (not pairs.size or (pairs.min() >= 0 and pairs.max() < n and (pairs[:, 0] != pairs[:, 1]).all()))
    )
    if not right:
        raise InputError("what the canvas sent is not a graph: reload the page")
    if not (np.isfinite(score).all() and (score > 0).all()):
        raise InputError("a score is a number above 0")
    edges = np.unique(np.sort(pairs, axis=1), axis=0).T
    return _graph(known[0], nodes, score.tolist(), at, edges, known, labels)


def _graph(
    first: Graph,
    nodes: tuple[str, ...],
    score: Sequence[float],
    at: NDArray[np.float64],
    edges: NDArray[np.int64],
    known: Sequence[Graph],
    labels: Sequence[str] | None,
) -> Graph:
    where = [next((graph for graph in known if node in graph.index), None) for node in nodes]
    attributes: dict[str, tuple[Any, ...]] = {}
    for name in dict.fromkeys(name for graph in known for name in graph.node_attributes):
        attributes[name] = tuple(
            graph.node_attributes[name][graph.index[node]]
            if graph and name in graph.node_attributes
            else None
            for node, graph in zip(nodes, where, strict=True)
        )
    if labels is not None:
        name = sources.label_attribute(first) or "label"
        own = attributes.get(name, (None,) * len(nodes))
        attributes[name] = tuple(
            value if label_text(value) == label.strip() else label.strip() or None
            for value, label in zip(own, labels, strict=True)
        )
    attributes[SCORE_ATTRIBUTE] = tuple(score)
    weight, edge_attributes = _edges(nodes, edges, known)
    same = first.name == words.DRAWING or first.name.endswith(common.CHANGED_GRAPH)
    return Graph(
        name=first.name if same else f"{first.name}{common.CHANGED_GRAPH}",
        nodes=nodes,
        edges=np.ascontiguousarray(edges),
        edge_weight=weight,
        node_attributes=attributes,
        edge_attributes=edge_attributes,
        positions=at,
    )


def _edges(
    nodes: tuple[str, ...], edges: NDArray[np.int64], known: Sequence[Graph]
) -> tuple[NDArray[np.float64] | None, dict[str, tuple[Any, ...]]]:
    """Weights and attributes of edges, from the first graph that has the edge; a new one weighs 1."""
    pairs = [tuple(sorted((nodes[u], nodes[v]))) for u, v in edges.T.tolist()]
    found: list[tuple[Graph, int] | None] = [None] * len(pairs)
    for graph in known:
        place = {
            tuple(sorted((graph.nodes[u], graph.nodes[v]))): e
            for e, (u, v) in enumerate(graph.edges.T.tolist())
        }
        for k, pair in enumerate(pairs):
            if found[k] is None and pair in place:
                found[k] = (graph, place[pair])
    weight = None
    if any(graph.edge_weight is not None for graph in known):
        weight = np.ones(len(pairs))
        for k, edge in enumerate(found):
            if edge is not None and edge[0].edge_weight is not None:
                weight[k] = edge[0].edge_weight[edge[1]]
    names = dict.fromkeys(name for graph in known for name in graph.edge_attributes)
    return weight, {
        name: tuple(
            edge[0].edge_attributes[name][edge[1]] if edge and name in edge[0].edge_attributes else None
            for edge in found
        )
        for name in names
    }


def plain_scores(score: NDArray[np.float64], rank: NDArray[np.int64], rounded: Tensor | None) -> list[float]:
    """Scores with few digits that, compared exactly, have the order ``rank`` (``plainScores`` of the canvas).

    ``rounded`` int64 [n]: what the order compares of a learned score.
    """
    order = np.argsort(rank)
    own = score.astype(np.float64) if rounded is None else _apart(score, order, rounded.numpy())

    def fits(values: NDArray[np.float64]) -> bool:
        return bool((np.argsort(-values, kind="stable") == order).all())

    ties = own[order][1:] == own[order][:-1]
    for digits in (6, 9, 12):
        values = np.round(own, digits)
        listed = values[order]
        if (values > 0).all() and fits(values) and ((listed[1:] == listed[:-1]) == ties).all():
            return [float(value) for value in values]
    if fits(own):
        return [float(value) for value in own]
    # tied, but not in order of the index: a little more for each that comes before
    values, more = own.copy(), 0.0
    for i in range(len(order) - 2, -1, -1):
        more = more + 2.0**-18 / len(order) if ties[i] else 0.0
        values[order[i]] += more
    return [float(value) for value in values]


def _apart(
    score: NDArray[np.float64], order: NDArray[np.int64], rounded: NDArray[np.int64]
) -> NDArray[np.float64]:
    """In multiples of 2⁻¹⁷, equal where ``rounded`` is: a sigmoid that has saturated may not make ties."""
    own, last = np.empty(len(score)), 0.0
    for i in range(len(order) - 1, -1, -1):
        v = order[i]
        if i == len(order) - 1 or rounded[v] != rounded[order[i + 1]]:
            last = max(float(np.rint(score[v] * _LEARNED_UNIT)), last + 1)
        own[v] = last
    return own / _LEARNED_UNIT
