"""Compiled loops over CSR graphs (numba, cached on disk): each is one pass over the edges.

Everything here trusts its input; the doors are ``meer.py`` and ``sparse.py``. Arrays are contiguous int64 or
float64 unless said otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mivspool.arrays.compiled import compiled


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


def contract(rowptr: Any, col: Any, weight: Any, loops: Any, cluster: Any, num_clusters: int) -> Any:
    """SᵀAS for a hard (or selective: cluster −1) assignment: CSR without its diagonal, and the diagonal.

    ``rowptr`` uint64, ``col`` uint32 (``Adjacency.csr``). ``weight`` may be empty: every entry is 1; ``loops`` may be
    empty: the diagonal is 0. Returns rowptr, col (int64, rows sorted), weight, loops.
    """
    label = cluster.astype(np.uint32)
    start, diagonal = np.zeros(num_clusters + 1, np.int64), np.zeros(num_clusters)
    end = np.empty(num_clusters, np.int64)
    raw_col, raw_weight = np.empty(col.size, np.uint32), np.empty(weight.size)
    _deal(rowptr, col, weight, loops, label, start, end, raw_col, raw_weight, diagonal)
    slot, pointer, total = (
        np.full(num_clusters, -1, np.int64),
        np.zeros(num_clusters + 1, np.int64),
        np.empty(col.size),
    )
    filled = _add_up(start, end, raw_col, raw_weight, slot, pointer, total)
    out_col, out_weight = np.empty(filled, np.int64), np.empty(filled)
    _mirror(pointer, raw_col, total, pointer[:-1].copy(), out_col, out_weight)
    return pointer, out_col, out_weight, diagonal


# the label of what is dropped
_NONE = np.uint32(2**32 - 1)


@compiled
def _deal(
    rowptr: Any,
    col: Any,
    weight: Any,
    loops: Any,
    label: Any,
    start: Any,
    end: Any,
    out_col: Any,
    out_weight: Any,
    diagonal: Any,
) -> None:
    """Every entry between two clusters to the row of its own, from ``start[c]`` to ``end[c]``.

    The rows of A are read in order and written all over the memory: a write is not waited for, a read is.
    """
    for v in range(label.size):
        if label[v] != _NONE:
            start[label[v] + 1] += rowptr[v + 1] - rowptr[v]
    for c in range(diagonal.size):
        start[c + 1] += start[c]
        end[c] = start[c]
    for v in range(label.size):
        c = label[v]
        if c == _NONE:
            continue
        if loops.size:
            diagonal[c] += loops[v]
        f = end[c]
        inside = 0.0
        for e in range(rowptr[v], rowptr[v + 1]):
            d = label[col[e]]
            if d == c:
                inside += weight[e] if weight.size else 1.0
            elif d != _NONE:
                out_col[f] = d
                if weight.size:
                    out_weight[f] = weight[e]
                f += 1
        end[c] = f
        diagonal[c] += inside


@compiled
def _add_up(start: Any, end: Any, col: Any, weight: Any, slot: Any, pointer: Any, total: Any) -> int:
    """Entries of a row for the same cluster become one, in place; the number of entries left.

    ``slot[d]`` is where the entry for cluster d was last put: in this row, if not before where the row begins.
    """
    filled = 0
    for c in range(pointer.size - 1):
        begin = filled
        for e in range(start[c], end[c]):
            d = col[e]
            w = weight[e] if weight.size else 1.0
            if slot[d] >= begin:
                total[slot[d]] += w
            else:
                slot[d] = filled
                col[filled] = d
                total[filled] = w
                filled += 1
        pointer[c + 1] = filled
    return filled


@compiled
def _mirror(pointer: Any, col: Any, weight: Any, free: Any, out_col: Any, out_weight: Any) -> None:
    """The transpose, whose rows come out sorted: the same matrix, since it is symmetric."""
    for c in range(pointer.size - 1):
        for e in range(pointer[c], pointer[c + 1]):
            f = free[col[e]]
            free[col[e]] = f + 1
            out_col[f] = c
            out_weight[f] = weight[e]
