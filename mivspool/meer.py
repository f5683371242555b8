"""Meer's algorithm (Eq. 6–11): which vertices survive, when each is settled, and which survivor it is assigned to.

Vertices are ordered strictly (:func:`rank`), so that Eq. 10 has one solution. :func:`iterate` is Eq. 10 word by word;
:func:`select` and :func:`trace` give the same by ``solvers``, which is there for speed, and each is the other's test.
"""

from __future__ import annotations

import torch
from torch import Tensor

from mivspool import solvers
from mivspool.arrays import checks
from mivspool.arrays.eager import eager
from mivspool.keys import SCORE_BITS, learned_key, positions, rounded, structural_key
from mivspool.sparse import Adjacency, checked_edges, expect_scores
from mivspool.trace import Clusters, State, Trace, Why, explain

__all__ = [
    "SCORE_BITS", "Clusters", "State", "Trace", "Why", "assign", "clusters", "complete", "independent", "iterate",
    "learned_key", "maximal", "pointers", "rank", "rounded", "select", "structural_key", "trace", "why",
]  # fmt: skip


def rank(score: Tensor) -> Tensor:
    """The strict order of the vertices: higher score first, then lower index.

    Args:
        score: real [N], compared exactly.

    Returns:
        int64 [N]: each vertex's place in the order, 0 for the best.

    Raises:
        InputError: for a score that cannot be compared.
    """
    return positions(checks.scores(score))


def iterate(edge_index: Tensor, position: Tensor) -> tuple[Tensor, Tensor]:
    """Eq. 10, update by update, on any device.

    A candidate that comes before all its candidate neighbours becomes a survivor and eliminates its neighbours:

    >>> path = torch.tensor([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]])
    >>> survivor, settled_at = iterate(path, rank(torch.tensor([0.1, 0.7, 0.4, 0.2])))
    >>> survivor.tolist(), settled_at.tolist()
    ([False, True, False, True], [1, 1, 1, 2])

    Args:
        edge_index: int64 [2, M], both directions of each edge.
        position: int64 [N], the strict order (:func:`rank`).

    Returns:
        survivor bool [N], and settled_at int64 [N]: the update, from 1, that settles each vertex.

    Raises:
        InputError: for indices that cannot be used and for edges that are not symmetric.
    """
    n = position.numel()
    checked_edges(edge_index, n)
    row, col = edge_index[:, edge_index[0] != edge_index[1]]
    candidate = torch.ones(n, dtype=torch.bool, device=position.device)  # q
    survivor = torch.zeros_like(candidate)  # p
    settled_at = torch.zeros_like(position)
    k = 0
    while bool(candidate.any()):
        k += 1
        best = torch.full_like(position, n).scatter_reduce_(0, row, position[col], "amin")
        chosen = candidate & (position < best)
        eliminated = torch.zeros_like(candidate)
        eliminated[row[chosen[col]]] = True
        settled = candidate & (chosen | eliminated)
        survivor |= chosen
        settled_at[settled] = k
        candidate &= ~settled
        remaining = candidate[row] & candidate[col]  # edges of settled vertices no longer matter
        row, col = row[remaining], col[remaining]
    return survivor, settled_at


@eager
def select(
    edge_index: Tensor | Adjacency,
    score: Tensor,
    batch: Tensor | None = None,
    batch_size: int | None = None,
    complement: bool = False,
) -> Tensor:
    """The vertices that survive Meer's iterations (Eq. 10).

    Args:
        edge_index: int64 [2, M], both directions of each edge, where self-loops and repeated edges change nothing;
            or an Adjacency.
        score: real [N], compared exactly.
        batch: int64 [N], the graph of each vertex (default: one graph). Only the complement needs it.
        batch_size: the number of graphs (default: the highest of ``batch``, plus one).
        complement: MIVSPool_comp, where at least ⌈n/2⌉ vertices of each graph survive.

    Returns:
        bool [N]: whether each vertex survives.

    Raises:
        InputError: for shapes, indices and scores that cannot be used, and for edges that are not symmetric.
    """
    key = checks.scores(score)
    survivor = solvers.survivors(edge_index, key)
    if complement:
        survivor = survivor | complete(survivor, positions(key), *checks.batched(batch, batch_size, key))
    return survivor


@eager
def trace(
    edge_index: Tensor | Adjacency,
    score: Tensor,
    batch: Tensor | None = None,
    batch_size: int | None = None,
    complement: bool = False,
) -> Trace:
    """Meer's iterations (Eq. 10), the complement and the assignment (Eq. 11).

    Args:
        edge_index, score, batch, batch_size, complement: as of :func:`select`.

    Returns:
        A :class:`Trace`, with a state for each vertex, [N].

    Raises:
        InputError: as :func:`select`.
    """
    key = checks.scores(score)
    batch, batch_size = checks.batched(batch, batch_size, key)
    adjacency = edge_index
    if isinstance(adjacency, Tensor):
        adjacency = Adjacency.from_edge_index(adjacency, num_nodes=key.numel())
    expect_scores(adjacency, key.numel())
    survivor, settled_at = solvers.settle(adjacency, key)
    kept, added, members, reduced = _clusters(adjacency, key, survivor, batch, batch_size, complement)
    cluster = members[reduced]
    tied = solvers.ties(adjacency, key, survivor, kept, settled_at, cluster, batch)
    num_iterations = torch.zeros(batch_size, dtype=torch.int64, device=key.device)
    num_iterations.scatter_reduce_(0, batch, settled_at, "amax")
    ties_broken = torch.zeros_like(num_iterations).index_add_(0, batch, tied.to(torch.int64))
    return Trace(kept, settled_at, num_iterations, ties_broken, added, cluster, adjacency, key)


@eager
def clusters(
    adjacency: Adjacency, score: Tensor, batch: Tensor, batch_size: int, complement: bool = False
) -> Clusters:
    """The survivors and the survivor of each vertex, without the iterations.

    Args:
        adjacency: the graphs of the batch.
        score, batch, batch_size, complement: as of :func:`select`.

    Returns:
        A :class:`Clusters` of the N vertices: bool [N] and int64 [N].

    Raises:
        InputError: as :func:`select`.
    """
    key = checks.scores(score)
    batch, batch_size = checks.batched(batch, batch_size, key)
    return _clusters(adjacency, key, solvers.survivors(adjacency, key), batch, batch_size, complement)


def _clusters(
    adjacency: Adjacency, key: Tensor, survivor: Tensor, batch: Tensor, batch_size: int, complement: bool
) -> Clusters:
    if not complement:
        return Clusters(survivor, torch.zeros_like(survivor), *solvers.assign(adjacency, key, survivor))
    added = complete(survivor, positions(key), batch, batch_size)
    return Clusters(survivor | added, added, *solvers.assign(adjacency, key, survivor | added))


def assign(adjacency: Adjacency, survivor: Tensor, score: Tensor) -> tuple[Tensor, Tensor]:
    """Eq. 11: a vertex is assigned to its best surviving neighbour, a survivor to itself.

    Args:
        adjacency: the graph.
        survivor: bool [N].
        score: real [N].

    Returns:
        int64 [N'], the survivors by index, and int64 [N], which of them each vertex is assigned to (−1: none).

    Raises:
        InputError: for scores that cannot be compared or are not one per vertex.
    """
    key = checks.scores(score)
    expect_scores(adjacency, key.numel())
    return solvers.assign(adjacency, key, survivor)


def complete(survivor: Tensor, position: Tensor, batch: Tensor, batch_size: int) -> Tensor:
    """The complement (MIVSPool_comp): the best non-survivors are added while fewer than ⌈n/2⌉ of a graph survive.

    Args:
        survivor: bool [N].
        position: int64 [N], the strict order (:func:`rank`).
        batch: int64 [N], the graph of each vertex.
        batch_size: the number of graphs.

    Returns:
        bool [N]: the vertices that are added.
    """
    size = torch.bincount(batch, minlength=batch_size)
    kept = torch.zeros_like(size).index_add_(0, batch, survivor.to(torch.int64))
    missing = (torch.div(size + 1, 2, rounding_mode="floor") - kept).clamp(min=0)
    # graph by graph, survivors first, then the others from best to worst
    order = torch.argsort(position)
    order = order[torch.argsort((~survivor[order]).to(torch.int8), stable=True)]
    order = order[torch.argsort(batch[order], stable=True)]
    start = torch.cumsum(size, 0) - size
    place = torch.arange(order.numel(), device=order.device) - start[batch[order]]
    added = torch.zeros_like(survivor)
    added[order] = (place >= kept[batch[order]]) & (place < (kept + missing)[batch[order]])
    return added


def why(trace: Trace, adjacency: Adjacency, score: Tensor, vertex: int, k: int) -> Why:
    """Why a vertex is what it is after k updates (Eq. 10 and 11).

    Args:
        trace: of :func:`trace`.
        adjacency: the graph.
        score: real [N], the scores of the trace.
        vertex: its index.
        k: the number of updates, 0 … T.

    Returns:
        The data for a sentence: its rival, whether it beats it, what eliminated it, what it is assigned to.

    Raises:
        InputError: for scores that cannot be compared and for a vertex that there is not.
    """
    return explain(trace, adjacency, rank(score), vertex, k)


def pointers(trace: Trace, adjacency: Adjacency, score: Tensor, k: int) -> Tensor:
    """The first part of update k: the vertex that each candidate points to (Eq. 10).

    That is its best candidate neighbour, where that ranks above it. A candidate that none ranks above points to itself:
    this update makes it a survivor.

    Args:
        trace: of :func:`trace`.
        adjacency: the graph.
        score: real [N], the scores of the trace.
        k: the update, 1 … T.

    Returns:
        int64 [N]: −1 for a vertex that is no longer a candidate.
    """
    position = rank(score)
    candidate = trace.candidates(k - 1)
    both = candidate[adjacency.row] & candidate[adjacency.col]
    best = position.scatter_reduce(0, adjacency.row[both], position[adjacency.col[both]], "amin")
    order = torch.empty_like(position)
    order[position] = torch.arange(position.numel(), device=position.device)
    return torch.where(candidate, order[best], -1)


def independent(adjacency: Adjacency, survivor: Tensor) -> bool:
    """Eq. 8: whether no two survivors are neighbours.

    Args:
        adjacency: the graph.
        survivor: bool [N].
    """
    return not bool((survivor[adjacency.row] & survivor[adjacency.col]).any())


def maximal(adjacency: Adjacency, survivor: Tensor) -> bool:
    """Eq. 9: whether every non-survivor has a surviving neighbour.

    Args:
        adjacency: the graph.
        survivor: bool [N].
    """
    covered = survivor.clone()
    covered[adjacency.row[survivor[adjacency.col]]] = True
    return bool(covered.all())
