"""JSON Lines: a graph, an edge or a part of Neo4j's export on each line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.formats import json_edges, jsonfile, neo4j
from mivspool.graphs.read.formats.jsonfile import check_depth, graphs_of, load
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import lines_of
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "line": "line {line:,}: {message}",
}

_LONGEST = 100_000


def sniff(text: str) -> bool:
    """Whether the first line is JSON and whole, and another begins below it."""
    lines = [line for line in text[:_LONGEST].split("\n")[:20] if line.strip()][:2]
    return len(lines) == 2 and _is_object(lines[0]) and lines[1].lstrip()[0] in "{["


def _is_object(line: str) -> bool:
    if line.lstrip()[:1] not in {"{", "["}:
        return False
    try:
        return isinstance(json.loads(line), (dict, list))
    except (ValueError, RecursionError):
        return False


def read(text: str, context: Context) -> Found:
    """One graph of lines that are edges or Neo4j's, else the graphs of each line."""
    return _read(text, context)


def _read(text: str, context: Context) -> Iterator[Graph | ReadError]:
    documents = []
    for number, line in enumerate(lines_of(text), start=1):
        if not line.strip():
            continue
        try:
            document = load(line, context)
            check_depth(document, context)
        except ReadError as error:
            said = fill(WORDS["line"], line=number, message=error.message)
            raise type(error)(said, line=number) from error
        documents.append((number, document))
        if number % 256 == 0:
            context.check_time()
    items = [document for _, document in documents]
    for format in (neo4j.FORMAT, json_edges.FORMAT):
        if format.knows is not None and format.knows(items) and not _are_graphs(items):
            yield format.read(items, context, context.stem)
            return
    if len(items) > context.limits.graphs:
        raise LimitError(fill(jsonfile.WORDS["graphs"], name=context.name, n=context.limits.graphs))
    for k, (number, document) in enumerate(documents, start=1):
        try:
            yield from graphs_of(document, context, f"{context.stem} {k}")
        except LimitError:
            raise
        except ReadError as error:
            yield ReadError(error.message, line=number)


def _are_graphs(items: list[object]) -> bool:
    """Whether each line is a list of edges of its own, and not one edge."""
    return all(isinstance(item, list) and item and isinstance(item[0], list) for item in items)


FORMAT = Format(
    name="jsonlines",
    title="JSON Lines",
    about="Neo4j (APOC), and data sets with one graph or one edge per line.",
    extensions=(".jsonl", ".ndjson"),
    read=read,
    sniff=sniff,
    place=28,
    several=True,
    kept="as in the dialect of each line",
    lost="as in the dialect of each line",
)
