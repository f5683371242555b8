"""What the reader understood, as plain data."""

from __future__ import annotations

from typing import Any

from mivspool.graphs.graph import Graph


def summary(graphs: list[Graph]) -> dict[str, Any]:
    """What the reader understood, as ``mivspool read --json`` prints it (DESIGN §3)."""
    first = graphs[0]
    edges: list[list[Any]] = [[first.nodes[u], first.nodes[v]] for u, v in first.edges.T.tolist()]
    if first.edge_weight is not None:
        for edge, weight in zip(edges, first.edge_weight.tolist(), strict=True):
            edge.append(weight if weight == weight else None)  # missing
    return {
        "format": first.format,
        "read_as": first.read_as,
        "readings": [{"as": reading.as_, "title": reading.title} for reading in first.readings],
        "encoding": first.encoding,
        "num_graphs": len(graphs),
        "num_nodes": sum(graph.num_nodes for graph in graphs),
        "num_edges": sum(graph.num_edges for graph in graphs),
        "graphs": [
            {"name": g.name, "label": g.label, "num_nodes": g.num_nodes, "num_edges": g.num_edges}
            for g in graphs
        ],
        "nodes": list(first.nodes),
        "edges": edges,
        "node_attributes": {name: list(values) for name, values in first.node_attributes.items()},
        "repairs": list(dict.fromkeys(repair for graph in graphs for repair in graph.repairs)),
    }
