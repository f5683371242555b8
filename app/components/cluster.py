"""One cluster computed before one's eyes: Eq. 12 and its row of SᵀAS, with the numbers of its members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import backend
from app.pooled import Pooling
from app.ui import common
from app.ui.texts import cut
from mivspool.errors import MIVSPoolError
from mivspool.levels import Level, feature_names, standardised
from mivspool.messages import fill, number, sentence

MOST_FEATURES = 6
MOST_MEMBERS = 12


def show(pooling: Pooling, level: Level, selected: int, model: str = "") -> None:
    """Eq. 12 and SᵀAS of the selected vertex's cluster, with its numbers.

    ``model``: the name of the one whose network has pooled; its features are then those that the block pools.
    """
    if selected < 0:
        st.markdown(f"##### {common.CLUSTER_NONE}")
        return
    column = int(level.cluster[selected])
    head = level.reduced_nodes[column]
    title = fill(common.CLUSTER_TITLE, survivor="\0").split("\0")
    st.html(
        f"<h5 class='cluster'>{escape(title[0])}<bdi title='{escape(head, quote=True)}'>{escape(cut(head, 24))}</bdi>"
        f"{escape(title[1])}</h5>{_eq12(pooling, level, column, selected, model)}{_eq3(level, column)}"
    )


@dataclass(frozen=True)
class Features:
    """Some of what Eq. 12 reduces: ``x`` [k, c] of the members listed, ``reduced`` [c] of their cluster.

    ``heads``: HTML, one per column; ``digits``: decimals; ``notes`` on them.
    """

    heads: Sequence[str]
    x: NDArray[np.floating]
    reduced: NDArray[np.floating]
    notes: Sequence[str]
    digits: int = 2


def _input(pooling: Pooling, level: Level, column: int, listed: NDArray[np.int64]) -> Features:
    """The input's features, for a graph that is pooled without a network."""
    names = feature_names(pooling.graph)
    assert level.x is not None
    assert level.reduced_x is not None
    x, reduced = level.x.numpy(), level.reduced_x.numpy()[column]
    inside = x[level.cluster.numpy() == column]
    used = (
        np.flatnonzero(np.abs(inside).max(axis=0) > 0)
        if len(names) > MOST_FEATURES
        else np.arange(len(names))
    )
    shown = used[:MOST_FEATURES]
    hidden = len(used) - len(shown)
    notes = [fill(common.FEATURES_MORE, more=hidden)] if hidden > 0 else []
    notes += [common.STANDARDISED] if standardised(pooling.graph) else []
    heads = [f"<bdi>{escape(cut(names[i], 10))}</bdi>" for i in shown.tolist()]
    return Features(heads, x[np.ix_(listed, shown)], reduced[shown], notes)


def _hidden(pooling: Pooling, level: Level, listed: NDArray[np.int64], model: str) -> Features:
    """What a network's block pools, as its own pass tells; of its channels those that are largest in the cluster."""
    none = Features([], np.zeros((len(listed), 0)), np.zeros(0), [])
    if backend.is_large(pooling.graph):
        return replace(none, notes=[common.HIDDEN_LARGE])
    try:
        passed = [_pooled(pooling, level, model, int(v)) for v in listed]
    except MIVSPoolError as error:
        return replace(none, notes=[sentence(error.message)])
    x, reduced = np.array([before for before, _ in passed]), np.array(passed[0][1])
    shown = np.sort(np.argsort(-np.abs(reduced), kind="stable")[:MOST_FEATURES])
    more = np.count_nonzero(reduced) - np.count_nonzero(reduced[shown])
    note = fill(common.HIDDEN_FEATURES, block=level.level + 1, n=len(reduced), k=len(shown), more=more)
    heads = [f"h<sub>{channel}</sub>" for channel in shown.tolist()]
    return Features(heads, x[:, shown], reduced[shown], [note], digits=3)


def _pooled(pooling: Pooling, level: Level, model: str, vertex: int) -> tuple[list[float], list[float]]:
    """The features of a vertex that a network's block pools, and those of its cluster, which it makes of them."""
    layers = backend.inside(pooling.source, model, level.nodes[vertex], (), pooling.graph).layers
    layer = [layer for layer in layers if layer["kind"] == "pooling"][level.level]
    return layer["before"], layer["after"]


def _eq12(pooling: Pooling, level: Level, column: int, selected: int, model: str = "") -> str:
    members = np.flatnonzero(level.cluster.numpy() == column)
    score = level.score.numpy()
    members = members[np.argsort(-score[members], kind="stable")]
    listed = members[:MOST_MEMBERS]
    factor = level.factor.numpy()
    mean = level.reduction == "mean"
    features = _hidden(pooling, level, listed, model) if model else _input(pooling, level, column, listed)
    head = "".join(f"<th>{name}</th>" for name in features.heads)

    def cells(values: NDArray[np.floating]) -> str:
        return "".join(f"<td>{_number(value, features.digits)}</td>" for value in values)

    rows = []
    for v, values in zip(listed.tolist(), features.x, strict=True):
        mark = " class='selected'" if v == selected else ""
        share = f"<td>{factor[v]:.2f}</td>" if mean else ""
        rows.append(
            f"<tr{mark}><th title='{escape(level.nodes[v], quote=True)}'><bdi>{escape(cut(level.nodes[v], 14))}"
            f"</bdi></th><td>{_number(score[v])}</td>{share}{cells(values)}</tr>"
        )
    more = len(members) - len(listed)
    if more > 0:
        rows.append(f"<tr><th colspan='{2 + mean + len(features.heads)}'>… {more}</th></tr>")
    whole = "<td>1</td>" if mean else ""
    total = f"<td>{_number(score[members].sum())}</td>{whole}{cells(features.reduced)}"
    rows.append(f"<tr class='sum'><th>X′</th>{total}</tr>")
    note = "".join(f"<p class='quiet'>{escape(text)}</p>" for text in features.notes)
    return (
        f"<p>{escape(common.EQ12[level.reduction])}</p><div class='wide'><table><tr><th>{common.MEMBER}</th>"
        f"<th>s</th>{f'<th>{common.SHARE_OF_SUM}</th>' if mean else ''}{head}</tr>{''.join(rows)}</table></div>{note}"
    )


def _number(value: float, digits: int = 2) -> str:
    value = float(value)
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e6 else number(value, f".{digits}f")


@dataclass(frozen=True)
class Edge:
    """An edge of a level, and how often an entry of SᵀAS counts it."""

    u: int
    v: int
    weight: float
    times: int


@dataclass(frozen=True)
class Entry:
    """One entry of SᵀAS: ``total`` is the sum of weight · times over ``edges``; ``end`` is its column."""

    end: int
    total: float
    edges: list[Edge]


def entries(level: Level, column: int) -> list[Entry]:
    """The row of SᵀAS of one cluster, its own entry first.

    That counts an edge inside from both ends, and what lies inside a vertex of the level (the diagonal of A) once: it
    was counted from both ends when that vertex was made.
    """
    index, weight = level.adjacency.with_diagonal()
    cluster = level.cluster
    leaving = (cluster[index[0]] == column).numpy()
    rows, columns = index[0].numpy()[leaving], index[1].numpy()[leaving]
    weights, ends = weight.numpy()[leaving], cluster.numpy()[index[1].numpy()[leaving]]
    found = []
    for end in sorted(set(ends.tolist()), key=lambda c: (c != column, c)):
        mine = ends == end
        inside = end == column
        edges = [
            Edge(u, v, float(w), 2 if inside and u != v else 1)
            for u, v, w in zip(
                rows[mine].tolist(), columns[mine].tolist(), weights[mine].tolist(), strict=True
            )
            if not inside or u <= v
        ]
        found.append(Entry(end, float(weights[mine].sum()), edges))
    return found


def block(
    level: Level, column: int, end: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The entry of SᵀAS at ``column`` and ``end`` multiplied out: the vertices of the two clusters, best first, int64
    [r] and [c], and the entries of A between them, float64 [r, c]. S is 1 for these and 0 for all others, so their
    sum is the entry.
    """
    cluster, score = level.cluster.numpy(), level.score.numpy()
    rows, columns = (
        members[np.argsort(-score[members], kind="stable")]
        for members in (np.flatnonzero(cluster == home) for home in (column, end))
    )
    index, weight = level.adjacency.with_diagonal()
    place = np.full((2, len(cluster)), -1)
    place[0, rows], place[1, columns] = np.arange(len(rows)), np.arange(len(columns))
    at = place[0, index[0].numpy()], place[1, index[1].numpy()]
    inside = (at[0] >= 0) & (at[1] >= 0)
    values = np.zeros((len(rows), len(columns)))
    values[at[0][inside], at[1][inside]] = weight.numpy()[inside]
    return rows, columns, values


def _multiplied(level: Level, column: int, entry: Entry) -> str:
    """One entry of SᵀAS, to unfold: the block of A that it sums up, and the sum with its terms."""
    clusters = level.cluster.numpy()
    if any(np.count_nonzero(clusters == home) > MOST_MEMBERS for home in (column, entry.end)):
        return ""
    rows, columns, values = block(level, column, entry.end)
    here, there = (escape(cut(level.reduced_nodes[c], 10)) for c in (column, entry.end))
    product = f"A′(<bdi>{here}</bdi>, <bdi>{there}</bdi>)"
    heads = "".join(f"<th><bdi>{escape(cut(level.nodes[v], 6))}</bdi></th>" for v in columns.tolist())
    lines = []
    for u, line in zip(rows.tolist(), values.tolist(), strict=True):
        cells = "".join(f"<td{' class=one' * bool(value)}>{_number(value)}</td>" for value in line)
        lines.append(f"<tr><th><bdi>{escape(cut(level.nodes[u], 6))}</bdi></th>{cells}</tr>")
    terms = " + ".join(_number(value) for value in values.ravel().tolist())
    of_block = fill(common.BLOCK, rows="\0", columns="\1")
    said = escape(of_block).replace("\0", f"<bdi>{here}</bdi>").replace("\1", f"<bdi>{there}</bdi>")
    return (
        f"<details name='entry'><summary>{escape(common.MULTIPLIED_OUT)}</summary>"
        f"<p class='quiet'>{said}</p><table class='block'><tr><th>A</th>{heads}</tr>{''.join(lines)}</table>"
        f"<p>{product} = Σ S(u, <bdi>{here}</bdi>) · A(u, v) · S(v, <bdi>{there}</bdi>) = {terms} = "
        f"<b>{_number(entry.total)}</b></p></details>"
    )


def _matrix(level: Level, column: int) -> str:
    """A′ as a matrix, the row and the column of the cluster lit, where it is small enough to be read."""
    n = len(level.reduced_nodes)
    if n > MOST_MEMBERS:
        return ""
    index, weight = level.reduced.with_diagonal()
    values = np.zeros((n, n))
    values[tuple(index.numpy())] = weight.numpy()
    names = [f"<bdi>{escape(cut(name, 6))}</bdi>" for name in level.reduced_nodes]

    def mark(*classes: bool) -> str:
        found = [name for name, given in zip(("one", "chosen"), classes, strict=True) if given]
        return f" class='{' '.join(found)}'" if found else ""

    heads = "".join(f"<th{mark(False, c == column)}>{name}</th>" for c, name in enumerate(names))
    lines = []
    for r, line in enumerate(values.tolist()):
        cells = "".join(
            f"<td{mark(bool(value), column in (r, c))}>{_number(value)}</td>" for c, value in enumerate(line)
        )
        lines.append(f"<tr><th{mark(False, r == column)}>{names[r]}</th>{cells}</tr>")
    return f"<div class='wide'><table class='block'><tr><th>A′</th>{heads}</tr>{''.join(lines)}</table></div>"


def _eq3(level: Level, column: int) -> str:
    """The row of SᵀAS of one cluster: A′ with it, and each entry with the edges that it counts, multiplied out."""
    joined = entries(level, column)
    if not joined:
        return f"<p>{escape(common.EQ3)}</p><p class='quiet'>{escape(common.NO_EDGES)}</p>"
    lines = []
    for entry in joined[:MOST_MEMBERS]:
        between = [edge for edge in entry.edges if edge.u != edge.v]
        within = [edge for edge in entry.edges if edge.u == edge.v]
        note = common.INSIDE if entry.end == column else ""
        parts = [_edges(level, between, note), _edges(level, within, common.INSIDE_VERTEX)]
        head = escape(cut(level.reduced_nodes[entry.end], 14))
        text = "; ".join(part for part in parts if part)
        lines.append(
            f"<tr><th><bdi>{head}</bdi></th><td><b>{_number(entry.total)}</b></td>"
            f"<td>{text}{_multiplied(level, column, entry)}</td></tr>"
        )
    more = len(joined) - MOST_MEMBERS
    if more > 0:
        lines.append(f"<tr><th colspan='3'>{fill(common.MORE_CLUSTERS, more=more)}</th></tr>")
    return (
        f"<p>{escape(common.EQ3)}</p>{_matrix(level, column)}"
        f"<div class='wide'><table class='edges'>{''.join(lines)}</table></div>"
    )


def _edges(level: Level, edges: Sequence[Edge], note: str) -> str:
    """Edges by their ends, or vertices by what lies inside them; how many more there are; and what is said of them."""
    if not edges:
        return ""
    named = []
    for edge in edges[:MOST_FEATURES]:
        ends = dict.fromkeys((edge.u, edge.v))
        name = "–".join(f"<bdi>{escape(cut(level.nodes[v], 10))}</bdi>" for v in ends)
        named.append(name + (f" ×{_number(edge.weight)}" if edge.weight != 1 else ""))
    more = f", … {len(edges) - MOST_FEATURES}" if len(edges) > MOST_FEATURES else ""
    quiet = f" <span class='quiet'>({escape(note)})</span>" if note else ""
    return ", ".join(named) + more + quiet
