"""An adjacency matrix as JSON: a list of rows of numbers, as many as each is long."""

from __future__ import annotations

from typing import Any

from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.adjacency import find, read_rows
from mivspool.graphs.read.parts.cells import Row
from mivspool.graphs.read.parts.context import Context


def knows(document: Any) -> bool:
    """Whether a document is a square list of lists of numbers that a table would be read as a matrix of."""
    if not isinstance(document, list) or len(document) < 3:
        return False
    if not all(isinstance(row, list) and len(row) == len(document) for row in document):
        return False
    if not all(isinstance(cell, (int, float)) for row in document for cell in row):
        return False
    return find(_rows(document)) is not None


def _rows(document: list[list[Any]]) -> list[Row]:
    return [Row([str(float(cell)) if cell else "0" for cell in row], 0) for row in document]


def read(document: Any, context: Context, name: str) -> Graph:
    """The graph; its vertices are called 0, 1, …"""
    return read_rows(_rows(document), context, None)


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
