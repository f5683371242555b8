"""GDF, GUESS's format: a table of vertices below ``nodedef>``, a table of edges below ``edgedef>``."""

from __future__ import annotations

import re

from mivspool.errors import ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import boolean, lines_of, shown

_START = re.compile(r"\s*nodedef\s*>", re.IGNORECASE)
_SECTION = re.compile(r"(nodedef|edgedef)\s*>(.*)", re.IGNORECASE)
_CELL = re.compile(r"""\s*(?:"((?:[^"]|"")*)"\s*(?:,|$)|'((?:[^']|'')*)'\s*(?:,|$)|([^,]*)(?:,|$))""")
_TYPES = {"varchar": "string", "bigint": "long", "tinyint": "int", "float": "double"}


def sniff(text: str) -> bool:
    """Whether the text begins with ``nodedef>``."""
    return bool(_START.match(text[:1000]))


def read(text: str, context: Context) -> Found:
    """The one graph; the columns are attributes of the types that their headings give."""
    builder = Builder(context, context.stem, "gdf", declared=True)
    section, columns = "", []
    for number, line in enumerate(lines_of(text), start=1):
        if number % 4096 == 0:
            context.check_time()
        plain = line.strip()
        head = _SECTION.match(plain)
        if head:
            section, columns = head[1].lower(), [_column(cell) for cell in _cells(head[2])]
            least = 1 if section == "nodedef" else 2
            if len(columns) < least:
                raise ReadError(
                    f"{context.name} needs at least {least} columns behind {section}>", line=number
                )
        elif plain and not plain.startswith("#"):
            if not section:
                raise ReadError(f"{context.name} must begin with nodedef>", line=number)
            _row(builder, section, columns, _cells(plain), number)
    return [builder.finish()]


def _cells(line: str) -> list[str]:
    cells, place = [], 0
    while place < len(line):
        match = _CELL.match(line, place)
        if match is None or match.end() == place:
            break
        double, single, bare = match.groups()
        cells.append(
            double.replace('""', '"')
            if double is not None
            else single
            if single is not None
            else bare.strip()
        )
        place = match.end()
    return cells + [""] * line.endswith(",")


def _column(cell: str) -> tuple[str, str | None]:
    """Name and type of a column: "label VARCHAR(32) default 'x'"."""
    name, _, rest = cell.strip().partition(" ")
    kind = re.match(r"\w+", rest.strip().lower())
    return name, _TYPES.get(kind[0], kind[0]) if kind else "string"


def _row(
    builder: Builder, section: str, columns: list[tuple[str, str | None]], cells: list[str], line: int
) -> None:
    if len(cells) < (1 if section == "nodedef" else 2):
        raise ReadError(f"{builder.context.name} has an edge with one end", line=line)
    if len(cells) > len(columns):
        raise ReadError(
            f"{builder.context.name} has a row of {len(cells)} cells for {len(columns)} columns: put texts with "
            "commas in quotation marks",
            line=line,
        )
    if section == "nodedef":
        i = builder.node(cells[0], line)
        for (name, kind), cell in list(zip(columns, cells, strict=False))[1:]:
            if cell:
                builder.node_value(i, name, builder.typed(name, kind, cell, line))
        return
    u, v = (builder.mention(cell, line) for cell in cells[:2])
    k = builder.edge(u, v, line)
    for (name, kind), cell in list(zip(columns, cells, strict=False))[2:]:
        if name.lower() == "directed":
            truth = boolean(cell)
            if truth is None and cell:
                builder.say(f"read as undirected where 'directed' is {shown(cell)}")
            builder.arrow[k] = bool(truth)
        elif cell:
            builder.edge_value(k, name, builder.typed(name, kind, cell, line))


FORMAT = Format(
    name="gdf",
    title="GDF",
    about="GUESS and Gephi; Netvizz and other exporters of social networks.",
    extensions=(".gdf",),
    read=read,
    sniff=sniff,
    place=53,
    kept="ids, all columns with their types, weights, positions",
    lost="the direction of edges",
)
