"""NPZ: a scipy sparse matrix, a list of edges, or a square matrix."""

from __future__ import annotations

from mivspool.errors import ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.archive import open_members
from mivspool.graphs.read.parts.arrays import array_of, graph_of, graph_of_edges, graph_of_scipy
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import shown


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
            _leave_out(set(arrays) - {key, "num_nodes", "edge_weight"}, context)
            return [
                graph_of_edges(
                    arrays[key], arrays.get("num_nodes"), arrays.get("edge_weight"), context, "npz"
                )
            ]
    for name, array in arrays.items():
        if array.ndim == 2 and array.shape[0] == array.shape[1]:
            _leave_out(set(arrays) - {name}, context)
            return [graph_of(array, context, "npz")]
    held = ", ".join(sorted(arrays)[:6]) or "nothing"
    raise ReadError(
        f"{context.name} holds {held}: a graph is read from edge_index (two rows of vertex numbers), a square matrix "
        "or a scipy sparse matrix"
    )


def _leave_out(names: set[str], context: Context) -> None:
    """Say which arrays the graph has no place for."""
    if names:
        shows = ", ".join(shown(name) for name in sorted(names)[:5])
        more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
        context.repairs.append(f"left out the arrays {shows}{more}: a graph has no place for them")


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
