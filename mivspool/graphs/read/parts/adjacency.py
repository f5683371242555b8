"""Adjacency matrices in a table: with the same names as row and column heads, or by the file's name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.cells import Row
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.text import MISSING, number, shown

Entries = list[tuple[int, int, Any, int | None]]  # row, column, value, line


def has_heads(rows: Sequence[Row]) -> bool:
    """Whether a table has the same names as row and column heads, and is square.

    The first row and column of any symmetric matrix agree: so the corner between heads must not be a number.
    """
    n = len(rows) - 1
    if n < 1 or len(rows[0].cells) not in {n, n + 1}:
        return False
    if len(rows[0].cells) == n + 1 and number(rows[0].cells[0]) is not None:
        return False
    columns = rows[0].cells[-n:]
    if any(len(row.cells) != n + 1 for row in rows[1:]) or columns != [row.cells[0] for row in rows[1:]]:
        return False
    return all(number(cell, comma=True) is not None or cell.lower() in MISSING for cell in rows[1].cells[1:])


def read_rows(rows: Sequence[Row], context: Context) -> Graph:
    """The graph of a table that is a matrix; without heads its vertices are called 0, 1, …"""
    heads = has_heads(rows)
    body = rows[1:] if heads else rows
    n = len(body)
    names = [row.cells[0] for row in body] if heads else [str(i) for i in range(n)]
    context.check_size(n)
    builder = Builder(context, context.stem, "adjacency", declared=False)
    for name, row in zip(names, body, strict=True):
        if name in builder.index:
            raise ReadError(f"{context.name} has two rows called {shown(name)}", line=row.line)
        builder.node(name, row.line)
    entries: Entries = []
    for i, row in enumerate(body):
        cells = row.cells[1:] if heads else row.cells
        if len(cells) != n:
            raise ReadError(
                f"{context.name} is no square matrix: this row has {len(cells):,} numbers, and there are {n:,} rows",
                line=row.line,
            )
        for j, cell in enumerate(cells):
            if cell in {"0", "", "0.0"}:
                continue
            value = number(cell, comma=True)
            if value is None and cell.lower() not in MISSING:
                raise ReadError(f"{context.name} has {shown(cell)} where a number must stand", line=row.line)
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
