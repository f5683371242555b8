"""networkx's adjacency list: a vertex and its neighbours on each line."""

from __future__ import annotations

from mivspool.graphs.read.format import Format
from mivspool.graphs.read.formats import multiline
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.cells import plain_rows
from mivspool.graphs.read.parts.context import Context, Found


def read(text: str, context: Context) -> Found:
    """The one graph; a vertex alone on its line has no further neighbours."""
    if multiline.sniff(text):
        return multiline.read(text, context)
    builder = Builder(context, context.stem, "adjlist", declared=False)
    rows = plain_rows(text, "", context)
    for cells, line in rows:  # in the order of the lines
        builder.mention(cells[0], line)
    for cells, line in rows:
        u = builder.index[cells[0]]
        for cell in cells[1:]:
            builder.edge(u, builder.mention(cell, line), line)
    return [builder.finish()]


FORMAT = Format(
    name="adjlist",
    title="adjacency list",
    about="networkx (write_adjlist) and many courses: a vertex and its neighbours on each line.",
    extensions=(".adjlist", ".adj"),
    read=read,
    place=123,
    kept="vertices and edges",
    lost="nothing",
)
