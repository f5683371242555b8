"""Which survivors are within h edges of each other: powers of A, as MVPool and Graph U-Nets connect by."""

from __future__ import annotations

import torch
from torch import Tensor

from mivspool.errors import InputError
from mivspool.pooling.base import Selection
from mivspool.sparse import Adjacency


def within(adjacency: Adjacency, selection: Selection, hops: int) -> Adjacency:
    """The survivors joined where at most ``hops`` edges of A lie between them; every entry is 1, no diagonal.

    That is the pattern of (A + A² + … + Aʰ)_{idx, idx} without its diagonal.
    """
    rowptr, col = hop_pattern(adjacency, selection, hops)
    return Adjacency(rowptr, col)


def power(adjacency: Adjacency, hops: int) -> Adjacency:
    """The graph that joins all vertices within ``hops`` edges of each other."""
    if hops == 1:
        return adjacency
    n = adjacency.num_nodes
    every = torch.arange(n, device=adjacency.device)
    return Adjacency(*_pattern(adjacency, every, n, hops))


def hop_pattern(
    adjacency: Adjacency, selection: Selection, hops: int, own: bool = False
) -> tuple[Tensor, Tensor]:
    """CSR (rowptr int64 [N' + 1], col int64 [M'], sorted): survivors within ``hops`` edges of each other.

    ``own``: with the diagonal.
    """
    if selection.cluster is None:
        raise InputError("this selection has no survivors")
    return _pattern(adjacency, selection.cluster, selection.num_nodes, hops, own)


def _pattern(
    adjacency: Adjacency, cluster: Tensor, num_clusters: int, hops: int, own: bool = False
) -> tuple[Tensor, Tensor]:
    if adjacency.device.type != "cpu":
        return join_hops(adjacency, cluster, num_clusters, hops, own)
    from mivspool.pooling import loops

    arrays = loops.nearby(
        adjacency.rowptr.numpy(), adjacency.col.numpy(), cluster.numpy(), num_clusters, hops, own
    )
    rowptr, col = (torch.from_numpy(array) for array in arrays)
    return rowptr, col


def join_hops(
    adjacency: Adjacency, cluster: Tensor, num_clusters: int, hops: int, own: bool = False
) -> tuple[Tensor, Tensor]:
    """:func:`hop_pattern` with tensors alone, for any device: from each survivor, one join with A a hop."""
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
