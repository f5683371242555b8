"""Meer's algorithm for speed: what ``meer`` calls, compiled for the CPU and in torch operations for a GPU.

``key`` real [N], without NaN, is what vertices are compared by: higher first, then lower index (``meer.rank``). Each
gives what Eq. 10 and 11 give word by word (``meer.iterate``): tests/arrays/test_greedy.py holds them to that.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mivspool.arrays import edges, greedy, parallel
from mivspool.arrays.checks import expect, places
from mivspool.arrays.table import always, operation
from mivspool.keys import positions
from mivspool.sparse import Adjacency, checked_edges, expect_pairs, expect_scores, expect_symmetric


@operation(exact=always)
def survivors(graph: Tensor | Adjacency, key: Tensor) -> Tensor:
    """The survivors, bool [N]; ``graph`` is an edge list int64 [2, M] or an Adjacency.

    Raises InputError for an edge list that is not symmetric and for another number of vertices.
    """
    return parallel.settle(_pairs(graph, key.numel()), key)[0]


@survivors.on_cpu
def _survivors_compiled(graph: Tensor | Adjacency, key: Tensor) -> Tensor:
    return torch.from_numpy(greedy.survivors(*_csr(graph, key.numel()), _comparable(key)))


def _fit(adjacency: Adjacency, key: Tensor, *kept: Tensor) -> bool:
    """True; InputError unless there is a key per vertex, and one state in each of ``kept``, bool."""
    n = adjacency.num_nodes
    expect("key", key, key.dtype, n)
    for states in kept:
        expect("survivor", states, torch.bool, n)
    return True


@operation(exact=_fit)
def settle(adjacency: Adjacency, key: Tensor) -> tuple[Tensor, Tensor]:
    """The survivors, bool [N], and the update that settles each vertex, int64 [N] (1 … T)."""
    return parallel.settle(adjacency.edge_index, key)


@settle.on_cpu
def _settle_compiled(adjacency: Adjacency, key: Tensor) -> tuple[Tensor, Tensor]:
    survivor, settled_at = greedy.trace(*adjacency.csr, _comparable(key))
    return torch.from_numpy(survivor), torch.from_numpy(settled_at)


@operation(exact=_fit)
def assign(adjacency: Adjacency, key: Tensor, survivor: Tensor) -> tuple[Tensor, Tensor]:
    """Eq. 11: the survivors int64 [N'] by index, and which of them is each vertex's best neighbour, int64 [N].

    ``survivor`` bool [N]. A survivor is assigned to itself; −1: no survivor is adjacent.
    """
    n, position = key.numel(), positions(key)
    kept = survivor[adjacency.col]
    row, col = adjacency.row[kept], adjacency.col[kept]
    best = torch.full_like(position, n).scatter_reduce_(0, row, position[col], "amin")
    count = torch.cumsum(survivor, 0) - 1
    reduced = torch.full((n + 1,), -1, dtype=torch.int64, device=key.device)
    reduced[position] = count
    return torch.nonzero(survivor).reshape(-1), torch.where(survivor, count, reduced[best])


@assign.on_cpu
def _assign_compiled(adjacency: Adjacency, key: Tensor, survivor: Tensor) -> tuple[Tensor, Tensor]:
    members, cluster = greedy.assign(*adjacency.csr, _comparable(key), survivor.numpy())
    return torch.from_numpy(members), torch.from_numpy(cluster)


def ties(
    adjacency: Adjacency,
    key: Tensor,
    survivor: Tensor,
    kept: Tensor,
    settled_at: Tensor,
    cluster: Tensor,
    batch: Tensor,
) -> Tensor:
    """bool [N]: the vertices whose state the index decided, between equal keys.

    A survivor beside an equal that was still a candidate; a non-survivor beside two best survivors that are equal;
    a vertex that the complement added while an equal of the same graph was left out. ``survivor`` bool [N] without the
    complement, ``kept`` bool [N] with it; ``cluster`` int64 [N] the vertex that each is assigned to.
    """
    tied = settled_by_index(adjacency, key, survivor, kept, settled_at, cluster)
    added = torch.nonzero(kept & ~survivor).reshape(-1)
    if added.numel():
        out = torch.nonzero(~kept).reshape(-1)
        # an added vertex ties with one left out when the pair (graph, key) is found on both sides
        pairs, place = torch.unique(
            torch.stack([batch.to(key.dtype), key])[:, torch.cat([added, out])], dim=1, return_inverse=True
        )
        found = torch.zeros(pairs.size(1), dtype=torch.bool, device=key.device)
        found[place[added.numel() :]] = True
        tied[added[found[place[: added.numel()]]]] = True
    return tied


def _all_fit(
    adjacency: Adjacency, key: Tensor, survivor: Tensor, kept: Tensor, settled_at: Tensor, cluster: Tensor
) -> bool:
    """True; InputError unless there is one of each per vertex, and each ``cluster`` is a vertex."""
    n = adjacency.num_nodes
    for name, part in (("settled_at", settled_at), ("cluster", cluster)):
        expect(name, part, torch.int64, n)
    places("cluster", cluster.numpy(), n)
    return _fit(adjacency, key, survivor, kept)


@operation(exact=_all_fit)
def settled_by_index(
    adjacency: Adjacency, key: Tensor, survivor: Tensor, kept: Tensor, settled_at: Tensor, cluster: Tensor
) -> Tensor:
    """:func:`ties` but for the vertices that the complement added."""
    row, col = adjacency.row, adjacency.col
    survived = survivor[row] & (key[row] == key[col]) & (settled_at[col] >= settled_at[row])
    assigned = ~kept[row] & kept[col] & (col != cluster[row]) & (key[col] == key[cluster[row]])
    tied = torch.zeros_like(survivor)
    tied[row[survived | assigned]] = True
    return tied


@settled_by_index.on_cpu
def _settled_by_index_compiled(
    adjacency: Adjacency, key: Tensor, survivor: Tensor, kept: Tensor, settled_at: Tensor, cluster: Tensor
) -> Tensor:
    arrays = (part.numpy() for part in (survivor, kept, settled_at, cluster))
    return torch.from_numpy(greedy.ties(*adjacency.csr, _comparable(key), *arrays))


def _comparable(key: Tensor) -> Any:
    """The key as int64 numpy [N] of the same order."""
    if not key.is_floating_point():
        key = key.to(torch.int64)
    elif key.dtype not in (torch.float32, torch.float64):
        key = key.to(torch.float32)
    return greedy.comparable(key.contiguous().numpy())


def _csr(graph: Tensor | Adjacency, num_nodes: int) -> tuple[Any, Any]:
    """(rowptr uint64, col uint32), numpy; loops and repeated entries of an edge list are still in it."""
    if isinstance(graph, Adjacency):
        expect_scores(graph, num_nodes)
        return graph.csr
    expect_pairs(graph)
    # which looks at the indices, too
    row, col = (end.contiguous().numpy() for end in graph)
    rowptr, col, balanced = edges.csr(row, col, num_nodes)
    if not balanced:
        expect_symmetric(graph, num_nodes)
    return rowptr, col


def _pairs(graph: Tensor | Adjacency, num_nodes: int) -> Tensor:
    if isinstance(graph, Adjacency):
        expect_scores(graph, num_nodes)
        return graph.edge_index
    checked_edges(graph, num_nodes)
    return graph
