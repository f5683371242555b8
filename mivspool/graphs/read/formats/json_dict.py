"""Dictionaries of lists or of dictionaries, as networkx's ``to_dict_of_lists`` and ``to_dict_of_dicts`` give them."""

from __future__ import annotations

from typing import Any

from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.jsongraph import key_of


def knows(document: Any) -> bool:
    """Whether every member lists neighbours, each of which is a member too."""
    if not isinstance(document, dict) or not document:
        return False
    kind = type(next(iter(document.values())))
    if kind not in (list, dict) or not all(type(value) is kind for value in document.values()):
        return False
    if kind is dict and not all(
        isinstance(edge, dict) for value in document.values() for edge in value.values()
    ):
        return False
    found = (key_of(item) for value in document.values() for item in value)
    return all(key is not None and key[1] in document for key in found)


def read(document: Any, context: Context, name: str) -> Graph:
    """The graph; an edge that only one of its ends lists is directed."""
    builder = Builder(context, name, "json-dict", declared=True)
    for key in document:
        builder.node(key)
    listed = {(u, str(key_of(v)[1])) for u, others in document.items() for v in others}  # type: ignore[index]
    for u, others in document.items():
        for item in others:
            v = str(key_of(item)[1])  # type: ignore[index]
            mirrored = (v, u) in listed
            if mirrored and builder.index[u] > builder.index[v]:
                continue
            k = builder.edge(builder.index[u], builder.index[v], directed=not mirrored)
            if isinstance(others, dict):
                builder.edge_values(k, others[item])
    return builder.finish()


FORMAT = Format(
    name="json-dict",
    title="dictionary of neighbours as JSON",
    about="networkx (to_dict_of_lists, to_dict_of_dicts) and scripts: each vertex with its neighbours.",
    extensions=(),
    read=read,
    place=41,
    knows=knows,
    kept="vertices, edges, attributes of edges",
    lost="nothing",
)
