"""LGL, the Large Graph Layout's format: # and a vertex, then its neighbours one per line, with weights."""

from __future__ import annotations

from mivspool.errors import ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import lines_of


def read(text: str, context: Context) -> Found:
    """The one graph; a vertex without neighbours is isolated."""
    builder = Builder(context, context.stem, "lgl", declared=False)
    u: int | None = None
    for number, line in enumerate(lines_of(text), start=1):
        if number % 4096 == 0:
            context.check_time()
        cells = line.split()
        if not cells:
            continue
        if line.startswith("#"):
            name = line[1:].strip()
            if not name:
                raise ReadError(f"{context.name} has a # without a vertex behind it", line=number)
            u = builder.mention(name, number)
            continue
        if u is None:
            raise ReadError(f"{context.name} must begin with # and a vertex, as LGL does", line=number)
        if len(cells) > 2:
            raise ReadError(f"{context.name} has a line of {len(cells)} words: LGL has two", line=number)
        k = builder.edge(u, builder.mention(cells[0], number), number)
        if len(cells) == 2:
            builder.edge_value(k, "weight", cells[1])
    return [builder.finish()]


FORMAT = Format(
    name="lgl",
    title="LGL",
    about="Large Graph Layout and igraph.",
    extensions=(".lgl",),
    read=read,
    place=122,
    kept="vertices, edges, weights",
    lost="nothing",
)
