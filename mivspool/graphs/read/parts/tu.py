"""The layout of the TU data sets: NAME_A.txt, NAME_graph_indicator.txt and companions, counted from 1."""

from __future__ import annotations

import io
from collections.abc import Mapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import ReadError
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.simplify import simplify
from mivspool.messages import count

REQUIRED = ("A", "graph_indicator")
OPTIONAL = (
    "graph_labels",
    "graph_label_names",
    "node_labels",
    "node_attributes",
    "edge_labels",
    "edge_attributes",
    "graph_attributes",
)
_LARGEST = 2**53  # beyond this a number of a text file is no index or label


def tu_name(members: list[str]) -> str | None:
    """NAME where the file names hold NAME_A.txt and NAME_graph_indicator.txt, else None."""
    stems = {member.rsplit("/", 1)[-1] for member in members}
    for stem in sorted(stems):
        if stem.endswith("_A.txt") and f"{stem[:-6]}_graph_indicator.txt" in stems:
            return stem[:-6]
    return None


def tu_parts(name: str, members: list[str]) -> dict[str, str]:
    """Part ("A", "node_labels", …) → the member that holds it."""
    parts = {}
    for member in members:
        base = member.rsplit("/", 1)[-1]
        for part in REQUIRED + OPTIONAL:
            if base == f"{name}_{part}.txt":
                parts[part] = member
    return parts


def parse_tu(name: str, parts: Mapping[str, bytes], label_names: Mapping[int, str] | None = None) -> Dataset:
    """A data set from the bytes of its parts.

    ``label_names`` names the vertex labels whose meaning is published; the others keep their number. A part
    NAME_graph_label_names.txt names the classes: a line per class, its number, a comma and its name.
    Raises ReadError with file and line where indices start at 0, point nowhere or cross two graphs,
    and where two files do not have the same length.
    """
    indicator = _table(name, "graph_indicator", parts, np.int64)[:, 0]
    if not len(indicator):
        raise ReadError(f"{name}_graph_indicator.txt is empty: the data set has no vertices")
    listed = _table(name, "A", parts, np.int64, columns=2)
    _check_indices(name, listed, len(indicator))
    graph_of, order, numbers = _graphs(name, indicator)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    graph_of = graph_of[order]
    source, target = place[listed[:, 0] - 1], place[listed[:, 1] - 1]
    _check_within(name, listed, numbers[graph_of], source, target)
    num_graphs = len(numbers)
    simple = simplify(source, target, len(indicator), directed=True)
    label, names, extra = _labels(name, parts, order, label_names)
    attributes, attribute_names = _attributes(name, parts, order, extra)
    classes, goal = _targets(name, parts, numbers)
    classes = _named(name, parts, classes)
    return Dataset(
        name=name,
        ptr=np.searchsorted(graph_of, np.arange(num_graphs + 1)).astype(np.int64),
        edges=simple.edges,
        edge_ptr=np.searchsorted(graph_of[simple.edges[0]], np.arange(num_graphs + 1)).astype(np.int64),
        node_label=label,
        label_names=names,
        node_attributes=attributes,
        attribute_names=attribute_names,
        target=goal,
        classes=classes,
        edge_attributes=_edge_labels(name, parts, len(listed), simple.first),
        repairs=(*_repairs(source, target, simple.edges.shape[1], simple.repairs), *_gaps(numbers)),
    )


def _repairs(
    source: NDArray[np.int64], target: NDArray[np.int64], num_edges: int, repairs: tuple[str, ...]
) -> tuple[str, ...]:
    """A TU file lists both directions of an edge: that is its form, and only a missing one is news."""
    pairs = np.stack([source, target], axis=1)[source != target]
    one_way = 2 * num_edges - len(np.unique(pairs, axis=0)) if len(pairs) else 0
    news = [text for text in repairs if not text.startswith("made")]
    if one_way:
        news.insert(0, f"made {count(one_way, 'edge')} undirected that had one direction only")
    return tuple(news)


def _check_indices(name: str, listed: NDArray[np.int64], num_nodes: int) -> None:
    low = np.flatnonzero((listed < 1).any(axis=1))
    if len(low):
        line = int(low[0]) + 1
        raise ReadError(
            f"{name}_A.txt names vertex {int(listed[low[0]].min())}, but a TU data set counts its vertices "
            "from 1: add 1 to both columns",
            line=line,
        )
    high = np.flatnonzero((listed > num_nodes).any(axis=1))
    if len(high):
        raise ReadError(
            f"{name}_A.txt names vertex {int(listed[high[0]].max())}, but {name}_graph_indicator.txt has "
            f"only {count(num_nodes, 'vertex')}",
            line=int(high[0]) + 1,
        )


def _gaps(numbers: NDArray[np.int64]) -> tuple[str, ...]:
    """What is said where numbers of graphs are left out."""
    missing = int(numbers[-1]) - len(numbers)
    if not missing:
        return ()
    first = next(k for k, value in enumerate(numbers.tolist(), start=1) if k != value)
    return (f"{count(missing, 'number')} of graphs without a vertex left out, the first is {first:,}",)


def _graphs(
    name: str, indicator: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Graph of each vertex from 0, the order that puts the vertices of a graph together, and each graph's number."""
    low = np.flatnonzero(indicator < 1)
    if len(low):
        raise ReadError(
            f"{name}_graph_indicator.txt names graph {int(indicator[low[0]])}, but a TU data set counts its "
            "graphs from 1",
            line=int(low[0]) + 1,
        )
    numbers, graph_of = np.unique(indicator, return_inverse=True)
    return graph_of.astype(np.int64), np.argsort(indicator, kind="stable").astype(np.int64), numbers


def _check_within(
    name: str,
    listed: NDArray[np.int64],
    graph_of: NDArray[np.int64],
    source: NDArray[np.int64],
    target: NDArray[np.int64],
) -> None:
    across = np.flatnonzero(graph_of[source] != graph_of[target])
    if len(across):
        row = int(across[0])
        one, other = int(graph_of[source[row]]), int(graph_of[target[row]])
        raise ReadError(
            f"{name}_A.txt joins vertex {listed[row, 0]} of graph {one} and "
            f"vertex {listed[row, 1]} of graph {other}: an edge must stay within one graph",
            line=row + 1,
        )


def _labels(
    name: str, parts: Mapping[str, bytes], order: NDArray[np.int64], label_names: Mapping[int, str] | None
) -> tuple[NDArray[np.int64] | None, tuple[str, ...] | None, NDArray[np.int64]]:
    """Label of each vertex, the labels' names, and further label columns (kept as attributes)."""
    nothing = np.zeros((len(order), 0), dtype=np.int64)
    if "node_labels" not in parts:
        return None, None, nothing
    table = _table(name, "node_labels", parts, np.int64, rows=len(order), of="vertices")[order]
    if not table.shape[1]:
        return None, None, nothing
    values, label = np.unique(table[:, 0], return_inverse=True)
    if label_names is not None and set(values.tolist()) <= set(label_names):
        names = tuple(label_names.values())
        return np.searchsorted(np.asarray(sorted(label_names)), table[:, 0]), names, table[:, 1:]
    return label.astype(np.int64), tuple(str(v) for v in values.tolist()), table[:, 1:]


def _attributes(
    name: str, parts: Mapping[str, bytes], order: NDArray[np.int64], extra: NDArray[np.int64]
) -> tuple[NDArray[np.float64] | None, tuple[str, ...]]:
    table = np.zeros((len(order), 0))
    if "node_attributes" in parts:
        table = _table(name, "node_attributes", parts, np.float64, rows=len(order), of="vertices")[order]
    names = [f"attribute {k}" for k in range(table.shape[1])]
    names += [f"label {k + 1}" for k in range(extra.shape[1])]
    together = np.concatenate([table, extra.astype(np.float64)], axis=1)
    return (together, tuple(names)) if names else (None, ())


def _targets(
    name: str, parts: Mapping[str, bytes], numbers: NDArray[np.int64]
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The class of each graph; a number that is left out has a line in the file too."""
    if "graph_labels" not in parts:
        return (), np.full(len(numbers), -1, dtype=np.int64)
    table = _table(name, "graph_labels", parts, np.int64, rows=int(numbers[-1]), of="graphs")
    values, goal = np.unique(table[numbers - 1, 0], return_inverse=True)
    return tuple(str(v) for v in values.tolist()), goal.astype(np.int64)


def _named(name: str, parts: Mapping[str, bytes], classes: tuple[str, ...]) -> tuple[str, ...]:
    """The classes by the names that the data set gives them; those that it does not name keep their number."""
    file = f"{name}_graph_label_names.txt"
    given: dict[str, str] = {}
    text = parts.get("graph_label_names", b"").decode("utf-8-sig", errors="replace")
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        label, comma, title = (part.strip() for part in line.partition(","))
        if not comma or not title:
            raise ReadError(f"{file} needs a class, a comma and its name, as in 1, enzyme", line=number)
        if label not in classes:
            raise ReadError(
                f"{file} names the class {label[:40]!r}, which no graph of {name}_graph_labels.txt has",
                line=number,
            )
        given[label] = title
    named = tuple(given.get(label, label) for label in classes)
    if len(set(named)) < len(named):
        twice = next(one for i, one in enumerate(named) if one in named[:i])
        raise ReadError(f"{file} gives two classes the name {twice[:40]!r}: name them apart")
    return named


def _edge_labels(
    name: str, parts: Mapping[str, bytes], num_listed: int, first: NDArray[np.int64]
) -> dict[str, NDArray[np.int64]]:
    if "edge_labels" not in parts:
        return {}
    table = _table(name, "edge_labels", parts, np.int64, rows=num_listed, of="lines of A")
    return {"label": table[first, 0]} if table.shape[1] else {}


def _table(
    name: str,
    part: str,
    parts: Mapping[str, bytes],
    dtype: Any,
    *,
    columns: int | None = None,
    rows: int | None = None,
    of: str = "",
) -> NDArray[Any]:
    """One part as a table; ReadError with the line where a value is no number."""
    file = f"{name}_{part}.txt"
    if part not in parts:
        raise ReadError(f"{file} is missing: a TU data set needs it")
    text = parts[part].decode("utf-8-sig", errors="replace")
    width = columns or (text.lstrip().split("\n", 1)[0].count(",") + 1 if text.strip() else 1)
    try:
        table = np.zeros((0, width), dtype=dtype)
        if text.strip():
            table = np.loadtxt(io.StringIO(text), delimiter=",", dtype=dtype, ndmin=2, comments=None)
    except (ValueError, OverflowError):
        raise _bad_line(file, text, width, dtype) from None
    if table.shape[1] != width:
        raise ReadError(f"{file} has {table.shape[1]} columns where {width} are needed", line=1)
    if dtype is np.int64 and table.size and max(int(table.max()), -int(table.min())) > _LARGEST:
        raise ReadError(f"{file} holds a number too large for an index or a label")
    if rows is not None and len(table) != rows:
        raise ReadError(f"{file} has {count(len(table), 'line')}, but there are {rows:,} {of}: one line each")
    return table


def _bad_line(file: str, text: str, width: int, dtype: Any) -> ReadError:
    """The first line that does not hold ``width`` numbers."""
    convert = int if dtype is np.int64 else float
    for number, line in enumerate(text.splitlines(), start=1):
        cells = line.split(",")
        if not line.strip():
            continue
        if len(cells) != width:
            return ReadError(
                f"{file} has {len(cells)} values in a line where others have {width}", line=number
            )
        for cell in islice(cells, width):
            try:
                convert(cell.strip()[:400])
            except ValueError:
                return ReadError(f"{file} has {cell.strip()[:40]!r} where a number must stand", line=number)
    return ReadError(f"{file} is not a table of numbers separated by commas")
