"""JSON Canvas: cards joined by lines, as Obsidian draws them."""

from __future__ import annotations

from typing import Any

from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.jsongraph import leave_out, nth, objects, place, text_key

_KINDS = ("text", "file", "link", "group")
_OF_EDGES = {"id", "fromNode", "toNode", "fromSide", "toSide", "fromEnd", "toEnd", "label", "color"}


def knows(document: Any) -> bool:
    """Whether the edges lead from a fromNode to a toNode, or the vertices are cards."""
    if not isinstance(document, dict):
        return False
    nodes, edges = document.get("nodes"), document.get("edges")
    if isinstance(edges, list) and edges:
        return all(isinstance(edge, dict) and "fromNode" in edge and "toNode" in edge for edge in edges)
    return (
        isinstance(nodes, list)
        and bool(nodes)
        and all(isinstance(node, dict) and node.get("type") in _KINDS and "width" in node for node in nodes)
    )


def read(document: Any, context: Context, name: str) -> Graph:
    """The graph; what a card says is the vertex's label, its middle the vertex's position."""
    builder = Builder(context, name, "canvas", declared=True)
    leave_out(builder, document, {"nodes", "edges"})
    for number, node in enumerate(objects(document.get("nodes", []), "nodes", context), start=1):
        i = builder.node(*text_key(node.get("id"), nth("vertex", number), context))
        said = next(
            (node[key] for key in ("label", "text", "file", "url") if isinstance(node.get(key), str)), None
        )
        if said is not None:
            builder.node_value(i, "label", said)
        for key in ("type", "color"):
            if node.get(key) is not None:
                builder.node_value(i, key, node[key])
        place(builder, i, _middle(node, "x", "width"), _middle(node, "y", "height"))
    for number, edge in enumerate(objects(document.get("edges", []), "edges", context), start=1):
        u, v = (
            builder.mention(*text_key(edge.get(end), nth("edge", number), context))
            for end in ("fromNode", "toNode")
        )
        k = builder.edge(u, v, directed=edge.get("toEnd", "arrow") != "none")
        for key in ("label", "color"):
            if edge.get(key) is not None:
                builder.edge_value(k, key, edge[key])
        leave_out(builder, edge, _OF_EDGES)
    return builder.finish()


def _middle(node: dict[str, Any], start: str, size: str) -> float | None:
    at, long = node.get(start), node.get(size, 0)
    if isinstance(at, (int, float)) and isinstance(long, (int, float)) and max(abs(at), abs(long)) < 1e9:
        return at + long / 2
    return None


FORMAT = Format(
    name="canvas",
    title="JSON Canvas",
    about="Obsidian and other programs with an infinite canvas.",
    extensions=(".canvas",),
    read=read,
    place=35,
    knows=knows,
    kept="ids, texts as labels, kinds, colours, positions, labels of edges",
    lost="sizes of cards, sides that lines leave from, directions",
)
