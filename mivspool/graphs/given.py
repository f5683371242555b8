"""Graphs as people have them at hand: ours, PyTorch Geometric's or networkx's, one or several, as graphs of this
project.

Nothing is imported to tell them apart: what is no object of a package cannot be given before that package is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mivspool.errors import DatasetError, InputError
from mivspool.graphs.collection import COLLECTIONS, DataSet
from mivspool.graphs.convert import as_number, numeric
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.graph import Graph
from mivspool.graphs.labels import label_text

Given = Any
"""A Graph, a Data or a networkx graph."""
Several = Any
"""A Batch, a data set of PyTorch Geometric or of this project, or an iterable of what ``Given`` is."""


def _is(given: Any, module: str, name: str) -> bool:
    """Whether it is an instance of that class; the class is looked up where its module is imported already."""
    kind = getattr(sys.modules.get(module), name, None)
    return kind is not None and isinstance(given, kind)


def _is_batch(given: Any) -> bool:
    return _is(given, "torch_geometric.data", "Batch")


def is_one(given: Given | Several) -> bool:
    """Whether this is one graph."""
    if isinstance(given, Graph) or _is(given, "networkx", "Graph"):
        return True
    return not _is_batch(given) and (
        _is(given, "torch_geometric.data", "Data") or _is(given, "torch_geometric.data", "HeteroData")
    )


def graph_of(given: Given) -> Graph:
    """One graph as a Graph. Raises InputError for what is none."""
    if isinstance(given, Graph):
        return given
    if _is(given, "networkx", "Graph"):
        return Graph.from_networkx(given)
    if is_one(given):
        return Graph.from_data(given)
    raise InputError(
        f"a graph is a Graph, a Data of PyTorch Geometric or a networkx graph, not {type(given).__name__}: "
        "read a file or a name with open_source"
    )


def graphs_of(given: Given | Several) -> list[Graph]:
    """One or several graphs as a list. Raises InputError for what holds none."""
    if is_one(given):
        return [graph_of(given)]
    if _is_batch(given):
        return [Graph.from_data(data) for data in given.to_data_list()]
    if _is(given, "torch_geometric.data", "Dataset"):
        names = _label_names(given)
        return [_of_dataset(given, i, names) for i in range(len(given))]
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        return [graph_of(given)]  # which says what is wrong
    return [graph_of(one) for one in given]


def dataset_of(given: Several, name: str | None = None) -> Dataset:
    """Several graphs as one data set, with the columns that all of them have.

    Labels and classes are numbered in the order of their numbers, or of their texts. Raises DatasetError where there
    are no graphs.
    """
    if isinstance(given, Dataset):
        return given
    graphs = graphs_of(given)
    if not graphs:
        raise DatasetError("a data set needs at least one graph")
    sizes, counts = [graph.num_nodes for graph in graphs], [graph.num_edges for graph in graphs]
    ptr, edge_ptr = (np.concatenate([[0], np.cumsum(each)]).astype(np.int64) for each in (sizes, counts))
    shared = [n for n in graphs[0].node_attributes if all(n in graph.node_attributes for graph in graphs)]
    label, names = _coded(graphs) if "label" in shared else (None, None)
    columns = [
        name for name in shared if name != "label" and all(numeric(g.node_attributes[name]) for g in graphs)
    ]
    table = np.array(
        [[as_number(v) for graph in graphs for v in graph.node_attributes[name]] for name in columns],
        np.float64,
    )
    classes = _sorted({graph.label for graph in graphs if graph.label is not None})
    place = {one: k for k, one in enumerate(classes)}
    placed = all(graph.positions is not None for graph in graphs)
    return Dataset(
        name=name or str(getattr(given, "name", None) or "graphs"),
        ptr=ptr,
        edges=np.concatenate(
            [g.edges + start for g, start in zip(graphs, ptr[:-1].tolist(), strict=True)], 1
        ),
        edge_ptr=edge_ptr,
        node_label=label,
        label_names=names,
        node_attributes=table.T.reshape(-1, len(columns)) if columns else None,
        attribute_names=tuple(columns),
        target=np.array([place.get(graph.label or "", -1) for graph in graphs], np.int64),
        classes=classes,
        positions=np.concatenate([g.positions for g in graphs if g.positions is not None])
        if placed
        else None,
        repairs=tuple(dict.fromkeys(sentence for graph in graphs for sentence in graph.repairs)),
    )


def _of_dataset(dataset: Any, index: int, names: Sequence[str] | None) -> Graph:
    """A graph of a PyTorch Geometric data set, called as ours are, with what a TU data set knows of its labels."""
    columns = getattr(dataset, "num_node_labels", None)
    data = dataset[index]
    graph = Graph.from_data(data, min(columns, data.num_node_features) if columns else None)
    graph = replace(graph, name=f"{getattr(dataset, 'name', 'graphs')}:{index}")
    if not names or "label" not in graph.node_attributes:
        return graph
    texts = tuple(None if v is None else names[int(v)] for v in graph.node_attributes["label"])
    return replace(graph, node_attributes={**graph.node_attributes, "label": texts})


def _label_names(dataset: Any) -> list[str] | None:
    """The labels of a TU data set as ``load_dataset`` has them; PyTorch Geometric counts from the lowest of its
    file.
    """
    if not getattr(dataset, "num_node_labels", 0):
        return None
    file = Path(dataset.raw_dir) / f"{dataset.name}_node_labels.txt"
    if not file.exists():
        return None
    first = int(np.loadtxt(file, delimiter=",", ndmin=2)[:, 0].min())
    known = (one for one in COLLECTIONS.values() if isinstance(one, DataSet) and one.is_called(dataset.name))
    published = next((one.label_names or {} for one in known), {})
    return [published.get(first + k, str(first + k)) for k in range(dataset.num_node_labels)]


def _coded(graphs: Sequence[Graph]) -> tuple[np.ndarray[Any, np.dtype[np.int64]], tuple[str, ...]]:
    texts = [label_text(value) for graph in graphs for value in graph.node_attributes["label"]]
    names = _sorted(set(texts))
    place = {one: k for k, one in enumerate(names)}
    return np.array([place[text] for text in texts], np.int64), names


def _sorted(texts: set[str]) -> tuple[str, ...]:
    """In the order of their numbers, or of the texts."""
    whole = all(text.lstrip("-").isdecimal() for text in texts)
    return tuple(sorted(texts, key=int)) if whole else tuple(sorted(texts))
