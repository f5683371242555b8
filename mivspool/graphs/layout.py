"""Where the vertices of a graph stand when it is drawn: its own coordinates, or a compiled layout (igraph)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.extras import need
from mivspool.graphs.graph import Graph

# stress layouts look best and cost n²; above this distances to a few pivots stand for all of them
_LARGEST_STRESS = 300
_PIVOTS = 50
_LARGEST_FORCES = 10_000  # above this forces take too long, and pivots alone must do
_GAP = 1.6  # between components, in edge lengths
_APART = 0.5  # between any two vertices of a graph that small, in edge lengths: none lies under another
_MOST_PUSHES = 500


def positions(graph: Graph, seed: int = 0) -> NDArray[np.float64]:
    """float64 [n, 2], about one unit per edge; the same graph and seed give the same places.

    A graph's own coordinates are kept as they are. Components stand side by side, the largest first; isolated
    vertices in rows of their own.
    Raises MissingPackageError where a layout is needed and igraph is not installed.
    """
    own = graph.positions
    if own is not None and own.shape == (graph.num_nodes, 2) and np.isfinite(own).all():
        return own
    if graph.num_nodes == 0:
        return np.zeros((0, 2))
    need("the layout of a graph", "igraph")
    import igraph

    igraph.set_random_number_generator(random.Random(seed))
    whole = igraph.Graph(n=graph.num_nodes, edges=graph.edges.T.tolist())
    parts = [np.asarray(part) for part in whole.connected_components()]
    parts.sort(key=lambda part: (-len(part), int(part[0])))
    drawn = [_draw(whole, part) for part in parts]
    out = np.empty((graph.num_nodes, 2))
    for part, place in zip(parts, _pack(drawn), strict=True):
        out[part] = place
    return out


def _draw(whole: Any, part: NDArray[np.int64]) -> NDArray[np.float64]:
    """One component, its lower left corner at (0, 0), the median edge one unit long."""
    n = len(part)
    if n == 1:
        return np.zeros((1, 2))
    graph = whole.induced_subgraph(part.tolist())
    if n <= _LARGEST_STRESS:
        at = np.asarray(graph.layout_kamada_kawai(maxiter=60 * n).coords, dtype=np.float64)
    else:
        at = _pivot_mds(np.asarray(graph.get_edgelist()), n)
        if n <= _LARGEST_FORCES:
            layout = graph.layout_fruchterman_reingold(
                seed=at.tolist(), niter=60, grid="grid", start_temp=2.0
            )
            at = np.asarray(layout.coords, dtype=np.float64)
    at = _turn(at - at.mean(0)) / _edge_length(at, np.asarray(graph.get_edgelist()))
    if n <= _LARGEST_STRESS:
        at = _apart(at)
    return np.asarray(at - at.min(0))


def _apart(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Push apart what lies closer together than ``_APART``, a little at a time, until nothing does."""
    from scipy.spatial import cKDTree

    at = at.copy()
    for _ in range(_MOST_PUSHES):
        close = cKDTree(at).query_pairs(_APART * (1 - 1e-6), output_type="ndarray")
        if not len(close):
            break
        u, v = close.T
        way = at[u] - at[v]
        far = np.linalg.norm(way, axis=1)
        same = far < 1e-9  # one on the other: any direction parts them, each pair its own
        way[same] = np.stack([np.cos(u[same] + 0.5), np.sin(u[same] + 0.5)], axis=1)
        push = 0.5 * (_APART - far)[:, None] * way / np.where(same, 1.0, far)[:, None]
        np.add.at(at, u, push)
        np.add.at(at, v, -push)
    return at


def _edge_length(at: NDArray[np.float64], edges: NDArray[np.int64]) -> float:
    ends = at[edges.T]
    return max(float(np.median(np.linalg.norm(ends[0] - ends[1], axis=1))), 1e-9)


def _pivot_mds(edges: NDArray[np.int64], n: int) -> NDArray[np.float64]:
    """Pivot MDS (Brandes and Pich 2006): classical scaling of the distances to pivots that are far apart."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    ones = np.ones(len(edges))
    matrix = csr_array((ones, (edges[:, 0], edges[:, 1])), shape=(n, n))
    pivot, nearest = 0, np.full(n, np.inf)
    distance = np.empty((n, _PIVOTS))
    for column in range(_PIVOTS):
        distance[:, column] = dijkstra(matrix, directed=False, unweighted=True, indices=pivot)
        nearest = np.minimum(nearest, distance[:, column])
        pivot = int(nearest.argmax())
    squared = distance**2
    centred = squared - squared.mean(0) - squared.mean(1, keepdims=True) + squared.mean()
    _, axes = np.linalg.eigh(centred.T @ centred)
    at = centred @ axes[:, :-3:-1]
    # vertices that no pivot tells apart must not stand on one another
    at /= _edge_length(at, edges)
    return np.asarray(at + np.random.default_rng(0).normal(scale=0.05, size=at.shape))


def _turn(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """The longest direction lies flat: screens are wide."""
    _, _, axes = np.linalg.svd(at, full_matrices=False)
    turned = at @ axes.T
    # an axis has no sign: the first vertex stands to the left and above
    sign = np.where(turned[0] * np.array([-1.0, 1.0]) < 0, -1.0, 1.0)
    return np.asarray(turned * sign)


def _pack(drawn: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Components in rows, from the top, in a frame about half again as wide as high."""
    size = np.array([at.max(0) + _GAP for at in drawn])
    width = max(float(np.sqrt(size.prod(axis=1).sum() * 1.5)), float(size[:, 0].max()))
    out, x, y, row = [], 0.0, 0.0, 0.0
    for at, (w, h) in zip(drawn, size, strict=True):
        if x > 0 and x + w > width + 1e-9:
            x, y, row = 0.0, y - row, 0.0
        out.append(at + np.array([x, y - h]))
        x, row = x + w, max(row, float(h))
    return out
