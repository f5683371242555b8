"""Which survivors are within h edges of each other: powers of A, as MVPool and Graph U-Nets connect by."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numba import njit
from torch import Tensor

from mivspool.pooling.base import Selection
from mivspool.sparse import Adjacency


def within(adjacency: Adjacency, selection: Selection, hops: int) -> Adjacency:
    """The survivors joined where at most ``hops`` edges of A lie between them; every entry is 1, no diagonal.

    That is the pattern of (A + A² + … + Aʰ)_{idx, idx} without its diagonal.
    """
    rowptr, col = hop_pattern(adjacency, selection, hops)
    return Adjacency(rowptr, col)


def hop_pattern(adjacency: Adjacency, selection: Selection, hops: int) -> tuple[Tensor, Tensor]:
    """CSR (rowptr int64 [N' + 1], col int64 [M'], sorted): survivors within ``hops`` edges of each other."""
    cluster = selection.cluster
    if cluster is None:
        raise NotImplementedError
    if adjacency.device.type == "cpu":
        arrays = _nearby(
            adjacency.rowptr.numpy(), adjacency.col.numpy(), cluster.numpy(), selection.num_nodes, hops
        )
        rowptr, col = (torch.from_numpy(array) for array in arrays)
        return rowptr, col
    return join_hops(adjacency, cluster, selection.num_nodes, hops)


def join_hops(adjacency: Adjacency, cluster: Tensor, num_clusters: int, hops: int) -> tuple[Tensor, Tensor]:
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
    kept = (col >= 0) & (row != col)
    row, col = row[kept], col[kept]
    out = torch.zeros(num_clusters + 1, dtype=torch.int64, device=device)
    torch.cumsum(torch.bincount(row, minlength=num_clusters), 0, out=out[1:])
    return out, col


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _nearby(rowptr: Any, col: Any, cluster: Any, num_clusters: int, hops: int) -> Any:
    """Breadth-first from each survivor, ``hops`` deep; survivors are numbered in the vertices' order."""
    n = cluster.size
    seen = np.full(n, -1, np.int64)
    queue = np.empty(n, np.int64)
    out_ptr = np.zeros(num_clusters + 1, np.int64)
    out = np.empty(max(16, 2 * col.size), np.int64)
    filled = 0
    for v in range(n):
        if cluster[v] < 0:
            continue
        seen[v] = v
        queue[0] = v
        begin, end, first = 0, 1, filled
        for _ in range(hops):
            last = end
            for i in range(begin, last):
                u = queue[i]
                for e in range(rowptr[u], rowptr[u + 1]):
                    w = col[e]
                    if seen[w] != v:
                        seen[w] = v
                        queue[end] = w
                        end += 1
                        if cluster[w] >= 0:
                            if filled == out.size:
                                larger = np.empty(2 * out.size, np.int64)
                                larger[:filled] = out
                                out = larger
                            out[filled] = cluster[w]
                            filled += 1
            begin = last
        out[first:filled].sort()
        out_ptr[cluster[v] + 1] = filled
    return out_ptr, out[:filled].copy()
