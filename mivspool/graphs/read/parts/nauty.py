"""graph6 and sparse6, nauty's formats: a graph per line, six bits per character from 63 on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.text import lines_of, shown
from mivspool.messages import count

_HEADERS = (">>graph6<<", ">>sparse6<<")


def read_lines(text: str, context: Context) -> Iterator[Graph | ReadError]:
    """The graph of each line; a line that is none is its error, and the rest goes on."""
    found = 0
    for number, raw in enumerate(lines_of(text), start=1):
        line = raw.strip()
        for header in _HEADERS:
            line = line.removeprefix(header)
        if not line:
            continue
        found += 1
        if found > context.limits.graphs:
            raise LimitError(f"{context.name} holds more than {context.limits.graphs:,} graphs: split it")
        context.check_time()
        try:
            yield _graph(line, context, context.stem if found == 1 else f"{context.stem} {found}")
        except LimitError:
            raise
        except ReadError as error:
            yield ReadError(error.message, line=number)
    if not found:
        raise ReadError(f"{context.name} has no line that is a graph: it has no vertices")


def _graph(line: str, context: Context, name: str) -> Graph:
    if line[0] in "&;":
        kind = "digraph6" if line[0] == "&" else "incremental sparse6"
        raise ReadError(f"{context.name} is {kind}: write it as graph6 or sparse6")
    sparse = line[0] == ":"
    codes = np.frombuffer(line.removeprefix(":").encode("utf-8"), dtype=np.uint8)
    if not len(codes) or codes.min() < 63 or codes.max() > 126:
        raise ReadError(f"{context.name} has the line {shown(line)}, which is neither graph6 nor sparse6")
    n, rest = _size(codes - 63, context)
    context.check_size(n)
    entries = n * (n - 1) // 2
    if not sparse and len(rest) != (entries + 5) // 6:  # before anything is set aside for so many vertices
        raise ReadError(
            f"{context.name} has a line of another length than a graph of {count(n, 'vertex')} needs"
        )
    builder = Builder(context, name, "sparse6" if sparse else "graph6", declared=False)
    builder.read_as = f"Read as {builder.format}."
    for i in range(n):
        builder.node(str(i))
    bits = np.unpackbits(rest[:, None], axis=1)[:, 2:].ravel()
    if sparse:
        _sparse_edges(bits, n, builder)
    else:
        _edges(bits, n, builder)
    return builder.finish()


def _size(codes: NDArray[np.uint8], context: Context) -> tuple[int, NDArray[np.uint8]]:
    """The number of vertices, and the codes uint8 [k] behind it."""
    start, length = (
        (2, 6) if len(codes) > 1 and codes[0] == codes[1] == 63 else (1, 3) if codes[0] == 63 else (0, 1)
    )
    if len(codes) < start + length:
        raise ReadError(f"{context.name} has a line that was cut off")
    n = 0
    for code in codes[start : start + length].tolist():
        n = n * 64 + code
    return n, codes[start + length :]


def _edges(bits: NDArray[np.uint8], n: int, builder: Builder) -> None:
    """The upper triangle, column by column."""
    entries = n * (n - 1) // 2
    ones = np.flatnonzero(bits[:entries])
    builder.context.check_size(n, len(ones))
    columns = np.repeat(np.arange(n), np.arange(n))[ones] if entries < 10_000_000 else _columns(ones)
    rows = ones - columns * (columns - 1) // 2
    for u, v in zip(rows.tolist(), columns.tolist(), strict=True):
        builder.edge(u, v)


def _columns(entries: NDArray[np.int64]) -> NDArray[np.int64]:
    """The column int64 [k] of each entry of an upper triangle that is listed column by column."""
    guess = ((1 + np.sqrt(1 + 8 * entries.astype(np.float64))) / 2).astype(np.int64)
    guess -= guess * (guess - 1) // 2 > entries
    return guess + (guess * (guess + 1) // 2 <= entries)


def _sparse_edges(bits: NDArray[np.uint8], n: int, builder: Builder) -> None:
    """Each group of bits moves to the next vertex, and names one to join or to go to."""
    wide = max(1, (n - 1).bit_length())
    groups = bits[: len(bits) // (wide + 1) * (wide + 1)].reshape(-1, wide + 1)
    builder.context.check_size(n, 0)
    numbers = groups[:, 1:].astype(np.int64) @ (1 << np.arange(wide - 1, -1, -1, dtype=np.int64))
    v = 0
    for step, x in zip(groups[:, 0].tolist(), numbers.tolist(), strict=True):
        v += step
        if x >= n or v >= n:
            break  # what fills the last character
        if x > v:
            v = x
        else:
            builder.edge(x, v)
