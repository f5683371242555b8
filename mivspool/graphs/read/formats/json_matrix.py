"""An adjacency matrix as JSON: a list of rows of numbers, as many as each is long."""

from __future__ import annotations

import dataclasses
from typing import Any

from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.adjacency import find, read_rows
from mivspool.graphs.read.parts.cells import Row
from mivspool.graphs.read.parts.context import Context

_LONGEST_EDGE = 3  # two ends and a weight


def is_square(document: Any) -> bool:
    """Whether a document is a list of lists of numbers, each as long as there are of them."""
    return (
        isinstance(document, list)
        and len(document) > 0
        and all(isinstance(row, list) and len(row) == len(document) for row in document)
        and all(isinstance(cell, (int, float)) for row in document for cell in row)
    )


def knows(document: Any) -> bool:
    """Whether a document is a square list of lists of numbers that a table would be read as a matrix of.

    Two rows are one where it is a matrix without loops: as edges they would be the same edge twice.
    """
    if not is_square(document):
        return False
    if len(document) <= 2:
        return len(document) == 1 or document == [[0, document[0][1]], [document[0][1], 0]]
    return find(_rows(document)) is not None


def _rows(document: list[list[Any]]) -> list[Row]:
    return [Row([str(float(cell)) if cell else "0" for cell in row], 0) for row in document]


def read(document: Any, context: Context, name: str) -> Graph:
    """The graph; its vertices are called 0, 1, …"""
    graph = read_rows(_rows(document), context, None)
    edges_too = 1 < len(document) <= _LONGEST_EDGE
    return dataclasses.replace(graph, name=name, readings=graph.readings if edges_too else ())


FORMAT = Format(
    name="json-matrix",
    title="adjacency matrix as JSON",
    about="Scripts: numpy's tolist(), JavaScript.",
    extensions=(),
    read=read,
    place=39,
    knows=knows,
    kept="edges and weights",
    lost="nothing",
)
