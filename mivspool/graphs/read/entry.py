"""What is in front of every format: sizes and pickles are refused, texts decoded, the format found by content."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from mivspool.errors import InputError, LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import FORMATS, Format
from mivspool.graphs.read.formats import npy, npz, smiles, zipped
from mivspool.graphs.read.parts.archive import open_files, open_members
from mivspool.graphs.read.parts.arrays import PICKLE_ADVICE
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.decode import decode, refuse_binary
from mivspool.graphs.read.parts.refused import refuse_content, refuse_name
from mivspool.graphs.read.parts.xmlfile import xml_root
from mivspool.messages import count, fill
from mivspool.settings import Limits, settings

# a page without Python says it too (canvas/js/read)
WORDS = {
    "left_out": "left out what could not be read: {message}{where}{more}",
    "line": " (line {line:,})",
    "more": ", and {n:,} more",
    "bytes": "{name} has {size:,.0f} MB; at most {most:,.0f} MB are read (MIVSPOOL_LIMIT_BYTES)",
    "deep": "{name} is nested too deeply to be a graph",
    "empty": "{name} is empty",
    "blank": "{name} is empty: there is nothing but blanks in it",
    "pickle": "{name} is a pickle: {advice}",
}

_PICKLES = {".pt", ".pth", ".pkl", ".pickle", ".gpickle", ".joblib", ".ckpt"}


Given = str | os.PathLike[str] | bytes | Sequence[str | os.PathLike[str]]


def read_graphs(
    source: Given,
    name: str | None = None,
    limits: Limits | None = None,
    as_: str | None = None,
) -> list[Graph]:
    """Every graph of a file, folder or bytes, or of several files that belong together.

    Args:
        source: a path, bytes, or several of them: a table of vertices and one of edges (``["nodes.csv", "edges.csv"]``)
            are one graph. What cannot be read beside others is left out, and the first graph's repairs say so.
        name: what bytes are called; its extension decides where the content is ambiguous.
        limits: how large a file and its graphs may be (default: those of the settings).
        as_: a reading, where a file is ambiguous: the ``as_`` of one of a graph's ``readings``, or the name of a
            format.

    Returns:
        At least one graph; ``read_as`` of each says how the file was read.

    Raises:
        ReadError: for a file that is no graph.
        LimitError: for one that is too large.
    """
    graphs: list[Graph] = []
    errors: list[ReadError] = []
    for item in _items(source, name, limits or settings().limits, as_):
        (graphs if isinstance(item, Graph) else errors).append(item)  # type: ignore[arg-type]
    if not graphs:
        raise errors[0] if errors else ReadError(f"{name or str(source)[:200]!r} holds no graph")
    if errors:
        graphs[0] = dataclasses.replace(graphs[0], repairs=(*graphs[0].repairs, _left_out(errors)))
    return graphs


def read_graph(path: str | os.PathLike[str] | bytes, index: int = 0, name: str | None = None) -> Graph:
    """One graph of a file.

    Args:
        path: of the file, or its bytes.
        index: of the graph in the file, from 0.
        name: what bytes are called; its extension decides where the content is ambiguous.

    Returns:
        The graph; its ``read_as`` says how the file was read.

    Raises:
        InputError: for an index out of range.
        ReadError: for a file that is no graph.
        LimitError: for one that is too large.
    """
    graphs = read_graphs(path, name)
    if not 0 <= index < len(graphs):
        shown = name or (Path(path).name if not isinstance(path, bytes) else "the file")
        many = (
            f"{count(len(graphs), 'graph')}, numbered 0 to {len(graphs) - 1}"
            if len(graphs) > 1
            else "one graph, number 0"
        )
        raise InputError(f"{shown} has {many}: there is no {index}")
    return graphs[index]


def read_each(
    path: str | os.PathLike[str], limits: Limits | None = None, as_: str | None = None
) -> Iterator[tuple[str, Graph | ReadError]]:
    """Every graph of a file or folder with the SOURCE that names it; what cannot be read is its error.

    ``as_`` chooses a reading, as for ``read_graphs``.
    """
    limits = limits or settings().limits
    place = Path(path)
    if place.is_dir() and not _is_tu(place, limits):
        files = sorted(file for file in place.rglob("*") if file.is_file() and not file.name.startswith("."))
        if not files:
            yield str(path), ReadError(f"{place.name} is empty: there is no file in it")
        for file in files:
            yield from _each(file, limits, as_)
    else:
        yield from _each(place, limits, as_)


def _each(file: Path, limits: Limits, as_: str | None) -> Iterator[tuple[str, Graph | ReadError]]:
    items: list[Graph | ReadError] = []
    try:
        items += _items(file, None, limits, as_)
    except ReadError as error:
        items.append(error)
    index = 0
    for item in items:
        alone = len(items) == 1
        if isinstance(item, Graph):
            yield (str(file) if alone else f"{file}#{index}"), item
            index += 1
        else:
            yield str(file), item


def _is_tu(folder: Path, limits: Limits) -> bool:
    from mivspool.graphs.read.parts.tu import tu_name

    return tu_name(list(open_members(folder, limits))) is not None


def _left_out(errors: list[ReadError]) -> str:
    first = errors[0]
    where = fill(WORDS["line"], line=first.line) if first.line else ""
    more = fill(WORDS["more"], n=len(errors) - 1) if len(errors) > 1 else ""
    return fill(WORDS["left_out"], message=first.message, where=where, more=more)


def _items(source: Given, name: str | None, limits: Limits, as_: str | None) -> Iterator[Graph | ReadError]:
    """The graphs, and the reasons why others are none, of whatever was given."""
    if isinstance(source, bytes):
        yield from _guarded(source, Context(name or "the text", limits, as_=as_))
        return
    if not isinstance(source, str | os.PathLike):
        context = Context(name or "the files", limits, as_=as_)
        yield from zipped.read_members(open_files([Path(file) for file in source], limits), context, _guarded)
        return
    path = Path(source)
    context = Context(name or path.name, limits, as_=as_)
    try:
        if path.is_dir():
            yield from zipped.read_members(open_members(path, limits), context, _guarded)
            return
        if not path.exists():
            raise ReadError(f"there is no file {str(source)[:200]!r}")
        _check_bytes(path.stat().st_size, context)
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ReadError(f"{str(source)[:200]!r} cannot be opened: {reason}") from error
    yield from _guarded(data, context)


def _check_bytes(size: int, context: Context) -> None:
    if size > context.limits.bytes:
        most = context.limits.bytes / 1024**2
        raise LimitError(fill(WORDS["bytes"], name=context.name, size=size / 1024**2, most=most))


def _guarded(data: bytes, context: Context) -> Iterator[Graph | ReadError]:
    """Nothing but ReadError comes out, whatever goes in."""
    try:
        yield from _open(data, context)
    except LimitError:
        raise
    except ReadError:
        refuse_name(context.name)  # whatever its bytes are, they are not meant to be a graph's
        raise
    except RecursionError as error:
        raise LimitError(fill(WORDS["deep"], name=context.name)) from error
    except MemoryError as error:
        raise LimitError(f"{context.name} needs more memory than there is: make it smaller") from error


def _open(data: bytes, context: Context) -> Iterator[Graph | ReadError]:
    _check_bytes(len(data), context)
    suffix = PurePosixPath(context.name.lower()).suffix
    if not data:
        raise ReadError(fill(WORDS["empty"], name=context.name))
    if suffix in _PICKLES or _is_pickle(data):
        raise ReadError(fill(WORDS["pickle"], name=context.name, advice=PICKLE_ADVICE))
    if data[:2] == b"\x1f\x8b":
        context.name = context.name[:-3] if context.name.lower().endswith(".gz") else context.name
        inner = zipped.unpack_gzip(data, context)
        if inner[:2] == b"\x1f\x8b" or inner[:4] == b"PK\x03\x04":
            raise ReadError(f"{context.name} is an archive within an archive: unpack it once")
        yield from _open(inner, context)
    elif data[:4] in {b"PK\x03\x04", b"PK\x05\x06"}:
        yield from _open_zip(data, context)
    elif data[:6] == b"\x93NUMPY":
        yield from _said(npy.FORMAT, npy.read(data, context))
    else:
        yield from _read_text(data, context)


def _open_zip(data: bytes, context: Context) -> Iterator[Graph | ReadError]:
    members = open_members(data, context.limits)
    if npz.is_npz(list(members)):
        yield from _said(npz.FORMAT, npz.read(data, context))
        return

    def read_one(inner: bytes, place: Context) -> Iterator[Graph | ReadError]:
        if inner[:4] == b"PK\x03\x04" and PurePosixPath(place.name).suffix != ".npz":
            refuse_name(place.name)
            raise ReadError(f"{place.name} is a zip within a zip: unpack it once")
        yield from _guarded(inner, place)

    yield from zipped.read_members(members, context, read_one)


def _read_text(data: bytes, context: Context) -> Iterator[Graph | ReadError]:
    refuse_binary(data, context.name)
    text, context.encoding, notices = decode(data, context.name)
    context.repairs += notices
    if not text.strip("\ufeff \t\r\n\f\v\0"):
        raise ReadError(fill(WORDS["blank"], name=context.name))
    format = _named(context.as_) or guess(text, context.name)
    yield from _said(format, format.read(text, context))


def _named(as_: str | None) -> Format | None:
    """The format of texts that a person names; a dialect is chosen by its document."""
    format = FORMATS.get(as_ or "")
    return format if format is not None and not format.binary and format.knows is None else None


def _said(format: Format, found: Found) -> Iterator[Graph | ReadError]:
    """The same, each graph with the sentence on how it was read."""
    for item in found:
        if isinstance(item, Graph) and item.read_as is None:
            item = dataclasses.replace(item, read_as=format.read_as)
        yield item


def guess(text: str, name: str) -> Format:
    """The format of a text: by content, then by name, then by what is left.

    Raises ReadError where it is in a format that is known and not read.
    """
    refuse_content(text, name)
    for format in FORMATS.values():
        if format.sniff is not None and not format.unsure and format.sniff(text):
            return format
    suffix = PurePosixPath(name.lower()).suffix
    for format in FORMATS.values():
        if format.knows is not None and suffix in format.extensions:
            return FORMATS["json"]
        if suffix in format.extensions and not format.binary:
            return _unless_smiles(format, text, suffix)
    if xml_root(text) is not None or text.lstrip().startswith(("<!", "<?xml")):
        return FORMATS["graphml"]
    refuse_name(name)
    return FORMATS["smiles"] if smiles.sniff(text) else FORMATS["csv"]


def _unless_smiles(format: Format, text: str, suffix: str) -> Format:
    """A .txt says nothing of what is in it."""
    return FORMATS["smiles"] if suffix == ".txt" and smiles.sniff(text) else format


def _is_pickle(data: bytes) -> bool:
    """A pickle by its first bytes: protocol 2 to 5, or the text form that names a module at once."""
    if data[0] == 0x80 and len(data) > 1 and 2 <= data[1] <= 5:
        return True
    head = data[:200].split(b"\n", 2)
    return (
        data[:1] == b"c"
        and len(head) == 3
        and data.rstrip().endswith(b".")
        and head[2][:1] in (b"(", b"p", b"q")
    )
