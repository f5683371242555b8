"""From an edge list to CSR on the CPU (numba, cached on disk): rowptr uint64 [N + 1], col uint32 [M].

Unsigned, since an index that may be negative costs a test at every look.

Large arrays are made by numpy, which asks for large pages: filling them takes half the time of numba's own.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from mivspool.arrays import threads
from mivspool.arrays.checks import I64, expect, graph
from mivspool.arrays.compiled import compiled, compiled_part
from mivspool.errors import InputError
from mivspool.messages import count

_SEED = np.uint64(secrets.randbits(64))
# an edge list is dealt into so many ranges of rows, each small enough for the cache
_RANGES = 256
# so many entries are looked at several times while they are in the cache
_PIECE = 512
# a longer row is sorted by numba's quicksort
_SHORT = 24


def csr(row: Any, col: Any, num_nodes: int) -> tuple[Any, Any, bool]:
    """(rowptr, col, balanced) of an edge list of int64; each row keeps the list's order.

    ``balanced``: every entry stands as often in the one direction as in the other.

    Raises InputError for an index that is not in [0, ``num_nodes``).
    """
    rowptr, out, _, even = _csr(row, col, num_nodes)
    return rowptr, out, even


def _csr(row: Any, col: Any, num_nodes: int) -> tuple[Any, Any, bool, bool]:
    """(rowptr, col, tidy, balanced): ``tidy`` where each row is sorted, without loops and repetitions."""
    expect("row", row, I64, row.size)
    expect("col", col, I64, row.size)
    if num_nodes < 2**31:
        found = _in_order(row, col, num_nodes)
        if found is not None:
            return found
    parts = [(row[e:f], col[e:f]) for e, f in threads.slices(row.size, threads.IN_ORDER)]
    lows, highs, totals = zip(*threads.together(_look, parts, _SEED), strict=True)
    low, high = min(lows), max(highs)
    if low < 0 or high >= num_nodes:
        raise InputError(
            f"edge_index has vertex {low if low < 0 else high}, but there are {count(num_nodes, 'vertex')}"
        )
    if num_nodes >= 2**31:
        raise InputError(f"{num_nodes:,} vertices are too many: there may be up to {2**31 - 1}")
    rowptr, out = np.zeros(num_nodes + 1, np.int64), np.empty(row.size, np.uint32)
    _sort(row, col, rowptr, out)
    return rowptr.view(np.uint64), out, False, _cancels(totals)


def _in_order(row: Any, col: Any, num_nodes: int) -> tuple[Any, Any, bool, bool] | None:
    """``_csr`` in one pass, which gives up where the rows turn out not to be in order, or an index to be out of range:
    then None.
    """
    # no row is in two slices
    inner = [int(np.searchsorted(row, row[e])) for e, _ in threads.slices(row.size, threads.IN_ORDER)[1:]]
    ends = [0, *inner, row.size]
    rows = [0, *(int(row[e]) for e in inner if e < row.size), num_nodes]
    if len(rows) < len(ends) or sorted(ends) != ends or sorted(rows) != rows:
        return None
    rowptr, out = np.zeros(num_nodes + 1, np.int64), np.empty(row.size, np.uint32)
    mine = [
        (e, row[e:f], col[e:f], v, rowptr[v + 1 : w + 1], out[e:f])
        for (e, f), (v, w) in zip(pairwise(ends), pairwise(rows), strict=True)
    ]
    in_order, tidy, totals = zip(*threads.together(_fill, mine, num_nodes, _SEED), strict=True)
    return (rowptr.view(np.uint64), out, all(tidy), _cancels(totals)) if all(in_order) else None


@compiled
def _fill(
    before: int, row: Any, col: Any, first: int, ends: Any, out: Any, num_nodes: int, seed: Any
) -> tuple[bool, bool, Any]:
    """Of a list that has its rows in order, those from ``first`` on: where each ``ends``, and its entries.

    ``before`` entries precede them. Returns whether they are in order and all indices in range (else nothing else
    holds), whether each row is sorted, without loops and repetitions, and their ``_balance``.

    Piece by piece: a short loop for each of these is made of vector instructions, one for all is not, and a piece is
    still in the cache when the next loop reads it.
    """
    tidy, total = True, np.uint64(0)
    r, c = np.int64(first), np.int64(-1)
    for start in range(0, row.size, _PIECE):
        size = _PIECE if start + _PIECE < row.size else row.size - start
        falls, untidy, low, high = _order(start, size, row, col, r, c)
        r, c = row[start + size - 1], col[start + size - 1]
        if falls or r - first >= ends.size or low < 0 or high >= num_nodes:
            return False, False, total
        tidy &= not untidy
        total += _balance_piece(start, size, row, col, seed)
        for i in range(size):
            e = np.uint64(start + i)
            ends[np.uint64(row[e] - first)] = before + start + i + 1  # the last one stays
            out[e] = col[e]
    end = np.int64(before)
    for v in range(ends.size):
        end = ends[v] if ends[v] > end else end
        ends[v] = end
    return True, tidy, total


@compiled_part
def _order(start: int, size: int, row: Any, col: Any, r: Any, c: Any) -> tuple[bool, bool, Any, Any]:
    """Whether the rows are out of order; whether a row is not sorted, or has loops or repetitions, where they are not.

    And the lowest and the highest entry of ``col``. Before the piece comes the entry ``r``, ``c``.
    """
    falls, untidy = False, False
    low, high = np.int64(0), np.int64(-1)
    for i in range(size):
        e = np.uint64(start + i)
        falls |= row[e] < r
        untidy |= (row[e] == col[e]) | ((row[e] == r) & (col[e] <= c))
        r, c = row[e], col[e]
        low, high = c if c < low else low, c if c > high else high
    return falls, untidy, low, high


@compiled
def _look(row: Any, col: Any, seed: Any) -> tuple[Any, Any, Any]:
    """The lowest and the highest index of a list (0 and −1 of an empty one), and its ``_balance``."""
    low, high, total = np.int64(0), np.int64(-1), np.uint64(0)
    for e in range(row.size):
        less, more = (row[e], col[e]) if row[e] < col[e] else (col[e], row[e])
        low, high = less if less < low else low, more if more > high else high
        total += _mixed(np.uint64(row[e]), np.uint64(col[e]), seed)
    return low, high, total


def _sort(row: Any, col: Any, rowptr: Any, out: Any) -> None:
    """A list in any order is dealt into ranges of rows first: to fill rows all over the memory takes longer."""
    num_nodes, shift = rowptr.size - 1, 0
    while (num_nodes - 1) >> shift >= _RANGES:
        shift += 1
    parts = threads.slices(row.size)
    # where each slice puts its entries: range by range, within a range slice by slice, so that their order is kept
    free = np.zeros((len(parts), ((num_nodes - 1) >> shift) + 1), np.int64)
    threads.together(_count, [(row[e:f], free[i]) for i, (e, f) in enumerate(parts)], shift)
    start = np.empty(free.shape[1] + 1, np.int64)
    offsets(free, start)
    dealt = np.empty(row.size, np.int64)
    mine = [(row[e:f], col[e:f], free[i]) for i, (e, f) in enumerate(parts)]
    threads.together(_deal, mine, shift, dealt)
    threads.together(_sort_ranges, threads.rows(start), start, shift, dealt, rowptr, out)


@compiled
def offsets(counts: Any, start: Any) -> None:
    """``start`` [B + 1] of B lists that lie one after another, of ``counts`` [T, B] entries by each of T slices.

    The counts become where each slice puts its entries: after those of the slices before it.
    """
    at = np.int64(0)
    for b in range(counts.shape[1]):
        start[b] = at
        for i in range(counts.shape[0]):
            number = counts[i, b]
            counts[i, b] = at
            at += number
    start[counts.shape[1]] = at


@compiled
def _count(row: Any, counts: Any, shift: int) -> None:
    for e in range(row.size):
        counts[row[e] >> shift] += 1


@compiled
def _deal(row: Any, col: Any, free: Any, shift: int, dealt: Any) -> None:
    for e in range(row.size):
        b = row[e] >> shift
        f = free[b]
        free[b] = f + 1
        dealt[f] = (row[e] << 32) | col[e]


@compiled
def _sort_ranges(first: int, last: int, start: Any, shift: int, dealt: Any, rowptr: Any, out: Any) -> None:
    """Sorts the ranges from ``first`` to ``last`` by rows."""
    num_nodes = rowptr.size - 1
    for b in range(first, last):
        for e in range(start[b], start[b + 1]):
            rowptr[(dealt[e] >> 32) + 1] += 1
        # each row's own count becomes where it begins, then, entry by entry, where the next begins
        filled = start[b]
        after = (b + 1) << shift
        for v in range(b << shift, after if after < num_nodes else num_nodes):
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
    parts = [(row[e:f], col[e:f]) for e, f in threads.slices(row.size, threads.IN_ORDER)]
    return _cancels(threads.together(_balance, parts, _SEED))


def adjacency(row: Any, col: Any, num_nodes: int) -> Any:
    """(rowptr, col, loops float64 [N], symmetric) of an edge list of int64, as :func:`csr` takes it.

    Rows are sorted, each neighbour stands once, without the diagonal. ``loops`` counts the entries of the diagonal, and
    is None where there are none. ``symmetric`` says whether every entry stands in both directions.
    """
    rowptr, out, tidy, even = _csr(row, col, num_nodes)
    if tidy:
        return rowptr, out, None, even
    start, loops = rowptr.view(np.int64), np.zeros(num_nodes)
    parts = threads.rows(rowptr)
    ends = [int(start[v]) for v, _ in parts]
    filled = 0
    for (v, w), e, kept in zip(
        parts,
        ends,
        threads.together(_tidy, list(zip(parts, ends, strict=True)), start, out, loops),
        strict=True,
    ):
        if filled < e:
            out[filled : filled + kept] = out[e : e + kept]
            start[v + 1 : w + 1] -= e - filled
        filled += kept
    out = out[:filled]
    # what is there twice in one direction, but once in the other, is no longer
    return rowptr, out, loops if loops.any() else None, even or _symmetric(rowptr, out)


def _symmetric(rowptr: Any, col: Any) -> bool:
    """Whether rows in which each neighbour stands once have every entry in both directions."""
    return _cancels(threads.together(_balance_rows, threads.rows(rowptr), rowptr, col, _SEED))


def _cancels(totals: Iterable[int]) -> bool:
    return sum(int(total) for total in totals) % 2**64 == 0


@compiled
def _balance(row: Any, col: Any, seed: Any) -> Any:
    """0 where every entry stands as often in both directions: a sum in which they cancel out. Loops do not count.

    Each pair is mixed with a seed that is drawn anew in each process, so that what does not cancel out is taken for it
    once in 2⁶⁴ times, whatever list is given. To look entries up takes seven times as long.
    """
    return _balance_piece(0, row.size, row, col, seed)


@compiled_part
def _balance_piece(start: int, size: int, row: Any, col: Any, seed: Any) -> Any:
    total = np.uint64(0)
    for i in range(size):
        e = np.uint64(start + i)
        total += _mixed(np.uint64(row[e]), np.uint64(col[e]), seed)
    return total


@compiled
def _balance_rows(first: int, last: int, rowptr: Any, col: Any, seed: Any) -> Any:
    """``_balance`` of the rows from ``first`` to ``last`` of a CSR."""
    total = np.uint64(0)
    for i in range(first, last):
        v = np.uint32(i)
        for e in range(rowptr[v], rowptr[v + 1]):
            total += _mixed(np.uint64(v), np.uint64(col[e]), seed)
    return total


@compiled_part
def _mixed(u: Any, v: Any, seed: Any) -> Any:
    """What an entry adds to the sum, and its opposite takes away (splitmix64)."""
    low, high = (u, v) if u < v else (v, u)
    z = ((low << np.uint64(32)) | high) + seed
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return z if u < v else np.uint64(0) - z if u > v else np.uint64(0)


@compiled
def _tidy(part: tuple[int, int], first: int, rowptr: Any, col: Any, loops: Any) -> int:
    """Sort each row, and leave out what it repeats and the diagonal; the number of entries left.

    ``part``: the first vertex and the one after the last, whose entries begin at ``first``.
    """
    start = first
    filled = first
    for v in range(part[0], part[1]):
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
    return filled - start


def fault(rowptr: Any, col: Any, diagonal: bool = False) -> str | None:
    """Why these arrays (``rowptr`` int64 [N + 1], ``col`` int64 or uint32 [M]) are no symmetric graph; None: they are.

    Rows must be sorted, each neighbour once, without the diagonal (``diagonal``: with all of it), in both directions.
    """
    if rowptr.size == 0 or rowptr.size - 1 >= 2**31:
        return f"there must be one row per vertex and up to {2**31 - 1} vertices"
    if rowptr[0] != 0 or rowptr[-1] != col.size or (rowptr[1:] < rowptr[:-1]).any():
        return "its rows must follow each other, from 0 to the number of entries"
    rowptr = rowptr.view(np.uint64)
    faults = threads.together(_fault, threads.rows(rowptr), rowptr, col, diagonal)
    if any(faults):
        return _FAULTS[next(filter(None, faults))]
    return None if _symmetric(rowptr, col) else _NOT_SYMMETRIC


_FAULTS = (
    None,
    "its entries must be vertices that are there",
    "its rows must be sorted, with each neighbour once and without the vertex itself",
    "each vertex must be among its own candidates",
)
_NOT_SYMMETRIC = "it is not symmetric: give each undirected edge in both directions"


@compiled
def _fault(first: int, end: int, rowptr: Any, col: Any, diagonal: bool) -> int:
    n = rowptr.size - 1
    for i in range(first, end):
        v = np.uint32(i)
        last, own = np.int64(-1), False
        for e in range(rowptr[v], rowptr[v + 1]):
            u = np.int64(col[e])
            if u < 0 or u >= n:
                return 1
            if u <= last or (u == v and not diagonal):
                return 2
            own |= u == v
            last = u
        if own != diagonal:
            return 3
    return 0


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
