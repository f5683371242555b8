"""Meer's algorithm compiled for the CPU (numba, cached on disk): linear in the edges, without a sort.

``survivors`` is the fast one: it walks the candidates in place, and hands what a few passes leave to the rounds.
``course`` is the rounds from the start: Eq. 10 with each vertex asleep until what it waits for is struck out.
Both compare the vertices by key, higher first, then lower index: the order of ``meer.rank``.

Large arrays are made by numpy, which asks for large pages: filling them takes half the time of numba's own.
Everything here trusts its input; the doors are ``meer.py`` and ``sparse.py``. A CSR is rowptr int64 [N + 1] and
col int32 [M]; self-loops and repeated entries do no harm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mivspool.compiled import compiled

# after so many walks over the candidates in place, the rounds (which never look at an entry twice) take over
_PASSES = 3


def comparable(values: Any) -> Any:
    """Any real array [N] without NaN as int64 [N] of the same order, equal where the values are."""
    if values.dtype.kind != "f":
        return values.astype(np.int64, copy=False)
    return _ordered(values.astype(np.float64, copy=False).view(np.int64))


@compiled
def _ordered(bits: Any) -> Any:
    """The bits of float64 as integers that compare as the numbers do; −0 is 0."""
    out = np.empty_like(bits)
    for v in range(bits.size):
        b = bits[v]
        out[v] = b if b >= 0 else (b ^ np.int64(0x7FFFFFFFFFFFFFFF)) + 1
    return out


def survivors(rowptr: Any, col: Any, key: Any) -> Any:
    """The survivors, bool [N]: a candidate with no better candidate beside it survives and strikes its neighbours out.

    There is one solution, in whatever order the vertices are visited: here by index, in place.
    """
    n = key.size
    survivor = np.zeros(n, np.bool_)
    live, left = np.empty(n, np.int32), np.arange(n, dtype=np.int32)
    _lead(key, live)
    count = _walk(rowptr, col, key, live, left, survivor)
    if count:
        nothing = np.empty(0, np.int64)
        work = np.empty(n, np.int64), np.empty((3, n), np.int32)
        _rounds(rowptr, col, key, live, left[:count], survivor, nothing, nothing, *work)
    return survivor


def course(rowptr: Any, col: Any, key: Any) -> Any:
    """The whole course: survivor bool [N], settled_at int64 [N] (1 … T), cluster int64 [N] (Eq. 11)."""
    n = key.size
    survivor = np.zeros(n, np.bool_)
    settled_at, cluster = np.zeros(n, np.int64), np.full(n, -1, np.int64)
    live, check = np.empty(n, np.int32), np.arange(n, dtype=np.int32)
    _lead(key, live)
    work = np.empty(n, np.int64), np.empty((3, n), np.int32)
    _rounds(rowptr, col, key, live, check, survivor, settled_at, cluster, *work)
    return survivor, settled_at, cluster


@compiled
def _lead(key: Any, live: Any) -> None:
    """live int32 [N], positive: a key's leading bits, so that a look at a neighbour seldom needs more; 0 = settled."""
    if key.size == 0:
        return
    low = key.min()
    span = np.uint64(key.max()) - np.uint64(low)
    shift = np.uint64(0)
    while span >> shift > np.uint64(2**31 - 2):
        shift += np.uint64(1)
    for v in range(key.size):
        live[v] = np.int32(((np.uint64(key[v]) - np.uint64(low)) >> shift) + np.uint64(1))


@compiled
def _walk(rowptr: Any, col: Any, key: Any, live: Any, left: Any, survivor: Any) -> int:
    """A few walks over the candidates ``left``; how many still are, at the front of ``left``."""
    count: int = left.size
    for _ in range(_PASSES):
        still = 0
        for i in range(count):
            v = left[i]
            if live[v] == 0:
                continue
            if _rival(rowptr[v], rowptr[v + 1], col, key, live, v) < rowptr[v + 1]:
                left[still] = v
                still += 1
                continue
            survivor[v] = True
            live[v] = 0
            for e in range(rowptr[v], rowptr[v + 1]):
                live[col[e]] = 0
        count = still
        if count == 0:
            break
    return count


@compiled
def _rival(first: int, end: int, col: Any, key: Any, live: Any, v: int) -> int:
    """The first entry from ``first`` on that is a better candidate than v; ``end`` without one."""
    mine = live[v]
    for e in range(first, end):
        u = col[e]
        if live[u] >= mine and (live[u] > mine or key[u] > key[v] or (key[u] == key[v] and u < v)):
            return e
    return end


@compiled
def _rounds(
    rowptr: Any,
    col: Any,
    key: Any,
    live: Any,
    check: Any,
    survivor: Any,
    settled_at: Any,
    cluster: Any,
    place: Any,
    work: Any,
) -> None:
    """Eq. 10 for the candidates in ``check``, update by update; ``settled_at`` and ``cluster`` may be empty.

    A vertex waits for one better candidate beside it and looks on from there when that one is struck out: what is
    behind it in its row is worse or settled for good, so no entry is looked at twice.
    ``place`` int64 [N] and ``work`` int32 [3, N] are room to work in.
    """
    waiting, next_waiting, woken = work
    for v in check:
        place[v] = rowptr[v]
        waiting[v] = -1
    count = check.size
    k = 0
    while count > 0:
        k += 1
        chosen = 0
        for i in range(count):
            v = check[i]
            if live[v] == 0:
                continue
            place[v] = _rival(place[v], rowptr[v + 1], col, key, live, v)
            if place[v] < rowptr[v + 1]:
                u = col[place[v]]
                next_waiting[v] = waiting[u]
                waiting[u] = v
            else:
                check[chosen] = v
                chosen += 1
        count = 0
        for i in range(chosen):
            v = check[i]
            survivor[v] = True
            live[v] = 0
            if settled_at.size > 0:
                settled_at[v] = k
                cluster[v] = v
            for e in range(rowptr[v], rowptr[v + 1]):
                u = col[e]
                if live[u] != 0:
                    live[u] = 0
                    if settled_at.size > 0:
                        settled_at[u] = k
                    w = waiting[u]
                    while w >= 0:
                        woken[count] = w
                        count += 1
                        w = next_waiting[w]
                if cluster.size > 0 and u != v:
                    best = cluster[u]
                    if best < 0 or key[v] > key[best] or (key[v] == key[best] and v < best):
                        cluster[u] = v
        check, woken = woken, check


@compiled
def ties(rowptr: Any, col: Any, key: Any, survivor: Any, kept: Any, settled_at: Any, cluster: Any) -> Any:
    """bool [N]: a survivor beside an equal that was still a candidate, a non-survivor with two equal best survivors.

    ``kept`` bool [N]: the survivors and what the complement added, of which ``cluster`` is the best one.
    """
    tied = np.zeros(key.size, np.bool_)
    for v in range(key.size):
        if survivor[v]:
            for e in range(rowptr[v], rowptr[v + 1]):
                u = col[e]
                tied[v] |= u != v and key[u] == key[v] and settled_at[u] >= settled_at[v]
        elif not kept[v]:
            best = cluster[v]
            for e in range(rowptr[v], rowptr[v + 1]):
                u = col[e]
                tied[v] |= u != best and kept[u] and key[u] == key[best]
    return tied
