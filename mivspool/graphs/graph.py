"""A graph as this project sees it: simple, undirected, ids as text outside and dense integers inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Reading:
    """Another way to read a file: ``as_`` is what ``read_graphs`` takes for it, ``title`` what people see."""

    as_: str
    title: str


@dataclass(frozen=True, eq=False)
class Graph:
    """One simple undirected graph with everything a person gave with it.

    ``edges`` is int64 [2, E]: each undirected edge once, ``edges[0] < edges[1]``, sorted by (u, v), no loops.
    ``edge_weight`` is float64 [E] (NaN where missing) or None; ``positions`` float64 [n, 2] or None.
    Attributes hold n (or E) values each, None where missing. ``repairs`` are sentences on what was mended.
    ``read_as`` says in one sentence how a file was read (None: it comes from no file), ``readings`` how else it could
    be.
    """

    name: str
    nodes: tuple[str, ...]
    edges: NDArray[np.int64]
    edge_weight: NDArray[np.float64] | None = None
    node_attributes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    edge_attributes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    label: str | None = None
    positions: NDArray[np.float64] | None = None
    repairs: tuple[str, ...] = ()
    format: str | None = None
    encoding: str | None = None
    read_as: str | None = None
    readings: tuple[Reading, ...] = ()

    @property
    def num_nodes(self) -> int:
        """Number of vertices, isolated ones included."""
        return len(self.nodes)

    @property
    def num_edges(self) -> int:
        """Number of undirected edges."""
        return int(self.edges.shape[1])

    @cached_property
    def edge_index(self) -> NDArray[np.int64]:
        """int64 [2, 2E]: both directions of each edge, sorted by (row, column)."""
        both = np.concatenate([self.edges, self.edges[::-1]], axis=1)
        order = np.lexsort((both[1], both[0]))
        return np.ascontiguousarray(both[:, order])

    @cached_property
    def degree(self) -> NDArray[np.int64]:
        """int64 [n]: distinct neighbours of each vertex."""
        return np.bincount(self.edges.ravel(), minlength=self.num_nodes).astype(np.int64)

    @cached_property
    def index(self) -> dict[str, int]:
        """Vertex id → dense index."""
        return {node: i for i, node in enumerate(self.nodes)}
