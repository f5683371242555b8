"""Graphs to predict on, by how hard they are: the same number gives the same graph to every student of a class.

How hard a graph is, is said by what a student must follow: how many vertices there are to look at, how many iterations
to think ahead, and whether equal scores matter (then the order of the vertices decides). The hardest counts.
"""

from __future__ import annotations

import itertools
import random
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from mivspool.graphs.collections.classics import CLASSICS, load_classic
from mivspool.graphs.collections.random_graphs import name_of, random_graph
from mivspool.graphs.collections.teaching import PREFIX, PRESETS
from mivspool.graphs.graph import Graph
from mivspool.levels import Level, step

MOST_VERTICES = (9, 16, 30)  # of the levels 1, 2 and 3
HARDEST = len(MOST_VERTICES) + 1
_LARGEST = 60  # vertices that a student can still look at one by one
_ORDER = ("random", "random", "random", "preset", "classic")  # three in five are new to everyone


@dataclass(frozen=True)
class Challenge:
    """A graph to predict on: a SOURCE, the score's name (None: the preset's own) and its seed."""

    source: str
    score: str | None
    seed: int


def difficulty(level: Level) -> int:
    """1 to HARDEST: by the number of vertices, the iterations (T), and ties that matter."""
    if int(level.trace.ties_broken.sum()):
        return HARDEST
    by_size = 1 + bisect_left(MOST_VERTICES, len(level.nodes))
    return max(by_size, min(max(level.num_iterations, 1), HARDEST))


def draw(hard: int, number: int, besides: str = "") -> Challenge:
    """The ``number``-th graph of this difficulty, another than the one called ``besides``."""
    for challenge, graph, score in _proposals(hard, number):
        if challenge.source == besides or graph.num_nodes > _LARGEST:
            continue
        if difficulty(step(graph, score, seed=challenge.seed)[0]) == hard:
            return challenge
    raise AssertionError("the proposals do not end")


def _proposals(hard: int, number: int) -> Iterator[tuple[Challenge, Graph, str | tuple[float, ...]]]:
    chance = random.Random(f"challenge {hard} {number}")

    def below(n: int) -> int:
        return int(chance.random() * n)

    presets = [p for p in PRESETS.values() if not isinstance(p.source, str) and not p.complement]
    least = (4, *MOST_VERTICES)[hard - 1]
    most = (*MOST_VERTICES, _LARGEST)[hard - 1]
    for _ in itertools.count():
        kind, seed = _ORDER[below(len(_ORDER))], below(10_000)
        if kind == "preset":
            preset = presets[below(len(presets))]
            yield Challenge(f"{PREFIX}{preset.name}", None, preset.seed), preset.graph(), preset.score
        elif kind == "classic":
            name = list(CLASSICS)[below(len(CLASSICS))]
            yield Challenge(name, "uniform", seed), load_classic(name), "uniform"
        else:
            n = max(4, least - 2) + below(most - max(4, least - 2) + 1)
            m = n - 1 + below(n)
            m = min(m, n * (n - 1) // 2)
            yield Challenge(name_of(n, m, seed), "uniform", seed), random_graph(n, m, seed), "uniform"
