"""A data set of graphs as a few arrays, so that learning never touches one Python object per vertex."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import InputError
from mivspool.graphs.graph import Graph
from mivspool.messages import count


@dataclass(frozen=True, eq=False)
class Dataset:
    """G graphs with N vertices and E undirected edges in all; ``dataset[i]`` is one :class:`Graph`.

    Vertices are numbered through the whole data set: graph i has ``ptr[i]`` to ``ptr[i + 1] - 1``.

    - ``ptr`` int64 [G + 1], ``edge_ptr`` int64 [G + 1]
    - ``edges`` int64 [2, E]: each undirected edge once, ``edges[0] < edges[1]``, sorted, no loops
    - ``node_label`` int64 [N] into ``label_names``, or None: labels as they stand in the source
    - ``node_attributes`` float64 [N, A] named by ``attribute_names``, or None
    - ``target`` int64 [G] into ``classes`` (-1 where the source gives none)
    - ``positions`` float64 [N, 2] or None
    - ``edge_attributes``: name → int64 [E]
    - ``collection``: the name by which the project knows it, None for a data set of somebody's own
    """

    name: str
    ptr: NDArray[np.int64]
    edges: NDArray[np.int64]
    edge_ptr: NDArray[np.int64]
    node_label: NDArray[np.int64] | None
    label_names: tuple[str, ...] | None
    node_attributes: NDArray[np.float64] | None
    attribute_names: tuple[str, ...]
    target: NDArray[np.int64]
    classes: tuple[str, ...]
    positions: NDArray[np.float64] | None = None
    edge_attributes: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    repairs: tuple[str, ...] = ()
    collection: str | None = None

    def __len__(self) -> int:
        return len(self.ptr) - 1

    @property
    def num_nodes(self) -> NDArray[np.int64]:
        """int64 [G]: vertices of each graph."""
        return np.diff(self.ptr)

    @property
    def num_edges(self) -> NDArray[np.int64]:
        """int64 [G]: undirected edges of each graph."""
        return np.diff(self.edge_ptr)

    @property
    def degree(self) -> NDArray[np.int64]:
        """int64 [N]: distinct neighbours of each vertex."""
        return np.bincount(self.edges.ravel(), minlength=int(self.ptr[-1])).astype(np.int64)

    def __getitem__(self, index: int) -> Graph:
        """Graph ``index`` (from 0); vertex ids are "0", "1", …. Raises InputError out of range."""
        if not 0 <= index < len(self):
            raise InputError(
                f"{self.name} has {count(len(self), 'graph')}, numbered 0 to {len(self) - 1}: there is no {index}"
            )
        start, end = int(self.ptr[index]), int(self.ptr[index + 1])
        own = slice(int(self.edge_ptr[index]), int(self.edge_ptr[index + 1]))
        target = int(self.target[index])
        return Graph(
            name=f"{self.name}:{index}",
            nodes=tuple(str(i) for i in range(end - start)),
            edges=self.edges[:, own] - start,
            node_attributes=self._attributes(start, end),
            edge_attributes={name: tuple(v[own].tolist()) for name, v in self.edge_attributes.items()},
            label=self.classes[target] if target >= 0 else None,
            positions=None if self.positions is None else self.positions[start:end].copy(),
            collection=self.collection,
        )

    def __iter__(self) -> Iterator[Graph]:
        return (self[i] for i in range(len(self)))

    def to_data(self) -> list[Any]:
        """The graphs as PyTorch Geometric's ``Data``, to train on: ``DataLoader(dataset.to_data(), batch_size=64)``.

        All graphs have the same columns of x: one per attribute, then one per label of the data set.

        Returns:
            A list of G ``torch_geometric.data.Data`` as of ``Graph.to_data``, with y int64 [1] the place of the
            class in ``classes``; no y where the source gives no class.
        """
        import torch

        found = []
        for graph, target in zip(self, self.target.tolist(), strict=True):
            data = graph.to_data(labels=self.label_names)
            data.y = torch.tensor([target]) if target >= 0 else None
            found.append(data)
        return found

    def _attributes(self, start: int, end: int) -> dict[str, tuple[Any, ...]]:
        attributes: dict[str, tuple[Any, ...]] = {}
        if self.node_label is not None and self.label_names is not None:
            attributes["label"] = tuple(self.label_names[k] for k in self.node_label[start:end].tolist())
        if self.node_attributes is not None:
            for name, column in zip(self.attribute_names, self.node_attributes[start:end].T, strict=True):
                attributes[name] = tuple(column.tolist())
        return attributes


@dataclass(frozen=True)
class Statistics:
    """Table 1 of the paper for one data set: counts, and mean ± sample standard deviation over its graphs."""

    name: str
    graphs: int
    classes: int
    vertices: float
    vertices_std: float
    edges: float
    edges_std: float
    max_vertices: int
    max_edges: int


def statistics(dataset: Dataset) -> Statistics:
    """The figures of Table 1: edges are undirected and counted once."""
    vertices, edges = dataset.num_nodes, dataset.num_edges
    spread = 1 if len(dataset) > 1 else 0
    return Statistics(
        name=dataset.name,
        graphs=len(dataset),
        classes=len(dataset.classes),
        vertices=float(vertices.mean()),
        vertices_std=float(vertices.std(ddof=spread)),
        edges=float(edges.mean()),
        edges_std=float(edges.std(ddof=spread)),
        max_vertices=int(vertices.max()),
        max_edges=int(edges.max()),
    )
