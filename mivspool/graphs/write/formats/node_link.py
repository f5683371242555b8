"""Node-link JSON, as networkx reads it."""

from __future__ import annotations

import json
from typing import Any

from mivspool.graphs.graph import Graph
from mivspool.graphs.read.formats.nodelink import TAKEN
from mivspool.graphs.write.format import Writer
from mivspool.graphs.write.parts.common import edges_by_id, finite, present, weights, with_positions


def write(graph: Graph) -> str:
    """Node-link data (networkx: ``node_link_graph(data, edges="edges")``)."""
    columns = with_positions(graph)
    nodes = []
    for i, node in enumerate(graph.nodes):
        nodes.append({"id": node} | {_free(name): finite(value) for _, name, value in present(columns, i)})
    edges = []
    for e, ((u, v), weight) in enumerate(zip(edges_by_id(graph), weights(graph), strict=True)):
        edge: dict[str, Any] = {"source": u, "target": v} | ({} if weight is None else {"weight": weight})
        edges.append(edge | {_free(n): finite(value) for _, n, value in present(graph.edge_attributes, e)})
    meta = {"name": graph.name} | ({} if graph.label is None else {"label": graph.label})
    document = {"directed": False, "multigraph": False, "graph": meta, "nodes": nodes, "edges": edges}
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _free(name: str) -> str:
    """The name of an attribute, behind a colon where the plain word means something else."""
    return f":{name}" if name.lstrip(":") in TAKEN else name


WRITER = Writer("node-link", "node-link JSON", ".json", "application/json", write, place=20)
