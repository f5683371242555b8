"""JSON: loaded behind caps on numbers, nesting and size; then told apart by its keys."""

from __future__ import annotations

import json
import re
from typing import Any

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts import cytoscape, nodelink, plaindict
from mivspool.graphs.read.parts.context import Context, Found

_JSON = re.compile(r"\s*(?:\{|\[\s*(?:[\"\[{\]]|-?\d+(?:\.\d+)?\s*[,\]\s]|\Z))")

_LONGEST_NUMBER = 400
_MOST_VALUES = 8_000_000
_MOST_CONTAINERS = 3_000_000


def load(text: str, context: Context) -> Any:
    """The document. Raises ReadError with the line where it is no JSON, LimitError where it is too large."""
    name = context.name
    if (
        text.count("{") + text.count("[") > _MOST_CONTAINERS
        or text.count(",") + text.count(":") > _MOST_VALUES
    ):
        raise LimitError(f"{name} is JSON of too many values: save the graph as a CSV of edges")

    def whole(digits: str) -> int:
        if len(digits) > _LONGEST_NUMBER:
            raise ReadError(
                f"{name} holds a number of {len(digits):,} digits: ids that long must be in quotation marks"
            )
        return int(digits)

    try:
        return json.loads(text, parse_int=whole)
    except json.JSONDecodeError as error:
        raise ReadError(
            f"{name} is not valid JSON ({error.msg} at column {error.colno}): it was cut off or edited by hand",
            line=error.lineno,
        ) from error
    except RecursionError as error:
        raise LimitError(f"{name} is JSON nested too deeply to be a graph") from error


def depth(value: Any, most: int) -> int:
    """How deep lists and objects are nested, counted no further than ``most`` + 1."""
    level, layer = 0, [value]
    while layer and level <= most:
        inner = []
        for item in layer:
            if isinstance(item, dict):
                inner += [v for v in item.values() if isinstance(v, (dict, list))]
            elif isinstance(item, list):
                inner += [v for v in item if isinstance(v, (dict, list))]
        layer = inner
        level += 1
    return level


def read(text: str, context: Context) -> Found:
    """The graphs of a JSON document: node-link, Cytoscape, our plain dictionary, or a list of edges or graphs."""
    document = load(text, context)
    context.check_time()
    if depth(document, context.limits.depth) > context.limits.depth:
        raise LimitError(f"{context.name} is JSON nested more than {context.limits.depth} deep")
    return _graphs(document, context, context.stem)


def _graphs(document: Any, context: Context, name: str) -> Found:
    if isinstance(document, list):
        return _list(document, context, name)
    if not isinstance(document, dict):
        raise ReadError(f"{context.name} is JSON, but neither an object nor a list: it describes no graph")
    if "edge_index" in document:
        return [plaindict.read(document, context, name)]
    if "elements" in document:
        return [cytoscape.read(document, context, name)]
    inner = document.get("graph")
    if "nodes" not in document and isinstance(inner, dict) and "nodes" in inner:
        return [nodelink.read(inner, context, name)]  # JSON Graph Format
    for key in ("graphs", "networks"):
        if isinstance(document.get(key), list):
            return _list(document[key], context, name)
    if {"nodes", "edges", "links", "adjacency"} & set(document):
        return [nodelink.read(document, context, name)]
    keys = ", ".join(str(key)[:30] for key in list(document)[:6]) or "nothing"
    raise ReadError(
        f"{context.name} is JSON with {keys}: a graph needs 'nodes' and 'edges' (or 'links'), 'elements' "
        "(Cytoscape) or 'edge_index'"
    )


def _list(items: list[Any], context: Context, name: str) -> Found:
    """A list of graphs, or of pairs that are edges."""
    if items and all(isinstance(item, (list, str)) for item in items):
        return [nodelink.read({"edges": items}, context, name)]
    if items and all(isinstance(item, dict) for item in items):
        first = items[0]
        if nodelink.ends_of(first) is not None:
            return [nodelink.read({"edges": items}, context, name)]
        if isinstance(first.get("data"), dict) and "nodes" not in first:
            return [cytoscape.read({"elements": items}, context, name)]
        if len(items) > context.limits.graphs:
            raise LimitError(f"{context.name} holds more than {context.limits.graphs:,} graphs: split it")
        return [graph for k, item in enumerate(items) for graph in _graphs(item, context, f"{name} {k + 1}")]
    raise ReadError(f"{context.name} is a JSON list, but not of edges or of graphs: it describes no graph")


def looks(text: str) -> bool:
    """Whether the text begins as a JSON object or list does; [Na+] and [13C] begin a SMILES."""
    return bool(_JSON.match(text[:1000]))


FORMAT = Format(
    name="json",
    title="JSON: node-link, Cytoscape, JSON Graph, plain dictionary",
    about="JSON that networkx, Cytoscape, D3 pages and scripts write.",
    extensions=(".json", ".cyjs", ".jgf"),
    read=read,
    looks=looks,
    place=30,
    several=True,
)
