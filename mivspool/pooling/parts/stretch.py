"""How far apart survivors are in the reduced graph, against how far apart they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_SOURCES = 256
_SEED = 20220804


@dataclass(frozen=True)
class Stretch:
    """``mean`` stretch and share of pairs ``lost``, None without any; ``sources``: those sampled."""

    mean: float | None
    lost: float | None
    sources: int | None


def stretch(before: Any, after: Any, survivor: NDArray[np.bool_]) -> Stretch:
    """Distances in edges between survivors, after divided by before.

    ``before`` [n, n] and ``after`` [n', n'] are scipy CSR matrices, ``survivor`` bool [n] with n' survivors.
    Pairs that are connected before count as lost where they no longer are; the mean is over the others. From
    more than 256 survivors, 256 are drawn with a fixed seed and all their pairs are taken; ``sources`` says
    how many.
    """
    kept = np.flatnonzero(survivor)
    source = np.arange(kept.size)
    sampled = None
    if kept.size > MOST_SOURCES:
        sampled = MOST_SOURCES
        source = np.sort(np.random.default_rng(_SEED).choice(kept.size, MOST_SOURCES, replace=False))
    connected = lost = 0
    total = 0.0
    # in pieces, so that the distances of a large graph never stand in memory together
    for piece in np.array_split(source, max(1, source.size * survivor.size // 2_000_000)):
        if piece.size == 0:
            continue
        far_before = _distances(before, kept[piece])[:, kept]
        far_after = _distances(after, piece)
        pair = np.isfinite(far_before) & (far_before > 0)
        still = pair & np.isfinite(far_after)
        connected += int(pair.sum())
        lost += int(pair.sum() - still.sum())
        total += float((far_after[still] / far_before[still]).sum())
    if connected == 0:
        return Stretch(None, None, sampled)
    return Stretch(total / (connected - lost) if connected > lost else None, lost / connected, sampled)


def _distances(matrix: Any, source: NDArray[np.int64]) -> Any:
    from scipy.sparse.csgraph import dijkstra

    return dijkstra(matrix, directed=True, indices=source, unweighted=True)
