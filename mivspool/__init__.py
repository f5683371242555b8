"""Graph pooling by Maximal Independent Vertex Set (Stanovic, Gaüzère, Brun): library, command line and app."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0.dev0"

# name → module that holds it; nothing heavy is imported before it is asked for
_LAZY = {
    "meer": "mivspool.meer",
    "MIVSPool": "mivspool.pooling",
    "Graph": "mivspool.graphs.graph",
    "read_graph": "mivspool.graphs",
    "read_graphs": "mivspool.graphs",
    "open_source": "mivspool.graphs",
    "load_dataset": "mivspool.graphs",
    "step": "mivspool.levels",
    "load_model": "mivspool.learning.models",
}

if TYPE_CHECKING:
    from mivspool import meer as meer
    from mivspool.graphs import load_dataset as load_dataset
    from mivspool.graphs import open_source as open_source
    from mivspool.graphs import read_graph as read_graph
    from mivspool.graphs import read_graphs as read_graphs
    from mivspool.graphs.graph import Graph as Graph
    from mivspool.learning.models import load_model as load_model
    from mivspool.levels import step as step
    from mivspool.pooling import MIVSPool as MIVSPool


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'mivspool' has no attribute {name!r}")
    module = importlib.import_module(_LAZY[name])
    return module if _LAZY[name] == f"mivspool.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
