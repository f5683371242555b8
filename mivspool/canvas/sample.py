"""What of a level is drawn where all of it is too much: a part of it, with the states and scores of the whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from mivspool import meer
from mivspool.levels import Level
from mivspool.sparse import Adjacency

# a level is drawn whole up to here
MOST_VERTICES, MOST_EDGES = 10_000, 50_000
# and a sample of a larger one has at most
SAMPLE_VERTICES, SAMPLE_EDGES = 400, 1_600
_MOST_NEIGHBOURS = 24  # of one vertex, so that a hub does not fill the sample alone


@dataclass(frozen=True, eq=False)
class Part:
    """Some vertices of a level, all that is said of them being true of the whole.

    ``level``: the part as a level of its own; its states, scores, clusters and iterations are the whole's, each
    vertex's survivor is in it, and the weights of its reduced graph are those of the whole SᵀAS.
    ``vertices`` int64 [k]: their indices in ``whole``, ascending. ``outside`` int64 [k]: how many neighbours of each
    are not in the part.
    """

    whole: Level
    level: Level
    vertices: NDArray[np.int64]
    outside: NDArray[np.int64]

    @property
    def sampled(self) -> bool:
        """Whether anything is left out."""
        return self.level is not self.whole

    def place(self, vertex: int) -> int:
        """The index in the part of vertex ``vertex`` of the whole, −1 where it is not in it."""
        at = int(np.searchsorted(self.vertices, vertex))
        return at if at < len(self.vertices) and self.vertices[at] == vertex else -1


def too_large(num_vertices: int, num_edges: int) -> bool:
    """Whether a graph of this size is too much to draw whole."""
    return num_vertices > MOST_VERTICES or num_edges > MOST_EDGES


def part_of(level: Level, around: int | None = None) -> Part:
    """The whole level where it can be drawn; otherwise the vertices around one of them, nearest first.

    ``around``: where the sample starts, the best vertex of the largest component by default. Where a component is
    used up, the best vertex that is not in yet starts the next.
    """
    n = len(level.nodes)
    if not too_large(n, level.adjacency.num_entries // 2):
        return Part(level, level, np.arange(n), np.zeros(n, dtype=np.int64))
    vertices = _vertices(level, around)
    part = _restricted(level, vertices)
    outside = level.adjacency.degree.numpy()[vertices] - part.adjacency.degree.numpy()
    return Part(level, part, vertices, outside)


def _vertices(level: Level, around: int | None) -> NDArray[np.int64]:
    """Breadth first, better neighbours first; each vertex brings its survivor along. int64, ascending."""
    rowptr, col = level.adjacency.rowptr.numpy(), level.adjacency.col.numpy()
    cluster = level.trace.cluster.numpy()
    rank = meer.rank(level.key).numpy()
    best_first = np.argsort(rank)
    taken: dict[int, None] = {}
    edges, next_best = 0, 0
    queue = [_best_of_largest(level, rank) if around is None else around]
    visited = set(queue)
    head = 0
    while len(taken) < SAMPLE_VERTICES:
        if head == len(queue):  # this component is used up
            while next_best < len(best_first) and int(best_first[next_best]) in visited:
                next_best += 1
            if next_best == len(best_first):
                break
            queue.append(int(best_first[next_best]))
            visited.add(queue[-1])
        v = queue[head]
        head += 1
        for u in (v, int(cluster[v])):
            if u not in taken:
                near = col[rowptr[u] : rowptr[u + 1]]
                edges += _known(near, taken)
                taken[u] = None
        if edges > SAMPLE_EDGES:
            break
        near = col[rowptr[v] : rowptr[v + 1]]
        nearest = near[np.argsort(rank[near], kind="stable")[:_MOST_NEIGHBOURS]]
        for u in nearest.tolist():
            if u not in visited:
                visited.add(u)
                queue.append(u)
    return np.sort(np.fromiter(taken, dtype=np.int64, count=len(taken)))


def _known(near: NDArray[np.int64], taken: dict[int, None]) -> int:
    """How many of these neighbours (ascending) are taken."""
    known = np.fromiter(taken, dtype=np.int64, count=len(taken))
    if not len(near) or not len(known):
        return 0
    at = np.minimum(np.searchsorted(near, known), len(near) - 1)
    return int((near[at] == known).sum())


def _best_of_largest(level: Level, rank: NDArray[np.int64]) -> int:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    rowptr, col = level.adjacency.rowptr.numpy(), level.adjacency.col.numpy()
    n = len(level.nodes)
    matrix = csr_array((np.ones(len(col), dtype=np.int8), col, rowptr), shape=(n, n))
    _, component = connected_components(matrix, directed=False)
    inside = np.flatnonzero(component == np.bincount(component).argmax())
    return int(inside[rank[inside].argmin()])


def _restricted(level: Level, vertices: NDArray[np.int64]) -> Level:
    """The level of these vertices alone; each one's survivor must be among them."""
    index = torch.from_numpy(vertices)
    trace = level.trace
    place = np.full(len(level.nodes), -1)
    place[vertices] = np.arange(len(vertices))
    trace = meer.Trace(
        survivor=trace.survivor[index],
        settled_at=trace.settled_at[index],
        num_iterations=trace.num_iterations,
        ties_broken=trace.ties_broken,
        added=trace.added[index],
        cluster=torch.from_numpy(place)[trace.cluster[index]],
    )
    part = Level(
        level.level,
        tuple(level.nodes[v] for v in vertices.tolist()),
        _induced(level.adjacency, vertices),
        level.score[index],
        level.key[index],
        trace,
        None if level.x is None else level.x[index],
        rounded=None if level.rounded is None else level.rounded[index],
        reduction=level.reduction,
    )
    part.__dict__["factor"] = level.factor[index]
    kept = level.cluster.numpy()[vertices[trace.survivor.numpy()]]
    part.__dict__["reduced"] = _induced(
        level.reduced, kept
    )  # the whole's weights, not those of the part's edges
    return part


def _induced(adjacency: Adjacency, vertices: NDArray[np.int64]) -> Adjacency:
    """A of these vertices (ascending) alone."""
    rowptr, col = adjacency.rowptr.numpy(), adjacency.col.numpy()
    degree = rowptr[vertices + 1] - rowptr[vertices]
    row = np.repeat(np.arange(len(vertices)), degree)
    entry = np.repeat(rowptr[vertices] - np.concatenate([[0], np.cumsum(degree)[:-1]]), degree)
    entry += np.arange(len(entry))
    near = col[entry]
    at = np.minimum(np.searchsorted(vertices, near), len(vertices) - 1)
    inside = vertices[at] == near
    counts = np.bincount(row[inside], minlength=len(vertices))
    kept = torch.from_numpy(entry[inside])
    return Adjacency(
        torch.from_numpy(np.concatenate([[0], np.cumsum(counts)])),
        torch.from_numpy(at[inside]),
        None if adjacency.weight is None else adjacency.weight[kept],
        None if adjacency.loops is None else adjacency.loops[torch.from_numpy(vertices)],
    )
