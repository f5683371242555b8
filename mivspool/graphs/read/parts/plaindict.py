"""The plain dictionary that PyTorch Geometric's Data is made from, as we export it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.text import number, shown


def read(document: Mapping[str, Any], context: Context, name: str) -> Graph:
    """``edge_index`` [2][E] with ``num_nodes``; ``ids``, ``edge_weight``, ``pos`` and attributes where given."""
    pairs = _pairs(document["edge_index"], context)
    n = _size(document, pairs, context)
    context.check_size(n, len(pairs) // 2)
    title = document.get("name")
    builder = Builder(context, title if isinstance(title, str) and title else name, "plain", declared=False)
    label = document.get("y")
    builder.label = str(label) if isinstance(label, (str, int)) else None
    ids = _column(document.get("ids"), n, "ids", context) or [str(i) for i in range(n)]
    for ident in ids:
        if not isinstance(ident, (str, int)) or str(ident) in builder.index:
            raise ReadError(f"{context.name}: 'ids' must be {n:,} different texts, and {shown(ident)} is not")
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
    _edges(document, pairs, builder)
    return builder.finish()


def _pairs(edge_index: Any, context: Context) -> list[tuple[int, int]]:
    rows = edge_index if isinstance(edge_index, list) and len(edge_index) == 2 else None
    if rows is None or not all(isinstance(row, list) for row in rows) or len(rows[0]) != len(rows[1]):
        raise ReadError(f"{context.name}: 'edge_index' must be two lists of the same length")
    if not all(type(i) is int and i >= 0 for row in rows for i in row):
        raise ReadError(f"{context.name}: 'edge_index' must hold vertex numbers from 0")
    return list(zip(*rows, strict=True))


def _size(document: Mapping[str, Any], pairs: list[tuple[int, int]], context: Context) -> int:
    least = max((max(pair) for pair in pairs), default=-1) + 1
    ids, x = document.get("ids"), document.get("x")
    n = document.get("num_nodes")
    if n is None:
        n = len(ids) if isinstance(ids, list) else len(x) if isinstance(x, list) else least
    if type(n) is not int or n < least:
        raise ReadError(
            f"{context.name}: 'num_nodes' is {shown(n)}, but 'edge_index' names vertex {least - 1:,}"
        )
    return n


def _column(values: Any, n: int, name: str, context: Context) -> list[Any] | None:
    if values is None:
        return None
    if not isinstance(values, list) or len(values) != n:
        raise ReadError(f"{context.name}: {name!r} must be a list of {n:,}")
    return values


def _attributes(columns: Any, n: int, context: Context) -> list[tuple[str, list[Any]]]:
    if columns is None:
        return []
    if not isinstance(columns, dict):
        raise ReadError(f"{context.name}: attributes must be an object of lists")
    return [(str(key), _column(values, n, str(key)[:40], context) or []) for key, values in columns.items()]


def _edges(document: Mapping[str, Any], pairs: list[tuple[int, int]], builder: Builder) -> None:
    """Each pair once where its mirror is listed too."""
    m = len(pairs)
    weight = _column(document.get("edge_weight"), m, "edge_weight", builder.context)
    attributes = _attributes(document.get("edge_attributes"), m, builder.context)
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
