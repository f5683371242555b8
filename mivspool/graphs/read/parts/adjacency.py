"""Adjacency matrices in a table: square, all numbers, with or without names at the head of rows and columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph, Reading
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.cells import Row
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.text import MISSING, number, shown
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "without": "without names",
    "with": "with names {places}",
    "first_line": "in its first line",
    "first_column": "in its first column",
    "and": " and ",
    "read_as": "Read as an adjacency matrix of {n:,} × {n:,}, {where}.",
    "as_edges": "Read each line as an edge instead",
    "twice": "{name} has two rows called {row}",
    "not_square": "{name} is no square matrix: this row has {cells:,} numbers, and there are {n:,} {n?row|rows}",
    "no_number": "{name} has {cell} where a number must stand",
}

Entries = list[tuple[int, int, Any, int | None]]  # row, column, value, line

_COUNTED = re.compile(r"[VX.]?(\d{1,9})", re.IGNORECASE)  # V1, V2, … of R, X1, X2, … and plain numbers


@dataclass(frozen=True)
class Heads:
    """Where a matrix has names: in its first line, in its first column; ``names`` are those of its vertices."""

    top: bool
    side: bool
    names: tuple[str, ...]

    @property
    def both(self) -> bool:
        """Whether there are names above and beside it: then no word above it names the columns of edges."""
        return self.top and self.side

    @property
    def where(self) -> str:
        """The same for a sentence."""
        if not self.top and not self.side:
            return WORDS["without"]
        places = [WORDS["first_line"]] * self.top + [WORDS["first_column"]] * self.side
        return fill(WORDS["with"], places=WORDS["and"].join(places))


def find(rows: Sequence[Row]) -> Heads | None:
    """Where a table that is an adjacency matrix has its names; None where it is none.

    A square table of numbers is one, from three rows on (two rows of two are the same graph as edges). Names may stand
    above it, beside it or both, with anything or nothing in the corner. Three rows of three numbers are edges with
    weights where they cannot well be a matrix: not symmetric, a diagonal that is not zero, and pairs of different
    whole numbers in front, each once.
    """
    widths = {len(row.cells) for row in rows[1:]}
    if len(rows) < 2 or len(widths) != 1:
        return None
    width, height, first = widths.pop(), len(rows), len(rows[0].cells)
    if first == width - 1 and height == width:
        return _both(rows, rows[0].cells, None)
    if first != width:
        return None
    if height == width:
        return _both(rows, rows[0].cells[1:], rows[0].cells[0]) or _bare(rows)
    if height == width + 1:
        return _top(rows)
    if height == width - 1:
        return _side(rows)
    return None


def _both(rows: Sequence[Row], top: Sequence[str], corner: str | None) -> Heads | None:
    side = [row.cells[0] for row in rows[1:]]
    n = len(side)
    if n < 2 or not _different(top) or not _different(side):
        return None
    if list(top) == side:
        if corner is not None and number(corner) is not None and not _words(top):
            # the first row and column of any symmetric matrix agree
            fits = n >= 3 and _counts(top) and number(corner) == 0 and _zeros_and_ones(rows[1:], 1)
        else:
            fits = True
    else:
        fits = n >= 3 and not corner and _counts(top) and (_counts(side) or _words(side))
    if not fits or not _numbers(rows[1:], 1):
        return None
    return Heads(True, True, tuple(top if _counts(side) else side))


def _bare(rows: Sequence[Row]) -> Heads | None:
    n = len(rows)
    if n < 3 or not _numbers(rows, 0) or (n == 3 and _is_three_edges(rows)):
        return None
    return Heads(False, False, tuple(str(i) for i in range(n)))


def _top(rows: Sequence[Row]) -> Heads | None:
    top = rows[0].cells
    if len(top) < 3 or not _different(top) or not (_counts(top) or _words(top)):
        return None
    if not _numbers(rows[1:], 0) or (len(top) == 3 and _is_three_edges(rows[1:])):
        return None
    return Heads(True, False, tuple(top))


def _side(rows: Sequence[Row]) -> Heads | None:
    side = [row.cells[0] for row in rows]
    if len(side) < 3 or not _different(side) or not _numbers(rows, 1):
        return None
    if not _words(side) and not (_counts(side) and _symmetric(rows, 1)):
        return None
    return Heads(False, True, tuple(side))


def _different(names: Sequence[str]) -> bool:
    return all(names) and len(set(names)) == len(names)


def _words(names: Sequence[str]) -> bool:
    return all(number(name, comma=True) is None for name in names)


def _counts(names: Sequence[str]) -> bool:
    """Whether the names only count, from 0 or 1."""
    found = [_COUNTED.fullmatch(name) for name in names]
    counted = [int(match[1]) for match in found if match]
    return len(counted) == len(names) and counted in (
        list(range(len(names))),
        list(range(1, len(names) + 1)),
    )


def _is_number(cell: str) -> bool:
    return cell in {"0", "1", ""} or number(cell, comma=True) is not None or cell.lower() in MISSING


def _numbers(rows: Sequence[Row], start: int) -> bool:
    """Whether all cells from the column ``start`` on are numbers or missing, and some are there."""
    return all(_is_number(cell) for row in rows for cell in row.cells[start:]) and any(
        cell for row in rows for cell in row.cells[start:]
    )


def _values(rows: Sequence[Row], start: int) -> list[list[float | None]]:
    return [[number(cell, comma=True) for cell in row.cells[start:]] for row in rows]


def _zeros_and_ones(rows: Sequence[Row], start: int) -> bool:
    return all(value in {0, 1} for values in _values(rows, start) for value in values)


def _symmetric(rows: Sequence[Row], start: int) -> bool:
    values = _values(rows, start)
    return all(values[i][j] == values[j][i] for i in range(len(values)) for j in range(i))


def _is_three_edges(rows: Sequence[Row]) -> bool:
    values = _values(rows, 0)
    ends = [(row[0], row[1]) for row in values]
    whole = all(end is not None and end >= 0 and end == int(end) for pair in ends for end in pair)
    different = len({frozenset(pair) for pair in ends}) == 3 and all(u != v for u, v in ends)
    return whole and different and not _symmetric(rows, 0) and any(values[i][i] != 0 for i in range(3))


def read_rows(rows: Sequence[Row], context: Context, heads: Heads | None) -> Graph:
    """The graph of a table that is a matrix, with the names where ``heads`` says; None: there are none."""
    top, side = heads is not None and heads.top, heads is not None and heads.side
    body = rows[1:] if top else rows
    n = len(body)
    names = heads.names if heads is not None else tuple(str(i) for i in range(n))
    context.check_size(n)
    builder = Builder(context, context.stem, "adjacency", declared=False)
    where = heads.where if heads is not None else WORDS["without"]
    builder.read_as = fill(WORDS["read_as"], n=n, where=where)
    builder.readings = (Reading("edges", WORDS["as_edges"]),)
    for name, row in zip(names, body, strict=True):
        if name in builder.index:
            raise ReadError(fill(WORDS["twice"], name=context.name, row=shown(name)), line=row.line)
        builder.node(name, row.line)
    entries: Entries = []
    for i, row in enumerate(body):
        cells = row.cells[1:] if side else row.cells
        if len(cells) != n:
            raise ReadError(
                fill(WORDS["not_square"], name=context.name, cells=len(cells), n=n), line=row.line
            )
        for j, cell in enumerate(cells):
            if cell in {"0", "", "0.0"}:
                continue
            value = number(cell, comma=True)
            if value is None and cell.lower() not in MISSING:
                raise ReadError(fill(WORDS["no_number"], name=context.name, cell=shown(cell)), line=row.line)
            if value != 0:
                entries.append((i, j, cell, row.line))
        context.check_size(n, len(entries) // 2)
    return from_entries(builder, entries)


def from_entries(builder: Builder, entries: Entries) -> Graph:
    """Each entry once where the matrix is symmetric; an entry without its mirror is a directed edge."""
    places = {(i, j) for i, j, _, _ in entries}
    weighted = any(number(value, comma=True) != 1 for *_, value, _ in entries)
    builder.comma = True
    for i, j, value, line in entries:
        mirrored = (j, i) in places
        if mirrored and i > j:
            continue
        k = builder.edge(i, j, line, directed=not mirrored)
        if weighted:
            builder.edge_value(k, "weight", value)
    return builder.finish()
