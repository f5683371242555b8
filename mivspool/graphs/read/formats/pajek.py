"""Pajek: *Vertices counted or listed, *Edges, *Arcs, their lists, and *Matrix."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import infer, lines_of, number, shown
from mivspool.messages import count

_PAJEK = re.compile(r"(?:\s*[%#][^\n]*\n)*\s*\*\s*(?:vertices|network)", re.IGNORECASE)
_HEAD = 100_000

_CELL = re.compile(r'"([^"]*)"|(\S+)')
_RELATION = re.compile(r':\s*(\d{1,9})(?:\s+"([^"]*)")?')
_OF_VERTICES = {"partition", "vector", "permutation"}
_EDGES = {"edges", "arcs", "edgeslist", "arcslist", "matrix"}
_SECTION = re.compile(r"\*\s*([A-Za-z]+)\s*(.*)")


class Pajek:
    """One network of a Pajek file, filled line by line."""

    def __init__(self, context: Context, name: str) -> None:
        self.context, self.name = context, name
        self.names: dict[int, str] = {}
        self.places: dict[int, tuple[float, float]] = {}
        self.joined: list[tuple[int, int, str | None, bool, int, str | None]] = []
        self.size = 0
        self.first = 0
        self.row = 0
        self.relation: str | None = None
        self.relations: dict[str, str] = {}
        self.columns: dict[str, list[str]] = {}
        self.left_out: dict[str, None] = {}

    def vertices(self, rest: str, line: int) -> None:
        """``*Vertices n``: n vertices numbered from 1, whether or not they are listed."""
        cells = rest.split()
        if not cells or not cells[0].isdecimal() or not cells[0].isascii() or len(cells[0]) > 15:
            raise ReadError(
                f"{self.context.name} must say how many vertices there are: *Vertices 3", line=line
            )
        self.size = int(cells[0])
        self.context.check_size(self.size)
        if len(cells) > 1 and cells[1].isascii() and cells[1].isdigit() and len(cells[1]) < 16:
            self.first = min(int(cells[1]), self.size)  # two modes: so many of the first

    def begin(self, rest: str) -> None:
        """A section of edges, which may name a relation: ``*Arcs :2 "likes"``."""
        self.row, self.relation = 0, None
        number_and_name = _RELATION.match(rest)
        if number_and_name:
            known = number_and_name[2] or number_and_name[1]
            self.relation = self.relations[number_and_name[1]] = known

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
        if cells[0].endswith(":"):  # "2: 1 3", an edge of relation 2
            self.relation = self.relations.get(cells[0][:-1], cells[0][:-1])
            cells = cells[1:]
        if len(cells) < 2:
            raise ReadError(f"{self.context.name} has an edge with one end", line=line)
        u, v = self._index(cells[0], line), self._index(cells[1], line)
        self._join(u, v, cells[2] if len(cells) > 2 else None, directed, line)
        if len(cells) > 3:
            self.left_out["parameters of lines"] = None

    def star(self, cells: list[str], line: int, directed: bool) -> None:
        """``1 2 3 4``: from the first to each other."""
        u, *others = (self._index(cell, line) for cell in cells)
        for v in others:
            self._join(u, v, None, directed, line)

    def matrix(self, cells: list[str], line: int) -> None:
        """One row of ``*Matrix``."""
        rows, columns = (self.first, self.size - self.first) if self.first else (self.size, self.size)
        if self.row >= rows or len(cells) != columns:
            raise ReadError(
                f"{self.context.name} has a matrix row of {len(cells)} numbers for {count(columns, 'vertex')}",
                line=line,
            )
        for column, cell in enumerate(cells):
            if number(cell) != 0:
                self._join(self.row, self.first + column, cell, not self.first, line)
        self.row += 1

    def _join(self, u: int, v: int, weight: str | None, directed: bool, line: int) -> None:
        if len(self.joined) % 4096 == 0:
            self.context.check_size(self.size, len(self.joined))
        self.joined.append((u, v, weight, directed, line, self.relation))

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
        for i in range(self.size):
            for name, values in self.columns.items():
                builder.node_value(i, name, infer(values[i]))
            if self.first:
                builder.node_value(i, "mode", 1 if i < self.first else 2)
        for name in self.left_out:
            builder.leave_out(name)
        for u, v, weight, directed, line, relation in self.joined:
            k = builder.edge(u, v, line, directed=directed)
            if weight is not None:
                builder.edge_value(k, "weight", weight)
            if relation is not None:
                builder.edge_value(k, "relation", relation)
        return builder.finish()


def read(text: str, context: Context) -> Found:
    """Every network of a Pajek file (or project)."""
    networks: list[Pajek] = []
    section, title = "", ""
    values: Values | None = None
    for at, raw in enumerate(lines_of(text), start=1):
        line = raw.strip()
        if not line or line.startswith("%") or (line.startswith("#") and not networks):
            continue
        match = _SECTION.match(line) if line.startswith("*") else None
        if match is None:
            if values is not None:
                values.cells.append(line)
            elif networks and not line.startswith("*"):
                _line(networks[-1], section, line, at)
            elif not networks and title == "":
                raise ReadError(f"{context.name} must begin with *Vertices and their number", line=at)
            continue
        name, rest = match[1].lower(), match[2].strip()
        if name == "vertices" and section in _OF_VERTICES:
            continue  # how many values follow
        if values is not None:
            _give(values, networks)
            values = None
        section = name
        if section == "network":
            title = rest
        elif section == "vertices":
            called = title or (context.stem if not networks else f"{context.stem} {len(networks) + 1}")
            networks.append(Pajek(context, called))
            networks[-1].vertices(rest, at)
            title = ""
        elif section in _OF_VERTICES:
            values = Values(rest or section, [])
        elif networks:
            networks[-1].begin(rest)
            if section not in _EDGES:
                networks[-1].left_out[f"*{match[1][:30]}"] = None
    if values is not None:
        _give(values, networks)
    if not networks:
        raise ReadError(f"{context.name} has no *Vertices: it is not Pajek")
    return [network.finish() for network in networks]


@dataclass
class Values:
    """A partition or a vector: one value per vertex of the network before it."""

    name: str
    cells: list[str]


def _give(values: Values, networks: list[Pajek]) -> None:
    """Make values an attribute of the network before them, where there are as many as vertices."""
    if networks and len(values.cells) == networks[-1].size:
        networks[-1].columns[values.name] = values.cells
    elif networks:
        networks[-1].left_out[values.name[:40]] = None


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


def sniff(text: str) -> bool:
    """Whether the first section is *Vertices or *Network."""
    return bool(_PAJEK.match(text[:_HEAD]))


FORMAT = Format(
    name="pajek",
    title="Pajek",
    about="Networks of Pajek, which igraph, networkx and VOSviewer write too.",
    extensions=(".net", ".pajek", ".paj"),
    read=read,
    sniff=sniff,
    place=50,
    several=True,
    kept="labels, positions, weights, relations, two modes, partitions and vectors as attributes",
    lost="directions, drawing, permutations and other sections (named in the repairs)",
)
