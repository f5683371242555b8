"""sparse6: one graph per line, behind a colon, its edges as a stream of bits."""

from __future__ import annotations

from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.nauty import read_lines


def sniff(text: str) -> bool:
    """Whether the text begins with the header of sparse6."""
    return text.lstrip().startswith(">>sparse6<<")


def read(text: str, context: Context) -> Found:
    """The graph of each line; lines in graph6 are read as that."""
    return read_lines(text, context)


FORMAT = Format(
    name="sparse6",
    title="sparse6",
    about="nauty, House of Graphs, SageMath, networkx.",
    extensions=(".s6", ".sparse6"),
    read=read,
    sniff=sniff,
    place=55,
    several=True,
    kept="vertices, numbered from 0, and edges",
    lost="loops and parallel edges",
)
