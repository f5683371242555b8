"""From listed edges to a simple undirected graph, with sentences on what was mended."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "directed": "made {n:,} directed {n?edge|edges} undirected",
    "parallel": "merged {n:,} parallel {n?edge|edges}",
    "loops": "dropped {n:,} {n?self-loop|self-loops}",
}


@dataclass(frozen=True)
class Simple:
    """``edges`` int64 [2, E] (u < v, sorted); ``first`` int64 [E]: the listed edge each was first given by.

    ``group`` int64 [M]: the edge each listed one became, -1 for a self-loop.
    """

    edges: NDArray[np.int64]
    first: NDArray[np.int64]
    group: NDArray[np.int64]
    repairs: tuple[str, ...]


def simplify(
    source: NDArray[np.int64],
    target: NDArray[np.int64],
    num_nodes: int,
    directed: NDArray[np.bool_] | bool = False,
) -> Simple:
    """Merge parallel edges and both directions, drop self-loops; say how many of each.

    ``source``, ``target``: int64 [M] vertex indices of the listed edges; ``directed``: bool [M] or one
    for all. A directed edge and its reverse are one undirected edge and count as made undirected, not
    as parallel.
    """
    low, high = np.minimum(source, target), np.maximum(source, target)
    proper = low != high
    code = low * np.int64(max(num_nodes, 1)) + high
    kept = np.flatnonzero(proper)
    values, first, inverse, times = np.unique(
        code[kept], return_index=True, return_inverse=True, return_counts=True
    )
    group = np.full(len(source), -1, dtype=np.int64)
    group[kept] = inverse
    arrows = np.broadcast_to(np.asarray(directed, dtype=bool), source.shape)
    repairs = []
    if arrows.any():
        repairs.append(fill(WORDS["directed"], n=int(arrows.sum())))
    parallel = _parallel(source, target, kept, inverse, times, arrows)
    if parallel:
        repairs.append(fill(WORDS["parallel"], n=parallel))
    loops = len(source) - len(kept)
    if loops:
        repairs.append(fill(WORDS["loops"], n=loops))
    n = max(num_nodes, 1)
    return Simple(np.stack([values // n, values % n]), kept[first], group, tuple(repairs))


def _parallel(
    source: NDArray[np.int64],
    target: NDArray[np.int64],
    kept: NDArray[np.int64],
    inverse: NDArray[np.int64],
    times: NDArray[np.int64],
    arrows: NDArray[np.bool_],
) -> int:
    """Listed edges too many: beyond one per edge, or beyond one per direction where both are arrows."""
    surplus = int((times - 1).sum())
    if not surplus or not arrows.any():
        return surplus
    arrow = arrows[kept]
    forward = np.bincount(inverse[arrow & (source < target)[kept]], minlength=len(times))
    backward = np.bincount(inverse[arrow & (source > target)[kept]], minlength=len(times))
    return surplus - int(((forward > 0) & (backward > 0)).sum())
