"""JSON: node-link as networkx reads it, and the plain dictionary for PyTorch Geometric."""

from __future__ import annotations

import json
import math
from typing import Any

from mivspool.graphs.graph import Graph
from mivspool.graphs.read.nodelink import TAKEN
from mivspool.graphs.write.common import edges_by_id, present, weights, with_positions


def node_link(graph: Graph) -> str:
    """Node-link data (networkx: ``node_link_graph(data, edges="edges")``)."""
    columns = with_positions(graph)
    nodes = []
    for i, node in enumerate(graph.nodes):
        nodes.append({"id": node} | {_free(name): _finite(value) for _, name, value in present(columns, i)})
    edges = []
    for e, ((u, v), weight) in enumerate(zip(edges_by_id(graph), weights(graph), strict=True)):
        edge: dict[str, Any] = {"source": u, "target": v} | ({} if weight is None else {"weight": weight})
        edges.append(edge | {_free(n): _finite(value) for _, n, value in present(graph.edge_attributes, e)})
    meta = {"name": graph.name} | ({} if graph.label is None else {"label": graph.label})
    document = {"directed": False, "multigraph": False, "graph": meta, "nodes": nodes, "edges": edges}
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _free(name: str) -> str:
    """The name of an attribute, behind a colon where the plain word means something else."""
    return f":{name}" if name.lstrip(":") in TAKEN else name


def _finite(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def plain(graph: Graph) -> str:
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
            name: [_finite(v) for v in values] for name, values in graph.node_attributes.items()
        },
        "edge_attributes": {
            name: [_finite(values[e]) for e in listed] for name, values in graph.edge_attributes.items()
        },
    }
    if graph.label is not None:
        document["y"] = graph.label
    if graph.edge_weight is not None:
        document["edge_weight"] = [heavy[e] for e in listed]
    if graph.positions is not None:
        document["pos"] = graph.positions.tolist()
    return document
