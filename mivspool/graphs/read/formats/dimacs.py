"""DIMACS: comments, a line p with the sizes, then edges (e), arcs (a) or pairs alone, counted from 1."""

from __future__ import annotations

import re

from mivspool.errors import ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import lines_of, shown

_PROBLEM = re.compile(r"p[ \t]+\w+[ \t]+\d+", re.ASCII)
_HEAD = 200_000


def sniff(text: str) -> bool:
    """Whether comments (c) and a line p with sizes begin the text."""
    lines = (line.strip() for line in lines_of(text[:_HEAD]))
    first = next((line for line in lines if line and line != "c" and not line.startswith(("c ", "c\t"))), "")
    return bool(_PROBLEM.match(first))


def read(text: str, context: Context) -> Found:
    """The one graph; what stands behind the ends of an edge is its weight."""
    builder: Builder | None = None
    n = 0
    for number, line in enumerate(lines_of(text), start=1):
        if number % 4096 == 0:
            context.check_time()
        cells = line.split()
        if not cells or cells[0] == "c":
            continue
        if cells[0] == "p":
            if builder is not None:
                raise ReadError(f"{context.name} has two lines p: save one problem per file", line=number)
            n = _size(cells, context, number)
            builder = Builder(context, context.stem, "dimacs", declared=False)
            for i in range(n):
                builder.node(str(i + 1))
        elif builder is None:
            raise ReadError(f"{context.name} must say its sizes before its edges: p edge 3 2", line=number)
        elif cells[0] in {"e", "a"} or cells[0].isdigit():
            ends = cells if cells[0].isdigit() else cells[1:]
            if len(ends) < 2:
                raise ReadError(f"{context.name} has an edge with one end", line=number)
            u, v = (_vertex(cell, n, context, number) for cell in ends[:2])
            k = builder.edge(u, v, number, directed=cells[0] == "a")
            if len(ends) > 2:
                builder.edge_value(k, "weight", ends[2])
            if len(ends) > 3:
                builder.leave_out("further numbers of edges")
        elif cells[0] in {"n", "v"} and len(cells) > 2:
            builder.node_value(_vertex(cells[1], n, context, number), "value", " ".join(cells[2:]))
        else:
            builder.leave_out(f"lines {cells[0][:20]}")
    if builder is None:
        raise ReadError(f"{context.name} has no line p: it is not DIMACS")
    return [builder.finish()]


def _size(cells: list[str], context: Context, line: int) -> int:
    if len(cells) > 1 and cells[1] in {"cnf", "wcnf"}:
        raise ReadError(f"{context.name} is DIMACS CNF, a formula and no graph", line=line)
    if len(cells) < 4 or not all(cell.isascii() and cell.isdigit() and len(cell) < 16 for cell in cells[2:4]):
        raise ReadError(
            f"{context.name} must say how many vertices and edges there are: p edge 3 2", line=line
        )
    context.check_size(int(cells[2]), 0)
    return int(cells[2])


def _vertex(cell: str, n: int, context: Context, line: int) -> int:
    if not (cell.isascii() and cell.isdigit()) or len(cell) > 15 or not 1 <= int(cell) <= n:
        raise ReadError(
            f"{context.name} names vertex {shown(cell)}, but its vertices are 1 to {n:,}", line=line
        )
    return int(cell) - 1


FORMAT = Format(
    name="dimacs",
    title="DIMACS",
    about="DIMACS challenges (colouring, cliques, shortest paths), PACE, igraph.",
    extensions=(".col", ".clq", ".dimacs", ".gr"),
    read=read,
    sniff=sniff,
    place=56,
    kept="vertices, edges, the number behind an edge as its weight, values of vertices",
    lost="the direction of arcs, lines of other kinds (named in the repairs)",
)
