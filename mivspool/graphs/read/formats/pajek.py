"""Pajek: *Vertices counted or listed, *Edges, *Arcs, their lists, and *Matrix."""

from __future__ import annotations

import re

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.text import lines_of, number, shown

_PAJEK = re.compile(r"(?:\s*%[^\n]*\n)*\s*\*\s*(?:vertices|network)", re.IGNORECASE)
_HEAD = 100_000

_CELL = re.compile(r'"([^"]*)"|(\S+)')
_SECTION = re.compile(r"\*\s*([A-Za-z]+)\s*(.*)")


class Pajek:
    """One network of a Pajek file, filled line by line."""

    def __init__(self, context: Context, name: str) -> None:
        self.context, self.name = context, name
        self.names: dict[int, str] = {}
        self.places: dict[int, tuple[float, float]] = {}
        self.joined: list[tuple[int, int, str | None, bool, int]] = []
        self.size = 0
        self.row = 0

    def vertices(self, rest: str, line: int) -> None:
        """``*Vertices n``: n vertices numbered from 1, whether or not they are listed."""
        cells = rest.split()
        if not cells or not cells[0].isdecimal() or not cells[0].isascii() or len(cells[0]) > 15:
            raise ReadError(
                f"{self.context.name} must say how many vertices there are: *Vertices 3", line=line
            )
        self.size = int(cells[0])
        self.context.check_size(self.size)

    def vertex(self, cells: list[str], line: int) -> None:
        """``1 "label" x y …``"""
        i = self._index(cells[0], line)
        if len(cells) > 1:
            self.names[i] = cells[1]
        x, y = (number(c) for c in (cells[2:4] if len(cells) >= 4 else (None, None)))
        if x is not None and y is not None:
            self.places[i] = (x, y)

    def pair(self, cells: list[str], line: int, directed: bool) -> None:
        """``1 2 weight``"""
        if len(cells) < 2:
            raise ReadError(f"{self.context.name} has an edge with one end", line=line)
        u, v = self._index(cells[0], line), self._index(cells[1], line)
        self._join(u, v, cells[2] if len(cells) > 2 else None, directed, line)

    def star(self, cells: list[str], line: int, directed: bool) -> None:
        """``1 2 3 4``: from the first to each other."""
        u, *others = (self._index(cell, line) for cell in cells)
        for v in others:
            self._join(u, v, None, directed, line)

    def matrix(self, cells: list[str], line: int) -> None:
        """One row of ``*Matrix``."""
        if self.row >= self.size or len(cells) != self.size:
            raise ReadError(
                f"{self.context.name} has a matrix row of {len(cells)} numbers for {self.size} vertices",
                line=line,
            )
        for column, cell in enumerate(cells):
            if number(cell) != 0:
                self._join(self.row, column, cell, True, line)
        self.row += 1

    def _join(self, u: int, v: int, weight: str | None, directed: bool, line: int) -> None:
        if len(self.joined) % 4096 == 0:
            self.context.check_size(self.size, len(self.joined))
        self.joined.append((u, v, weight, directed, line))

    def _index(self, cell: str, line: int) -> int:
        if not cell.isdigit() or not cell.isascii() or len(cell) > 15 or not 1 <= int(cell) <= self.size:
            raise ReadError(
                f"{self.context.name} names vertex {shown(cell)}, but its vertices are 1 to {self.size:,}",
                line=line,
            )
        return int(cell) - 1

    def finish(self) -> Graph:
        """The graph; vertices are called by their labels where these tell them apart."""
        builder = Builder(self.context, self.name, "pajek", declared=True)
        called = [self.names.get(i) or str(i + 1) for i in range(self.size)]
        by_name = len(set(called)) == self.size
        if not by_name:
            builder.say("called the vertices by their numbers: their labels do not tell them apart")
        for i in range(self.size):
            builder.node(i, None, called[i] if by_name else str(i + 1))
            if not by_name and i in self.names:
                builder.node_value(i, "label", self.names[i])
        builder.position = self.places
        for u, v, weight, directed, line in self.joined:
            k = builder.edge(u, v, line, directed=directed)
            if weight is not None:
                builder.edge_value(k, "weight", weight)
        return builder.finish()


def read(text: str, context: Context) -> Found:
    """Every network of a Pajek file (or project)."""
    networks: list[Pajek] = []
    section = ""
    title = ""
    for number_of_line, raw in enumerate(lines_of(text), start=1):
        line = raw.strip()
        if not line or line.startswith("%"):
            continue
        if line.startswith("*"):
            match = _SECTION.match(line)
            section = match[1].lower() if match else "?"
            if section == "network" and match:
                title = match[2].strip()
            if section == "vertices" and match:
                name = title or (context.stem if not networks else f"{context.stem} {len(networks) + 1}")
                networks.append(Pajek(context, name))
                networks[-1].vertices(match[2], number_of_line)
                title = ""
            continue
        if not networks:
            raise ReadError(f"{context.name} must begin with *Vertices and their number", line=number_of_line)
        _line(networks[-1], section, line, number_of_line)
    if not networks:
        raise ReadError(f"{context.name} has no *Vertices: it is not Pajek")
    return [network.finish() for network in networks]


def _line(network: Pajek, section: str, line: str, number_of_line: int) -> None:
    if number_of_line % 8192 == 0:
        network.context.check_time()
    if len(line) > 10_000_000:
        raise LimitError(
            f"{network.context.name} has a line of {len(line):,} characters", line=number_of_line
        )
    cells = [quoted if quoted else bare for quoted, bare in _CELL.findall(line)]
    if section == "vertices":
        network.vertex(cells, number_of_line)
    elif section in {"edges", "arcs"}:
        network.pair(cells, number_of_line, section == "arcs")
    elif section in {"edgeslist", "arcslist"}:
        network.star(cells, number_of_line, section == "arcslist")
    elif section == "matrix":
        network.matrix(cells, number_of_line)


def looks(text: str) -> bool:
    """Whether the first section is *Vertices or *Network."""
    return bool(_PAJEK.match(text[:_HEAD]))


FORMAT = Format(
    name="pajek",
    title="Pajek",
    about="Networks of Pajek, which igraph, networkx and VOSviewer write too.",
    extensions=(".net", ".pajek", ".paj"),
    read=read,
    looks=looks,
    place=50,
    several=True,
)
