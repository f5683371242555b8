"""The plain dictionary that PyTorch Geometric's Data is made from, as we export it and as scripts write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.jsongraph import leave_out
from mivspool.graphs.text import number, shown
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "ids": "{name}: 'ids' must be {n:,} different texts, and {id} is not",
    "lists": "{name}: 'edge_index' must be two lists of the same length",
    "numbers": "{name}: 'edge_index' must hold vertex numbers from 0",
    "size": "{name}: 'num_nodes' is {n}, but 'edge_index' names vertex {vertex:,}",
    "column": "{name}: {column} must be a list of {n:,}",
    "attributes": "{name}: attributes must be an object of lists",
}

_KNOWN = {
    "edge_index", "num_nodes", "name", "y", "ids", "pos", "x", "edge_attr", "node_attributes", "edge_attributes",
    "edge_weight", "directed",
}  # fmt: skip


def knows(document: Any) -> bool:
    """Whether a document has ``edge_index``."""
    return isinstance(document, dict) and "edge_index" in document


def read(document: Mapping[str, Any], context: Context, name: str) -> Graph:
    """``edge_index`` [2][E] with ``num_nodes``; ``ids``, ``edge_weight``, ``pos`` and attributes where given."""
    pairs = _pairs(document["edge_index"], context)
    n = _size(document, pairs, context)
    context.check_size(n, len(pairs) // 2)
    title = document.get("name")
    builder = Builder(context, title if isinstance(title, str) and title else name, "plain", declared=False)
    label = document.get("y")
    label = label[0] if isinstance(label, list) and len(label) == 1 else label
    builder.label = str(label) if isinstance(label, (str, int, float)) else None
    ids = _column(document.get("ids"), n, "ids", context) or [str(i) for i in range(n)]
    for ident in ids:
        if not isinstance(ident, (str, int)) or str(ident) in builder.index:
            raise ReadError(fill(WORDS["ids"], name=context.name, n=n, id=shown(ident)))
        builder.node(str(ident))
    places = _column(document.get("pos"), n, "pos", context) or []
    for i, place in enumerate(places):
        x, y = (number(p) for p in place[:2]) if isinstance(place, list) and len(place) >= 2 else (None, None)
        if x is not None and y is not None:
            builder.position[i] = (x, y)
    for key, values in _attributes(document.get("node_attributes"), n, context):
        for i, value in enumerate(values):
            if value is not None:
                builder.node_value(i, key, value)
    for key, values in _matrix(document.get("x"), n):
        for i, value in enumerate(values):
            builder.node_value(i, key, value)
    for key, values in _others(document, n, builder, label):
        for i, value in enumerate(values):
            builder.node_value(i, key, value)
    _edges(document, pairs, builder)
    return builder.finish()


def _pairs(edge_index: Any, context: Context) -> list[tuple[int, int]]:
    rows = edge_index if isinstance(edge_index, list) and len(edge_index) == 2 else None
    if rows is None or not all(isinstance(row, list) for row in rows) or len(rows[0]) != len(rows[1]):
        raise ReadError(fill(WORDS["lists"], name=context.name))
    if not all(type(i) is int and i >= 0 for row in rows for i in row):
        raise ReadError(fill(WORDS["numbers"], name=context.name))
    return list(zip(*rows, strict=True))


def _size(document: Mapping[str, Any], pairs: list[tuple[int, int]], context: Context) -> int:
    least = max((max(pair) for pair in pairs), default=-1) + 1
    ids, x = document.get("ids"), document.get("x")
    n = document.get("num_nodes")
    if n is None:
        n = len(ids) if isinstance(ids, list) else len(x) if isinstance(x, list) else least
    if type(n) is not int or n < least:
        raise ReadError(fill(WORDS["size"], name=context.name, n=shown(n), vertex=least - 1))
    return n


def _column(values: Any, n: int, name: str, context: Context) -> list[Any] | None:
    if values is None:
        return None
    if not isinstance(values, list) or len(values) != n:
        raise ReadError(fill(WORDS["column"], name=context.name, column=repr(name), n=n))
    return values


def _attributes(columns: Any, n: int, context: Context) -> list[tuple[str, list[Any]]]:
    if columns is None:
        return []
    if not isinstance(columns, dict):
        raise ReadError(fill(WORDS["attributes"], name=context.name))
    return [(str(key), _column(values, n, str(key)[:40], context) or []) for key, values in columns.items()]


def _matrix(table: Any, length: int) -> list[tuple[str, list[Any]]]:
    """The columns of a list of ``length`` rows, as PyTorch Geometric has features; none where it is no such list."""
    rows = [row if isinstance(row, list) else [row] for row in table] if isinstance(table, list) else []
    if len(rows) != length or len({len(row) for row in rows}) != 1:
        return []
    return [(f"attribute {k}", list(column)) for k, column in enumerate(zip(*rows, strict=True))]


def _others(document: Mapping[str, Any], n: int, builder: Builder, label: Any) -> list[tuple[str, list[Any]]]:
    """What else has one value per vertex is an attribute; the rest is said to be left out."""
    found = []
    leftover = {key: value for key, value in document.items() if key not in _KNOWN}
    if builder.label is None and label is not None:
        leftover["y"] = document["y"]
    for key in ("x",):
        if document.get(key) is not None and not _matrix(document[key], n):
            builder.leave_out(key)
    for key, value in leftover.items():
        if (
            isinstance(value, list)
            and len(value) == n
            and not any(isinstance(v, (list, dict)) for v in value)
        ):
            found.append((str(key), value))
        else:
            leave_out(builder, {key: value}, set())
    return found


def _edges(document: Mapping[str, Any], pairs: list[tuple[int, int]], builder: Builder) -> None:
    """Each pair once where its mirror is listed too."""
    m = len(pairs)
    weight = _column(document.get("edge_weight"), m, "edge_weight", builder.context)
    attributes = _attributes(document.get("edge_attributes"), m, builder.context)
    features = _matrix(document.get("edge_attr"), m) if m else []
    if document.get("edge_attr") and not features:
        builder.leave_out("edge_attr")
    if weight is None and len(features) == 1:
        weight, features = features[0][1], []  # one number per edge is its weight
    attributes += features
    listed = set(pairs)
    for k, (u, v) in enumerate(pairs):
        mirrored = (v, u) in listed
        if mirrored and u > v:
            continue
        e = builder.edge(u, v)
        if weight is not None:
            builder.edge_value(e, "weight", weight[k])
        for key, values in attributes:
            if values[k] is not None:
                builder.edge_value(e, key, values[k])


FORMAT = Format(
    name="plain",
    title="plain dictionary for PyTorch Geometric",
    about="This project, and scripts that save PyTorch Geometric's Data as JSON.",
    extensions=(".pyg.json",),
    read=read,
    place=31,
    knows=knows,
    kept="edge_index, ids, x and other columns as attributes, edge_attr, edge_weight, pos, y as the class",
    lost="masks and other members that are not one value per vertex (named in the repairs)",
)
