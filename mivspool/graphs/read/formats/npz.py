"""NPZ: a scipy sparse matrix, a list of edges, or a square matrix."""

from __future__ import annotations

from mivspool.errors import ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.archive import open_members
from mivspool.graphs.read.parts.arrays import array_of, graph_of, graph_of_edges, graph_of_scipy
from mivspool.graphs.read.parts.context import Context, Found


def read(data: bytes, context: Context) -> Found:
    """A scipy sparse matrix, ``edge_index`` [2, E] with ``num_nodes``, or one square matrix."""
    members = open_members(data, context.limits)
    arrays = {
        name.removesuffix(".npy"): array_of(load(), context)
        for name, load in members.items()
        if name.endswith(".npy")
    }
    if {"data", "shape"} <= set(arrays) and "format" in arrays:
        return [graph_of_scipy(arrays, context)]
    for key in ("edge_index", "edges", "edge_list"):
        if key in arrays:
            return [
                graph_of_edges(
                    arrays[key], arrays.get("num_nodes"), arrays.get("edge_weight"), context, "npz"
                )
            ]
    for array in arrays.values():
        if array.ndim == 2 and array.shape[0] == array.shape[1]:
            return [graph_of(array, context, "npz")]
    held = ", ".join(sorted(arrays)[:6]) or "nothing"
    raise ReadError(
        f"{context.name} holds {held}: a graph is read from edge_index (two rows of vertex numbers), a square matrix "
        "or a scipy sparse matrix"
    )


def is_npz(names: list[str]) -> bool:
    """Whether a zip is NumPy's, by the names of its members."""
    return bool(names) and all(name.endswith(".npy") for name in names)


FORMAT = Format(
    name="npz",
    title="NPZ (sparse matrix or edges)",
    about="Arrays as NumPy and scipy write them, without objects.",
    extensions=(".npz",),
    read=read,
    place=140,
    binary=True,
    kept="edges, weights, isolated vertices",
    lost="directions; other arrays",
)
