"""Edge lists and CSV/TSV tables: any usual delimiter, with or without heading, decimal comma."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mivspool.errors import LimitError, ReadError, VerticesAloneError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.formats import smiles
from mivspool.graphs.read.parts import adjacency, bulk
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.cells import (
    COMMENTS,
    Row,
    drop_empty_columns,
    plain_rows,
    quoted_rows,
    sniff_delimiter,
)
from mivspool.graphs.read.parts.columns import (
    Columns,
    Wanted,
    called,
    decide,
    is_id_name,
    pair_of,
    wanted,
)
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.data import data_of
from mivspool.graphs.text import infer, lines_of, shown
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "comments": "{name} is empty but for comments: it has no vertices",
    "empty": "{name} is empty: it has no vertices",
    "no_vertex": "{name} has a row that names no vertex",
    "not_listed": "{n:,} {n?vertex|vertices} of the edges not in {name}, the first is {first}",
    "listed_in": "{read_as}; the vertices are those of {name}.",
    "no_edges": "{name} has a heading and no edges: it has no vertices",
    "ragged": "{name} has lines of {least:,} to {most:,} words: an edge list names two vertices on each line, and "
    "may add a weight; a list of neighbours is read when its name ends in .adjlist, or written as one "
    "pair per line",
    "columns": "a row has {n:,} columns: an edge list has two, a weight and a few attributes",
}

_HINT = re.compile(r'"?sep=(?P<mark>[,;|\t])"?[ \t]*(?:\r?\n|\r)', re.IGNORECASE)  # Excel's first line
_LONGEST_HEADING = 10_000
_LARGE = 1_000_000  # characters from which on it pays to try the whole list at once


def read(text: str, context: Context) -> Found:
    """The one graph of an edge list, or of an adjacency matrix in a table, or the molecules of a SMILES table."""
    chosen = wanted(context.as_)
    at_once = _at_once(text, chosen, context) if len(text) > _LARGE and _HINT.match(text) is None else None
    if at_once is not None:
        return [at_once]
    rows, delimiter = rows_of(text, context)
    if not rows:
        raise ReadError(fill(WORDS["comments"], name=context.name))
    named = pair_of(rows[0].cells) is not None
    if chosen == Wanted() and not named and smiles.column_of(rows) is not None:
        return smiles.read_table(rows, context)
    heads = adjacency.find(rows)
    if chosen.matrix or (
        chosen == Wanted() and (_named_matrix(context) or (heads is not None and (heads.both or not named)))
    ):
        return [adjacency.read_rows(rows, context, heads)]
    return [
        _edge_list(
            rows, heading_above(text, rows[0], delimiter), delimiter, heads is not None, chosen, context
        )
    ]


def read_pair(vertices: str, edges: str, name: str, context: Context) -> Graph:
    """The graph of a table of edges and the table ``name`` of its vertices, which may be isolated."""
    rows, delimiter = rows_of(edges, context)
    listed, _ = rows_of(vertices, context)
    if not rows or not listed:
        raise ReadError(fill(WORDS["empty"], name=context.name if listed else name))
    chosen = wanted(context.as_)
    return _edge_list(
        rows, heading_above(edges, rows[0], delimiter), delimiter, False, chosen, context, (name, listed)
    )


def lists_vertices(text: str, context: Context) -> bool:
    """Whether a table lists vertices, so that its edges must stand in another one."""
    rows, delimiter = rows_of(text, context)
    if not rows or smiles.column_of(rows) is not None or adjacency.find(rows) is not None:
        return False
    try:
        decide(rows, heading_above(text, rows[0], delimiter), Wanted(), context)
    except VerticesAloneError:
        return True
    return False


def _list_vertices(builder: Builder, name: str, rows: Sequence[Row], ends: set[str]) -> None:
    """List the vertices of their own table: its ids are the column that names most ends of edges."""
    width = len(rows[0].cells)
    columns = [{row.cells[c] for row in rows if len(row.cells) > c} for c in range(min(width, 50))]
    column = max(range(len(columns)), key=lambda c: (len(columns[c] & ends), -c))
    first = rows[0].cells
    words = is_id_name(first[column]) or (width > 1 and first[column] not in ends and columns[column] & ends)
    heads = [cell.strip() for cell in first] if words else []
    for cells, line in rows[1:] if words else rows:
        if len(cells) <= column or not cells[column]:
            raise ReadError(fill(WORDS["no_vertex"], name=name), line=line)
        i = builder.node(cells[column], line)
        for c, cell in enumerate(cells):
            if c != column and cell:
                head = heads[c] if c < len(heads) and heads[c] else called(c)
                builder.node_value(
                    i, head.lower() if head.lower() in {"x", "y", "label"} else head, infer(cell)
                )
    missing = sorted(ends - builder.index.keys())
    if missing:
        builder.say(fill(WORDS["not_listed"], n=len(missing), name=name, first=shown(missing[0])))
    builder.read_as = fill(WORDS["listed_in"], read_as=(builder.read_as or "").removesuffix("."), name=name)


def _at_once(text: str, chosen: Wanted, context: Context) -> Graph | None:
    """The graph of a large plain edge list, where its first lines say that it is one."""
    head = Context(context.name, context.limits)
    start = text[:20_000].rpartition("\n")[0]
    rows, delimiter = rows_of(start, head)
    if len(rows) < 2 or chosen.matrix or _named_matrix(context) or smiles.column_of(rows) is not None:
        return None
    columns = decide(rows, heading_above(start, rows[0], delimiter), chosen, context)
    width = len(rows[-1].cells)
    weighted = columns.weight == 2
    if (columns.source, columns.target, columns.type, width) != (0, 1, None, 3 if weighted else 2):
        return None
    body = text[_offset(text, rows[1].line if columns.heading == "first" else rows[0].line) :]
    said = columns.sentence(width), columns.readings(width, False, chosen)
    return bulk.edges_at_once(body, delimiter, weighted, context, "csv" if delimiter else "edgelist", said)


def _offset(text: str, line: int) -> int:
    """Where a line begins, counted from 1; lines end in LF here."""
    place = 0
    for _ in range(line - 1):
        place = text.index("\n", place) + 1
    return place


def _named_matrix(context: Context) -> bool:
    return context.name.lower().endswith((".adjacency.csv", ".adjacency.tsv"))


def rows_of(text: str, context: Context) -> tuple[list[Row], str]:
    """The rows that are not blank or comments, and the delimiter ("" for white space)."""
    hint = _HINT.match(text)
    if hint is not None:  # it counts as a line, as a comment does
        text = f"#{text}"
    delimiter = sniff_delimiter(text, context.name) if hint is None else hint["mark"]
    rows = quoted_rows(text, delimiter, context) if '"' in text else plain_rows(text, delimiter, context)
    return drop_empty_columns(rows), delimiter


def heading_above(text: str, first: Row, delimiter: str) -> tuple[str, ...] | None:
    """The names in the last comment above the first row, where there are as many as it has cells.

    Words between blanks are names only where two of them name the ends.
    """
    if not text.startswith(COMMENTS):
        return None
    lines = [line for line in lines_of(text)[: first.line - 1] if line.startswith(COMMENTS)]
    if not lines or len(lines[-1]) > _LONGEST_HEADING:
        return None
    comment = lines[-1].lstrip("#/% \t")
    cells = comment.split(delimiter) if delimiter else comment.split()
    names = tuple(cell.strip().strip('"') for cell in cells)
    fits = len(names) == len(first.cells) and len(names) >= 2 and all(names) and len(set(names)) == len(names)
    return names if fits and (delimiter or pair_of(names) is not None) else None


def _edge_list(
    rows: Sequence[Row],
    above: tuple[str, ...] | None,
    delimiter: str,
    square: bool,
    chosen: Wanted,
    context: Context,
    vertices: tuple[str, Sequence[Row]] | None = None,
) -> Graph:
    columns = decide(rows, above, chosen, context)
    if not delimiter and columns.names is None:
        _refuse_ragged(rows, context)
    body = rows[1:] if columns.heading == "first" else rows
    builder = Builder(context, context.stem, "csv" if delimiter else "edgelist", declared=False)
    builder.comma = delimiter != ","
    if not body and vertices is None:
        raise ReadError(fill(WORDS["no_edges"], name=context.name))
    width = max((len(row.cells) for row in body), default=2)
    builder.read_as = columns.sentence(width)
    builder.readings = columns.readings(width, square, chosen)
    extra = _extra(columns, width)
    simple = not extra and columns.type is None
    mention, edge, value = builder.mention, builder.edge, builder.edge_value
    s, t, w = columns.source, columns.target, columns.weight
    nearest, farthest = min(s, t), max(s, t)
    if vertices is not None:
        ends = {row.cells[c] for row in body for c in (s, t) if len(row.cells) > c and row.cells[c]}
        _list_vertices(builder, *vertices, ends)
    for cells, line in body:
        if len(cells) <= farthest or not cells[s] or not cells[t]:
            _lone_vertex(builder, cells, nearest, farthest, line)
            continue
        k = edge(mention(cells[s], line), mention(cells[t], line), line)
        if w is not None and len(cells) > w:
            value(k, "weight", cells[w] or None)
        if not simple:
            _rest(builder, k, cells, columns, extra)
    return builder.finish()


def _refuse_ragged(rows: Sequence[Row], context: Context) -> None:
    """Prose and lists of neighbours have lines of many lengths, which would be read as edges with attributes."""
    widths = [len(row.cells) for row in rows[:2000] if len(row.cells) > 1 and not row.cells[-1].endswith("}")]
    if len(set(widths)) > 2 or (widths and max(widths) - min(widths) > 2):
        line = next(row.line for row in rows if len(row.cells) == max(widths))
        raise ReadError(
            fill(WORDS["ragged"], name=context.name, least=min(widths), most=max(widths)), line=line
        )


def _lone_vertex(builder: Builder, cells: Sequence[str], nearest: int, farthest: int, line: int) -> None:
    """A row with one end is an isolated vertex."""
    ends = [cells[c] for c in (nearest, farthest) if c < len(cells) and cells[c]]
    if not ends:
        raise ReadError(fill(WORDS["no_vertex"], name=builder.context.name), line=line)
    builder.mention(ends[0], line)


def _rest(
    builder: Builder, k: int, cells: Sequence[str], columns: Columns, extra: Sequence[tuple[int, str]]
) -> None:
    if columns.type is not None and len(cells) > columns.type:
        builder.arrow[k] = cells[columns.type].strip().lower() == "directed"
    for column, name in extra:
        if column >= len(cells) or cells[column] == "":
            continue
        cell = cells[column]
        if columns.names is None and cell.startswith("{") and column == len(cells) - 1:
            builder.edge_values(k, data_of(cell))
        else:
            builder.edge_value(k, name, infer(cell))


def _extra(columns: Columns, width: int) -> list[tuple[int, str]]:
    """The columns that are attributes, with their names."""
    if width > 1000:
        raise LimitError(fill(WORDS["columns"], n=width))
    used = {columns.source, columns.target, columns.weight, columns.type, columns.skip}
    return [(c, columns.name(c)) for c in range(width) if c not in used]


FORMAT = Format(
    name="csv",
    title="edge list, CSV/TSV, adjacency matrix, table of SMILES",
    about="Tables as spreadsheets, SNAP, KONECT, pandas and R write them.",
    extensions=(".csv", ".tsv", ".edgelist", ".edges", ".el", ".ncol", ".tab", ".txt"),
    read=read,
    place=120,
    several=True,
    kept="ids, weights, all other columns as attributes of the edges",
    lost="directions",
)
