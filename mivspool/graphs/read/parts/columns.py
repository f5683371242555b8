"""Which line of a table is its heading, and which column holds what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mivspool.errors import ReadError, VerticesAloneError
from mivspool.graphs.graph import Reading
from mivspool.graphs.read.parts.cells import Row
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.text import MISSING, number, shown
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "no_reading": "a table has no reading {word}: choose matrix, edges, heading, no heading or columns 1 2",
    "column": "column {n}",
    "told": "Read as a list of edges without a heading",
    "told_first": "Read as a table of edges with the first line as its heading",
    "told_comment": "Read as a table of edges with the comment above it as its heading",
    "ends": "{told}: the ends are {u} and {v}",
    "no_weight": "no column is a weight",
    "weight": "the weight is {column}",
    "kept": "kept as attributes: {columns}",
    "counts": "the column without a name counts the rows",
    "as_matrix": "Read as an adjacency matrix instead",
    "as_heading": "The first line is a heading",
    "as_no_heading": "The first line is not a heading",
    "as_ends": "The ends are {u} and {v}",
    "no_column": "{name} has {width:,} columns: there is no column {column:,}",
    "vertices": "{name} is a table of vertices ({columns}), its edges are missing: give it together with a table of "
    "edges that has the columns source and target (both files at once, or nodes.csv and edges.csv in one "
    "zip)",
    "numbered": "{name} numbers its lines and names each once: it is a table of vertices, and its edges are missing: "
    "give both files at once (if each line is an edge, put the heading source, target above them)",
}

_PAIRS = (
    ("source", "target"), ("src", "dst"), ("src", "dest"), ("src", "tgt"), ("from", "to"), ("from_id", "to_id"),
    ("u", "v"), ("i", "j"), ("node1", "node2"), ("node_1", "node_2"), ("vertex1", "vertex2"),
    ("vertex_1", "vertex_2"), ("id1", "id2"), ("id_1", "id_2"), ("start", "end"), ("head", "tail"),
    ("source_id", "target_id"), ("sourceid", "targetid"), ("from_node", "to_node"), ("fromnodeid", "tonodeid"),
    ("protein1", "protein2"), ("a", "b"), ("x", "y"), ("node_a", "node_b"), ("von", "nach"), ("de", "vers"),
    ("quelle", "ziel"), ("person1", "person2"), ("ego", "alter"),
)  # fmt: skip
_UNSURE = {("a", "b"), ("x", "y"), ("u", "v"), ("i", "j"), ("de", "vers")}
_SOURCES = {
    "source", "src", "from", "start", "begin", "origin", "sender", "parent", "follower", "citing", "regulator",
    "predator", "caller", "giver", "ego", "head", "quelle", "von", "tail_node", "orig", "startpoint",
}  # fmt: skip
_TARGETS = {
    "target", "tgt", "trg", "dst", "dest", "destination", "to", "end", "sink", "receiver", "recipient", "child",
    "followee", "followed", "cited", "prey", "callee", "taker", "alter", "tail", "ziel", "nach", "neighbor",
    "neighbour", "endpoint",
}  # fmt: skip
_PARTS = re.compile(
    r"^(?:node|vertex|id)_|_?(?:id|ids|node|name|vertex|label|key|index|idx|no|number|node_?id)$"
)
_NUMBERED = re.compile(r"(?P<stem>[^\W\d_].*?)[_ ]?(?P<mark>[0-9]|[a-z])")
_NO_ENDS = {"x", "y", "z", "lat", "lon", "attr", "attribute", "feature", "f", "column", "dim", "weight", "w"}
_END_WORDS = {
    "person", "friend", "user", "gene", "protein", "author", "actor", "movie", "item", "city", "station", "member",
    "group", "event", "student", "teacher", "paper", "species", "word", "page", "account", "customer", "product",
    "company", "country", "airport", "character", "partner", "colleague", "spouse", "node", "vertex", "neuron",
}  # fmt: skip
_WEIGHTS = (
    "weight", "weights", "edge_weight", "edgeweight", "w", "value", "gewicht", "poids", "score", "combined_score",
    "strength", "count", "counts", "stärke", "anzahl", "peso", "frequency", "freq", "intensity",
)  # fmt: skip
_IDS = {
    "id", "ids", "node", "nodes", "node_id", "nodeid", "vertex", "vertices", "vertex_id", "vertexid", "key", "uid",
    "uuid", "identifier", "knoten",
}  # fmt: skip
_OTHERS = {
    "type", "label", "relation", "name", "sign", "time", "date", "year", "color", "colour", "comment", "description",
    "direction", "directed", "interaction", "kind", "category", "group", "class", "timestamp", "distance", "length",
    "capacity", "cost",
}  # fmt: skip
_SAMPLED = 400  # rows that are looked at


def known() -> dict[str, list[Any]]:
    """The words that name columns, for a page without Python."""
    return {
        "pairs": [pair for pair in _PAIRS if pair not in _UNSURE],
        "unsure": [pair for pair in _PAIRS if pair in _UNSURE],
        "sources": sorted(_SOURCES),
        "targets": sorted(_TARGETS),
        "no_ends": sorted(_NO_ENDS),
        "end_words": sorted(_END_WORDS),
        "weights": list(_WEIGHTS),
        "ids": sorted(_IDS),
        "others": sorted(_OTHERS),
    }


@dataclass(frozen=True)
class Wanted:
    """What a person chose of a table's reading; None where it is left to the reader."""

    matrix: bool | None = None
    heading: bool | None = None
    ends: tuple[int, int] | None = None

    def words(self) -> list[str]:
        """The choices as ``as_`` writes them."""
        words = []
        if self.matrix is not None:
            words.append("matrix" if self.matrix else "edges")
        if self.heading is not None:
            words.append("heading" if self.heading else "no heading")
        if self.ends is not None:
            words.append(f"columns {self.ends[0] + 1} {self.ends[1] + 1}")
        return words


def wanted(as_: str | None) -> Wanted:
    """The choices that ``as_`` makes: "matrix", "edges", "heading", "no heading", "columns 2 3", commas between them.

    Raises ReadError for another word.
    """
    matrix, heading, ends = None, None, None
    for word in (as_ or "").split(","):
        plain = " ".join(word.lower().split())
        columns = re.fullmatch(r"columns ([1-9][0-9]{0,5}) ([1-9][0-9]{0,5})", plain)
        if plain in {"matrix", "edges"}:
            matrix = plain == "matrix"
        elif plain in {"heading", "no heading"}:
            heading = plain == "heading"
        elif columns and columns[1] != columns[2]:
            ends = int(columns[1]) - 1, int(columns[2]) - 1
        elif plain and plain not in {"csv", "edgelist"}:
            raise ReadError(fill(WORDS["no_reading"], word=shown(plain)))
    return Wanted(matrix, heading, ends)


@dataclass(frozen=True)
class Columns:
    """Which column holds what; ``names`` are those of the heading, where there is one.

    ``heading``: "" where there is none, "first" where it is the first row, "comment" where it stands behind # above it.
    ``skip``: a column without a name that counts the rows.
    """

    source: int
    target: int
    weight: int | None
    type: int | None
    names: tuple[str, ...] | None
    heading: str = ""
    skip: int | None = None

    def name(self, column: int) -> str:
        """What a column is called."""
        names = self.names or ()
        return names[column] if column < len(names) and names[column] else called(column)

    def sentence(self, width: int) -> str:
        """How the table was read."""
        told = WORDS[f"told_{self.heading}" if self.heading else "told"]
        used = {self.source, self.target, self.weight, self.type, self.skip}
        rest = [column for column in range(width) if column not in used]
        parts = [fill(WORDS["ends"], told=told, u=self._shown(self.source), v=self._shown(self.target))]
        parts.append(
            WORDS["no_weight"]
            if self.weight is None
            else fill(WORDS["weight"], column=self._shown(self.weight))
        )
        if rest:
            shows = ", ".join(self._shown(column) for column in rest[:4]) + (", …" if len(rest) > 4 else "")
            parts.append(fill(WORDS["kept"], columns=shows))
        if self.skip is not None:
            parts.append(WORDS["counts"])
        return "; ".join(parts) + "."

    def _shown(self, column: int) -> str:
        """What it is called in a sentence, where a name that others have too does not say which one it is."""
        name, number = self.name(column), called(column)
        if name == number:
            return name
        return f"{shown(name)} ({number})" if (self.names or ()).count(name) > 1 else shown(name)

    def readings(self, width: int, square: bool, chosen: Wanted) -> tuple[Reading, ...]:
        """How else the table could be read."""
        found: list[Reading] = []

        def offer(title: str, **change: object) -> None:
            choice = Wanted(**({"heading": chosen.heading, "ends": chosen.ends} | change))  # type: ignore[arg-type]
            found.append(Reading(", ".join(choice.words()) or "edges", title))

        if square:
            found.append(Reading("matrix", WORDS["as_matrix"]))
        if self.heading == "":
            offer(WORDS["as_heading"], heading=True)
        elif self.heading == "first":
            offer(WORDS["as_no_heading"], heading=False)
        for u in range(min(width, 4)):
            for v in range(u + 1, min(width, 4)):
                if {u, v} != {self.source, self.target}:
                    offer(fill(WORDS["as_ends"], u=self._shown(u), v=self._shown(v)), ends=(u, v))
        return tuple(found)


def called(column: int) -> str:
    """What a column without a name is called."""
    return fill(WORDS["column"], n=column + 1)


def plain_name(name: str) -> str:
    """A column's name in lower case, with _ for what stands between its words."""
    return re.sub(r"[\s.\-]+", "_", name.strip().lower())


def is_id_name(name: str) -> bool:
    """Whether a column is called as the ids of vertices are."""
    return plain_name(name) in _IDS | {"name", "label"}


def pair_of(names: Sequence[str]) -> tuple[int, int] | None:
    """The columns whose names say that they are the ends of an edge."""
    lower = [plain_name(name) for name in names]
    for first, second in _PAIRS:
        if first in lower and second in lower and (first, second) not in _UNSURE:
            return lower.index(first), lower.index(second)
    return (
        _by_words(lower, {})
        or _by_words(lower, {name: _PARTS.sub("", name) for name in lower})
        or _numbered(lower)
    )


def _by_words(lower: Sequence[str], bases: dict[str, str]) -> tuple[int, int] | None:
    known = [bases.get(name, name) for name in lower]
    sources = [c for c, name in enumerate(known) if name in _SOURCES]
    targets = [c for c, name in enumerate(known) if name in _TARGETS and c not in sources[:1]]
    return (sources[0], targets[0]) if sources and targets else None


def _numbered(lower: Sequence[str]) -> tuple[int, int] | None:
    """The first two columns of one name, told apart by 1 and 2, or a and b: "gene_a" and "gene_b"."""
    seen: dict[str, list[tuple[str, int]]] = {}
    for column, name in enumerate(lower):
        match = _NUMBERED.fullmatch(name)
        if match and match["stem"] not in _NO_ENDS:
            seen.setdefault(match["stem"], []).append((match["mark"], column))
    for marks in seen.values():
        if len(marks) == 2 and marks[0][0] + marks[1][0] in {"12", "01", "ab", "ij", "uv"}:
            return marks[0][1], marks[1][1]
    return None


def _unsure_pair(lower: Sequence[str]) -> tuple[int, int] | None:
    return next((
        (lower.index(a), lower.index(b)) for a, b in _PAIRS if (a, b) in _UNSURE and a in lower and b in lower
    ), None)  # fmt: skip


def decide(rows: Sequence[Row], above: tuple[str, ...] | None, chosen: Wanted, context: Context) -> Columns:
    """The columns of a table of edges; ``above`` is a heading that stands in a comment.

    Raises ReadError where it is a table of vertices.
    """
    first = tuple(cell.strip() for cell in rows[0].cells)
    width = Counter(len(row.cells) for row in rows[1 : _SAMPLED + 1] or rows).most_common(1)[0][0]
    if chosen.heading is None:
        heading = "comment" if above is not None else "first" if _is_heading(rows, first, width) else ""
    else:
        heading = "first" if chosen.heading else ""
    names = {"": None, "first": first, "comment": above}[heading]
    body = rows[1:] if heading == "first" else rows
    skip = None
    if names is not None:
        if len(names) == width - 1 and width >= 3 and _increases(body, 0):
            names = ("", *names)  # R names the columns, and not the one that counts
        if names and not names[0] and width >= 3 and _increases(body, 0):
            skip = 0
    ends = _chosen_ends(chosen, width, context)
    if ends is None and names is not None:
        lower = [plain_name(name) for name in names]
        ends = pair_of(names) or (None if lower[0] in _IDS else _unsure_pair(lower))
        if ends is None:
            _refuse_vertices(body, names, skip, chosen, rows[0].line, context)
    elif ends is None and chosen.heading is None:
        _refuse_numbered(body, context)
    if ends is None:
        start = 1 if skip == 0 else 0
        ends = start, start + 1
    if names is None:
        weight = 2 if chosen.ends is None and width >= 3 and is_numeric(rows, 2) else None
        return Columns(*ends, weight, None, None)
    lower = [plain_name(name) for name in names]
    kind = lower.index("type") if "type" in lower and _types(body, lower.index("type")) else None
    return Columns(*ends, _weight(lower, body, {*ends, skip, kind}), kind, names, heading, skip)


def _chosen_ends(chosen: Wanted, width: int, context: Context) -> tuple[int, int] | None:
    if chosen.ends is not None and max(chosen.ends) >= width:
        column = max(chosen.ends) + 1
        raise ReadError(fill(WORDS["no_column"], name=context.name, width=width, column=column))
    return chosen.ends


def _weight(lower: Sequence[str], body: Sequence[Row], taken: set[int | None]) -> int | None:
    """The column called weight, or the first of numbers whose name means one."""
    for name in ("weight", *_WEIGHTS):
        for column, found in enumerate(lower):
            if found == name and column not in taken and (name == "weight" or is_numeric(body, column)):
                return column
    return None


def _types(body: Sequence[Row], column: int) -> bool:
    """Whether a column called type says of each edge whether it is directed."""
    found = {row.cells[column].strip().lower() for row in body[:200] if len(row.cells) > column}
    return bool(found) and found <= {"directed", "undirected", "mutual", ""}


def _is_heading(rows: Sequence[Row], first: tuple[str, ...], width: int) -> bool:
    """Whether the first row names columns: by its words, or because they cannot be what stands below them."""
    body = rows[1 : _SAMPLED + 1]
    lower = [plain_name(name) for name in first]
    named = pair_of(first)
    below = {cell for row in body for cell in row.cells[:2]}
    # whatever a vertex is called; node1 and node2 may be vertices
    sure = (
        named is not None
        and (lower[named[0]], lower[named[1]]) in _PAIRS
        and not lower[named[0]][-1:].isdigit()
    )
    if named is not None and (sure or not {first[c] for c in named} & below):
        return True
    if lower[:2] == ["id", "label"] or lower in (["id"], ["vertex", "score"]):
        return True
    if len(first) < 2 or not body:
        return False
    if width >= 3 and (not first[0] or len(first) == width - 1) and _increases(body, 0):
        return True
    if len(set(lower)) != len(lower) or not all(lower):
        return False
    if any(name in _WEIGHTS and is_numeric(body, c) for c, name in enumerate(lower) if c >= 2):
        return True
    if len(body) > 1 and any(_is_word(first[c]) and is_numeric(body, c) for c in range(2, len(first))):
        return True
    if set(first[:2]) & below or not all(_is_word(cell) for cell in first[:2]):
        return False
    return _differs(body, first, lower)


def _differs(body: Sequence[Row], first: tuple[str, ...], lower: Sequence[str]) -> bool:
    """Whether two words that are nobody's id are names of columns."""
    if lower[0] in _IDS or all(name in _END_WORDS or name in _IDS for name in lower[:2]):
        return True
    cells = [cell for row in body for cell in row.cells[:2] if cell]
    if any(
        name in _OTHERS and all(row.cells[c] != first[c] for row in body if len(row.cells) > c)
        for c, name in enumerate(lower)
    ):
        return True
    if not any(re.search(r"\d", cell) for cell in first[:2]) and all(
        re.search(r"\d", cell) for cell in cells
    ):
        return True
    cased = len(body) >= 3 and all(cell[0].isalpha() for cell in (*first[:2], *cells))
    return cased and (
        (first[0][0].islower() and first[1][0].islower() and all(cell[0].isupper() for cell in cells))
        or (first[0][0].isupper() and first[1][0].isupper() and all(cell[0].islower() for cell in cells))
    )


def _refuse_vertices(
    body: Sequence[Row],
    names: tuple[str, ...],
    skip: int | None,
    chosen: Wanted,
    line: int,
    context: Context,
) -> None:
    """A table whose first column tells its rows apart and whose others name none of them lists vertices."""
    if chosen.matrix is False or chosen.heading is not None:
        return
    start = 0 if skip is None else skip + 1
    lower = [plain_name(name) for name in names]
    ids = lower[start] if start < len(lower) else ""
    if lower[start:] == ["id"] or ids in _IDS or (body and _lists_vertices(body, lower, start)):
        shows = ", ".join(shown(name, 20) for name in names[start : start + 4])
        raise VerticesAloneError(fill(WORDS["vertices"], name=context.name, columns=shows), line=line)


def _lists_vertices(body: Sequence[Row], lower: Sequence[str], start: int) -> bool:
    firsts = [row.cells[start] for row in body if len(row.cells) > start]
    seconds = {row.cells[start + 1] for row in body if len(row.cells) > start + 1}
    if len(firsts) < 2 or len(set(firsts)) < len(firsts) or set(firsts) & seconds:
        return False
    known = _END_WORDS | _TARGETS
    return not (len(lower) > start + 1 and lower[start] in known | _SOURCES and lower[start + 1] in known)


def _refuse_numbered(body: Sequence[Row], context: Context) -> None:
    """1, Ann; 2, Bob; 3, Eve: numbers with a name each are vertices."""
    if len(body) < 3 or any(len(row.cells) < 2 for row in body):
        return
    names = [row.cells[1] for row in body]
    counts = [row.cells[0] for row in body]
    counted = [[str(i + start) for i in range(len(counts))] for start in (0, 1)]
    if (
        counts in counted
        and len(set(names)) == len(names)
        and not any(re.search(r"\d", name) for name in names)
    ):
        raise VerticesAloneError(fill(WORDS["numbered"], name=context.name), line=body[0].line)


def _increases(body: Sequence[Row], column: int) -> bool:
    """Whether a column counts: whole numbers, each larger than the one before."""
    cells = [row.cells[column] if len(row.cells) > column else "" for row in body[:_SAMPLED]]
    if not cells or not all(cell.isdecimal() and cell.isascii() and len(cell) < 16 for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return all(a < b for a, b in pairwise(numbers))


def _is_word(cell: str) -> bool:
    return number(cell, comma=True) is None and cell.strip().lower() not in MISSING | {"inf", "-inf"}


def is_numeric(rows: Sequence[Row], column: int) -> bool:
    """Whether a column holds numbers, but for a few missing ones."""
    cells = [row.cells[column] for row in rows[:_SAMPLED] if len(row.cells) > column]
    numbers = sum(number(cell, comma=True) is not None for cell in cells)
    fine = numbers + sum(cell.strip().lower() in MISSING or cell.lower() in {"inf", "-inf"} for cell in cells)
    return numbers > 0 and fine == len(cells)
