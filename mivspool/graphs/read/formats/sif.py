"""SIF: source, relation, one or more targets on each line; a line of one word is a vertex alone."""

from __future__ import annotations

from mivspool.errors import ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import lines_of, shown


def read(text: str, context: Context) -> Found:
    """The one graph; tabs separate where there are any, else white space."""
    builder = Builder(context, context.stem, "sif", declared=False)
    tabs = "\t" in text
    for number, line in enumerate(lines_of(text), start=1):
        if number % 4096 == 0:
            context.check_time()
        cells = [cell.strip() for cell in line.split("\t")] if tabs else line.split()
        while cells and not cells[-1]:
            cells.pop()
        if not cells:
            continue
        if len(cells) == 2:
            raise ReadError(
                f"{context.name} has the line {shown(line)}: SIF has a source, a relation and a target, or one vertex "
                "alone",
                line=number,
            )
        u = builder.mention(cells[0], number)
        for target in cells[2:]:
            k = builder.edge(u, builder.mention(target, number), number)
            builder.edge_value(k, "interaction", cells[1])
    return [builder.finish()]


FORMAT = Format(
    name="sif",
    title="SIF (simple interaction format)",
    about="Cytoscape, Pathway Commons, BioPAX tools.",
    extensions=(".sif",),
    read=read,
    place=121,
    kept="vertices, also those alone, edges, relations as interaction",
    lost="the direction of edges",
)
