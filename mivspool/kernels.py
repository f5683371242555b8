"""Compiled loops over CSR graphs (numba, cached on disk): each is one pass over the edges.

Everything here trusts its input; the doors are ``meer.py`` and ``sparse.py``. Arrays are contiguous int64 or
float64 unless said otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mivspool.compiled import compiled


@compiled
def best_survivor(rowptr: Any, col: Any, rank: Any, survivor: Any) -> Any:
    """Eq. 11: cluster int64 [N], the best surviving neighbour of each non-survivor, −1 where there is none."""
    n = rowptr.size - 1
    cluster = np.arange(n)
    for v in range(n):
        if survivor[v]:
            continue
        best = -1
        for e in range(rowptr[v], rowptr[v + 1]):
            u = col[e]
            if survivor[u] and (best < 0 or rank[u] < rank[best]):
                best = u
        cluster[v] = best
    return cluster


@compiled
def contract(rowptr: Any, col: Any, weight: Any, loops: Any, cluster: Any, num_clusters: int) -> Any:
    """SᵀAS for a hard (or selective: cluster −1) assignment: CSR without its diagonal, and the diagonal.

    ``weight`` may be empty: every entry is 1; ``loops`` may be empty: the diagonal is 0.
    Returns rowptr, col (rows sorted), weight, loops.
    """
    n = cluster.size
    start = np.zeros(num_clusters + 1, np.int64)
    for v in range(n):
        if cluster[v] >= 0:
            start[cluster[v] + 1] += 1
    for c in range(num_clusters):
        start[c + 1] += start[c]
    free = start[:-1].copy()
    member = np.empty(start[num_clusters], np.int64)
    for v in range(n):
        c = cluster[v]
        if c >= 0:
            member[free[c]] = v
            free[c] += 1
    slot = np.full(num_clusters, -1, np.int64)
    raw_ptr = np.zeros(num_clusters + 1, np.int64)
    raw_col = np.empty(col.size, np.int64)
    raw_weight = np.empty(col.size, np.float64)
    diagonal = np.zeros(num_clusters, np.float64)
    filled = 0
    for c in range(num_clusters):
        begin = filled
        for i in range(start[c], start[c + 1]):
            v = member[i]
            if loops.size:
                diagonal[c] += loops[v]
            for e in range(rowptr[v], rowptr[v + 1]):
                d = cluster[col[e]]
                if d < 0:
                    continue
                w = weight[e] if weight.size else 1.0
                if d == c:
                    diagonal[c] += w
                elif slot[d] >= begin:
                    raw_weight[slot[d]] += w
                else:
                    slot[d] = filled
                    raw_col[filled] = d
                    raw_weight[filled] = w
                    filled += 1
        raw_ptr[c + 1] = filled
    # the matrix is symmetric: writing its transpose gives the same matrix with every row sorted
    out_ptr = raw_ptr.copy()
    free = raw_ptr[:-1].copy()
    out_col = np.empty(filled, np.int64)
    out_weight = np.empty(filled, np.float64)
    for c in range(num_clusters):
        for e in range(raw_ptr[c], raw_ptr[c + 1]):
            d = raw_col[e]
            out_col[free[d]] = c
            out_weight[free[d]] = raw_weight[e]
            free[d] += 1
    return out_ptr, out_col, out_weight, diagonal
