"""Cytoscape JSON (.cyjs), of the desktop program and of the script, with or without groups."""

from __future__ import annotations

from typing import Any

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.jsongraph import leave_out, nth, place, text_key
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "groups": "{name}: 'elements' must hold the lists 'nodes' and 'edges'",
    "no_data": "{name}: {what} has no 'data'",
}

_INTERNAL = {"id", "source", "target", "SUID", "selected", "shared_name", "shared name", "parent"}
_OF_ELEMENTS = {
    "data",
    "position",
    "group",
    "selected",
    "selectable",
    "locked",
    "grabbed",
    "grabbable",
    "removed",
}
_OF_DOCUMENT = {"elements", "data", "format_version", "generated_by", "target_cytoscapejs_version"}


def knows(document: Any) -> bool:
    """Whether a document has ``elements``, or is a list of objects with ``data``."""
    if isinstance(document, list):
        first = document[0] if document else None
        return isinstance(first, dict) and isinstance(first.get("data"), dict) and "nodes" not in first
    return isinstance(document, dict) and "elements" in document and "edge_index" not in document


def read(document: Any, context: Context, name: str) -> Graph:
    """The graph of one document."""
    document = {"elements": document} if isinstance(document, list) else document
    data = document.get("data")
    title = data.get("name") if isinstance(data, dict) else None
    builder = Builder(
        context, title if isinstance(title, str) and title else name, "cytoscape", declared=True
    )
    leave_out(builder, document, _OF_DOCUMENT)
    nodes, edges = _groups(document["elements"], context)
    for number, node in enumerate(nodes, start=1):
        values = _data(node, "vertex", number, context)
        i = builder.node(*text_key(values.get("id"), nth("vertex", number), context))
        position = node.get("position")
        if isinstance(position, dict):
            place(builder, i, position.get("x"), position.get("y"))
        builder.node_values(i, {k: v for k, v in values.items() if k not in _INTERNAL})
        leave_out(builder, node, _OF_ELEMENTS)
        leave_out(builder, {"parent": values.get("parent")}, set())
    for number, edge in enumerate(edges, start=1):
        values = _data(edge, "edge", number, context)
        u, v = (
            builder.mention(*text_key(values.get(end), nth("edge", number), context))
            for end in ("source", "target")
        )
        k = builder.edge(u, v)
        builder.edge_values(k, {key: value for key, value in values.items() if key not in _INTERNAL})
        leave_out(builder, edge, _OF_ELEMENTS)
    return builder.finish()


def _groups(elements: Any, context: Context) -> tuple[list[Any], list[Any]]:
    """Vertices and edges, in two lists or in one that is told apart by group or by source."""
    if isinstance(elements, dict):
        groups = elements.get("nodes", []), elements.get("edges", [])
        if all(isinstance(group, list) for group in groups):
            return groups
    elif isinstance(elements, list):
        edges = [e for e in elements if isinstance(e, dict) and _is_edge(e)]
        return [e for e in elements if not (isinstance(e, dict) and _is_edge(e))], edges
    raise ReadError(fill(WORDS["groups"], name=context.name))


def _is_edge(element: dict[str, Any]) -> bool:
    data = element.get("data")
    return element.get("group") == "edges" or (
        isinstance(data, dict) and "source" in data and "target" in data
    )


def _data(element: Any, what: str, place: int, context: Context) -> dict[str, Any]:
    data = element.get("data") if isinstance(element, dict) else None
    if not isinstance(data, dict):
        raise ReadError(fill(WORDS["no_data"], name=context.name, what=nth(what, place)))
    return data


FORMAT = Format(
    name="cytoscape",
    title="Cytoscape JSON",
    about="Cytoscape and Cytoscape.js (also CX's successor on its pages).",
    extensions=(".cyjs",),
    read=read,
    place=32,
    knows=knows,
    kept="ids, attributes in data, positions",
    lost="styles, selections, compound parents",
)
