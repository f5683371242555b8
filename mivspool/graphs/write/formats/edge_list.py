"""The edge list as CSV: the vertices are read back in the same order."""

from __future__ import annotations

from typing import Any

from mivspool.graphs.graph import Graph
from mivspool.graphs.write.format import Writer
from mivspool.graphs.write.parts.common import weights
from mivspool.graphs.write.parts.csvtable import table


def write(graph: Graph) -> str:
    """One edge per row, with its weight and attributes. The vertices are read back in the same order.

    For that, a vertex that no earlier row would name in time has a row of its own, without a target.
    """
    weighted = graph.edge_weight is not None
    heading = ["source", "target", *(["weight"] if weighted else []), *graph.edge_attributes]
    heavy = weights(graph)
    blanks = [None] * (len(heading) - 1)
    rows: list[list[Any]] = []
    named = 0  # vertices that a row has named so far
    for v, edges in enumerate(_edges_to_lower(graph)):
        if not edges:
            continue
        introduced = v - 1 if edges[0][0] == v - 1 else v  # the first edge may name the vertex before it too
        rows += [[graph.nodes[alone], *blanks] for alone in range(named, introduced)]
        for u, e in edges:
            weight = [heavy[e]] if weighted else []
            values = (column[e] for column in graph.edge_attributes.values())
            rows.append([graph.nodes[u], graph.nodes[v], *weight, *values])
        named = v + 1
    rows += [[graph.nodes[alone], *blanks] for alone in range(named, graph.num_nodes)]
    return table(heading, rows)


def _edges_to_lower(graph: Graph) -> list[list[tuple[int, int]]]:
    """For each vertex its edges to vertices before it: (the other end, number of the edge); the last one first."""
    lower: list[list[tuple[int, int]]] = [[] for _ in graph.nodes]
    for e, (u, v) in enumerate(graph.edges.T.tolist()):
        lower[v].append((u, e))
    return [edges[::-1] for edges in lower]


WRITER = Writer("csv", "edge list (CSV)", ".csv", "text/csv", write, place=50)
