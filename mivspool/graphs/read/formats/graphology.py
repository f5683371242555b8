"""Graphology's JSON: vertices by key, what they have in ``attributes``."""

from __future__ import annotations

from typing import Any

from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.jsongraph import leave_out, nth, objects, text_key, truth


def knows(document: Any) -> bool:
    """Whether the vertices have keys and attributes, as graphology's ``export()`` gives them."""
    nodes = document.get("nodes") if isinstance(document, dict) else None
    if not isinstance(nodes, list) or not nodes or not all(isinstance(node, dict) for node in nodes):
        return False
    return all("key" in node and set(node) <= {"key", "attributes"} for node in nodes)


def read(document: Any, context: Context, name: str) -> Graph:
    """The graph; the attributes are unpacked."""
    own = document.get("attributes")
    own = own if isinstance(own, dict) else {}
    title = own.get("name", own.get("title"))
    builder = Builder(
        context, title if isinstance(title, str) and title else name, "graphology", declared=True
    )
    options = document.get("options")
    directed = isinstance(options, dict) and options.get("type") == "directed"
    leave_out(builder, document, {"attributes", "options", "nodes", "edges"})
    leave_out(builder, own, {"name", "title"})
    for number, node in enumerate(objects(document["nodes"], "nodes", context), start=1):
        i = builder.node(*text_key(node["key"], nth("vertex", number), context))
        values = node.get("attributes")
        builder.node_values(i, values if isinstance(values, dict) else {})
    for number, edge in enumerate(objects(document.get("edges", []), "edges", context), start=1):
        u, v = (
            builder.mention(*text_key(edge.get(end), nth("edge", number), context))
            for end in ("source", "target")
        )
        turned = directed if edge.get("undirected") is None else not truth(edge["undirected"])
        k = builder.edge(u, v, directed=turned)
        values = edge.get("attributes")
        builder.edge_values(k, values if isinstance(values, dict) else {})
        leave_out(builder, edge, {"key", "source", "target", "attributes", "undirected"})
    return builder.finish()


FORMAT = Format(
    name="graphology",
    title="graphology's JSON",
    about="graphology and sigma.js on pages, Gephi Lite, Gephi 0.10 and later.",
    extensions=(),
    read=read,
    place=34,
    knows=knows,
    kept="keys, all attributes, weights, positions",
    lost="attributes of the graph but its name (named in the repairs), keys of edges",
)
