"""A graph as this project sees it: simple, undirected, ids as text outside and dense integers inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mivspool.graphs import convert

if TYPE_CHECKING:
    from mivspool.pyvis import Network


SCORE_ATTRIBUTE = "score"
"""The attribute of the vertices that is their score, given by hand or by a file, and no feature."""


@dataclass(frozen=True)
class Reading:
    """Another way to read a file: ``as_`` is what ``read_graphs`` takes for it, ``title`` what people see."""

    as_: str
    title: str


@dataclass(frozen=True, eq=False)
class Graph:
    """One simple undirected graph with everything a person gave with it.

    Args:
        name: what it is called.
        nodes: the ids of its n vertices, each once.
        edges: int64 [2, E], each undirected edge once, ``edges[0] < edges[1]``, sorted by (u, v), no loops.
        edge_weight: float64 [E], NaN where one is missing, or None.
        node_attributes: for each name n values, None where one is missing.
        edge_attributes: for each name E values, None where one is missing.
        label: its class.
        positions: where the vertices stand, float64 [n, 2], or None.
        repairs: sentences on what was mended.
        format: the name of the format of the file it was read from, None where there is no file; so are the next three.
        encoding: of that file.
        read_as: a sentence on how the file was read.
        readings: how else it could be read.
        collection: the name of the collection of this project that it is a graph of (``collection.COLLECTIONS``), None
            for any other graph, whatever it is called.
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
    collection: str | None = None

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

    @classmethod
    def from_data(cls, data: Any, label_columns: int | None = None) -> Graph:
        """The graph of a ``torch_geometric.data.Data``.

        Both directions of an edge become one; what that changes is said in ``repairs``. Vertices are called "0", "1",
        …, or as ``data.ids`` has it. A one-hot x, or one column of whole numbers, becomes the attribute "label",
        whose values are the numbers of the columns; other
        columns are "attribute 0", "attribute 1", …, as those of a TU data set. ``edge_weight``, or an ``edge_attr`` of
        one column, are the weights; y with one value is the class; pos gives positions; further attributes with one
        value per vertex or edge keep their names ("edge_type" of edges is "type").

        Args:
            data: N vertices; ``edge_index`` int64 [2, M], x [N, C].
            label_columns: how many columns of x, counted from its end, are the one-hot code of the label (default:
                all, where x is one-hot).

        Raises:
            InputError: for what is no graph of one kind of vertices, and for an index out of range.
        """
        return cls(**convert.data_fields(data, label_columns))

    def to_data(self, labels: Sequence[str] | None = None) -> Any:
        """The graph as a ``torch_geometric.data.Data``.

        ``x`` float32 [n, C]: the attributes that are numbers (NaN where one is missing), then the label one-hot; none
        where there are no such attributes; ``x_names`` and ``x_labels`` say what its columns are. ``edge_index``
        int64 [2, 2E], sorted; ``edge_weight`` [2E], ``edge_attr`` [2E, D] of the edges' numbers, ``pos`` [n, 2],
        ``y`` [1] where the class is a whole number (otherwise its text is ``label``), ``ids`` where vertices have
        names, and further attributes as lists ("edge_bond" for "bond" of edges).

        Args:
            labels: the labels that have a column each, in their order (default: those that occur, sorted).
        """
        return convert.to_data(self, labels)

    @classmethod
    def from_networkx(cls, graph: Any, name: str | None = None) -> Graph:
        """The graph of a networkx graph, of any of its classes.

        A vertex's id is its text. "weight" of the edges are their weights, "pos" of all vertices their positions, and
        ``graph.graph["label"]`` is the class; other attributes keep their names. Directed and parallel edges become
        one and loops are dropped, which ``repairs`` says.

        Args:
            graph: a networkx graph.
            name: what to call it (default: its own name).
        """
        return cls(**convert.networkx_fields(graph, name))

    def to_networkx(self) -> Any:
        """The graph as a ``networkx.Graph``: what :meth:`from_networkx` reads back to the same graph."""
        return convert.to_networkx(self)

    @classmethod
    def from_pyvis(cls, network: Any, name: str | None = None) -> Graph:
        """The graph of a ``pyvis.network.Network``.

        A vertex's id is its text. An edge's ``value``, otherwise its ``weight`` or ``width``, is its weight; x and y
        of all vertices are their positions, 100 pixels a unit and y upwards. What :meth:`to_pyvis` has stored comes
        back; of a network made by hand, labels that differ from the id become the attribute "label", ``group`` and
        what else is no option of vis-network keep their names. Arrows, parallel edges and loops are mended, which
        ``repairs`` says.

        Args:
            network: a network of pyvis, ours or any.
            name: what to call it (default: its heading).

        Raises:
            InputError: for what has no nodes and edges.
        """
        return cls(**convert.pyvis_fields(network, name))

    def to_pyvis(self, *, physics: bool = False) -> Network:
        """The graph as a ``pyvis.network.Network`` whose page works offline; :meth:`from_pyvis` reads it back.

        Args:
            physics: whether vertices pull and push each other; sliders for it stand below the network.

        Raises:
            MissingPackageError: where pyvis is not installed.
        """
        return convert.to_pyvis(self, physics)
