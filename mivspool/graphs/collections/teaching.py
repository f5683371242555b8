"""Graphs chosen to make a point, each with its scores and the sentence it is there for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mivspool.errors import InputError
from mivspool.graphs.collection import Collection
from mivspool.graphs.graph import SCORE_ATTRIBUTE, Graph


@dataclass(frozen=True)
class Preset:
    """One point: a graph made here or named as a SOURCE, and a score by name, or one value per vertex."""

    name: str
    title: str
    says: str
    source: str | Callable[[], Graph]
    score: str | tuple[float, ...]
    seed: int = 0
    complement: bool = False

    def graph(self) -> Graph:
        """The graph, which brings scores that are given; a named one may need its data set (DatasetError)."""
        if isinstance(self.source, str):
            from mivspool.graphs.source import open_source

            graph = open_source(self.source)
        else:
            graph = self.source()
        if isinstance(self.score, str):
            return graph
        return replace(graph, node_attributes={**graph.node_attributes, SCORE_ATTRIBUTE: self.score})


def _graph(name: str, pairs: Sequence[tuple[int, int]], positions: np.ndarray) -> Graph:
    edges = sorted({(min(u, v), max(u, v)) for u, v in pairs})
    return Graph(
        name=name,
        nodes=tuple(str(i) for i in range(len(positions))),
        edges=np.array(edges, dtype=np.int64).reshape(-1, 2).T,
        positions=np.asarray(positions, dtype=np.float64),
    )


def _ring(n: int, radius: float = 1.0, centre: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    angle = np.pi / 2 - 2 * np.pi * np.arange(n) / n
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius + np.array(centre))


def _path(n: int) -> Graph:
    positions = np.stack([np.arange(n), np.zeros(n)], axis=1)
    return _graph(f"path of {n}", [(i, i + 1) for i in range(n - 1)], positions)


def _hexagon() -> Graph:
    return _graph("hexagon", [(i, (i + 1) % 6) for i in range(6)], _ring(6))


def _star(leaves: int) -> Graph:
    return _graph(
        f"star with {leaves} leaves",
        [(0, i) for i in range(1, leaves + 1)],
        np.concatenate([[[0.0, 0.0]], _ring(leaves)]),
    )


def _clique(n: int) -> Graph:
    return _graph(f"clique of {n}", [(u, v) for u in range(n) for v in range(u)], _ring(n))


def _two_cliques() -> Graph:
    pairs = [(u + k, v + k) for k in (0, 5) for u in range(5) for v in range(u)] + [(2, 8)]
    return _graph("two cliques and a bridge", pairs, np.concatenate([_ring(5), _ring(5, centre=(3.2, 0.0))]))


def _grid(side: int) -> Graph:
    at = {(i, j): i * side + j for i in range(side) for j in range(side)}
    pairs = [(at[i, j], at[i + a, j + b]) for i, j in at for a, b in ((0, 1), (1, 0)) if (i + a, j + b) in at]
    return _graph(f"grid {side} × {side}", pairs, np.array([(j, -i) for i, j in at], dtype=np.float64))


def _two_centres() -> Graph:
    """Two triangles of high scores, joined by a path of low ones."""
    pairs = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (6, 8)]
    x = [-0.9, -0.9, 0, 1, 2, 3, 4, 4.9, 4.9]
    y = [0.6, -0.6, 0, 0, 0, 0, 0, 0.6, -0.6]
    return _graph("two centres", pairs, np.stack([x, y], axis=1))


def _rising(n: int) -> tuple[float, ...]:
    return tuple((i + 1) / n for i in range(n))


PREFIX = "preset:"

PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "rising-path",
            "A path with rising scores",
            "Only the last candidate has no neighbour with a higher score, so each iteration decides two vertices: "
            "12 vertices take 6 iterations. The paper's “below 5” is a mean over real graphs, not an upper bound.",
            lambda: _path(12),
            _rising(12),
        ),
        Preset(
            "equal-hexagon",
            "A hexagon with equal scores",
            "All scores are tied, so the vertex order decides: 0 survives first, then 2, then 4. "
            "Renumber them, and others survive.",
            _hexagon,
            (0.5,) * 6,
        ),
        Preset(
            "star-centre",
            "A star with the highest score at the centre",
            "One iteration, one survivor: the centre eliminates all leaves, and they are assigned to it.",
            lambda: _star(8),
            (0.9, 0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1),
        ),
        Preset(
            "star-leaf",
            "A star with the highest score at a leaf",
            "The leaf with the highest score eliminates the centre; the other leaves then have no remaining "
            "competitor, and all survive. With the highest score at the centre, 1 vertex survives; here 8 do. "
            "Both sets are maximal.",
            lambda: _star(8),
            (0.65, 0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1),
        ),
        Preset(
            "clique",
            "A clique",
            "Every vertex is adjacent to every other: one survivor, whatever the scores. 8 vertices become 1, "
            "which is why the paper relaxes the method for dense graphs.",
            lambda: _clique(8),
            "uniform",
        ),
        Preset(
            "clique-complement",
            "A clique with the complement",
            "MIVSPool_comp keeps half of the vertices: the eliminated vertices with the highest scores are added. "
            "Survivors may now be adjacent (Eq. 8 no longer holds); every non-survivor still has a surviving "
            "neighbour (Eq. 9).",
            lambda: _clique(8),
            "uniform",
            complement=True,
        ),
        Preset(
            "bridge",
            "Two cliques and a bridge",
            "One survivor per clique, and the bridge becomes the edge between them: the reduced graph shows "
            "two groups, loosely connected.",
            _two_cliques,
            (0.55, 0.72, 0.31, 0.64, 0.48, 0.52, 0.85, 0.43, 0.36, 0.61),
        ),
        Preset(
            "tie",
            "One tie",
            "Vertices 1 and 2 have equal scores and are adjacent. Taken literally, Eq. 10 lets both survive, "
            "which violates Eq. 8; here the tie is broken in favour of the lower index.",
            lambda: _path(4),
            (0.3, 0.8, 0.8, 0.4),
        ),
        Preset(
            "grid",
            "A grid with uniform scores",
            "The survivors among 144 vertices are spread evenly, never adjacent and never far apart, like blue noise. "
            "Eq. 8 rules out crowding, Eq. 9 rules out gaps.",
            lambda: _grid(12),
            "uniform",
        ),
        Preset(
            "molecule",
            "A molecule of NCI1",
            "Few bonds per atom, as in many molecules: the mean degree is 2, and 6 of 10 atoms survive.",
            "NCI1:12",
            "uniform",
        ),
        Preset(
            "protein",
            "A protein of D&D",
            "327 amino acids, yet only 4 iterations: the number depends on how far scores rise along a path, "
            "not on size.",
            "DD:0",
            "uniform",
        ),
        Preset(
            "disconnect",
            "Where Top-k disconnects",
            "The highest scores are at the two ends. Top-k pooling by these scores keeps both ends and cuts the path "
            "between them: two components. MIVSPool keeps one component, because every eliminated vertex "
            "joins a cluster and keeps its edges.",
            _two_centres,
            (0.90, 0.88, 0.92, 0.30, 0.20, 0.31, 0.93, 0.87, 0.89),
        ),
        Preset(
            "petersen",
            "A regular graph: every degree is a tie",
            "Every vertex of the Petersen graph has degree 3, so the degree distinguishes none and every "
            "choice is a tie.",
            "petersen",
            "degree",
        ),
    )
}
"""Every preset by its name, in the order in which a lecture would show them."""


def preset_of(source: str) -> Preset | None:
    """The preset that a SOURCE ``preset:NAME`` names, None where it names something else."""
    return PRESETS.get(source.removeprefix(PREFIX)) if source.startswith(PREFIX) else None


class TeachingExamples(Collection):
    """The graphs of ``PRESETS``: the SOURCE is ``preset:NAME``."""

    name = "presets"
    title = "Teaching examples"
    about = "graphs that each make one point, with scores to match"
    place = 110
    named = True
    one = "teaching example"

    def __len__(self) -> int:
        return len(PRESETS)

    def index(self, source: str) -> int | None:
        """The example of that name; InputError for a name that is none."""
        if not source.startswith(PREFIX):
            return None
        name = source.removeprefix(PREFIX)
        if name not in PRESETS:
            raise InputError(f"there is no preset {name[:60]!r}; there are: {', '.join(PRESETS)}")
        return list(PRESETS).index(name)

    def source(self, index: int, like: str = "") -> str:
        """``preset:NAME``."""
        return f"{PREFIX}{list(PRESETS)[index]}"

    def load(self, source: str) -> Graph:
        """The graph; one that is named may need its data set (DatasetError)."""
        return replace(PRESETS[source.removeprefix(PREFIX)].graph(), collection=self.name)

    def title_of(self, source: str) -> str:
        """The example's title."""
        return PRESETS[source.removeprefix(PREFIX)].title

    def about_of(self, source: str) -> str:
        """The point it makes."""
        return PRESETS[source.removeprefix(PREFIX)].says


COLLECTION = TeachingExamples()
