"""A list of edges as JSON: pairs, triples with a weight, or objects with two ends."""

from __future__ import annotations

import dataclasses
from typing import Any

from mivspool.graphs.graph import Graph, Reading
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.formats import nodelink
from mivspool.graphs.read.formats.json_matrix import is_square
from mivspool.graphs.read.parts import columns
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.jsongraph import ends_of


def knows(document: Any) -> bool:
    """Whether a document is a list of pairs, or of objects with two ends."""
    if not isinstance(document, list) or not document:
        return False
    if any(isinstance(item, list) for item in document) and all(isinstance(i, (list, str)) for i in document):
        return True
    return all(isinstance(item, dict) for item in document) and ends_of(document[0]) is not None


def read(document: Any, context: Context, name: str) -> Graph:
    """The graph; a text alone is an isolated vertex."""
    graph = nodelink.read({"edges": document}, context, name)
    matrix = (Reading("matrix", columns.WORDS["as_matrix"]),)
    return dataclasses.replace(graph, read_as=FORMAT.read_as, readings=matrix if is_square(document) else ())


FORMAT = Format(
    name="json-edges",
    title="list of edges as JSON",
    about="Scripts: pairs, triples with a weight, or objects with source and target.",
    extensions=(),
    read=read,
    place=40,
    knows=knows,
    kept="edges, weights, attributes of edges",
    lost="nothing",
)
