"""Scores from a file: a table of ``vertex,score`` (a heading is allowed), as scores are exported."""

from __future__ import annotations

from pathlib import Path

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.formats.table import rows_of
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.decode import decode
from mivspool.graphs.text import number
from mivspool.settings import settings


def read_values(path: str | Path, graph: Graph) -> dict[str, float]:
    """The score of every vertex of ``graph`` by its id.

    Raises ReadError, with the line, for a file that cannot be read, a value that is not a finite positive
    number, a vertex that is not in the graph or stands twice, and a vertex of the graph that is missing.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReadError(f"the score file {path.name!r} cannot be opened: {error.strerror}") from error
    context = Context(path.name, settings().limits)
    rows, delimiter = rows_of(decode(data, path.name)[0], context)
    values: dict[str, float] = {}
    for cells, line in rows:
        if len(cells) != 2:
            raise ReadError(f"expected two columns, vertex,score, and found {len(cells)}", line=line)
        vertex, written = cells[0], cells[1].strip()
        value = number(written, comma=delimiter != ",")
        if vertex not in graph.index:
            if value is None and not values and cells is rows[0].cells:
                continue  # the heading
            raise ReadError(f"vertex {vertex!r} is not in the graph", line=line)
        if value is None and written.lower().lstrip("+-") not in {"nan", "inf", "infinity"}:
            raise ReadError(f"the score {written!r} of vertex {vertex!r} is not a number", line=line)
        if vertex in values:
            raise ReadError(f"vertex {vertex!r} has two scores", line=line)
        if value is None or value <= 0:
            raise ReadError(
                f"the score of vertex {vertex!r} is {written}: a score must be finite and positive", line=line
            )
        values[vertex] = value
    missing = [node for node in graph.nodes if node not in values]
    if missing:
        raise ReadError(
            f"there is no score for vertex {missing[0]!r} ({len(missing)} of {graph.num_nodes} are missing)"
        )
    return values
