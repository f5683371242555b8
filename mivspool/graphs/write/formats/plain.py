"""The plain dictionary for PyTorch Geometric, as JSON."""

from __future__ import annotations

import json
from typing import Any

from mivspool.graphs.graph import Graph
from mivspool.graphs.write.format import Writer
from mivspool.graphs.write.parts.common import finite, weights


def write(graph: Graph) -> str:
    """The plain dictionary as JSON."""
    return json.dumps(plain_dictionary(graph), ensure_ascii=False, allow_nan=False) + "\n"


def plain_dictionary(graph: Graph) -> dict[str, Any]:
    """The graph as plain lists, ready for ``torch_geometric.data.Data``.

    ``edge_index`` lists both directions, sorted; ``edge_weight`` and the attributes of edges follow it.
    """
    place = {pair: e for e, pair in enumerate(map(tuple, graph.edges.T.tolist()))}
    listed = [place[(min(u, v), max(u, v))] for u, v in graph.edge_index.T.tolist()]
    heavy = weights(graph)
    document: dict[str, Any] = {
        "name": graph.name,
        "num_nodes": graph.num_nodes,
        "edge_index": graph.edge_index.tolist(),
        "ids": list(graph.nodes),
        "node_attributes": {
            name: [finite(v) for v in values] for name, values in graph.node_attributes.items()
        },
        "edge_attributes": {
            name: [finite(values[e]) for e in listed] for name, values in graph.edge_attributes.items()
        },
    }
    if graph.label is not None:
        document["y"] = graph.label
    if graph.edge_weight is not None:
        document["edge_weight"] = [heavy[e] for e in listed]
    if graph.positions is not None:
        document["pos"] = graph.positions.tolist()
    return document


WRITER = Writer(
    "plain", "plain dictionary for PyTorch Geometric", ".pyg.json", "application/json", write, place=60
)
