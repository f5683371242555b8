"""TGF, yEd's trivial graph format: vertices with labels, a line with # alone, edges with labels."""

from __future__ import annotations

from mivspool.errors import ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import lines_of

_HEAD = 100_000


def sniff(text: str) -> bool:
    """Whether a line with # alone parts vertices from edges between them."""
    lines = [line.strip() for line in lines_of(text[:_HEAD])]
    if "#" not in lines or lines[0].startswith("#"):
        return False
    middle = lines.index("#")
    ids = {line.split(maxsplit=1)[0] for line in lines[:middle] if line}
    after = lines[middle + 1 :] if len(text) <= _HEAD else lines[middle + 1 : -1]
    edges = [line.split(maxsplit=2) for line in after if line]
    return bool(edges) and all(len(edge) >= 2 and {*edge[:2]} <= ids for edge in edges)


def read(text: str, context: Context) -> Found:
    """The one graph; its edges lead from the first vertex to the second."""
    builder = Builder(context, context.stem, "tgf", declared=True)
    edges = False
    for number, line in enumerate(lines_of(text), start=1):
        if number % 4096 == 0:
            context.check_time()
        plain = line.strip()
        if plain == "#":
            edges = True
        elif plain and not edges:
            ident, _, label = plain.partition(" ") if " " in plain else plain.partition("\t")
            i = builder.node(ident, number)
            if label.strip():
                builder.node_value(i, "label", label.strip())
        elif plain:
            cells = plain.split(maxsplit=2)
            if len(cells) < 2:
                raise ReadError(f"{context.name} has an edge with one end", line=number)
            u, v = (builder.mention(cell, number) for cell in cells[:2])
            k = builder.edge(u, v, number, directed=True)
            if len(cells) == 3:
                builder.edge_value(k, "label", cells[2])
    return [builder.finish()]


FORMAT = Format(
    name="tgf",
    title="TGF (trivial graph format)",
    about="yEd and other programs of yWorks.",
    extensions=(".tgf",),
    read=read,
    sniff=sniff,
    place=101,
    kept="ids, labels of vertices and edges",
    lost="the direction of edges",
)
