"""What a person may name as a SOURCE: a file (``FILE``, ``FILE#INDEX``), a classic, ``DATASET:INDEX``, a preset,
``random:VERTICES:EDGES:SEED``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mivspool.errors import DatasetError, InputError, ReadError
from mivspool.graphs.collection import collection_of
from mivspool.graphs.collections.classics import CLASSICS
from mivspool.graphs.datasets import DATASETS, find_dataset, load_dataset
from mivspool.graphs.graph import Graph


def open_source(source: str) -> Graph:
    """The one graph that a SOURCE names.

    Args:
        source: a file (``FILE#2`` is the third graph of one that holds several), a classic such as "karate", a graph of
            a data set ("MAO:3") or a preset ("preset:tie"). An existing file comes before a name.

    Returns:
        The graph.

    Raises:
        InputError: where the source names nothing.
        DatasetError: where the data cannot be had.
        ReadError: where the file is no graph.
    """
    path, index = _split_file(source)
    if path is not None:
        from mivspool.graphs.read import read_graph

        return read_graph(path, index or 0)
    collection = collection_of(source)
    if collection is not None:
        return collection.load(source)
    raise unknown(source)


def open_sources(source: str) -> Iterator[tuple[str, Graph | ReadError]]:
    """Every graph a SOURCE names, each with a SOURCE of its own: all of a file, folder, zip or data set.

    A member of a folder or zip that cannot be read comes as its error, and the rest goes on.
    """
    path, index = _split_file(source)
    if path is not None and index is None:
        from mivspool.graphs.read import read_each

        yield from read_each(path)
        return
    dataset = find_dataset(source) if path is None else None
    if dataset is not None:
        yield from ((graph.name, graph) for graph in load_dataset(dataset.name))
        return
    yield source, open_source(source)


def _split_file(source: str) -> tuple[Path | None, int | None]:
    """The existing file a SOURCE names and the index asked for; (None, None) where it names no file."""
    if "\0" in source or not source:
        raise InputError("a source is a file, a classic graph or DATASET:INDEX")
    try:
        if Path(source).exists():
            return Path(source), None
        name, mark, index = source.rpartition("#")
        if mark and index.lstrip("-").isdigit() and Path(name).exists():
            return Path(name), _number(index)
    except OSError as error:  # a name longer than the system allows is no file
        raise InputError(f"{source[:60]!r} is no file ({error.strerror})") from error
    return None, None


def _number(text: str) -> int:
    if len(text) > 18 or not text.isascii():
        raise InputError(f"{text[:20]!r} is not the index of a graph")
    return int(text)


def unknown(source: str) -> DatasetError | ReadError:
    """The error for a SOURCE that names nothing, with what to write instead."""
    name, mark, _ = source.partition(":")
    if mark and name.replace("-", "").isalnum() and len(name) > 1 and "/" not in source:
        return DatasetError(f"there is no data set {name!r}: choose one of {', '.join(DATASETS)}")
    shown = source if len(source) <= 80 else source[:77] + "…"
    return ReadError(
        f"there is no file, classic graph or data set graph {shown!r}: give a path, one of "
        f"{', '.join(list(CLASSICS)[:4])}, …, or a data set's graph such as MAO:3"
    )
