"""graph6: one graph per line, its adjacency matrix six entries to a character."""

from __future__ import annotations

from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.nauty import read_lines


def sniff(text: str) -> bool:
    """Whether the text begins with the header of graph6."""
    return text.lstrip().startswith(">>graph6<<")


def read(text: str, context: Context) -> Found:
    """The graph of each line; lines in sparse6 are read as that."""
    return read_lines(text, context)


FORMAT = Format(
    name="graph6",
    title="graph6",
    about="nauty, House of Graphs, SageMath, networkx.",
    extensions=(".g6", ".graph6"),
    read=read,
    sniff=sniff,
    place=54,
    several=True,
    kept="everything: vertices, numbered from 0, and edges",
    lost="nothing",
)
