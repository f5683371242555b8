"""Compare on the site's own graphs: every method, computed beforehand, as the page ``files/compare.js`` takes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mivspool.compare import GIVEN, Row, compare
from mivspool.content.compare import measure_table, reductions, words
from mivspool.graphs import positions
from mivspool.graphs.graph import Graph
from mivspool.levels import own_scores
from mivspool.messages import fill
from mivspool.pooling import Pooled
from mivspool.pooling.parts.measure import EXPLAINED
from mivspool.site import strings
from mivspool.sparse import Adjacency

LEVELS = 3
IN_PAGE = ("mivspool", "mivspool-comp", "gpool", "kmis-1", "kmis-2")
"""The methods that a page can compute by scores that are given (``canvas/js/model/poolings.js``)."""
MEASURES = tuple(name for name in measure_table.SHOWN if name not in ("seconds", "memory"))
# of one step, in this order; the rest follows from the edges (``canvas/js/model/measures.js``)
KEPT = ("information_kept", "assignment_entropy", "mean_stretch", "pairs_lost", "independent", "maximal", "iterations",
        "order_sensitivity")  # fmt: skip
# of a reduced graph; the weaker ones of a denser one are left out of the panel, which says so
_MOST_EDGES = 600
_DIGITS, _WEIGHT_DIGITS = 7, 3  # of a measure; of a weight, which is a width in a panel


def settings() -> dict[str, Any]:
    """What the page says, and what it calls the methods and measures."""
    names = [f"{name}:{GIVEN}" for name in IN_PAGE]
    return {
        "titles": {name: reductions.title(name) for name in (*names, *reductions.names())},
        "does": {
            one.partition(":")[0]: reductions.what_each_does([one])[0]
            for one in (*names, *reductions.names())
        },
        "first": {"given": reductions.first(True), "own": reductions.first(False)},
        "computed": names,
        "levels": LEVELS,
        "kept": KEPT,
        "measures": [
            {
                "name": name,
                "title": EXPLAINED[name].title,
                "text": EXPLAINED[name].text,
                "better": EXPLAINED[name].better,
            }
            for name in MEASURES
        ],
        "words": strings.COMPARE_WORDS | _WORDS,
        "panels": words.PANELS,
    }


_WORDS = {
    "size": words.NOTE_SIZE, "keeps": words.NOTE_KEEPS, "drops": words.NOTE_DROPS, "components": words.NOTE_COMPONENTS,
    "complete": words.NOTE_COMPLETE, "dense": words.NOTE_DENSE, "not_maximal": words.NOTE_NOT_MAXIMAL,
    "ended": words.NOTE_ENDED, "none": words.ABSENT_NONE, "yes": words.YES, "no": words.NO, "measure": words.MEASURE,
    "before": words.BEFORE, "equal": words.EQUAL, "best": words.BEST_MARK, "level": words.LEVEL_NAME,
    "few": words.METHODS_FEW, "with_seed": fill(words.WITH_SEED, seed=0),
}  # fmt: skip


def by_method(graph: Graph) -> dict[str, Any]:
    """What every method makes of a graph, by its name: ``levels``, and ``refused`` where it cannot pool one."""
    at = positions(graph)
    rows: dict[str, list[Row]] = {}
    for row in compare(
        graph, reductions.names(own_scores(graph) is not None), LEVELS, renumberings=2, repeats=1
    ):
        rows.setdefault(row.choice.key, []).append(row)
    return {name: _method(own, graph, at) for name, own in rows.items()}


def _method(rows: Sequence[Row], graph: Graph, at: NDArray[np.float64]) -> dict[str, Any]:
    """One method: a level each as often as it pooled, and why not once more, where it refused."""
    made: dict[str, Any] = {"levels": []}
    for k, row in enumerate(rows):
        if row.pooled is None or row.measures is None:
            made["refused"] = row.refused
            break
        survivor = row.pooled.survivor
        level = _soft(rows, k, graph, at) if survivor is None else _hard(row, row.pooled, survivor)
        flat = row.measures.to_json()
        made["levels"].append(level | {"measures": [_short(flat[name]) for name in KEPT]})
    return made


def _hard(row: Row, pooled: Pooled, survivor: Tensor) -> dict[str, Any]:
    """A step by survivors: which they are, the reduced vertex of each vertex (−1: dropped), A' where it is not SᵀAS."""
    cluster = pooled.selection.cluster
    assert cluster is not None
    found = {"kept": torch.nonzero(survivor).reshape(-1).tolist(), "cluster": cluster.tolist()}
    edges, weight = _edges(pooled.adjacency)
    index, value = row.adjacency.with_diagonal()
    ends, through = cluster[index], (cluster[index] >= 0).all(0)
    joined = Adjacency.from_edge_index(ends[:, through], value[through], len(found["kept"]))
    if _edges(joined) == (edges, weight):
        return found
    return found | {"edges": edges, "weight": [_short(value, _WEIGHT_DIGITS) for value in weight]}


def _edges(adjacency: Adjacency) -> tuple[list[int], list[float]]:
    """Each edge once as u0, v0, u1, v1, …, and the weight of each."""
    index, weight = adjacency.with_diagonal()
    once = index[0] < index[1]
    return index[:, once].T.reshape(-1).tolist(), np.round(weight[once].numpy(), 5).tolist()


def _soft(rows: Sequence[Row], k: int, graph: Graph, at: NDArray[np.float64]) -> dict[str, Any]:
    """What a soft S has made of the graph after k + 1 steps: the panel of the app, without what is not drawn of it."""
    found, measures = reductions.reduced(rows, k, graph), rows[k].measures
    assert found is not None
    assert measures is not None
    panel = reductions.panel(found, at, "", [], _MOST_EDGES)
    after = {"num_edges": measures.after.num_edges, "components": measures.after.components}
    names = ("cluster", "x", "y", "edges", "left_out", "notes")
    return {name: panel[name] for name in names} | {
        "weight": [_short(value, _WEIGHT_DIGITS) for value in panel["weight"]],
        "shares": [[[int(c), round(share, 2)] for c, share in own] for own in panel["shares"]],
        "after": after,
    }


def _short(value: Any, digits: int = _DIGITS) -> Any:
    """A number with so many digits; nothing else changes."""
    if not isinstance(value, float):
        return value
    short = float(np.format_float_positional(value, precision=digits, fractional=False))
    return int(short) if short.is_integer() else short
