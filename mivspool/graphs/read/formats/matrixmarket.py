"""MatrixMarket: a square matrix in coordinate or array form."""

from __future__ import annotations

import re

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.adjacency import Entries, from_entries
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import MISSING, number, shown

_BANNER = re.compile(r"%%MatrixMarket\s+matrix\s+(\w+)\s+(\w+)\s+([\w-]+)", re.IGNORECASE)


def read(text: str, context: Context) -> Found:
    """A square matrix in coordinate or array form; vertices are called 1, 2, … as in the file."""
    lines = text.split("\n")
    banner = _BANNER.match(lines[0].strip())
    if banner is None:
        raise ReadError(f"{context.name} does not begin with '%%MatrixMarket matrix …'", line=1)
    layout, field, symmetry = (part.lower() for part in banner.groups())
    if layout not in {"coordinate", "array"} or field not in {"real", "integer", "pattern", "double"}:
        raise ReadError(
            f"{context.name} is a matrix of {shown(field)} numbers in {shown(layout)} form: use real numbers",
            line=1,
        )
    start = next((k for k in range(1, len(lines)) if lines[k].strip() and not lines[k].startswith("%")), None)
    if start is None:
        raise ReadError(f"{context.name} has no line with the matrix's size")
    size = [number(part) for part in lines[start].split()]
    if len(size) != (3 if layout == "coordinate" else 2) or any(s is None or s < 0 or s % 1 for s in size):
        raise ReadError(f"{context.name} has {shown(lines[start])} where the size must stand", line=start + 1)
    n, m = int(size[0] or 0), int(size[1] or 0)
    if n != m:
        raise ReadError(
            f"{context.name} is a matrix of {n:,} × {m:,}: an adjacency matrix is square", line=start + 1
        )
    context.check_size(n)
    entries = (
        _coordinates(lines, start, n, field == "pattern", int(size[2] or 0), context)
        if layout == "coordinate"
        else _dense(lines, start, n, symmetry != "general", context)
    )
    builder = Builder(context, context.stem, "matrix-market", declared=False)
    for i in range(n):
        builder.node(i, None, str(i + 1))
    if symmetry == "general":
        return [from_entries(builder, entries)]
    weighted = any(value != 1 for _, _, value, _ in entries)
    for i, j, value, line in entries:
        k = builder.edge(i, j, line)
        if weighted:
            builder.edge_value(k, "weight", value)
    return [builder.finish()]


def _coordinates(
    lines: list[str], start: int, n: int, pattern: bool, promised: int, context: Context
) -> Entries:
    entries: Entries = []
    for k in range(start + 1, len(lines)):
        cells = lines[k].split()
        if not cells or cells[0].startswith("%"):
            continue
        i, j = (number(cell) for cell in (cells[:2] if len(cells) >= 2 else ("", "")))
        value = 1.0 if pattern else number(cells[2]) if len(cells) > 2 else None
        if i is None or j is None or not (1 <= i <= n and 1 <= j <= n) or i % 1 or j % 1:
            raise ReadError(
                f"{context.name} has {shown(lines[k])} where two numbers from 1 to {n:,} must stand",
                line=k + 1,
            )
        if value is None and not (len(cells) > 2 and cells[2].lower() in MISSING):
            raise ReadError(f"{context.name} has an entry without a number", line=k + 1)
        if value != 0:
            entries.append((int(i) - 1, int(j) - 1, value, k + 1))
        if len(entries) % 8192 == 0:
            context.check_size(n, len(entries) // 2)
    listed = sum(1 for k in range(start + 1, len(lines)) if lines[k].strip() and not lines[k].startswith("%"))
    if listed != promised:
        raise ReadError(
            f"{context.name} promises {promised:,} entries and has {listed:,}: it was cut off or edited"
        )
    return entries


def _dense(lines: list[str], start: int, n: int, triangle: bool, context: Context) -> Entries:
    """Column by column; of a symmetric matrix only the part from the diagonal down."""
    values = [
        (number(cell), k + 1)
        for k in range(start + 1, len(lines))
        for cell in lines[k].split()
        if not cell.startswith("%")
    ]
    needed = n * (n + 1) // 2 if triangle else n * n
    if len(values) != needed:
        raise ReadError(f"{context.name} has {len(values):,} numbers where {needed:,} are needed")
    if needed > context.limits.edges * 4:
        raise LimitError(f"{context.name} is too large as a full matrix: save it in coordinate form")
    places = ((i, j) for j in range(n) for i in range(j if triangle else 0, n))
    entries: Entries = []
    for (i, j), (value, line) in zip(places, values, strict=True):
        if value is None:
            raise ReadError(f"{context.name} has no number where one must stand", line=line)
        if value != 0:
            entries.append((i, j, value, line))
    return entries


def sniff(text: str) -> bool:
    """Whether the text begins with the banner of MatrixMarket."""
    return text.lstrip()[:14].lower() == "%%matrixmarket"


FORMAT = Format(
    name="matrix-market",
    title="MatrixMarket",
    about="Sparse matrices as the SuiteSparse collection, scipy and Network Repository write them.",
    extensions=(".mtx", ".mm"),
    read=read,
    sniff=sniff,
    place=40,
    kept="vertices, numbered from 1, edges, weights",
    lost="directions",
)
