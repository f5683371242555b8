"""Random connected graphs, named by how they are drawn: ``random:VERTICES:EDGES:SEED`` is the same graph everywhere."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import numpy as np

from mivspool.errors import InputError
from mivspool.graphs.collection import Collection
from mivspool.graphs.graph import Graph
from mivspool.messages import count

PREFIX = "random:"
MOST_VERTICES = 10_000
_NAME = re.compile(r"random:(\d{1,5}):(\d{1,5}):(\d{1,9})")


def random_graph(vertices: int, edges: int, seed: int) -> Graph:
    """A random tree on ``vertices`` vertices and random further edges, ``edges`` in all.

    Raises InputError where a simple connected graph cannot have that many. Only ``random.random`` is used, whose
    sequence Python keeps from version to version.
    """
    most = vertices * (vertices - 1) // 2
    if not 1 <= vertices <= MOST_VERTICES:
        raise InputError(f"a random graph has 1 to {MOST_VERTICES} vertices, not {vertices}")
    if not vertices - 1 <= edges <= most:
        raise InputError(
            f"a connected random graph of {count(vertices, 'vertex')} has {vertices - 1} to "
            f"{count(most, 'edge')}, not {edges}"
        )
    draw = random.Random(f"{vertices}:{edges}:{seed}")

    def below(n: int) -> int:
        return int(draw.random() * n)

    order = list(range(vertices))
    for i in range(vertices - 1, 0, -1):
        j = below(i + 1)
        order[i], order[j] = order[j], order[i]
    pairs = {_pair(order[i], order[below(i)]) for i in range(1, vertices)}
    while len(pairs) < edges:
        u, v = below(vertices), below(vertices)
        if u != v:
            pairs.add(_pair(u, v))
    return Graph(
        name=name_of(vertices, edges, seed),
        nodes=tuple(str(v) for v in range(vertices)),
        edges=np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T,
    )


def name_of(vertices: int, edges: int, seed: int) -> str:
    """The SOURCE of a random graph."""
    return f"{PREFIX}{vertices}:{edges}:{seed}"


def numbers_of(source: str) -> tuple[int, int, int] | None:
    """Vertices, edges and seed of a SOURCE that names a random graph; None where it names something else.

    Raises InputError where it begins like one and is none.
    """
    if not source.startswith(PREFIX):
        return None
    match = _NAME.fullmatch(source)
    if match is None:
        raise InputError(
            f"{source[:60]!r} names no random graph: write random:VERTICES:EDGES:SEED, as in random:12:16:1"
        )
    vertices, edges, seed = (int(group) for group in match.groups())
    return vertices, edges, seed


def _pair(u: int, v: int) -> tuple[int, int]:
    return (u, v) if u < v else (v, u)


class RandomGraphs(Collection):
    """Random connected graphs of one size, numbered by their seed."""

    name = "random"
    title = "Random graphs"
    about = "connected random graphs"
    place = 120
    seeds = 1000  # to step through

    def __len__(self) -> int:
        return self.seeds

    def index(self, source: str) -> int | None:
        """The seed."""
        numbers = numbers_of(source)
        return None if numbers is None else numbers[2]

    def source(self, index: int, like: str = "") -> str:
        """The graph of that seed, as large as ``like``."""
        vertices, edges, _ = numbers_of(like) or (14, 18, 0)
        return name_of(vertices, edges, index)

    def load(self, source: str) -> Graph:
        """The graph."""
        numbers = numbers_of(source)
        assert numbers is not None
        return replace(random_graph(*numbers), collection=self.name)

    def title_of(self, source: str) -> str:
        """Named by its seed."""
        return f"Random graph {self.index(source)}"


COLLECTION = RandomGraphs()
