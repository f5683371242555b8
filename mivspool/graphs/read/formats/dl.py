"""UCINET DL: a full matrix, a list of edges or lists of neighbours, with labels in front or embedded."""

from __future__ import annotations

import re
from typing import Any

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.adjacency import Entries, from_entries
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import lines_of, number, shown
from mivspool.messages import count

_DL = re.compile(r"\s*dl\b\s*,?\s*(?:n|nr|nc|nm|format)\b", re.IGNORECASE)
_DATA = re.compile(r"(?:^|[\s,])data\s*:", re.IGNORECASE)
_SIZE = re.compile(r"(?:^|[\s,])n\s*=?\s*(\d{1,9})", re.IGNORECASE)
_FORM = re.compile(r"format\s*=?\s*(\w+)", re.IGNORECASE)
_TWO_MODE = re.compile(r"(?:^|[\s,])n[rcm]\s*=", re.IGNORECASE)
_LABELS = re.compile(r"(?<![\w])labels\s*:(?P<labels>.*)", re.IGNORECASE | re.DOTALL)
_EMBEDDED = re.compile(r"labels\s+embedded", re.IGNORECASE)
_WORD = re.compile(r'"([^"]*)"|([^\s,"]+)')
_HEAD = 100_000


def sniff(text: str) -> bool:
    """Whether the first word is DL and sizes follow."""
    return bool(_DL.match(text[:_HEAD]))


def read(text: str, context: Context) -> Found:
    """The one graph of a DL file in one of the forms fullmatrix, edgelist1 and nodelist1."""
    data = _DATA.search(text)
    if data is None:
        raise ReadError(f"{context.name} is a DL file without 'data:': it was cut off")
    header, first_line = text[: data.start()], text.count("\n", 0, data.end()) + 1
    if _TWO_MODE.search(header):
        raise ReadError(
            f"{context.name} is a DL file of two modes or several matrices: save one square matrix as DL"
        )
    size = _SIZE.search(header)
    if size is None:
        raise ReadError(
            f"{context.name} is a DL file that does not say how many vertices there are: DL n=3", line=1
        )
    form = _FORM.search(header)
    kind = form[1].lower() if form else "fullmatrix"
    n = int(size[1])
    context.check_size(n)
    embedded = bool(_EMBEDDED.search(header))
    given = _LABELS.search(_EMBEDDED.sub("", header))
    labels = _words(given["labels"]) if given and not embedded else []
    if labels and len(labels) != n:
        raise ReadError(f"{context.name} has {len(labels):,} labels for {count(n, 'vertex')}")
    rows = [(_words(line), k) for k, line in enumerate(lines_of(text[data.end() :]), start=first_line)]
    rows = [(cells, k) for cells, k in rows if cells]
    builder = Builder(context, context.stem, "dl", declared=False)
    if kind in {"fullmatrix", "fm"}:
        return [_matrix(rows, n, labels, embedded, builder)]
    if kind in {"edgelist1", "el1", "nodelist1", "nl1"}:
        return [_list(rows, n, labels, embedded, kind in {"edgelist1", "el1"}, builder)]
    raise ReadError(
        f"{context.name} is a DL file of the form {shown(kind)}: save it as fullmatrix or edgelist1"
    )


def _words(text: str) -> list[str]:
    return [quoted or bare for quoted, bare in _WORD.findall(text)]


def _matrix(
    rows: list[tuple[list[str], int]], n: int, labels: list[str], embedded: bool, builder: Builder
) -> Graph:
    context = builder.context
    if embedded:
        labels = rows[0][0] if rows else []
        rows = [(cells[1:], line) for cells, line in rows[1:]]
    cells = [(cell, line) for row, line in rows for cell in row]
    if len(cells) != n * n or (embedded and len(labels) != n):
        raise ReadError(
            f"{context.name} has {len(cells):,} numbers where a matrix of {n:,} × {n:,} must stand"
        )
    _vertices(builder, n, labels)
    entries: Entries = []
    for place, (cell, line) in enumerate(cells):
        if place % 65_536 == 0:
            context.check_size(n, len(entries) // 2)
        value: Any = number(cell)
        if value is None:
            raise ReadError(f"{context.name} has {shown(cell)} where a number must stand", line=line)
        if value:
            entries.append((place // n, place % n, value, line))
    return from_entries(builder, entries)


def _vertices(builder: Builder, n: int, labels: list[str]) -> None:
    for i in range(n):
        name = labels[i] if labels else str(i + 1)
        if name in builder.index:
            raise ReadError(f"{builder.context.name} has two vertices called {shown(name)}")
        builder.node(name)


def _list(
    rows: list[tuple[list[str], int]],
    n: int,
    labels: list[str],
    embedded: bool,
    edges: bool,
    builder: Builder,
) -> Graph:
    context = builder.context
    if not embedded:
        _vertices(builder, n, labels)

    def vertex(cell: str, line: int) -> int:
        if embedded:
            return builder.mention(cell, line)
        if not (cell.isascii() and cell.isdigit()) or len(cell) > 9 or not 1 <= int(cell) <= n:
            if cell in builder.index:
                return builder.index[cell]
            raise ReadError(
                f"{context.name} names vertex {shown(cell)}, but its vertices are 1 to {n:,}", line=line
            )
        return int(cell) - 1

    for cells, line in rows:
        u = vertex(cells[0], line)
        for cell in cells[1:2] if edges else cells[1:]:
            k = builder.edge(u, vertex(cell, line), line, directed=True)
            if edges and len(cells) > 2:
                builder.edge_value(k, "weight", cells[2])
    for i in range(len(builder.ids), n):  # those that no edge names have no label either
        builder.node(("unnamed", i), None, str(i + 1))
    if len(builder.ids) > n:
        raise ReadError(
            f"{context.name} names {count(len(builder.ids), 'vertex')}, but says that it has {n:,}"
        )
    return builder.finish()


FORMAT = Format(
    name="dl",
    title="UCINET DL",
    about="UCINET, NetDraw, igraph; Gephi reads it too.",
    extensions=(".dl",),
    read=read,
    sniff=sniff,
    place=52,
    kept="labels, edges, weights (fullmatrix, edgelist1, nodelist1)",
    lost="the direction of edges; files of two modes and half matrices are refused",
)
