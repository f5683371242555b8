"""Which survivors are within h edges of each other: powers of A, as MVPool and Graph U-Nets connect by."""

from __future__ import annotations

import torch
from torch import Tensor

from mivspool.arrays.checks import expect, places
from mivspool.arrays.table import operation
from mivspool.errors import InputError
from mivspool.messages import count
from mivspool.pooling.base import Selection
from mivspool.pooling.parts import loops, memory
from mivspool.sparse import Adjacency

# of a pair: a list that doubles as it grows, and what is copied of it
_BYTES = 24


def within(adjacency: Adjacency, selection: Selection, hops: int) -> Adjacency:
    """The survivors joined where at most ``hops`` edges of A lie between them; every entry is 1, no diagonal.

    That is the pattern of (A + A² + … + Aʰ)_{idx, idx} without its diagonal.
    """
    rowptr, col = hop_pattern(adjacency, selection, hops)
    return Adjacency(rowptr, col)


def power(adjacency: Adjacency, hops: int, batch: Tensor) -> Adjacency:
    """The graph that joins all vertices within ``hops`` edges of each other; ``batch`` int64 [N]: their graphs.

    Raises InputError where that would not fit into the free memory.
    """
    if hops == 1:
        return adjacency
    n = adjacency.num_nodes
    every = torch.arange(n, device=adjacency.device)
    return Adjacency(*_pattern(adjacency, every, batch, hops))


def hop_pattern(
    adjacency: Adjacency, selection: Selection, hops: int, own: bool = False
) -> tuple[Tensor, Tensor]:
    """CSR (rowptr int64 [N' + 1], col int64 [M'], sorted): survivors within ``hops`` edges of each other.

    ``own``: with the diagonal. Raises InputError where that would not fit into the free memory.
    """
    if selection.cluster is None:
        raise InputError("this selection has no survivors")
    return _pattern(adjacency, selection.cluster, selection.batch, hops, own)


def _pattern(
    adjacency: Adjacency, cluster: Tensor, batch: Tensor, hops: int, own: bool = False
) -> tuple[Tensor, Tensor]:
    check_memory(adjacency, cluster, batch, hops)
    return _nearby(adjacency, cluster, batch.numel(), hops, own)


def check_memory(adjacency: Adjacency, cluster: Tensor, batch: Tensor, hops: int) -> None:
    """Raise InputError where the joined survivors would not fit: the neighbours of a hub are all within 2 edges.

    A survivor reaches at most as many others as walks of up to ``hops`` edges lead to, and no more than its graph
    has; the sum over the survivors is what is asked for. ``cluster`` int64 [N] (-1: no survivor), ``batch`` int64 [N']:
    the survivors' graphs.
    """
    size = torch.bincount(batch)[batch].to(torch.float64)
    walks = (cluster >= 0).to(torch.float64)
    reached = walks
    for _ in range(hops):
        walks = adjacency.sum_around(walks)
        reached = reached + walks
    pairs = float(torch.minimum(reached[cluster >= 0], size).sum())
    what = f"the survivors within {count(hops, 'edge')} of each other, up to {pairs:,.0f} pairs"
    advice = "take a smaller graph, one without vertices of very many neighbours, or another method"
    memory.demand(_BYTES * pairs, adjacency.device, "Joining by powers of A", what, advice)


@operation
def _nearby(
    adjacency: Adjacency, cluster: Tensor, num_clusters: int, hops: int, own: bool
) -> tuple[Tensor, Tensor]:
    """:func:`hop_pattern`: from each survivor, one join with A per hop."""
    n, device = adjacency.num_nodes, adjacency.device
    start = torch.nonzero(cluster >= 0).reshape(-1)
    reached = start * n + start
    degree, rowptr = adjacency.degree, adjacency.rowptr
    for _ in range(hops):
        source, vertex = reached // n, reached % n
        count = degree[vertex]
        total = torch.cumsum(count, 0)
        entry = torch.arange(int(total[-1]) if total.numel() else 0, device=device)
        entry = entry + torch.repeat_interleave(rowptr[vertex] - (total - count), count)
        further = torch.repeat_interleave(source, count) * n + adjacency.col[entry]
        reached = torch.unique(torch.cat([reached, further]))
    row, col = cluster[reached // n], cluster[reached % n]
    kept = col >= 0 if own else (col >= 0) & (row != col)
    row, col = row[kept], col[kept]
    out = torch.zeros(num_clusters + 1, dtype=torch.int64, device=device)
    torch.cumsum(torch.bincount(row, minlength=num_clusters), 0, out=out[1:])
    return out, col


@_nearby.on_cpu
def _nearby_compiled(
    adjacency: Adjacency, cluster: Tensor, num_clusters: int, hops: int, own: bool
) -> tuple[Tensor, Tensor]:
    expect("cluster", cluster, torch.int64, adjacency.num_nodes)
    places("cluster", cluster.numpy(), num_clusters, -1)
    arrays = loops.nearby(
        adjacency.rowptr.numpy(), adjacency.col.numpy(), cluster.numpy(), num_clusters, hops, own
    )
    rowptr, col = (torch.from_numpy(array) for array in arrays)
    return rowptr, col
