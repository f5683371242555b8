"""Edge lists and CSV/TSV tables: any usual delimiter, with or without heading, decimal comma."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.formats import smiles
from mivspool.graphs.read.parts import adjacency, bulk
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.cells import Row, plain_rows, quoted_rows, sniff_delimiter
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.text import MISSING, infer, number, shown

_PAIRS = (
    ("source", "target"), ("src", "dst"), ("src", "dest"), ("src", "tgt"), ("from", "to"), ("from_id", "to_id"),
    ("u", "v"), ("i", "j"), ("node1", "node2"), ("node_1", "node_2"), ("vertex1", "vertex2"),
    ("vertex_1", "vertex_2"), ("id1", "id2"), ("id_1", "id_2"), ("start", "end"), ("head", "tail"),
    ("source_id", "target_id"), ("sourceid", "targetid"), ("from_node", "to_node"), ("fromnodeid", "tonodeid"),
    ("protein1", "protein2"), ("a", "b"), ("x", "y"), ("node_a", "node_b"), ("von", "nach"), ("de", "vers"),
    ("quelle", "ziel"), ("person1", "person2"), ("ego", "alter"),
)  # fmt: skip
_SURE = {
    pair for pair in _PAIRS if pair not in {("a", "b"), ("x", "y"), ("u", "v"), ("i", "j"), ("de", "vers")}
}
_WEIGHTS = {
    "weight",
    "weights",
    "w",
    "value",
    "gewicht",
    "poids",
    "score",
    "combined_score",
    "strength",
    "count",
    "stärke",
    "anzahl",
    "peso",
}
_SMILES = {"smiles", "canonical_smiles", "smi", "isosmiles", "isomeric_smiles"}
_HINT = re.compile(r'"?sep=(?P<mark>[,;|\t])"?[ \t]*(?:\r?\n|\r)', re.IGNORECASE)  # Excel's first line
_LONGEST_DATA = 2000
_LARGE = 1_000_000  # characters from which on it pays to try the whole list at once


@dataclass
class Columns:
    """Which column holds what; ``names`` are those of the heading, where there is one."""

    source: int
    target: int
    weight: int | None
    type: int | None
    names: tuple[str, ...] | None


def read(text: str, context: Context) -> Found:
    """The one graph of an edge list, or of an adjacency matrix in a table, or the molecules of a SMILES table."""
    at_once = _at_once(text, context) if len(text) > _LARGE and _HINT.match(text) is None else None
    if at_once is not None:
        return [at_once]
    rows, delimiter = rows_of(text, context)
    if not rows:
        raise ReadError(f"{context.name} is empty but for comments: it has no vertices")
    head = [cell.strip().lower() for cell in rows[0].cells]
    if _has_smiles(head) and len(rows) > 1:
        return smiles.read_table(rows, context)
    if _named_matrix(context) or adjacency.has_heads(rows):
        return [adjacency.read_rows(rows, context)]
    return [_edge_list(rows, delimiter, context)]


def _has_smiles(head: Sequence[str]) -> bool:
    return bool(_SMILES & set(head)) and not {"source", "target"} <= set(head)


def _at_once(text: str, context: Context) -> Graph | None:
    """The graph of a large plain edge list, where its first lines say that it is one."""
    head = Context(context.name, context.limits)
    rows, delimiter = rows_of(text[:20_000].rpartition("\n")[0], head)
    if len(rows) < 2 or _named_matrix(context) or adjacency.has_heads(rows):
        return None
    if _has_smiles([cell.strip().lower() for cell in rows[0].cells]):
        return None
    columns = _columns(rows, context)
    width = len(rows[-1].cells)
    weighted = columns.weight == 2
    if (columns.source, columns.target, columns.type, width) != (0, 1, None, 3 if weighted else 2):
        return None
    format = "csv" if delimiter else "edgelist"
    return bulk.edges_at_once(text, delimiter, weighted, columns.names is not None, context, format)


def _named_matrix(context: Context) -> bool:
    return context.name.lower().endswith((".adjacency.csv", ".adjacency.tsv"))


def rows_of(text: str, context: Context) -> tuple[list[Row], str]:
    """The rows that are not blank or comments, and the delimiter ("" for white space)."""
    hint = _HINT.match(text)
    if hint is not None:  # it counts as a line, as a comment does
        text = f"#{text}"
    delimiter = sniff_delimiter(text, context.name) if hint is None else hint["mark"]
    rows = quoted_rows(text, delimiter, context) if '"' in text else plain_rows(text, delimiter, context)
    return rows, delimiter


def _edge_list(rows: Sequence[Row], delimiter: str, context: Context) -> Graph:
    columns = _columns(rows, context)
    if not delimiter and columns.names is None:
        _refuse_ragged(rows, context)
    body = rows[1:] if columns.names is not None else rows
    builder = Builder(context, context.stem, "csv" if delimiter else "edgelist", declared=False)
    builder.comma = delimiter != ","
    if not body:
        raise ReadError(f"{context.name} has a heading and no edges: it has no vertices")
    extra = _extra(columns, max(len(row.cells) for row in body))
    simple = not extra and columns.type is None
    mention, edge, value = builder.mention, builder.edge, builder.edge_value
    s, t, w = columns.source, columns.target, columns.weight
    nearest, farthest = min(s, t), max(s, t)
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
            f"{context.name} has lines of {min(widths)} to {max(widths)} words: an edge list names two vertices on "
            "each line, and may add a weight; write a list of neighbours as one pair a line",
            line=line,
        )


def _lone_vertex(builder: Builder, cells: Sequence[str], nearest: int, farthest: int, line: int) -> None:
    """A row with one end is an isolated vertex."""
    ends = [cells[c] for c in (nearest, farthest) if c < len(cells) and cells[c]]
    if not ends:
        raise ReadError(f"{builder.context.name} has a row that names no vertex", line=line)
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
            builder.edge_values(k, _data(cell))
        else:
            builder.edge_value(k, name, infer(cell))


def _data(cell: str) -> dict[str, object]:
    """The attributes that networkx writes behind an edge: {'weight': 0.5}."""
    if cell == "{}":
        return {}
    if len(cell) > _LONGEST_DATA:
        return {"data": cell}
    try:
        value = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return {"data": cell}
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {"data": cell}


def _extra(columns: Columns, width: int) -> list[tuple[int, str]]:
    """The columns that are attributes, with their names."""
    if width > 1000:
        raise LimitError(f"a row has {width:,} columns: an edge list has two, a weight and a few attributes")
    used = {columns.source, columns.target, columns.weight, columns.type}
    names = columns.names or ()
    return [
        (c, names[c] if c < len(names) and names[c] else f"column {c + 1}")
        for c in range(width)
        if c not in used
    ]


def _columns(rows: Sequence[Row], context: Context) -> Columns:
    first = rows[0].cells
    names = tuple(cell.strip() for cell in first)
    lower = [name.lower().replace(" ", "_") for name in names]
    for pair in _PAIRS:
        if pair[0] in lower and pair[1] in lower and (pair in _SURE or _heading_like(rows, lower)):
            source, target = lower.index(pair[0]), lower.index(pair[1])
            kind = lower.index("type") if "type" in lower and _types(rows, lower.index("type")) else None
            return Columns(source, target, _weight(lower), kind, names)
    if lower[:2] == ["id", "label"] or lower in (["id"], ["vertex", "score"]):
        raise ReadError(
            f"{context.name} is a table of vertices, not of edges: give a table with the columns source and target",
            line=rows[0].line,
        )
    if len(first) >= 2 and _heading_like(rows, lower):
        return Columns(0, 1, _weight(lower), None, names)
    widths = [len(row.cells) for row in rows[:200]]
    weight = 2 if max(widths) >= 3 and _is_numeric(rows, 2) else None
    return Columns(0, 1, weight, None, None)


def _weight(lower: Sequence[str]) -> int | None:
    if "weight" in lower:
        return lower.index("weight")
    return next((c for c, name in enumerate(lower) if name in _WEIGHTS), None)


def _types(rows: Sequence[Row], column: int) -> bool:
    """Whether a column called type says of each edge whether it is directed."""
    found = {row.cells[column].strip().lower() for row in rows[1:200] if len(row.cells) > column}
    return bool(found) and found <= {"directed", "undirected", "mutual", ""}


def _heading_like(rows: Sequence[Row], lower: Sequence[str]) -> bool:
    """Whether the first row names columns: its words stand above numbers and are nobody's id."""
    rest = [row.cells for row in rows[1:400] if len(row.cells) >= 2]
    if not rest:
        return False
    if any(name in _WEIGHTS for name in lower[2:]) and _is_numeric(
        rows[1:], list(lower).index(next(name for name in lower[2:] if name in _WEIGHTS))
    ):
        return True
    if len(rest) > 1 and any(
        _is_word(rows[0].cells[c]) and _is_numeric(rows[1:], c) for c in range(2, len(lower))
    ):
        return True
    words = [cell for cell in rows[0].cells[:2] if number(cell) is None]
    below = {cell for cells in rest for cell in cells[:2]}
    if len(words) == 2 and not below & set(rows[0].cells[:2]):
        return all(number(cell) is not None for cells in rest for cell in cells[:2])
    return False


def _is_word(cell: str) -> bool:
    return number(cell, comma=True) is None and cell.strip().lower() not in MISSING | {"inf", "-inf"}


def _is_numeric(rows: Sequence[Row], column: int) -> bool:
    """Whether a column holds numbers, but for a few missing ones."""
    cells = [row.cells[column] for row in rows[:400] if len(row.cells) > column]
    numbers = sum(number(cell, comma=True) is not None for cell in cells)
    fine = numbers + sum(cell.strip().lower() in MISSING or cell.lower() in {"inf", "-inf"} for cell in cells)
    return numbers > 0 and fine == len(cells)


def looks_like_smiles_table(text: str) -> bool:
    """Whether the first line names a SMILES column."""
    return bool(_SMILES & set(re.split(r"[,;\t|]", text.split("\n", 1)[0].strip().lower())))


def describe(row: Row) -> str:
    """A row in a sentence."""
    return shown(", ".join(row.cells))


FORMAT = Format(
    name="csv",
    title="edge list, CSV/TSV, adjacency matrix, table of SMILES",
    about="Tables as spreadsheets, SNAP, KONECT, pandas and R write them.",
    extensions=(".csv", ".tsv", ".edgelist", ".edges", ".el", ".ncol", ".tab", ".txt"),
    read=read,
    place=120,
    several=True,
)
