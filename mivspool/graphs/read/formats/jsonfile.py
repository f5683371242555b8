"""JSON: loaded behind caps on numbers, nesting and size; then read by the dialect that knows the document."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import FORMATS, Format
from mivspool.graphs.read.formats import json_edges, json_matrix
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.refused import refuse_json
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "values": "{name} is JSON of too many values: save the graph as a CSV of edges",
    "digits": "{name} holds a number of {n:,} digits: ids that long must be in quotation marks",
    "invalid": "{name} is not valid JSON ({reason} at column {column:,}): it was cut off or edited, export it anew",
    "depth": "{name} is JSON nested more than {n:,} deep",
    "graphs": "{name} holds more than {n:,} graphs: split it",
    "list": "{name} is a JSON list, but not of edges or of graphs: it describes no graph",
    "neither": "{name} is JSON, but neither an object nor a list: it describes no graph",
    "keys": "{name} is JSON with {keys}: a graph needs 'nodes' and 'edges' (or 'links'), 'elements' (Cytoscape) "
    "or 'edge_index'",
    "nothing": "nothing",
}

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
        raise LimitError(fill(WORDS["values"], name=name))

    def whole(digits: str) -> int:
        if len(digits) > _LONGEST_NUMBER:
            raise ReadError(fill(WORDS["digits"], name=name, n=len(digits)))
        return int(digits)

    try:
        return json.loads(text, parse_int=whole)
    except json.JSONDecodeError as error:
        said = fill(WORDS["invalid"], name=name, reason=error.msg, column=error.colno)
        raise ReadError(said, line=error.lineno) from error
    except RecursionError as error:
        raise _too_deep(context) from error


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
    """The graphs of a JSON document, each in one of the dialects that are read."""
    document = load(text, context)
    context.check_time()
    check_depth(document, context)
    return graphs_of(document, context, context.stem)


def check_depth(document: Any, context: Context) -> None:
    """Raise LimitError where a document is nested too deeply."""
    if depth(document, context.limits.depth) > context.limits.depth:
        raise _too_deep(context)


def _too_deep(context: Context) -> LimitError:
    return LimitError(fill(WORDS["depth"], name=context.name, n=context.limits.depth))


def graphs_of(document: Any, context: Context, name: str) -> list[Graph]:
    """The graphs of a parsed document: one in the dialect that knows it, or each of a list of such.

    Raises ReadError where no dialect knows it.
    """
    refuse_json(document, context.name)
    dialect = _dialect(document, context)
    if dialect is not None:
        graph: Graph = dialect.read(document, context, name)
        said = graph.read_as or dialect.read_as
        return [dataclasses.replace(graph, format=dialect.name, read_as=said)]
    items = document
    if isinstance(document, dict):
        items = next(
            (document[key] for key in ("graphs", "networks") if isinstance(document.get(key), list)), None
        )
    if isinstance(items, list) and items and all(isinstance(item, dict) for item in items):
        if len(items) > context.limits.graphs:
            raise LimitError(fill(WORDS["graphs"], name=context.name, n=context.limits.graphs))
        return [
            graph for k, item in enumerate(items) for graph in graphs_of(item, context, f"{name} {k + 1}")
        ]
    if isinstance(document, list):
        raise ReadError(fill(WORDS["list"], name=context.name))
    if not isinstance(document, dict):
        raise ReadError(fill(WORDS["neither"], name=context.name))
    keys = ", ".join(str(key)[:30] for key in list(document)[:6]) or WORDS["nothing"]
    raise ReadError(fill(WORDS["keys"], name=context.name, keys=keys))


def _dialect(document: Any, context: Context) -> Format | None:
    """The dialect that knows the document; of a square list of numbers a person may choose which it is."""
    if context.as_ in {"matrix", "edges"} and json_matrix.is_square(document):
        return json_matrix.FORMAT if context.as_ == "matrix" else json_edges.FORMAT
    return next((f for f in FORMATS.values() if f.knows is not None and f.knows(document)), None)


def sniff(text: str) -> bool:
    """Whether the text begins as a JSON object or list does; [Na+] and [13C] begin a SMILES."""
    return bool(_JSON.match(text[:1000]))


FORMAT = Format(
    name="json",
    title="JSON",
    about="One graph or a list of graphs in any of the dialects below.",
    extensions=(".json",),
    read=read,
    sniff=sniff,
    place=30,
    several=True,
    kept="as in the dialect",
    lost="as in the dialect",
)
