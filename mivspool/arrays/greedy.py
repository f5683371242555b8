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

from mivspool.arrays import atomics, checks, threads
from mivspool.arrays.buffers import borrow
from mivspool.arrays.checks import BOOL, I64, expect, graph, places
from mivspool.arrays.compiled import compiled, compiled_part
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
    bits = wide.view(np.int64)
    parts = threads.slices(bits.size, threads.IN_ORDER)
    threads.together(_order, [(bits[first:last], out[first:last]) for first, last in parts])
    return out


@compiled
def _order(bits: Any, out: Any) -> None:
    """The bits of float64 as integers that compare as the numbers do; −0 is 0."""
    for v in range(bits.size):
        b = bits[v]
        out[v] = b if b >= 0 else (b ^ np.int64(0x7FFFFFFFFFFFFFFF)) + 1


def survivors(rowptr: Any, col: Any, key: Any) -> Any:
    """The survivors, bool [N]: a candidate with no better candidate beside it survives and eliminates its neighbours.

    There is one solution, in whatever order the vertices are visited: here by index, in place, by each thread in its
    own slice.
    """
    n = _fits(rowptr, col, key)
    survivor, live, left = np.zeros(n, np.bool_), _live(key), np.empty(n, np.uint32)
    shared = rowptr, col, key, live, left, survivor
    found = threads.together(_passes, threads.rows(rowptr), 0, *shared)
    if len(found) > 1:
        # candidates that waited for those of another slice
        left = np.concatenate([left[first:last] for first, last in found])
        found = [_passes(0, left.size, _PASSES, rowptr, col, key, live, left, survivor)]
    ((first, last),) = found
    if first < last:
        _settle(rowptr, col, key, live, left[first:last], survivor, np.empty(0, np.int64))
    return survivor


def trace(rowptr: Any, col: Any, key: Any) -> Any:
    """Update by update: survivor bool [N], settled_at int64 [N] (1 … T)."""
    n = _fits(rowptr, col, key)
    survivor, settled_at = np.zeros(n, np.bool_), np.empty(n, np.int64)
    _settle(rowptr, col, key, _live(key), np.arange(n, dtype=np.uint32), survivor, settled_at)
    return survivor, settled_at


def _settle(rowptr: Any, col: Any, key: Any, live: Any, check: Any, survivor: Any, settled_at: Any) -> None:
    """Eq. 10 for the candidates in ``check``, update by update; ``settled_at`` may be empty.

    By several threads as long as many are to be checked.
    """
    n = key.size
    place, waiting, next_waiting = np.empty(n, np.uint64), np.empty(n, np.uint32), np.empty(n, np.uint32)
    each = 1 + col.size // max(n, 1)
    parts = threads.slices(check.size, each)
    threads.together(_begin, parts, check, rowptr, place, waiting)
    graph, wait = (rowptr, col, key, live), (place, waiting, next_waiting)
    k, woken = 0, np.empty((len(parts), n), np.uint32)
    while len(parts) > 1:
        k += 1
        mine = [(first, last, woken[i]) for i, (first, last) in enumerate(parts)]
        found = threads.together(_choose, mine, k, check, *graph, *wait)
        ours = [
            (first, first + chosen, awake, own)
            for (first, _, own), (chosen, awake) in zip(mine, found, strict=True)
        ]
        shared = k, check, rowptr, col, live, survivor, settled_at, waiting, next_waiting
        counts = threads.together(_eliminate, ours, *shared)
        check = np.concatenate([woken[i, :awake] for i, awake in enumerate(counts)])
        parts = threads.slices(check.size, each)
    _updates(k, check, woken[0], *graph, survivor, settled_at, *wait)


def _fits(rowptr: Any, col: Any, key: Any) -> int:
    """N; InputError where there is not one int64 key per vertex."""
    n = graph(rowptr, col)
    expect("key", key, I64, n)
    return n


def _live(key: Any) -> Any:
    """uint16 [N], positive: a key's leading bits, so that comparing two vertices seldom needs more; 0 = settled."""
    live = np.empty(key.size, np.uint16)
    if key.size:
        parts = threads.slices(key.size, threads.IN_ORDER)
        found = threads.together(checks.ends, [(key[first:last],) for first, last in parts])
        low, high = min(low for low, _ in found), max(high for _, high in found)
        shift, most = 0, high - low
        while most >> shift > 2**16 - 2:
            shift += 1
        threads.together(_leading_bits, parts, np.int64(low), np.uint64(shift), key, live)
    return live


@compiled
def _leading_bits(first: int, last: int, low: Any, shift: Any, key: Any, live: Any) -> None:
    for i in range(first, last):
        v = np.uint32(i)
        live[v] = np.uint16(((np.uint64(key[v]) - np.uint64(low)) >> shift) + np.uint64(1))


@compiled
def _passes(
    first: int, last: int, begun: int, rowptr: Any, col: Any, key: Any, live: Any, left: Any, survivor: Any
) -> tuple[int, int]:
    """A few passes, up and down, over the vertices ``first`` to ``last``, or where some have ``begun``, over those in
    ``left[first:last]``; those that are still candidates are then in that part of ``left`` which is returned.

    Up and down: scores that rise with the index are settled in the pass that goes down. Several threads may do this at
    once: a survivor is settled after its neighbours, so that who sees it settled sees itself eliminated.
    """
    for done in range(begun, begun + _PASSES):
        down = done % 2 == 1
        still = last if down else first
        for i in range(last - first):
            place = last - 1 - i if down else first + i
            v = left[place] if done else np.uint32(place)
            mine = atomics.load(live, v)
            if mine == 0:
                continue
            begin, end = rowptr[v], rowptr[v + 1]
            if _rival(begin, end, col, key, live, v, mine) < end:
                if down:
                    still -= 1
                    left[still] = v
                else:
                    left[still] = v
                    still += 1
                continue
            if atomics.load(live, v) == 0:
                continue
            survivor[v] = True
            for e in range(begin, end):
                if col[e] != v:
                    atomics.clear(live, col[e])
            atomics.clear(live, v)
        first, last = (still, last) if down else (first, still)
        if first == last:
            break
    return first, last


@compiled_part
def _rival(first: int, end: int, col: Any, key: Any, live: Any, v: Any, mine: Any) -> int:
    """The first entry from ``first`` on that is a better candidate than v, which has ``mine``; ``end`` without one."""
    for e in range(first, end):
        u = col[e]
        theirs = atomics.load(live, u)
        if theirs >= mine and (theirs > mine or key[u] > key[v] or (key[u] == key[v] and u < v)):
            return e
    return end


@compiled
def _updates(
    k: int,
    check: Any,
    woken: Any,
    rowptr: Any,
    col: Any,
    key: Any,
    live: Any,
    survivor: Any,
    settled_at: Any,
    place: Any,
    waiting: Any,
    next_waiting: Any,
) -> None:
    """The updates from ``k`` + 1 on by one thread; ``woken`` uint32 [N] is a buffer."""
    count = check.size
    while count > 0:
        k += 1
        chosen, awake = _choose(
            0, count, woken, k, check, rowptr, col, key, live, place, waiting, next_waiting
        )
        awake = _eliminate(
            0, chosen, awake, woken, k, check, rowptr, col, live, survivor, settled_at, waiting, next_waiting
        )
        check, woken = woken, check
        count = awake


# nobody waits
_NOBODY = np.uint32(2**32 - 1)


@compiled
def _begin(first: int, last: int, check: Any, rowptr: Any, place: Any, waiting: Any) -> None:
    for i in range(first, last):
        v = check[i]
        place[v] = rowptr[v]
        waiting[v] = _NOBODY


@compiled
def _choose(
    first: int,
    last: int,
    woken: Any,
    k: int,
    check: Any,
    rowptr: Any,
    col: Any,
    key: Any,
    live: Any,
    place: Any,
    waiting: Any,
    next_waiting: Any,
) -> tuple[int, int]:
    """The first half of update ``k`` for ``check[first:last]``, where those that survive are then the first ones.

    A vertex waits for one better candidate beside it, its rival, and continues from there when the rival is eliminated:
    what comes before it in its row is worse or settled for good. In the first updates it does not wait and is in
    ``woken``. Returns how many survive, and how many are in ``woken``.
    """
    chosen = 0
    awake = 0
    for i in range(first, last):
        v = check[i]
        if live[v] == 0:
            continue
        place[v] = _rival(place[v], rowptr[v + 1], col, key, live, v, live[v])
        if place[v] == rowptr[v + 1]:
            check[first + chosen] = v
            chosen += 1
        elif k < _PASSES:
            woken[awake] = v
            awake += 1
        else:
            next_waiting[v] = atomics.swap(waiting, col[place[v]], v)
    return chosen, awake


@compiled
def _eliminate(
    first: int,
    last: int,
    awake: int,
    woken: Any,
    k: int,
    check: Any,
    rowptr: Any,
    col: Any,
    live: Any,
    survivor: Any,
    settled_at: Any,
    waiting: Any,
    next_waiting: Any,
) -> int:
    """The second half of update ``k``: ``check[first:last]`` survive and eliminate their neighbours.

    Those that waited for one of these follow in ``woken``; how many are in it is returned.
    """
    for i in range(first, last):
        v = check[i]
        survivor[v] = True
        live[v] = 0
        if settled_at.size > 0:
            settled_at[v] = k
        for e in range(rowptr[v], rowptr[v + 1]):
            u = col[e]
            # of several survivors beside u, one eliminates it
            if atomics.load(live, u) != 0 and atomics.swap(live, u, 0) != 0:
                if settled_at.size > 0:
                    settled_at[u] = k
                w = waiting[u]
                while w != _NOBODY:
                    woken[awake] = w
                    awake += 1
                    w = next_waiting[w]
    return awake


def assign(rowptr: Any, col: Any, key: Any, kept: Any) -> Any:
    """Eq. 11: the vertices in ``kept`` (bool [N]), int64 [N'], and which of them each vertex is assigned to, int64 [N].

    That is its best neighbour among them, itself for one of them, −1 where there is none. The rows of the kept vertices
    are read, the others' are not: A is symmetric. Each thread reads a slice of them.
    """
    n = _fits(rowptr, col, key)
    expect("survivor", kept, BOOL, n)
    members = np.flatnonzero(kept)
    parts = threads.rows(rowptr, threads.FEW)
    number = len(parts)
    clusters, best = borrow((number * n, np.uint32), (members.size + 1, np.int64))
    clusters, best[members.size] = clusters.reshape(number, n), 0
    ends = np.searchsorted(members, [0, *(last for _, last in parts)])
    mine = [(ends[i], ends[i + 1], clusters[i]) for i in range(number)]
    threads.together(_assign, mine, rowptr, col, key, members, best)
    found = np.empty(n, np.int64)
    every = [(*parts[i], ends[i], ends[i + 1]) for i in range(number)]
    threads.together(_best, every, clusters, members, best, found)
    return members, found


@compiled
def _assign(
    first: int, last: int, cluster: Any, rowptr: Any, col: Any, key: Any, members: Any, best: Any
) -> None:
    """The best of ``members[first:last]`` beside each vertex: ``cluster`` [N], filled here, with N' for nobody.

    Their keys come into ``best``, which ends with one for nobody.
    """
    nobody = np.uint32(members.size)
    cluster[:] = nobody
    for i in range(first, last):
        v, c = members[i], np.uint32(i)
        best[c] = key[v]
        for e in range(rowptr[v], rowptr[v + 1]):
            other = cluster[col[e]]
            # no branch: which of two survivors is better cannot be predicted
            cluster[col[e]] = c if (other == nobody) | (best[other] < key[v]) else other


@compiled
def _best(
    first: int,
    last: int,
    first_member: int,
    last_member: int,
    clusters: Any,
    members: Any,
    best: Any,
    found: Any,
) -> None:
    """What ``_assign`` found in all slices, for the vertices from ``first`` to ``last``."""
    nobody = np.uint32(members.size)
    for i in range(first, last):
        v = np.uint32(i)
        cluster = clusters[0, v]
        for slice in range(1, clusters.shape[0]):
            other = clusters[slice, v]
            better = (other != nobody) & ((cluster == nobody) | (best[cluster] < best[other]))
            cluster = other if better else cluster
        found[v] = -1 if cluster == nobody else np.int64(cluster)
    for c in range(first_member, last_member):
        found[members[c]] = c


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
    shared = rowptr, col, key, _live(key), survivor, kept, settled_at, cluster, tied
    threads.together(_tie, threads.rows(rowptr), *shared)
    return tied


@compiled
def _tie(
    first: int,
    last: int,
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
    for i in range(first, last):
        v = np.uint32(i)
        # whom a neighbour must equal: a survivor itself, a non-survivor its best survivor
        one = np.int64(v) if survivor[v] else cluster[v]
        if kept[v] and not survivor[v]:
            continue
        for e in range(rowptr[v], rowptr[v + 1]):
            u = col[e]
            if live[u] == live[one] and key[u] == key[one] and u != one:
                tied[v] |= settled_at[u] >= settled_at[v] if survivor[v] else kept[u]
