"""Writing: any graph in the formats of ``WRITERS``, scores and the assignment S as CSV and NPZ.

What is exported reads back to the same graph, whatever stands in its names.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import InputError
from mivspool.graphs.graph import Graph
from mivspool.graphs.write.format import WRITERS, Writer
from mivspool.graphs.write.formats.plain import plain_dictionary
from mivspool.graphs.write.parts.csvtable import table

__all__ = [
    "WRITERS",
    "Writer",
    "assignment_csv",
    "assignment_npz",
    "plain_dictionary",
    "scores_csv",
    "table",
    "write_graph",
]


def write_graph(graph: Graph, format: str) -> str:
    """The graph as a file of that format (a key of ``WRITERS``): text, to be saved in UTF-8.

    Raises InputError where there is no such format.
    """
    writer = WRITERS.get(format)
    if writer is None:
        raise InputError(f"graphs are not written as {format!r}: choose one of {', '.join(WRITERS)}")
    return writer.write(graph)


def scores_csv(nodes: Sequence[str], score: NDArray[Any]) -> str:
    """``vertex,score`` for each vertex ([n]), as ``--score values:FILE`` reads it."""
    values = np.asarray(score, dtype=np.float64).tolist()
    return table(["vertex", "score"], zip(nodes, values, strict=True))


def assignment_csv(nodes: Sequence[str], reduced: Sequence[str], cluster: NDArray[np.int64]) -> str:
    """S by its entries, ``vertex,cluster,value``, from [n] clusters; one that was dropped (cluster -1) has no row."""
    rows = [(nodes[i], reduced[c], 1) for i, c in enumerate(np.asarray(cluster).tolist()) if c >= 0]
    return table(["vertex", "cluster", "value"], rows)


def assignment_npz(
    nodes: Sequence[str],
    reduced: Sequence[str],
    cluster: NDArray[np.int64],
    score: NDArray[Any] | None = None,
) -> bytes:
    """S [n, n'] in scipy's sparse form (``scipy.sparse.load_npz``), ids and scores beside it; no objects.

    ``cluster`` int64 [n]: the column of each vertex, -1 where it was dropped.
    """
    cluster = np.asarray(cluster, dtype=np.int64)
    kept = cluster >= 0
    arrays: dict[str, Any] = {
        "format": np.asarray(b"csr"),
        "shape": np.asarray([len(nodes), len(reduced)]),
        "data": np.ones(int(kept.sum())),
        "indices": cluster[kept],
        "indptr": np.concatenate([[0], np.cumsum(kept)]).astype(np.int64),
        "vertices": np.asarray(nodes, dtype=np.str_),
        "clusters": np.asarray(reduced, dtype=np.str_),
    }
    if score is not None:
        arrays["score"] = np.asarray(score, dtype=np.float64)
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()
