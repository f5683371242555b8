"""Zips, folders and gzip: a TU data set, a matrix, or many graphs, each member read as a file of its own."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.archive import Members
from mivspool.graphs.read.parts.arrays import PICKLE_ADVICE
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.tu import parse_tu, tu_name, tu_parts

ReadOne = Callable[[bytes, Context], Iterator[Graph | ReadError]]
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
    for member in names:
        if PurePosixPath(member).stem.lower() in _TEXTS_BESIDE:
            continue
        inner = Context(
            member, context.limits, vertices=context.vertices, edges=context.edges, as_=context.as_
        )
        try:
            for item in read_one(members[member](), inner):
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
    if "[Content_Types].xml" in names:
        raise ReadError(f"{context.name} is an Office document: save the table in it as CSV")


def _tu(name: str, members: Members, context: Context) -> Iterator[Graph]:
    parts = {part: members[file]() for part, file in tu_parts(name, list(members)).items()}
    context.check_time()
    dataset = parse_tu(name, parts)
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
)
