"""What the canvas is sent: one level of one graph as plain lists, everything by vertex index.

``rank`` and the rest come from the same :class:`mivspool.levels.Level` that the command line prints; the browser only
moves a cursor over it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool import meer
from mivspool.levels import Level


def trace_data(
    level: Level,
    positions: NDArray[np.float64],
    *,
    labels: Sequence[str] | None = None,
    sizes: Sequence[int] | None = None,
    learned: bool = False,
) -> dict[str, Any]:
    """One level for the browser.

    ``positions`` float64 [n, 2]; ``labels`` one word per vertex, shown with its id; ``sizes`` how many original
    vertices each vertex represents; ``learned`` whether the order compares rounded scores (``meer.learned_key``).
    Scores are finite. Raises nothing of its own.
    """
    trace = level.trace
    n = len(level.nodes)
    index, weight = level.adjacency.with_diagonal()
    edges, weights = _once(index.numpy(), weight.numpy())
    reduced_index, reduced_weight = level.reduced.with_diagonal()
    kept = level.survivors.numpy()
    between, between_weight = _once(reduced_index.numpy(), reduced_weight.numpy())
    own = np.ones(n, dtype=np.int64) if sizes is None else np.asarray(sizes, dtype=np.int64)
    cluster = trace.cluster.numpy()
    gathered = (
        np.bincount(cluster, weights=own, minlength=n).astype(np.int64) if n else np.zeros(0, dtype=np.int64)
    )
    drawn = np.nan_to_num(positions.astype(np.float64).reshape(n, 2))
    data: dict[str, Any] = {
        "ids": list(level.nodes),
        "labels": list(labels) if labels is not None else None,
        "x": short(drawn[:, 0]),
        "y": short(-drawn[:, 1]),  # a screen counts downwards
        "edges": edges.T.ravel().tolist(),
        "weight": None if np.all(weights == 1) else weights.tolist(),
        "score": level.score.tolist(),
        "rank": meer.rank(level.key).tolist(),
        "learned": learned,
        "rounded": None if level.rounded is None else level.rounded.tolist(),
        "T": level.num_iterations,
        "settled": trace.settled_at.tolist(),
        "survivor": trace.survivor.int().tolist(),
        "added": np.flatnonzero(trace.added.numpy()).tolist(),
        "cluster": cluster.tolist(),
        "cluster_size": gathered.tolist(),
        "size": None if sizes is None else own.tolist(),
        "reduced": {"edges": kept[between].T.ravel().tolist(), "weight": between_weight.tolist()},
    }
    return _identified(data)


def reduced_data(
    level: Level, positions: NDArray[np.float64], sizes: Sequence[int], labels: Sequence[str] | None = None
) -> dict[str, Any]:
    """The reduced graph of a level, as a trace in which every vertex has survived: for a canvas that stands still.

    ``positions`` float64 [n', 2]; ``sizes``: original vertices behind each of the n' vertices.
    """
    n = len(level.reduced_nodes)
    index, weight = level.reduced.with_diagonal()
    edges, weights = _once(index.numpy(), weight.numpy())
    drawn = np.nan_to_num(positions.astype(np.float64).reshape(n, 2))
    own = list(range(n))
    return _identified(
        {
            "ids": list(level.reduced_nodes),
            "labels": list(labels) if labels is not None else None,
            "x": short(drawn[:, 0]),
            "y": short(-drawn[:, 1]),
            "edges": edges.T.ravel().tolist(),
            "weight": None if np.all(weights == 1) else weights.tolist(),
            "score": [1.0] * n,
            "rank": own,
            "learned": False,
            "T": 0,
            "settled": [0] * n,
            "survivor": [1] * n,
            "added": [],
            "cluster": own,
            "cluster_size": list(sizes),
            "size": list(sizes),
            "reduced": {"edges": [], "weight": []},
        }
    )


def _identified(data: dict[str, Any]) -> dict[str, Any]:
    """With ``drawing``, which says what stands where, and ``id``, which says everything."""
    for name, content in (("drawing", [data["ids"], data["x"], data["y"], data["edges"]]), ("id", data)):
        text = json.dumps(content, separators=(",", ":"))
        data[name] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return data


def _once(
    index: NDArray[np.int64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Each undirected edge once, the diagonal left out: int64 [2, E] and its weight [E]."""
    once = index[0] < index[1]
    return index[:, once], weight[once]


def short(values: NDArray[np.float64]) -> list[float]:
    """Positions [n] with as many digits as a screen can show."""
    spread = float(np.ptp(values)) if values.size else 0.0
    digits = 4 - int(np.floor(np.log10(spread))) if spread > 0 else 4
    return [round(float(value), digits) for value in values]
