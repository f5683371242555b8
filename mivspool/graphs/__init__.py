"""Where graphs come from: data sets, classics, files; and how they fit a model, are drawn and written."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

# name → module that holds it; nothing heavy is imported before it is asked for
_LAZY = {
    "Graph": "graph",
    "Dataset": "dataset",
    "DATASETS": "datasets",
    "load_dataset": "datasets",
    "statistics": "datasets",
    "CLASSICS": "collections.classics",
    "load_classic": "collections.classics",
    "FORMATS": "read",
    "read_graph": "read",
    "read_graphs": "read",
    "open_source": "source",
    "open_sources": "source",
    "InputSchema": "features",
    "dataset_features": "features",
    "fit_graph": "features",
    "write_graph": "export",
    "positions": "layout",
}

if TYPE_CHECKING:
    from mivspool.graphs.collections.classics import CLASSICS as CLASSICS
    from mivspool.graphs.collections.classics import load_classic as load_classic
    from mivspool.graphs.dataset import Dataset as Dataset
    from mivspool.graphs.datasets import DATASETS as DATASETS
    from mivspool.graphs.datasets import load_dataset as load_dataset
    from mivspool.graphs.datasets import statistics as statistics
    from mivspool.graphs.export import write_graph as write_graph
    from mivspool.graphs.features import InputSchema as InputSchema
    from mivspool.graphs.features import dataset_features as dataset_features
    from mivspool.graphs.features import fit_graph as fit_graph
    from mivspool.graphs.graph import Graph as Graph
    from mivspool.graphs.layout import positions as positions
    from mivspool.graphs.read import FORMATS as FORMATS
    from mivspool.graphs.read import read_graph as read_graph
    from mivspool.graphs.read import read_graphs as read_graphs
    from mivspool.graphs.source import open_source as open_source
    from mivspool.graphs.source import open_sources as open_sources


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'mivspool.graphs' has no attribute {name!r}")
    return getattr(importlib.import_module(f"mivspool.graphs.{_LAZY[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
