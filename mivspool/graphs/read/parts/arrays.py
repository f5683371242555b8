"""Adjacency matrices and edge lists as NPY and NPZ, without objects."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.parts.adjacency import from_entries
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.text import shown

_LONGEST_HEADER = 10_000
PICKLE_ADVICE = (
    "a pickle can run any program when it is opened, so it is never read: export the graph as GraphML, JSON or a "
    "CSV of edges instead"
)


_HEADER = re.compile(
    rb"\s*\{\s*'descr'\s*:\s*'(?P<type>[^']{1,20})'\s*,\s*'fortran_order'\s*:\s*(?P<fortran>True|False)\s*,"
    rb"\s*'shape'\s*:\s*\((?P<shape>[\d,\sL]{0,200})\)\s*,?\s*\}\s*"
)


def _header(data: bytes, context: Context) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """Shape, order, type and length of the header of an NPY file (versions 1 to 3), read without evaluating it."""
    long = data[6:7] in {b"\x02", b"\x03"}
    start = 12 if long else 10
    end = start + int.from_bytes(data[8:start], "little")
    match = _HEADER.fullmatch(data[start:end]) if end - start <= _LONGEST_HEADER else None
    if match is None:
        raise ReadError(f"{context.name} is not an NPY array of numbers: its header cannot be read")
    sides = [side.strip(b" L") for side in match["shape"].split(b",")]
    if any(len(side) > 15 or (side and not side.isdigit()) for side in sides):
        raise ReadError(f"{context.name} is not an NPY array: its shape cannot be read")
    try:
        dtype = np.dtype(match["type"].decode("ascii"))
    except (TypeError, ValueError, SyntaxError, UnicodeDecodeError) as error:
        raise ReadError(f"{context.name} is an NPY array of an unknown type") from error
    return tuple(int(side) for side in sides if side), match["fortran"] == b"True", dtype, end


def array_of(data: bytes, context: Context) -> NDArray[Any]:
    """One NPY array: its header is looked at before anything is set aside for it."""
    if data[:6] != b"\x93NUMPY":
        raise ReadError(f"{context.name} is not an NPY array")
    shape, fortran, dtype, start = _header(data, context)
    if dtype.hasobject:
        raise ReadError(f"{context.name} holds Python objects, that is a pickle: {PICKLE_ADVICE}")
    if dtype.kind not in "biufUS" or dtype.itemsize == 0:
        raise ReadError(f"{context.name} holds {dtype} where numbers must stand")
    size = 1
    for side in shape:
        size *= int(side)
    rest = memoryview(data)[start:]
    if size * dtype.itemsize != len(rest):
        raise ReadError(f"{context.name} was cut off: its header promises {size:,} numbers")
    array = np.frombuffer(rest, dtype=dtype, count=size)
    return array.reshape(shape, order="F" if fortran else "C")


def graph_of(array: NDArray[Any], context: Context, format: str) -> Graph:
    """A square matrix, or whole numbers in two rows that list the edges."""
    if array.dtype.kind not in "biuf":
        raise ReadError(f"{context.name} holds text where numbers must stand")
    if array.ndim == 2 and array.shape[0] == 2 and array.shape[1] != 2 and array.dtype.kind in "iu":
        return graph_of_edges(array, None, None, context, format)
    if array.ndim == 2 and array.shape[1] == 2 and array.shape[0] != 2 and array.dtype.kind in "iu":
        return graph_of_edges(array.T, None, None, context, format)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        sides = " × ".join(str(side) for side in array.shape) or "one number"
        raise ReadError(f"{context.name} is an array of {sides}: an adjacency matrix is square")
    rows, columns = np.nonzero(array)
    return _from_coordinates(rows, columns, array[rows, columns], len(array), context, format)


def graph_of_edges(
    edges: NDArray[Any],
    num_nodes: NDArray[Any] | None,
    weight: NDArray[Any] | None,
    context: Context,
    format: str,
) -> Graph:
    """The graph of edges [2, E] (or [E, 2]), ``num_nodes`` [1] and weights [E]; both directions of an edge are one."""
    if edges.ndim != 2 or 2 not in edges.shape or edges.dtype.kind not in "iu":
        raise ReadError(f"{context.name} needs whole numbers in two rows as its edges")
    edges = edges if edges.shape[0] == 2 else edges.T
    least = int(edges.min()) if edges.size else 0
    most = int(edges.max()) + 1 if edges.size else 0
    n = (
        int(num_nodes.ravel()[0])
        if num_nodes is not None and num_nodes.size and num_nodes.dtype.kind in "iu"
        else most
    )
    if least < 0 or most > n:
        raise ReadError(
            f"{context.name} names vertex {least if least < 0 else most - 1}, but has 0 to {n - 1:,}"
        )
    context.check_size(n, edges.shape[1] // 2)
    builder = Builder(context, context.stem, format, declared=False)
    for i in range(n):
        builder.node(str(i))
    if weight is not None and weight.shape != (edges.shape[1],):
        raise ReadError(f"{context.name} has another number of weights than edges")
    pairs = set(zip(*edges.tolist(), strict=True))
    for k, (u, v) in enumerate(edges.T.tolist()):
        mirrored = (v, u) in pairs
        if mirrored and u > v:
            continue
        listed = builder.edge(u, v)
        if weight is not None:
            builder.edge_value(listed, "weight", weight[k].item())
    return builder.finish()


def graph_of_scipy(arrays: dict[str, NDArray[Any]], context: Context) -> Graph:
    """The graph of a sparse matrix (csr, csc or coo) by the arrays that ``scipy.sparse.save_npz`` writes."""
    kind = arrays["format"].item() if arrays["format"].size == 1 else ""
    kind = kind.decode("latin-1") if isinstance(kind, bytes) else str(kind)
    shape = arrays["shape"].ravel().tolist()
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ReadError(
            f"{context.name} is a matrix of {' × '.join(map(str, shape))}: an adjacency matrix is square"
        )
    n = int(shape[0])
    context.check_size(n, len(arrays["data"]) // 2)
    try:
        if kind == "coo":
            rows, columns = arrays["row"], arrays["col"]
        elif kind in {"csr", "csc"}:
            pointer = arrays["indptr"].astype(np.int64)
            if len(pointer) != n + 1 or (np.diff(pointer) < 0).any() or pointer[0] != 0:
                raise ReadError(f"{context.name} has row pointers that do not fit its shape")
            rows = np.repeat(np.arange(n), np.diff(pointer))
            columns = arrays["indices"]
        else:
            raise ReadError(
                f"{context.name} is a sparse matrix of the form {shown(kind)}: save it as csr or coo"
            )
    except KeyError as error:
        raise ReadError(f"{context.name} is a sparse matrix without its array {error}") from error
    values = arrays["data"]
    if (
        not (rows.shape == columns.shape == values.shape and rows.ndim == 1)
        or values.dtype.kind not in "biuf"
    ):
        raise ReadError(f"{context.name} has arrays of different length")
    if rows.dtype.kind not in "iu" or columns.dtype.kind not in "iu":
        raise ReadError(f"{context.name} has positions that are not whole numbers")
    if len(rows) and (min(rows.min(), columns.min()) < 0 or max(rows.max(), columns.max()) >= n):
        raise ReadError(f"{context.name} has an entry outside of the matrix")
    stored = values != 0
    return _from_coordinates(rows[stored], columns[stored], values[stored], n, context, "npz")


def _from_coordinates(
    rows: NDArray[Any], columns: NDArray[Any], values: NDArray[Any], n: int, context: Context, format: str
) -> Graph:
    context.check_size(n, len(rows) // 2)
    builder = Builder(context, context.stem, format, declared=False)
    for i in range(n):
        builder.node(i, None, str(i))
    entries = list(zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True))
    return from_entries(builder, [(i, j, value, None) for i, j, value in entries])
