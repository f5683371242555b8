"""Pooling methods side by side on one graph, as it is drawn: each reduced graph over the original one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from mivspool.compare import GIVEN, Row, choices
from mivspool.content.compare import words
from mivspool.graphs.graph import Graph
from mivspool.messages import fill
from mivspool.pooling import METHODS
from mivspool.pooling.parts.measure import Measures

_MOST_PRODUCT = 4_000_000  # entries of a soft S that is multiplied from level to level


MOST_EDGES = 20_000


_SHOWN_SHARES = 3


def names(given: bool = False) -> list[str]:
    """Every method that pools, MIVSPool once with each score; ``given``: by scores that the graph brings, too."""
    return [choice.key for choice in choices("all", given)]


def first(given: bool) -> list[str]:
    """What is compared where nobody has chosen."""
    return (
        [f"mivspool:{GIVEN}", f"gpool:{GIVEN}", "diffpool"]
        if given
        else [key_of("mivspool"), "gpool", "diffpool"]
    )


def title(name: str) -> str:
    """What a method is called in a heading."""
    method, _, score = name.partition(":")
    own = METHODS[method].title
    if score == GIVEN:
        return fill(words.BY_GIVEN, method=own)
    return f"{own}, {score}" if score and METHODS[method].takes_score else own


def what_each_does(names: Iterable[str]) -> list[str]:
    """A line of Markdown per method: its title, what it does, and the paper; in the order of ``names``."""
    methods = [METHODS[name] for name in dict.fromkeys(name.partition(":")[0] for name in names)]
    return [f"- **{one.title}**: {one.about.removesuffix('.')} ({one.paper})." for one in methods]


def key_of(name: str) -> str:
    """A method's full name: MIVSPool pools by the multiview score unless told otherwise."""
    return choices(name)[0].key


def by_given(name: str) -> bool:
    """Whether a method pools by the scores that the graph brings."""
    return choices(name)[0].score == GIVEN


@dataclass(frozen=True, eq=False)
class Reduced:
    """A reduced graph over the original: n' vertices that stand for some of the n vertices.

    ``cluster`` int64 [n]: the reduced vertex each vertex goes to most (−1: dropped). ``at`` int64 [n']: the vertex
    that a reduced vertex is, −1 where it is none. ``share``: for a soft S, float64 [n, n'], else None; not ``exact``
    where the product over the levels was too large and each vertex follows its largest share.
    """

    row: Row
    cluster: NDArray[np.int64]
    at: NDArray[np.int64]
    share: NDArray[np.float64] | None
    exact: bool = True

    @property
    def measures(self) -> Measures | None:
        """What the last pooling step did."""
        return self.row.measures


def reduced(rows: Sequence[Row], level: int, graph: Graph) -> Reduced | None:
    """What is left after pooling ``level + 1`` times, or as often as there was something to pool; None if refused."""
    made = [row for row in rows[: level + 1] if row.pooled is not None]
    if not made:
        return None
    cluster = np.arange(graph.num_nodes)
    at = np.arange(graph.num_nodes)
    share: NDArray[np.float64] | None = None
    exact = True
    for row in made:
        assert row.pooled is not None
        selection = row.pooled.selection
        if selection.cluster is not None:
            own = selection.cluster.numpy()
            share = None if share is None else _summed(share, own, selection.num_nodes)
            cluster = np.where(cluster >= 0, own[cluster], -1)
        elif selection.assignment is not None:
            soft = _dense(selection.assignment)
            if share is None:
                share = np.where((cluster >= 0)[:, None], soft[cluster], 0.0)
            elif share.shape[0] * soft.shape[1] <= _MOST_PRODUCT:
                share = share @ soft
            else:
                share, exact = soft[share.argmax(1)], False
            cluster = np.where(share.sum(1) > 0, share.argmax(1), -1)
        survivor = row.pooled.survivor
        at = at[survivor.numpy()] if survivor is not None else np.full(selection.num_nodes, -1)
    return Reduced(made[-1], cluster.astype(np.int64), at.astype(np.int64), share, exact)


def _summed(share: NDArray[np.float64], cluster: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """A soft S followed by a hard one."""
    after = np.zeros((share.shape[0], count))
    kept = cluster >= 0
    np.add.at(after.T, cluster[kept], share.T[kept])
    return after


def _dense(assignment: Tensor) -> NDArray[np.float64]:
    made = assignment.to_dense() if assignment.is_sparse else assignment
    return np.asarray(made.double().numpy(), dtype=np.float64)


def places(made: Reduced, positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the reduced vertices stand, float64 [n', 2]: a survivor where it was, a cluster amid its own."""
    count = len(made.at)
    found = np.zeros((count, 2))
    if made.share is not None:
        weight = made.share.sum(0)
        found = made.share.T @ positions / np.maximum(weight, 1e-12)[:, None]
    elif (made.at < 0).any():
        kept = made.cluster >= 0
        size = np.bincount(made.cluster[kept], minlength=count)
        for axis in range(2):
            sums = np.bincount(made.cluster[kept], weights=positions[kept, axis], minlength=count)
            found[:, axis] = sums / np.maximum(size, 1)
    known = made.at >= 0
    found[known] = positions[made.at[known]]
    return found


def apart(drawn: NDArray[np.float64], positions: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool]:
    """The same, in a ring around their middle where they would lie on each other, and whether that was so."""
    count = len(drawn)
    if count < 2:
        return drawn, False
    whole, own = (float(np.ptp(points, axis=0).max()) for points in (positions, drawn))
    if own > 0.3 * whole:
        return drawn, False
    angle = 2 * np.pi * np.arange(count) / count
    ring = 0.22 * whole * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return drawn.mean(axis=0) + ring, True


def panel(
    made: Reduced,
    positions: NDArray[np.float64],
    heading: str,
    notes: Sequence[str],
    most_edges: int | None = None,
) -> dict[str, Any]:
    """One panel for the browser; of more than ``most_edges`` edges (default: MOST_EDGES), the strongest are drawn."""
    most_edges = MOST_EDGES if most_edges is None else most_edges
    assert made.row.pooled is not None
    index, weight = made.row.pooled.adjacency.with_diagonal()
    once = (index[0] < index[1]).numpy()
    edges, weights = index.numpy()[:, once], weight.numpy()[once]
    total = int(once.sum())
    if total > most_edges:
        strongest = np.sort(np.argsort(-weights, kind="stable")[:most_edges])
        edges, weights = edges[:, strongest], weights[strongest]
    drawn = places(made, positions)
    if made.share is not None:
        drawn, moved = apart(drawn, positions)
        notes = [*notes, *([words.NOTE_APART] if moved else [])]
    if not made.exact:
        notes = [*notes, words.NOTE_LARGEST]
    size = (
        np.bincount(made.cluster[made.cluster >= 0], minlength=len(made.at)) if made.share is None else None
    )
    return {
        "title": heading,
        "notes": list(notes),
        "names": list(made.row.reduced_nodes),
        "cluster": made.cluster.tolist(),
        "at": made.at.tolist(),
        "x": np.round(drawn[:, 0], 4).tolist(),
        "y": np.round(-drawn[:, 1], 4).tolist(),
        "size": None if size is None else size.tolist(),
        "shares": None if made.share is None else _strongest(made.share),
        "edges": edges.T.ravel().tolist(),
        "weight": np.round(weights, 5).tolist(),
        "left_out": total - len(weights),
    }


def _strongest(share: NDArray[np.float64]) -> list[list[list[float]]]:
    """For each vertex the clusters it goes to most: [[cluster, share], …]."""
    count = min(_SHOWN_SHARES, share.shape[1])
    order = np.argsort(-share, axis=1, kind="stable")[:, :count]
    values = np.take_along_axis(share, order, axis=1)
    return [
        [[float(c), round(float(s), 3)] for c, s in zip(cs, ss, strict=True)]
        for cs, ss in zip(order.tolist(), values.tolist(), strict=True)
    ]


def originals(graph: Graph, positions: NDArray[np.float64], labels: Sequence[str] | None) -> dict[str, Any]:
    """The graph that lies under every panel."""
    return {
        "ids": list(graph.nodes),
        "labels": None if labels is None else list(labels),
        "x": np.round(positions[:, 0], 4).tolist(),
        "y": np.round(-positions[:, 1], 4).tolist(),
        "edges": graph.edges.T.ravel().tolist(),
    }
