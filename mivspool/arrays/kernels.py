"""Compiled loops over CSR graphs (numba, cached on disk): each is one pass over the edges.

Arrays are contiguous int64 or float64 unless said otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mivspool.arrays.buffers import allocate, borrow
from mivspool.arrays.checks import F64, I64, expect, graph, places
from mivspool.arrays.compiled import compiled, compiled_part


def contract(rowptr: Any, col: Any, weight: Any, loops: Any, cluster: Any, num_clusters: int) -> Any:
    """SᵀAS for a hard (or selective: cluster −1) assignment: CSR without its diagonal, and the diagonal.

    ``rowptr`` uint64, ``col`` uint32 (``Adjacency.csr``), rows sorted, symmetric. ``weight`` may be empty: every entry
    is 1; ``loops`` may be empty: the diagonal is 0. Returns rowptr (int64), col (uint32, rows sorted), weight, loops.
    Raises InputError where the arrays do not fit, or a cluster is not in [−1, ``num_clusters``).
    """
    n = graph(rowptr, col)
    expect("cluster", cluster, I64, n)
    places("cluster", cluster, num_clusters, -1)
    if weight.size:
        expect("weight", weight, F64, col.size)
    if loops.size:
        expect("loops", loops, F64, n)
    bits = _range_bits(num_clusters) if col.size >= LARGE else 0
    listed, half = (col.size, col.size // 2) if bits else (0, 0)
    (label, end, raw_col, raw_weight, slot, below, upper, total, *lists) = borrow(
        (cluster.size, np.uint32), (num_clusters, np.int64), (col.size, np.uint32), (weight.size, np.float64),
        (num_clusters, np.int64), (num_clusters, np.int64), (num_clusters + 1, np.int64),
        (col.size // 2, np.float64), (listed, np.uint32), (listed, np.uint32),
        (listed if weight.size else half, np.float64),
    )  # fmt: skip
    label[:], slot[:], below[:], upper[0] = cluster, -1, 0, 0
    start, diagonal = np.zeros(num_clusters + 1, np.int64), np.zeros(num_clusters)
    _deal(rowptr, col, weight, loops, label, start, end, raw_col, raw_weight, diagonal, bits, *lists)
    filled = _add_up(start, end, raw_col, raw_weight, slot, upper, below, total)
    out_weight, pointer, out_col = allocate(
        (2 * filled, np.float64), (num_clusters + 1, np.int64), (2 * filled, np.uint32)
    )
    pointer[0] = 0
    _mirror(upper, raw_col, total, below, pointer, end, out_col, out_weight, bits, *lists)
    return pointer, out_col, out_weight, diagonal


# the label of what is dropped
_NONE = np.uint32(2**32 - 1)
# from so many entries on, what would be written all over the memory first goes into lists, one for a range of rows that
# fits into the cache: no more lists than this
LARGE = 2**23
_LISTS = 256


def _range_bits(rows: int) -> int:
    """A range has 2^bits rows."""
    return max(1, (rows - 1).bit_length() - (_LISTS - 1).bit_length())


@compiled_part
def _ranges(start: Any, bits: int) -> Any:
    """Where the list of each range begins, int64 [ranges]; ``start`` [rows + 1] says where each row's entries do."""
    return start[: start.size - 1][:: 1 << bits].copy()


@compiled_part
def _place(
    first: Any, last: Any, row: Any, col: Any, weight: Any, free: Any, out_col: Any, out_weight: Any
) -> None:
    """The entries of each list, from ``first`` to ``last``, at ``free`` of their rows; ``weight`` may be empty."""
    for b in range(first.size):
        for e in range(first[b], last[b]):
            f = free[row[e]]
            free[row[e]] = f + 1
            out_col[f] = col[e]
            if weight.size:
                out_weight[f] = weight[e]


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
    bits: int,
    rows: Any,
    cols: Any,
    weights: Any,
) -> None:
    """Every edge between two clusters to the row of the first of them, from ``start[c]`` to ``end[c]``.

    With ``bits`` > 0 by way of lists of rows, entries and weights, one for 2^``bits`` rows each.

    A is symmetric, and what lies above its diagonal is all there is to read. The rows are read in order and written
    all over the memory: a write is not waited for, a read is. Each row has room for the degrees of its cluster.
    """
    for v in range(label.size):
        if label[v] != _NONE:
            start[label[v] + 1] += rowptr[v + 1] - rowptr[v]
    for c in range(diagonal.size):
        start[c + 1] += start[c]
        end[c] = start[c]
    if bits:
        first = _ranges(start, bits)
        last = first.copy()
        _deal_out(rowptr, col, weight, loops, label, bits, last, rows, cols, weights, diagonal)
        _place(first, last, rows, cols, weights[: weight.size], end, out_col, out_weight)
    else:
        _deal_out(rowptr, col, weight, loops, label, 0, end, rows, out_col, out_weight, diagonal)


@compiled_part
def _deal_out(
    rowptr: Any, col: Any, weight: Any, loops: Any, label: Any, bits: int, free: Any, out_row: Any, out_col: Any,
    out_weight: Any, diagonal: Any,
) -> None:  # fmt: skip
    """Each edge at ``free`` of its row, or with ``bits`` > 0 of the list of that row, which ``out_row`` names."""
    for v in range(label.size):
        c = label[v]
        if c == _NONE:
            continue
        inside = loops[v] if loops.size else 0.0
        e = rowptr[v + 1]
        while e > rowptr[v]:
            e -= np.uint64(1)
            if col[e] < v:
                break
            d = label[col[e]]
            # no branch: what lies inside a cluster is overwritten by what comes next
            inside += (2 * weight[e] if weight.size else 2.0) if d == c else 0.0
            low, high = (c, d) if c < d else (d, c)
            f = free[low >> bits]
            if bits:
                out_row[f] = low
            out_col[f] = high
            if weight.size:
                out_weight[f] = weight[e]
            free[low >> bits] = f + np.int64((d != c) & (d != _NONE))
        diagonal[c] += inside


@compiled
def _add_up(
    start: Any, end: Any, col: Any, weight: Any, slot: Any, upper: Any, below: Any, total: Any
) -> int:
    """Entries of a row for the same cluster become one, in place; the number of entries left.

    Row c of what is left ends at ``upper[c + 1]``; ``below[d]`` counts the rows that have an entry for d.
    ``slot[d]`` is where the entry for cluster d was last put: in this row, if not before where the row begins.
    """
    filled = 0
    for c in range(end.size):
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
                below[d] += 1
                filled += 1
        upper[c + 1] = filled
    return filled


@compiled
def _mirror(
    upper: Any, col: Any, total: Any, below: Any, pointer: Any, free: Any, out_col: Any, out_weight: Any, bits: int,
    rows: Any, cols: Any, weights: Any,
) -> None:  # fmt: skip
    """The whole matrix from what lies above its diagonal, in rows of any order: each transposition sorts the rows.

    Lists as in ``_deal``. Then ``below`` says where the entries below the diagonal end.
    """
    start = np.zeros(pointer.size if bits else 1, np.int64)
    for c in range(below.size):
        pointer[c + 1] = pointer[c] + below[c] + upper[c + 1] - upper[c]
        free[c] = pointer[c]
        if bits:
            start[c + 1] = start[c] + below[c]
        below[c] += pointer[c]
    _transpose(upper, upper[1:], col, total, start, bits, rows, cols, weights, free, out_col, out_weight)
    _transpose(
        pointer, below, out_col, out_weight, upper, bits, rows, cols, weights, free, out_col, out_weight
    )


@compiled_part
def _transpose(
    begin: Any, end: Any, col: Any, weight: Any, start: Any, bits: int, rows: Any, cols: Any, weights: Any, free: Any,
    out_col: Any, out_weight: Any,
) -> None:  # fmt: skip
    """Each entry (r, c), from ``begin[r]`` to ``end[r]``, as (c, r) at ``free`` of row c.

    ``start`` counts the entries of the rows before each row c, for the lists.
    """
    if bits:
        first = _ranges(start, bits)
        last = first.copy()
        _move(begin, end, col, weight, bits, last, rows, cols, weights)
        _place(first, last, rows, cols, weights, free, out_col, out_weight)
    else:
        _move(begin, end, col, weight, 0, free, rows, out_col, out_weight)


@compiled_part
def _move(
    begin: Any, end: Any, col: Any, weight: Any, bits: int, free: Any, out_row: Any, out_col: Any, out_weight: Any
) -> None:  # fmt: skip
    """Each entry (r, c) as (c, r) at ``free`` of row c, or with ``bits`` > 0 of its list, with c in ``out_row``."""
    for r in range(end.size):
        for e in range(begin[r], end[r]):
            c = col[e]
            f = free[c >> bits]
            free[c >> bits] = f + 1
            if bits:
                out_row[f] = c
            out_col[f] = r
            out_weight[f] = weight[e]
