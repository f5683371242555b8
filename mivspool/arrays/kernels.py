"""Compiled loops over CSR graphs (numba, cached on disk): each is one pass over the edges.

Arrays are contiguous int64 or float64 unless said otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mivspool.arrays import edges, threads
from mivspool.arrays.buffers import allocate, borrow
from mivspool.arrays.checks import F64, I64, expect, graph, places
from mivspool.arrays.compiled import compiled


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
    parts = threads.rows(rowptr, threads.FEW)
    number = len(parts)
    room = col.size if number == 1 else col.size // 2 + number * num_clusters
    (label, inside, raw_col, raw_weight, slot, counts, below, upper, total) = borrow(
        (n, np.uint32), (0 if number == 1 else n, np.float64),
        (room, np.uint32), (room if weight.size else 0, np.float64),
        (number * num_clusters, np.int64), (number * num_clusters, np.int64), (number * num_clusters, np.int64),
        (num_clusters, np.int64), (col.size // 2 if number == 1 else room, np.float64),
    )  # fmt: skip
    slot, counts, below = (given.reshape(number, num_clusters) for given in (slot, counts, below))
    label[:] = cluster
    if number == 1:
        # as many entries as a cluster's vertices have are more than its row will have
        _degrees(rowptr, label, counts[0])
    else:
        threads.together(_count, _numbered(parts, counts), rowptr, col, label)
    start, diagonal = np.empty(num_clusters + 1, np.int64), np.zeros(num_clusters)
    edges.offsets(counts, start)
    shared = rowptr, col, weight, loops, label, inside, diagonal, raw_col, raw_weight
    threads.together(_deal, _numbered(parts, counts), *shared)
    if number > 1:
        _inside(label, inside, diagonal)
    parts = threads.rows(start, number)
    slot, below = slot[: len(parts)], below[: len(parts)]
    mine = [(*part, slot[i], below[i]) for i, part in enumerate(parts)]
    threads.together(_add_up, mine, start, counts, raw_col, raw_weight, upper, total)
    pointer, middle = np.empty(num_clusters + 1, np.int64), counts[0]
    _places(start, upper, below, pointer, middle)
    out_weight, out_col = allocate((pointer[-1], np.float64), (pointer[-1], np.uint32))
    lower = _numbered(parts, below)
    threads.together(_transpose, lower, start, upper, raw_col, total, out_col, out_weight)
    free = slot
    if len(parts) == 1:
        free[0] = middle
    else:
        threads.together(_columns, _numbered(parts, free), pointer, middle, out_col)
        _share(middle, free)
    higher = _numbered(parts, free)
    threads.together(_transpose, higher, pointer, middle, out_col, out_weight, out_col, out_weight)
    return pointer, out_col, out_weight, diagonal


def _numbered(parts: threads.Slices, own: Any) -> list[tuple[int, int, Any]]:
    """The slices, each with its row of ``own``."""
    return [(*part, own[i]) for i, part in enumerate(parts)]


# the label of what is dropped
_NONE = np.uint32(2**32 - 1)


@compiled
def _degrees(rowptr: Any, label: Any, room: Any) -> None:
    """The room of each cluster's row, for one thread."""
    room[:] = 0
    for v in range(label.size):
        if label[v] != _NONE:
            room[label[v]] += np.int64(rowptr[v + 1] - rowptr[v])


@compiled
def _count(first: int, last: int, room: Any, rowptr: Any, col: Any, label: Any) -> None:
    """The room of each cluster's row, for one of several threads: for its entries and one that is overwritten."""
    room[:] = 1
    for i in range(first, last):
        v = np.uint32(i)
        c = label[v]
        if c == _NONE:
            continue
        e = rowptr[v + 1]
        while e > rowptr[v]:
            e -= np.uint64(1)
            if col[e] < v:
                break
            d = label[col[e]]
            room[min(c, d)] += np.int64((d != c) & (d != _NONE))


@compiled
def _deal(
    first: int,
    last: int,
    end: Any,
    rowptr: Any,
    col: Any,
    weight: Any,
    loops: Any,
    label: Any,
    inside: Any,
    diagonal: Any,
    out_col: Any,
    out_weight: Any,
) -> None:
    """Every edge between two clusters to the row of the first of them, at ``end[c]``; the others to the diagonal.

    One of several threads leaves these in ``inside`` [N] instead, to be added up in the order of the vertices.
    A is symmetric, and what lies above its diagonal is all there is to read. The rows are read in order and written
    all over the memory: a write is not waited for, a read is.
    """
    for i in range(first, last):
        v = np.uint32(i)
        c = label[v]
        if c == _NONE:
            continue
        within = loops[v] if loops.size else 0.0
        e = rowptr[v + 1]
        while e > rowptr[v]:
            e -= np.uint64(1)
            if col[e] < v:
                break
            d = label[col[e]]
            # no branch: what lies inside a cluster is overwritten by what comes next
            within += (2 * weight[e] if weight.size else 2.0) if d == c else 0.0
            f = end[min(c, d)]
            out_col[f] = max(c, d)
            if weight.size:
                out_weight[f] = weight[e]
            end[min(c, d)] = f + np.int64((d != c) & (d != _NONE))
        if inside.size:
            inside[v] = within
        else:
            diagonal[c] += within


@compiled
def _inside(label: Any, inside: Any, diagonal: Any) -> None:
    for v in range(label.size):
        if label[v] != _NONE:
            diagonal[label[v]] += inside[v]


@compiled
def _add_up(
    first: int,
    last: int,
    slot: Any,
    below: Any,
    start: Any,
    end: Any,
    col: Any,
    weight: Any,
    upper: Any,
    total: Any,
) -> None:
    """In the rows from ``first`` to ``last`` entries for the same cluster become one, in place.

    What slice i put there ends at ``end[i, c]``, and that of the next one begins after one place more. Row c is then
    from ``start[c]`` to ``upper[c]``; ``below[d]`` counts the rows that have an entry for d. ``slot[d]`` is where the
    entry for cluster d was last put: in this row, if not before where the row begins.
    """
    slot[:] = -1
    below[:] = 0
    filled = start[first]
    for c in range(first, last):
        begin = filled
        own = start[c]
        for i in range(end.shape[0]):
            for e in range(own, end[i, c]):
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
            own = end[i, c] + 1
        start[c], upper[c] = begin, filled


@compiled
def _places(start: Any, upper: Any, below: Any, pointer: Any, middle: Any) -> None:
    """Where each row of the whole matrix begins, and in it what lies above the diagonal.

    ``below`` becomes where each slice puts the entries below it.
    """
    at = np.int64(0)
    for c in range(upper.size):
        pointer[c] = at
        for i in range(below.shape[0]):
            number = below[i, c]
            below[i, c] = at
            at += number
        middle[c] = at
        at += upper[c] - start[c]
    pointer[upper.size] = at


@compiled
def _columns(first: int, last: int, counts: Any, start: Any, end: Any, col: Any) -> None:
    """How many entries each column has in the rows from ``first`` to ``last``."""
    counts[:] = 0
    for c in range(first, last):
        for e in range(start[c], end[c]):
            counts[col[e]] += 1


@compiled
def _share(start: Any, counts: Any) -> None:
    """``counts`` become where each slice puts its entries of a row, from ``start`` on."""
    for c in range(start.size):
        at = start[c]
        for i in range(counts.shape[0]):
            number = counts[i, c]
            counts[i, c] = at
            at += number


@compiled
def _transpose(
    first: int,
    last: int,
    free: Any,
    start: Any,
    end: Any,
    col: Any,
    weight: Any,
    out_col: Any,
    out_weight: Any,
) -> None:
    """The entries of each row to where their column's are ``free``: in the order of the rows, and so sorted."""
    for c in range(first, last):
        for e in range(start[c], end[c]):
            d = col[e]
            f = free[d]
            free[d] = f + 1
            out_col[f] = c
            out_weight[f] = weight[e]
