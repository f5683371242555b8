"""Large plain edge lists at once: the same graph as row by row, an order of magnitude sooner."""

from __future__ import annotations

from operator import methodcaller

import numpy as np
from numpy.typing import NDArray

from mivspool.graphs.graph import Graph, Reading
from mivspool.graphs.read.parts.build import LONGEST_ID
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.simplify import simplify
from mivspool.graphs.text import FLOAT

_MOST_DIGITS = 18
_UNUSUAL = (
    "\r",
    "\t",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x1f",
    '"',
    "'",
    "{",
    "\n#",
    "\n%",
    "\n//",
    "\n\n",
)


def edges_at_once(
    text: str,
    delimiter: str,
    weighted: bool,
    context: Context,
    format: str,
    said: tuple[str, tuple[Reading, ...]] = ("", ()),
) -> Graph | None:
    """The graph of a text whose every line is two ids (and a weight, where ``weighted``); None where one is not.

    ``said``: how the text is read, and how else it could be. Only ASCII without quotation marks, comments, blank lines
    and stray blanks is read here.
    """
    mark = delimiter or " "
    if not text.isascii() or any(unusual in text for unusual in _UNUSUAL):
        return None
    if mark + mark in text or f"{mark}\n" in text or f"\n{mark}" in text or (mark != " " and " " in text):
        return None
    body = text.strip("\n")
    lines = body.split("\n")
    context.check_size(0, len(lines) // 2)
    width = 3 if weighted else 2
    if set(map(methodcaller("count", mark), lines)) != {width - 1}:
        return None
    del lines
    found = None if weighted else _numbered(body, mark)
    if found is not None:
        return _graph(*found, None, context, format, said)
    cells = body.replace("\n", mark).split(mark)
    weight = _weights(cells[2::3]) if weighted else None
    if weighted and weight is None:
        return None
    if weighted:
        del cells[2::3]
    place = {cell: k for k, cell in enumerate(dict.fromkeys(cells))}
    if max(map(len, place)) > LONGEST_ID or "" in place:
        return None
    ends = np.fromiter(map(place.__getitem__, cells), dtype=np.int64, count=len(cells))
    return _graph(tuple(place), ends, weight, context, format, said)


def _numbered(body: str, mark: str) -> tuple[tuple[str, ...], NDArray[np.int64]] | None:
    """The ids in the order of their first appearance and the index of each cell, int64 [2E], where all ids are numbers.

    None where one is not, or is not written as a number is ("007"): ids are text, and two texts are two vertices.
    """
    raw = np.frombuffer(body.encode("ascii"), dtype=np.uint8)
    digit = (raw >= ord("0")) & (raw <= ord("9"))
    if not (digit | (raw == ord(mark)) | (raw == ord("\n"))).all():
        return None
    gaps = np.flatnonzero(~digit)
    starts = np.concatenate([[0], gaps + 1])
    length = np.concatenate([gaps, [len(raw)]]) - starts
    if length.min() < 1 or length.max() > _MOST_DIGITS or ((raw[starts] == ord("0")) & (length > 1)).any():
        return None
    numbers = np.fromstring(body if mark == " " else body.replace(mark, " "), dtype=np.int64, sep=" ")
    values, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(values), dtype=np.int64)
    rank[order] = np.arange(len(values))
    return tuple(map(str, values[order].tolist())), rank[inverse]


def _weights(cells: list[str]) -> NDArray[np.float64] | None:
    """Finite weights that are not negative, or None: what has to be reported is read row by row."""
    if not all(map(FLOAT.fullmatch, cells)):
        return None
    weight = np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    return weight if np.isfinite(weight).all() and (weight >= 0).all() else None


def _graph(
    nodes: tuple[str, ...],
    ends: NDArray[np.int64],
    weight: NDArray[np.float64] | None,
    context: Context,
    format: str,
    said: tuple[str, tuple[Reading, ...]],
) -> Graph:
    context.check_size(len(nodes), len(ends) // 2)
    simple = simplify(ends[0::2], ends[1::2], len(nodes))
    context.count(len(nodes), simple.edges.shape[1])
    return Graph(
        name=context.stem,
        nodes=nodes,
        edges=simple.edges,
        edge_weight=None if weight is None else weight[simple.first],
        repairs=(*context.repairs, *simple.repairs),
        format=format,
        encoding=context.encoding,
        read_as=said[0],
        readings=said[1],
    )
