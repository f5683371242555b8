"""Meer's algorithm compiled for the CPU (numba, cached on disk): greedy, linear in the edges, without a sort.

``survivors`` is the fast one: a few passes over the candidates in place, then updates for those that remain. ``trace``
is the updates from the start: Eq. 10, where a vertex waits until its rival is eliminated. ``assign`` is Eq. 11.
All compare the vertices by key, higher first, then lower index: the order of ``meer.rank``.

Large arrays are made by numpy, which asks for large pages: filling them takes half the time of numba's own. A CSR is
rowptr uint64 [N + 1] and col uint32 [M] (an index that may be negative costs a test at every access); self-loops and
repeated entries do no harm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mivspool.arrays.buffers import borrow
from mivspool.arrays.checks import BOOL, I64, expect, graph, places
from mivspool.arrays.compiled import compiled
from mivspool.errors import InputError

# so many passes visit every candidate that remains; later ones only those whose rival was eliminated
_PASSES = 3


def comparable(values: Any) -> Any:
    """Any real array [N] without NaN as int64 [N] of the same order, equal where the values are."""
    if values.ndim != 1 or values.dtype.kind not in "fiub":
        raise InputError(
            f"score must be real numbers, one per vertex: it is {values.dtype} of shape {list(values.shape)}"
        )
    if values.dtype.kind != "f":
        return values.astype(np.int64, copy=False)
    wide = values.astype(np.float64, copy=False)
    # a copy may be written over, what was given may not
    out = np.empty(wide.size, np.int64) if wide is values else wide.view(np.int64)
    _order(wide.view(np.int64), out)
    return out


@compiled
def _order(bits: Any, out: Any) -> None:
    """The bits of float64 as integers that compare as the numbers do; −0 is 0."""
    for v in range(bits.size):
        b = bits[v]
        out[v] = b if b >= 0 else (b ^ np.int64(0x7FFFFFFFFFFFFFFF)) + 1


def survivors(rowptr: Any, col: Any, key: Any) -> Any:
    """The survivors, bool [N]: a candidate with no better candidate beside it survives and eliminates its neighbours.

    There is one solution, in whatever order the vertices are visited: here by index, in place.
    """
    n = _fits(rowptr, col, key)
    survivor, live, left = np.zeros(n, np.bool_), _live(key), np.empty(n, np.uint32)
    first, last = _passes(rowptr, col, key, live, left, survivor)
    if first < last:
        work = np.empty(n, np.uint64), np.empty((3, n), np.uint32)
        _updates(rowptr, col, key, live, left[first:last], survivor, np.empty(0, np.int64), *work)
    return survivor


def trace(rowptr: Any, col: Any, key: Any) -> Any:
    """Update by update: survivor bool [N], settled_at int64 [N] (1 … T)."""
    n = _fits(rowptr, col, key)
    survivor, settled_at = np.zeros(n, np.bool_), np.empty(n, np.int64)
    work = np.empty(n, np.uint64), np.empty((3, n), np.uint32)
    _updates(rowptr, col, key, _live(key), np.arange(n, dtype=np.uint32), survivor, settled_at, *work)
    return survivor, settled_at


def _fits(rowptr: Any, col: Any, key: Any) -> int:
    """N; InputError where there is not one int64 key per vertex."""
    n = graph(rowptr, col)
    expect("key", key, I64, n)
    return n


def _live(key: Any) -> Any:
    """uint16 [N], positive: a key's leading bits, so that comparing two vertices seldom needs more; 0 = settled."""
    live = np.empty(key.size, np.uint16)
    if key.size:
        _leading_bits(key, live)
    return live


@compiled
def _leading_bits(key: Any, live: Any) -> None:
    low = key.min()
    span = np.uint64(key.max()) - np.uint64(low)
    shift = np.uint64(0)
    while span >> shift > np.uint64(2**16 - 2):
        shift += np.uint64(1)
    for v in range(key.size):
        live[v] = np.uint16(((np.uint64(key[v]) - np.uint64(low)) >> shift) + np.uint64(1))


@compiled
def _passes(rowptr: Any, col: Any, key: Any, live: Any, left: Any, survivor: Any) -> tuple[int, int]:
    """A few passes over the candidates, up and down; those that are still candidates are ``left[first:last]``.

    Up and down: scores that rise with the index are settled in the pass that goes down.
    """
    first, last = 0, left.size
    for done in range(_PASSES):
        down = done % 2 == 1
        still = last if down else first
        for i in range(last - first):
            v = left[last - 1 - i if down else first + i] if done else np.uint32(i)
            if live[v] == 0:
                continue
            if _rival(rowptr[v], rowptr[v + 1], col, key, live, v) < rowptr[v + 1]:
                if down:
                    still -= 1
                    left[still] = v
                else:
                    left[still] = v
                    still += 1
                continue
            survivor[v] = True
            live[v] = 0
            for e in range(rowptr[v], rowptr[v + 1]):
                live[col[e]] = 0
        first, last = (still, last) if down else (first, still)
        if first == last:
            break
    return first, last


@compiled
def _rival(first: int, end: int, col: Any, key: Any, live: Any, v: Any) -> int:
    """The first entry from ``first`` on that is a better candidate than v; ``end`` without one."""
    for e in range(first, end):
        if _better(col[e], v, key, live):
            return e
    return end


@compiled
def _better(u: int, v: int, key: Any, live: Any) -> bool:
    """Whether u comes before v, which is live, and is live itself."""
    return live[u] >= live[v] and (live[u] > live[v] or key[u] > key[v] or (key[u] == key[v] and u < v))


@compiled
def _updates(
    rowptr: Any,
    col: Any,
    key: Any,
    live: Any,
    check: Any,
    survivor: Any,
    settled_at: Any,
    place: Any,
    work: Any,
) -> None:
    """Eq. 10 for the candidates in ``check``, update by update; ``settled_at`` may be empty.

    A vertex waits for one better candidate beside it, its rival, and continues from there when the rival is eliminated:
    what comes before it in its row is worse or settled for good.
    ``place`` uint64 [N] and ``work`` uint32 [3, N] are buffers.
    """
    waiting, next_waiting, woken = work
    nobody = np.uint32(2**32 - 1)
    for v in check:
        place[v] = rowptr[v]
        waiting[v] = nobody
    count = check.size
    k = 0
    while count > 0:
        k += 1
        chosen = 0
        awake = 0
        for i in range(count):
            v = check[i]
            if live[v] == 0:
                continue
            place[v] = _rival(place[v], rowptr[v + 1], col, key, live, v)
            if place[v] == rowptr[v + 1]:
                check[chosen] = v
                chosen += 1
            elif k < _PASSES:
                woken[awake] = v
                awake += 1
            else:
                u = col[place[v]]
                next_waiting[v] = waiting[u]
                waiting[u] = v
        for i in range(chosen):
            v = check[i]
            survivor[v] = True
            live[v] = 0
            if settled_at.size > 0:
                settled_at[v] = k
            for e in range(rowptr[v], rowptr[v + 1]):
                u = col[e]
                if live[u] != 0:
                    live[u] = 0
                    if settled_at.size > 0:
                        settled_at[u] = k
                    w = waiting[u]
                    while w != nobody:
                        woken[awake] = w
                        awake += 1
                        w = next_waiting[w]
        check, woken = woken, check
        count = awake


def assign(rowptr: Any, col: Any, key: Any, kept: Any) -> Any:
    """Eq. 11: the vertices in ``kept`` (bool [N]), int64 [N'], and which of them each vertex is assigned to, int64 [N].

    That is its best neighbour among them, itself for one of them, −1 where there is none. The rows of the kept vertices
    are read, the others' are not: A is symmetric.
    """
    n = _fits(rowptr, col, key)
    expect("survivor", kept, BOOL, n)
    members = np.flatnonzero(kept)
    cluster, best = borrow((key.size, np.uint32), (members.size + 1, np.int64))
    cluster[:] = members.size
    _assign(rowptr, col, key, members, cluster, best)
    found = cluster.astype(np.int64)
    found[cluster == members.size] = -1
    return members, found


@compiled
def _assign(rowptr: Any, col: Any, key: Any, members: Any, cluster: Any, best: Any) -> None:
    """Fills ``cluster``, which begins as ``nobody``: the number of members. ``best`` [nobody + 1]: their keys."""
    nobody = np.uint32(members.size)
    best[nobody] = 0
    for i in range(members.size):
        v, c = members[i], np.uint32(i)
        best[c] = key[v]
        for e in range(rowptr[v], rowptr[v + 1]):
            other = cluster[col[e]]
            # no branch: which of two survivors is better cannot be predicted
            cluster[col[e]] = c if (other == nobody) | (best[other] < key[v]) else other
    for i in range(members.size):
        cluster[members[i]] = i


def ties(rowptr: Any, col: Any, key: Any, survivor: Any, kept: Any, settled_at: Any, cluster: Any) -> Any:
    """bool [N]: a survivor beside an equal that was still a candidate, a non-survivor with two equal best survivors.

    ``kept`` bool [N]: the survivors and what the complement added, of which ``cluster`` is the best one.
    """
    n = _fits(rowptr, col, key)
    for name, given, dtype in (
        ("survivor", survivor, BOOL), ("kept", kept, BOOL), ("settled_at", settled_at, I64), ("cluster", cluster, I64),
    ):  # fmt: skip
        expect(name, given, dtype, n)
    places("cluster", cluster, n)
    tied = np.zeros(key.size, np.bool_)
    _tie(rowptr, col, key, _live(key), survivor, kept, settled_at, cluster, tied)
    return tied


@compiled
def _tie(
    rowptr: Any,
    col: Any,
    key: Any,
    live: Any,
    survivor: Any,
    kept: Any,
    settled_at: Any,
    cluster: Any,
    tied: Any,
) -> None:
    for v in range(key.size):
        # whom a neighbour must equal: a survivor itself, a non-survivor its best survivor
        one = v if survivor[v] else cluster[v]
        if kept[v] and not survivor[v]:
            continue
        for e in range(rowptr[v], rowptr[v + 1]):
            u = col[e]
            if live[u] == live[one] and key[u] == key[one] and u != one:
                tied[v] |= settled_at[u] >= settled_at[v] if survivor[v] else kept[u]
