"""METIS: sizes in the first line, then for each vertex, counted from 1, a line with its neighbours."""

from __future__ import annotations

import re

from mivspool.errors import ReadError
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import lines_of, shown
from mivspool.messages import count

_HEADER = re.compile(r"(\d{1,9})\s+(\d{1,12})(?:\s+([01]{1,3})(?:\s+(\d{1,3}))?)?", re.ASCII)
_LONGEST = 1_000_000


def sniff(text: str) -> bool:
    """Whether every line lists neighbours that list it too, as many as the first line says."""
    if len(text) > _LONGEST:
        return False
    lines = [line for line in lines_of(text) if not line.startswith("%")]
    header = _HEADER.fullmatch(lines[0].strip()) if lines else None
    if header is None or header[3] or int(header[1]) < 3:
        return False
    n, m = int(header[1]), int(header[2])
    body = lines[1 : n + 1]
    if len(body) < n or any(line.strip() for line in lines[n + 1 :]):
        return False
    if not all(re.fullmatch(r"[\d\s]*", line, re.ASCII) for line in body):
        return False
    listed = {(u, v) for u, line in enumerate(body, start=1) for v in line.split()}
    return len(listed) == 2 * m > 0 and all(v.isdigit() and (int(v), str(u)) in listed for u, v in listed)


def read(text: str, context: Context) -> Found:
    """The one graph, with weights of vertices and edges where the first line says that there are any."""
    lines = [(line, k) for k, line in enumerate(lines_of(text), start=1) if not line.startswith("%")]
    header = _HEADER.fullmatch(lines[0][0].strip()) if lines else None
    if header is None:
        raise ReadError(
            f"{context.name} must begin with the numbers of vertices and edges, as METIS does", line=1
        )
    n, form = int(header[1]), (header[3] or "0").zfill(3)
    context.check_size(n, 0)
    weights = int(header[4] or 1) if form[1] == "1" else 0
    builder = Builder(context, context.stem, "metis", declared=False)
    for i in range(n):
        builder.node(str(i + 1))
    body = lines[1 : n + 1]
    if len(body) < n:
        raise ReadError(f"{context.name} has {len(body):,} lines for {count(n, 'vertex')}: it was cut off")
    beyond = next((k for line, k in lines[n + 1 :] if line.strip()), None)
    if beyond is not None:
        raise ReadError(f"{context.name} has more lines than its {count(n, 'vertex')}", line=beyond)
    listed = 0
    for u, (line, number) in enumerate(body):
        cells = line.split()
        if not all(cell.isascii() and cell.isdigit() and len(cell) < 16 for cell in cells):
            raise ReadError(
                f"{context.name} has {shown(line)} where numbers of vertices must stand", line=number
            )
        own = weights + (form[0] == "1")
        if len(cells) < own:
            raise ReadError(f"{context.name} has a line without its vertex's weight", line=number)
        if form[0] == "1":
            builder.node_value(u, "size", int(cells[0]))
        for k, cell in enumerate(cells[own - weights : own]):
            builder.node_value(u, "weight" if weights == 1 else f"weight {k + 1}", int(cell))
        step = 2 if form[2] == "1" else 1
        neighbours = cells[own:]
        if len(neighbours) % step:
            raise ReadError(f"{context.name} has a neighbour without its edge's weight", line=number)
        for at in range(0, len(neighbours), step):
            v = int(neighbours[at]) - 1
            if not 0 <= v < n:
                raise ReadError(
                    f"{context.name} names vertex {v + 1}, but its vertices are 1 to {n:,}", line=number
                )
            listed += 1
            if v < u:
                continue  # listed by the other end
            k = builder.edge(u, v, number)
            if step == 2:
                builder.edge_value(k, "weight", int(neighbours[at + 1]))
    if listed != 2 * int(header[2]):
        builder.say(
            f"the first line promises {count(int(header[2]), 'edge')}, and {listed:,} neighbours are listed"
        )
    _add_one_sided(builder, body, weights + (form[0] == "1"), 2 if form[2] == "1" else 1)
    return [builder.finish()]


def _add_one_sided(builder: Builder, body: list[tuple[str, int]], own: int, step: int) -> None:
    """Edges that only the end with the larger number lists."""
    known = set(zip(builder.source, builder.target, strict=True))
    for u, (line, number) in enumerate(body):
        cells = line.split()[own:]
        for at in range(0, len(cells), step):
            v = int(cells[at]) - 1
            if v < u and (v, u) not in known:
                k = builder.edge(u, v, number, directed=True)
                if step == 2:
                    builder.edge_value(k, "weight", int(cells[at + 1]))


FORMAT = Format(
    name="metis",
    title="METIS",
    about="METIS, KaHIP, Chaco, the DIMACS challenge on partitioning, networkit.",
    extensions=(".graph", ".metis", ".chaco"),
    read=read,
    sniff=sniff,
    place=102,
    kept="vertices, edges, weights of both, sizes",
    lost="nothing",
)
