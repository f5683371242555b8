"""What every writer needs: edges by id, weights, values as text, one type for a column."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mivspool.graphs.graph import Graph

Columns = Mapping[str, tuple[Any, ...]]


def edges_by_id(graph: Graph) -> list[tuple[str, str]]:
    """Each edge as the ids of its ends."""
    return [(graph.nodes[u], graph.nodes[v]) for u, v in graph.edges.T.tolist()]


def weights(graph: Graph) -> list[float | None]:
    """The weight of each edge, None where it is missing."""
    if graph.edge_weight is None:
        return [None] * graph.num_edges
    return [weight if math.isfinite(weight) else None for weight in graph.edge_weight.tolist()]


def text(value: Any) -> str:
    """A value as text from which it can be read again."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def kind(values: Sequence[Any]) -> str:
    """The type of a column as GraphML and GEXF call it."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "boolean"
    if kinds == {int}:
        return "long"
    return "double" if kinds and kinds <= {int, float} else "string"


def present(columns: Columns, place: int) -> Iterable[tuple[int, str, Any]]:
    """Number, name and value of the attributes that a vertex or edge has."""
    for k, (name, values) in enumerate(columns.items()):
        value = values[place]
        if value is not None and not (isinstance(value, float) and math.isnan(value)):
            yield k, name, value


def with_positions(graph: Graph) -> dict[str, tuple[Any, ...]]:
    """The vertices' attributes, and their places as x and y."""
    columns = dict(graph.node_attributes)
    if graph.positions is not None:
        x, y = graph.positions.T.tolist()
        columns |= {"x": tuple(x), "y": tuple(y)}
    return columns


def finite(value: Any) -> Any:
    """The value as JSON can hold it: infinity becomes its name, and NaN, which is missing, null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
