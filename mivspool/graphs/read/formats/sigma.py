"""The JSON of Gephi's exporter for sigma.js: ids, and what else there is in ``attributes``."""

from __future__ import annotations

from typing import Any

from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.jsongraph import leave_out, nth, objects, text_key


def knows(document: Any) -> bool:
    """Whether all vertices have an id and an object of attributes."""
    nodes = document.get("nodes") if isinstance(document, dict) else None
    return (
        isinstance(nodes, list)
        and bool(nodes)
        and isinstance(document.get("edges"), list)
        and all(
            isinstance(node, dict) and "id" in node and isinstance(node.get("attributes"), dict)
            for node in nodes
        )
    )


def read(document: Any, context: Context, name: str) -> Graph:
    """The graph; the attributes are unpacked."""
    builder = Builder(context, name, "sigma", declared=True)
    leave_out(builder, document, {"nodes", "edges"})
    for number, node in enumerate(objects(document["nodes"], "nodes", context), start=1):
        i = builder.node(*text_key(node["id"], nth("vertex", number), context))
        beside = {key: value for key, value in node.items() if key not in {"id", "attributes"}}
        builder.node_values(i, beside | node["attributes"])
    for number, edge in enumerate(objects(document["edges"], "edges", context), start=1):
        u, v = (
            builder.mention(*text_key(edge.get(end), nth("edge", number), context))
            for end in ("source", "target")
        )
        k = builder.edge(u, v)
        own = edge.get("attributes")
        beside = {key: v for key, v in edge.items() if key not in {"id", "source", "target", "attributes"}}
        builder.edge_values(k, beside | own if isinstance(own, dict) else beside)
    return builder.finish()


FORMAT = Format(
    name="sigma",
    title="Gephi's JSON (sigma.js)",
    about="Gephi's JSON exporter, for pages with sigma.js.",
    extensions=(),
    read=read,
    place=36,
    knows=knows,
    kept="ids, all attributes, weights, positions",
    lost="ids of edges",
)
