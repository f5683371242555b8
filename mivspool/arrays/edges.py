"""From an edge list to CSR on the CPU (numba, cached on disk): rowptr uint64 [N + 1], col uint32 [M].

Unsigned, since an index that may be negative costs a test at every look.

Large arrays are made by numpy, which asks for large pages: filling them takes half the time of numba's own.
Everything here trusts its input; the doors are ``meer.py`` and ``sparse.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mivspool.arrays.compiled import compiled

# an edge list is dealt into so many ranges of rows, each small enough for the cache
_RANGES = 256
# a longer row is sorted by numba's quicksort
_SHORT = 24


def csr(row: Any, col: Any, num_nodes: int) -> Any:
    """(rowptr, col) of an edge list of int64; each row keeps the list's order."""
    return _csr(row, col, num_nodes, bool(_order(row, col)[0]))


def _csr(row: Any, col: Any, num_nodes: int, in_order: bool) -> Any:
    rowptr = np.zeros(num_nodes + 1, np.int64)
    out = np.empty(row.size, np.uint32)
    if in_order:
        _fill(row, col, rowptr, out)
    else:
        _deal(row, col, rowptr, out, np.empty(row.size, np.int64))
    return rowptr.view(np.uint64), out


@compiled
def _order(row: Any, col: Any) -> tuple[bool, bool]:
    """Whether the list has its rows in order; whether each row is sorted as well, without loops and repetitions."""
    falls, untidy = 0, 0
    for e in range(row.size):
        untidy |= row[e] == col[e]
    for e in range(1, row.size):
        falls |= row[e] < row[e - 1]
        untidy |= (row[e] == row[e - 1]) & (col[e] <= col[e - 1])
    return falls == 0, falls == 0 and untidy == 0


@compiled
def _fill(row: Any, col: Any, rowptr: Any, out: Any) -> None:
    """Where the list has its rows in order."""
    for e in range(row.size):
        rowptr[row[e] + 1] += 1
        out[e] = col[e]
    for v in range(rowptr.size - 1):
        rowptr[v + 1] += rowptr[v]


@compiled
def _deal(row: Any, col: Any, rowptr: Any, out: Any, dealt: Any) -> None:
    """A list in any order is dealt into ranges of rows first: to fill rows all over the memory takes longer."""
    num_nodes = rowptr.size - 1
    shift = 0
    while (num_nodes - 1) >> shift >= _RANGES:
        shift += 1
    start = np.zeros(((num_nodes - 1) >> shift) + 2, np.int64)
    for e in range(row.size):
        start[(row[e] >> shift) + 1] += 1
    for b in range(start.size - 1):
        start[b + 1] += start[b]
    free = start[:-1].copy()
    for e in range(row.size):
        b = row[e] >> shift
        f = free[b]
        free[b] = f + 1
        dealt[f] = (row[e] << 32) | col[e]
    for b in range(start.size - 1):
        for e in range(start[b], start[b + 1]):
            rowptr[(dealt[e] >> 32) + 1] += 1
        # each row's own count becomes where it begins, then, entry by entry, where the next begins
        filled = start[b]
        for v in range(b << shift, min(num_nodes, (b + 1) << shift)):
            count = rowptr[v + 1]
            rowptr[v + 1] = filled
            filled += count
        for e in range(start[b], start[b + 1]):
            v = (dealt[e] >> 32) + 1
            f = rowptr[v]
            rowptr[v] = f + 1
            out[f] = np.uint32(dealt[e] & 0xFFFFFFFF)


def adjacency(row: Any, col: Any, num_nodes: int) -> Any:
    """(rowptr, col, loops float64 [N], symmetric): rows sorted, each neighbour once, without the diagonal.

    ``loops`` counts the entries of the diagonal. ``symmetric`` says whether every entry stands in both directions.
    """
    in_order, tidy = _order(row, col)
    rowptr, out = _csr(row, col, num_nodes, in_order)
    loops = np.zeros(num_nodes)
    start = rowptr.view(np.int64)
    if not tidy:
        out = out[: _tidy(start, out, loops)]
    return rowptr, out, loops, _symmetric(start, out, start[:-1].copy())


@compiled
def _tidy(rowptr: Any, col: Any, loops: Any) -> int:
    """Sort each row, and leave out what it repeats and the diagonal; the number of entries left."""
    filled = 0
    first = 0
    for v in range(rowptr.size - 1):
        last = rowptr[v + 1]
        if last - first > _SHORT:
            col[first:last].sort()
        else:
            for e in range(first + 1, last):
                u = col[e]
                f = e
                while f > first and col[f - 1] > u:
                    col[f] = col[f - 1]
                    f -= 1
                col[f] = u
        begin = filled
        for e in range(first, last):
            u = col[e]
            if u == v:
                loops[v] += 1
            elif filled == begin or col[filled - 1] != u:
                col[filled] = u
                filled += 1
        first = last
        rowptr[v + 1] = filled
    return filled


@compiled
def _symmetric(rowptr: Any, col: Any, lower: Any) -> bool:
    """Whether the sorted rows are symmetric; ``lower`` [N] begins as where each row begins.

    Row by row, each entry above the diagonal must be the next one below it in the other row, and none may be left.
    """
    for v in range(rowptr.size - 1):
        if lower[v] < rowptr[v + 1] and col[lower[v]] < v:
            return False
        for e in range(lower[v], rowptr[v + 1]):
            u = col[e]
            f = lower[u]
            if f >= rowptr[u + 1] or col[f] != v:
                return False
            lower[u] = f + 1
    return True


@compiled
def components(rowptr: Any, col: Any, parent: Any) -> int:
    """The number of connected components; ``parent`` [N] begins as 0 … N − 1."""
    count: int = parent.size
    for v in range(parent.size):
        for e in range(rowptr[v], rowptr[v + 1]):
            a, b = np.int64(v), np.int64(col[e])
            if b > a:
                continue
            while parent[a] != a:
                parent[a] = parent[parent[a]]
                a = parent[a]
            while parent[b] != b:
                parent[b] = parent[parent[b]]
                b = parent[b]
            if a != b:
                parent[max(a, b)] = min(a, b)
                count -= 1
    return count
