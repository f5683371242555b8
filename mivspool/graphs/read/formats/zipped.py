"""Zips, folders and gzip: a TU data set, a matrix, or many graphs, each member read as a file of its own."""

from __future__ import annotations

import dataclasses
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.collection import COLLECTIONS, DataSet
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.formats.table import lists_vertices, read_pair
from mivspool.graphs.read.parts.archive import Members
from mivspool.graphs.read.parts.arrays import PICKLE_ADVICE
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.decode import decode
from mivspool.graphs.read.parts.refused import refuse_members
from mivspool.graphs.read.parts.tu import parse_tu, tu_name, tu_parts

ReadOne = Callable[[bytes, Context], Iterator[Graph | ReadError]]
_TABLES = {".csv", ".tsv", ".txt", ".tab"}
_NODES = re.compile(r"(?<![a-z])(?:node|vertex|vertice)s?(?:[_ -]?(?:list|table))?(?![a-z])", re.IGNORECASE)
_EDGES = re.compile(
    r"(?<![a-z])(?:edge|link|arc|relationship|rel)s?(?:[_ -]?(?:list|table))?(?![a-z])", re.IGNORECASE
)
_TEXTS_BESIDE = {"readme", "license", "licence", "copying", "notice", "changelog"}


def read_members(members: Members, context: Context, read_one: ReadOne) -> Iterator[Graph | ReadError]:
    """The graphs of a zip or folder; a member that cannot be read is its error, and the rest goes on."""
    names = list(members)
    _refuse(names, context)
    name = tu_name(names)
    if name is not None:
        yield from _tu(name, members, context)
        return
    read = 0
    together = pairs(names) or _pair_by_content(members, context)
    for member in names:
        if PurePosixPath(member).stem.lower() in _TEXTS_BESIDE or member in together.values():
            continue
        inner = Context(
            member, context.limits, vertices=context.vertices, edges=context.edges, as_=context.as_
        )
        try:
            vertices = together.get(member)
            found = (
                read_one(members[member](), inner)
                if vertices is None
                else read_together(members[vertices](), members[member](), vertices, inner)
            )
            for item in found:
                read += isinstance(item, Graph)
                if read > context.limits.graphs:
                    raise LimitError(
                        f"{context.name} holds more than {context.limits.graphs:,} graphs: split it"
                    )
                yield _from(member, item) if isinstance(item, Graph) else _within(member, item)
        except LimitError as error:
            if context.vertices + inner.vertices > context.limits.vertices:
                raise
            yield _within(member, error)
        except ReadError as error:
            yield _within(member, error)
        context.vertices, context.edges = inner.vertices, inner.edges
    if not names:
        raise ReadError(f"{context.name} is empty: there is no file in it")


def pairs(names: list[str]) -> dict[str, str]:
    """Tables of edges, each with the table of its vertices: ``edges.csv`` and ``nodes.csv`` of one folder."""
    vertices = {key: name for name in names if (key := _key(name, _NODES)) is not None}
    edges = {key: name for name in names if (key := _key(name, _EDGES)) is not None}
    return {name: vertices[key] for key, name in edges.items() if key in vertices}


def _pair_by_content(members: Members, context: Context) -> dict[str, str]:
    """The same of two tables alone, whatever they are called, where one of them lists vertices."""
    names = [name for name in members if PurePosixPath(name).stem.lower() not in _TEXTS_BESIDE]
    if len(names) != 2 or any(PurePosixPath(name).suffix.lower() not in _TABLES for name in names):
        return {}
    vertices = [name for name in names if _lists_vertices(members[name](), name, context)]
    return {other: vertices[0] for other in names if other not in vertices} if len(vertices) == 1 else {}


def _lists_vertices(data: bytes, name: str, context: Context) -> bool:
    inner = Context(name, context.limits, started=context.started)
    try:
        return lists_vertices(decode(data, name)[0], inner)
    except ReadError:  # it is said where the file itself is read
        return False


def _key(name: str, kind: re.Pattern[str]) -> tuple[str, str] | None:
    """What two tables of one graph have in common: the folder, and the name without the word for what they list."""
    path = PurePosixPath(name)
    if path.suffix.lower() not in _TABLES or kind.search(path.stem) is None:
        return None
    return str(path.parent), kind.sub("", path.stem).lower()


def read_together(vertices: bytes, edges: bytes, name: str, context: Context) -> Iterator[Graph]:
    """The graph of a table of edges (``context.name``) and the table ``name`` of its vertices."""
    texts = []
    for data, called in ((vertices, name), (edges, context.name)):
        text, context.encoding, notices = decode(data, called)
        context.repairs += notices
        texts.append(text)
    yield read_pair(texts[0], texts[1], name, context)


def _from(member: str, graph: Graph) -> Graph:
    """The same graph, which says which member it is from."""
    said = (graph.read_as or "Read.").removesuffix(".")
    return dataclasses.replace(graph, read_as=f"{said}, from {member}.")


def _within(member: str, error: ReadError) -> ReadError:
    """The same error, with the member it is about."""
    if member in error.message:
        return error
    return type(error)(f"{member}: {error.message}", line=error.line)


def _refuse(names: list[str], context: Context) -> None:
    if any(PurePosixPath(name).name == "data.pkl" for name in names):  # another pickle is refused by itself
        raise ReadError(f"{context.name} holds a pickle, as PyTorch writes it: {PICKLE_ADVICE}")
    refuse_members(names, context.name)


def _tu(name: str, members: Members, context: Context) -> Iterator[Graph]:
    parts = {part: members[file]() for part, file in tu_parts(name, list(members)).items()}
    context.check_time()
    dataset = parse_tu(name, parts)
    known = next(
        (one for one in COLLECTIONS.values() if isinstance(one, DataSet) and one.is_called(name)), None
    )
    if known is not None and known.label_names is not None and known.graphs == len(dataset):
        dataset = parse_tu(name, parts, known.label_names)  # what its labels mean is published
    if len(dataset) > context.limits.graphs:
        raise LimitError(f"{context.name} holds more than {context.limits.graphs:,} graphs: split it")
    context.count(int(dataset.ptr[-1]), dataset.edges.shape[1])
    said = f"Read as the data set {name} in TU layout."
    for graph in dataset:
        yield dataclasses.replace(graph, format="tu", repairs=dataset.repairs, encoding="utf-8", read_as=said)


def unpack_gzip(data: bytes, context: Context) -> bytes:
    """The bytes in a gzip file, up to the limit."""
    most = context.limits.expanded_bytes
    unpacker = zlib.decompressobj(31)
    try:
        out = unpacker.decompress(data, most + 1)
    except zlib.error as error:
        raise ReadError(f"{context.name} is a damaged gzip file ({error})") from error
    if len(out) > most:
        raise LimitError(f"{context.name} expands to more than {most // 1024**2:,} MB: make it smaller")
    if not unpacker.eof:
        raise ReadError(f"{context.name} is a gzip file that was cut off")
    if out[257:262] == b"ustar":
        raise ReadError(f"{context.name} is a tar archive: make a zip of its files instead")
    return out


FORMAT = Format(
    name="zip",
    title="TU data set, or zip of many files",
    about="A data set in TU layout, or any of the other formats packed together.",
    extensions=(".zip",),
    read=read_members,
    place=150,
    binary=True,
    several=True,
    kept="as in each file; all of a TU data set; nodes.csv and edges.csv are one graph",
    lost="what cannot be read is named in the repairs",
)
