"""networkx's multiline adjacency list: a vertex and a number, then so many neighbours, one per line, with data."""

from __future__ import annotations

from mivspool.errors import ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.cells import Row, plain_rows
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.data import data_of
from mivspool.graphs.text import shown
from mivspool.settings import Limits

_HEAD = 20_000


def sniff(text: str) -> bool:
    """Whether the numbers fit the lines below them, and a line has a dictionary of data."""
    if "{" not in text[:_HEAD]:
        return False
    whole = len(text) <= _HEAD
    rows = plain_rows(text if whole else text[:_HEAD].rpartition("\n")[0], "", Context("x", Limits()))
    at, data = 0, False
    while at < len(rows):
        degree = _degree(rows[at])
        below = rows[at + 1 : at + 1 + degree] if degree is not None else []
        if degree is None or not all(len(row.cells) == 2 and row.cells[1][:1] == "{" for row in below):
            return False
        if len(below) < degree:
            return not whole and data
        data = data or degree > 0
        at += degree + 1
    return data


def _degree(row: Row) -> int | None:
    if (
        len(row.cells) != 2
        or not (row.cells[1].isascii() and row.cells[1].isdigit())
        or len(row.cells[1]) > 9
    ):
        return None
    return int(row.cells[1])


def read(text: str, context: Context) -> Found:
    """The one graph."""
    rows = plain_rows(text, "", context)
    builder = Builder(context, context.stem, "multiline-adjlist", declared=False)
    at = 0
    lists: list[tuple[int, list[Row]]] = []
    while at < len(rows):
        degree = _degree(rows[at])
        if degree is None:
            raise ReadError(
                f"{context.name} has {shown(' '.join(rows[at].cells))} where a vertex and the number of its neighbours "
                "must stand",
                line=rows[at].line,
            )
        u = builder.mention(rows[at].cells[0], rows[at].line)
        below = rows[at + 1 : at + 1 + degree]
        if len(below) < degree:
            raise ReadError(f"{context.name} was cut off: a vertex lacks neighbours", line=rows[at].line)
        lists.append((u, below))
        at += degree + 1
    for u, below in lists:  # after all vertices, so that these stand in the order of the file
        for cells, line in below:
            k = builder.edge(u, builder.mention(cells[0], line), line)
            if len(cells) > 1:
                builder.edge_values(k, data_of(" ".join(cells[1:])))
    return [builder.finish()]


FORMAT = Format(
    name="multiline-adjlist",
    title="multiline adjacency list",
    about="networkx (write_multiline_adjlist).",
    extensions=(".multiline_adjlist", ".madjlist", ".mladjlist"),
    read=read,
    sniff=sniff,
    place=103,
    kept="vertices, edges, the data of edges",
    lost="nothing",
)
