"""From an edge list to CSR on the CPU (numba, cached on disk): rowptr uint64 [N + 1], col uint32 [M].

Unsigned, since an index that may be negative costs a test at every look.

Large arrays are made by numpy, which asks for large pages: filling them takes half the time of numba's own.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from mivspool.arrays.buffers import borrow
from mivspool.arrays.checks import I64, expect, graph
from mivspool.arrays.compiled import compiled
from mivspool.errors import InputError
from mivspool.messages import count

_SEED = np.uint64(secrets.randbits(64))
# an edge list is dealt into so many ranges of rows, each small enough for the cache
_RANGES = 256
# a longer row is sorted by numba's quicksort
_SHORT = 24


def csr(row: Any, col: Any, num_nodes: int) -> Any:
    """(rowptr, col) of an edge list of int64; each row keeps the list's order.

    Raises InputError for an index that is not in [0, ``num_nodes``).
    """
    rowptr, out, _ = _csr(row, col, num_nodes)
    return rowptr, out


def _csr(row: Any, col: Any, num_nodes: int) -> Any:
    """(rowptr, col, tidy): ``tidy`` where each row is sorted, without loops and repetitions."""
    expect("row", row, I64, row.size)
    expect("col", col, I64, row.size)
    in_order, tidy, low, high = _order(row, col)
    if low < 0 or high >= num_nodes:
        raise InputError(
            f"edge_index has vertex {low if low < 0 else high}, but there are {count(num_nodes, 'vertex')}"
        )
    if num_nodes >= 2**31:
        raise InputError(f"{num_nodes:,} vertices are too many: there may be up to {2**31 - 1}")
    rowptr = np.zeros(num_nodes + 1, np.int64)
    out = np.empty(row.size, np.uint32)
    if in_order:
        _fill(row, col, rowptr, out)
    else:
        _deal(row, col, rowptr, out, np.empty(row.size, np.int64))
    return rowptr.view(np.uint64), out, tidy


@compiled
def _order(row: Any, col: Any) -> tuple[bool, bool, Any, Any]:
    """Whether the list has its rows in order; whether each row is sorted as well, without loops and repetitions.

    And the lowest and the highest index (0 and −1 of an empty list).
    """
    falls, untidy = False, False
    r, c = np.int64(-1), np.int64(-1)
    low, high = np.int64(0), np.int64(-1)
    for e in range(row.size):
        falls |= row[e] < r
        untidy |= (row[e] == col[e]) | ((row[e] == r) & (col[e] <= c))
        r, c = row[e], col[e]
        low, high = min(low, r, c), max(high, r, c)
    return not falls, not falls and not untidy, low, high


@compiled
def _fill(row: Any, col: Any, rowptr: Any, out: Any) -> None:
    """Where the list has its rows in order."""
    for e in range(row.size):
        rowptr[row[e] + 1] = e + 1  # the last one stays
        out[e] = col[e]
    for v in range(rowptr.size - 1):
        rowptr[v + 1] = max(rowptr[v + 1], rowptr[v])


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


def balanced(row: Any, col: Any) -> bool:
    """Whether every entry of a list in any order stands as often in the one direction as in the other."""
    expect("row", row, I64, row.size)
    expect("col", col, I64, row.size)
    return bool(_balance(row, col, _SEED) == 0)


def adjacency(row: Any, col: Any, num_nodes: int) -> Any:
    """(rowptr, col, loops float64 [N], symmetric) of an edge list of int64, as :func:`csr` takes it.

    Rows are sorted, each neighbour stands once, without the diagonal. ``loops`` counts the entries of the diagonal, and
    is None where there are none. ``symmetric`` says whether every entry stands in both directions.
    """
    rowptr, out, tidy = _csr(row, col, num_nodes)
    if tidy:
        return rowptr, out, None, balanced(row, col)
    start, loops = rowptr.view(np.int64), np.zeros(num_nodes)
    out = out[: _tidy(start, out, loops)]
    (lower,) = borrow((num_nodes, np.int64))
    lower[:] = start[:-1]
    return rowptr, out, loops if loops.any() else None, _symmetric(start, out, lower)


@compiled
def _balance(row: Any, col: Any, seed: Any) -> Any:
    """0 where every entry stands as often in both directions: a sum in which they cancel out. Loops do not count.

    Each pair is mixed (splitmix64) with a seed that is drawn anew in each process, so that what does not cancel out
    is taken for it once in 2⁶⁴ times, whatever list is given. To look entries up takes seven times as long.
    """
    total = np.uint64(0)
    for e in range(row.size):
        u, v = np.uint64(row[e]), np.uint64(col[e])
        z = ((min(u, v) << np.uint64(32)) | max(u, v)) + seed
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
        total += z if u < v else np.uint64(0) - z if u > v else np.uint64(0)
    return total


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


def fault(rowptr: Any, col: Any, diagonal: bool = False) -> str | None:
    """Why these arrays (``rowptr`` int64 [N + 1], ``col`` int64 or uint32 [M]) are no symmetric graph; None: they are.

    Rows must be sorted, each neighbour once, without the diagonal (``diagonal``: with all of it), in both directions.
    """
    if rowptr.size == 0 or rowptr.size - 1 >= 2**31:
        return f"there must be one row per vertex and up to {2**31 - 1} vertices"
    (lower,) = borrow((rowptr.size - 1, np.int64))
    lower[:] = rowptr[:-1]
    return _FAULTS[_fault(rowptr, col, lower, diagonal)]


_FAULTS = (
    None,
    "its rows must follow each other, from 0 to the number of entries",
    "its entries must be vertices that are there",
    "its rows must be sorted, with each neighbour once and without the vertex itself",
    "it is not symmetric: give each undirected edge in both directions",
    "each vertex must be among its own candidates",
)


@compiled
def _fault(rowptr: Any, col: Any, lower: Any, diagonal: bool) -> int:
    n = lower.size
    if rowptr[0] != 0 or rowptr[n] != col.size:
        return 1
    for v in range(n):
        if rowptr[v + 1] < rowptr[v]:
            return 1
    for v in range(n):
        last, own = np.int64(-1), False
        for e in range(rowptr[v], rowptr[v + 1]):
            u = np.int64(col[e])
            if u < 0 or u >= n:
                return 2
            if u <= last or (u == v and not diagonal):
                return 3
            own |= u == v
            last = u
        if own != diagonal:
            return 5
    return 0 if _symmetric(rowptr, col, lower) else 4


def components(rowptr: Any, col: Any) -> int:
    """The number of connected components of a CSR."""
    parent = np.arange(graph(rowptr, col))
    return int(_components(rowptr, col, parent))


@compiled
def _components(rowptr: Any, col: Any, parent: Any) -> int:
    """``parent`` [N] begins as 0 … N − 1."""
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
