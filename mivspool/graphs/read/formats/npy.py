"""NPY: one array of numbers, an adjacency matrix or two rows of edges."""

from __future__ import annotations

from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.arrays import array_of, graph_of
from mivspool.graphs.read.parts.context import Context, Found


def read(data: bytes, context: Context) -> Found:
    """A matrix, or int [2, E] that lists the edges."""
    return [graph_of(array_of(data, context), context, "npy")]


FORMAT = Format(
    name="npy",
    title="NPY (matrix or edges)",
    about="One array as NumPy writes it.",
    extensions=(".npy",),
    read=read,
    place=130,
    binary=True,
    kept="edges, weights",
    lost="directions",
)
