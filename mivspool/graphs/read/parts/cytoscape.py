"""Cytoscape JSON (.cyjs), of the desktop program and of the script, with or without groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.nodelink import key_of
from mivspool.graphs.read.parts.text import number

_INTERNAL = {"id", "source", "target", "SUID", "selected", "shared_name", "shared name", "parent"}


def read(document: Mapping[str, Any], context: Context, name: str) -> Graph:
    """The graph of one document."""
    elements = document["elements"]
    data = document.get("data")
    title = data.get("name") if isinstance(data, dict) else None
    builder = Builder(
        context, title if isinstance(title, str) and title else name, "cytoscape", declared=True
    )
    nodes, edges = _groups(elements, context)
    for place, node in enumerate(nodes, start=1):
        values = _data(node, "vertex", place, context)
        i = builder.node(*_key(values.get("id"), "vertex", place, context))
        position = node.get("position")
        if isinstance(position, dict):
            x, y = number(position.get("x")), number(position.get("y"))
            if x is not None and y is not None:
                builder.position[i] = (x, y)
        builder.node_values(i, {k: v for k, v in values.items() if k not in _INTERNAL})
    for place, edge in enumerate(edges, start=1):
        values = _data(edge, "edge", place, context)
        u, v = (
            builder.mention(*_key(values.get(end), "edge", place, context)) for end in ("source", "target")
        )
        k = builder.edge(u, v)
        builder.edge_values(k, {key: value for key, value in values.items() if key not in _INTERNAL})
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
    raise ReadError(f"{context.name}: 'elements' must hold the lists 'nodes' and 'edges'")


def _is_edge(element: dict[str, Any]) -> bool:
    data = element.get("data")
    return element.get("group") == "edges" or (
        isinstance(data, dict) and "source" in data and "target" in data
    )


def _data(element: Any, what: str, place: int, context: Context) -> dict[str, Any]:
    data = element.get("data") if isinstance(element, dict) else None
    if not isinstance(data, dict):
        raise ReadError(f"{context.name}: {what} {place:,} of the list has no 'data'")
    return data


def _key(value: Any, what: str, place: int, context: Context) -> tuple[str, None, str]:
    """Cytoscape's ids are text: 1 and "1" are the same there."""
    found = key_of(value)
    if found is None:
        raise ReadError(f"{context.name}: {what} {place:,} of the list lacks an id, source or target")
    return found[1], None, found[1]
