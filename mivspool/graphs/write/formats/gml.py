"""GML: plain ASCII, everything else as character references."""

from __future__ import annotations

import math
from typing import Any

from mivspool.graphs.graph import Graph
from mivspool.graphs.read.formats.gml import key_of
from mivspool.graphs.write.format import Writer
from mivspool.graphs.write.parts.common import Columns, present, weights


def write(graph: Graph) -> str:
    """The file. A vertex's label is its id here; ids are numbers in GML."""
    lines = ['Creator "MIVSPool"', "graph [", f"  name {_text(graph.name)}"]
    if graph.label is not None:
        lines.append(f"  label {_text(graph.label)}")
    for i, node in enumerate(graph.nodes):
        lines += ["  node [", f"    id {i}", f"    label {_text(node)}"]
        if graph.positions is not None:
            x, y = graph.positions[i].tolist()
            lines.append(f"    graphics [ x {x!r} y {y!r} ]")
        lines += [*_values(graph.node_attributes, i), "  ]"]
    for e, ((u, v), weight) in enumerate(zip(graph.edges.T.tolist(), weights(graph), strict=True)):
        lines += ["  edge [", f"    source {u}", f"    target {v}"]
        if weight is not None:
            lines.append(f"    weight {weight!r}")
        lines += [*_values(graph.edge_attributes, e), "  ]"]
    return "\n".join([*lines, "]", ""])


def _text(value: str) -> str:
    return '"' + "".join(c if " " <= c <= "~" and c not in '"&' else f"&#{ord(c)};" for c in value) + '"'


def _values(columns: Columns, place: int) -> list[str]:
    return [f"    {key_of(name)} {_value(value)}" for _, name, value in present(columns, place)]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    return _text(str(value))


WRITER = Writer("gml", "GML", ".gml", "text/plain", write, place=40)
