"""Scores from a file: a CSV of ``vertex,score`` (a heading is allowed)."""

from __future__ import annotations

import csv
from pathlib import Path

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph


def read_values(path: str | Path, graph: Graph) -> dict[str, float]:
    """The score of every vertex of ``graph`` by its id.

    Raises ReadError, with the line, for a file that cannot be read, a value that is not a finite positive number,
    a vertex that is not in the graph or stands twice, and a vertex of the graph that is missing.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ReadError(f"the score file {path.name!r} cannot be opened: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ReadError(f"the score file {path.name!r} is not text in UTF-8") from error
    values: dict[str, float] = {}
    rows = csv.reader(text.splitlines(), skipinitialspace=True)
    for row in rows:
        line = rows.line_num
        if not row or not any(cell.strip() for cell in row):
            continue
        if len(row) != 2:
            raise ReadError(f"expected two columns, vertex,score, and found {len(row)}", line=line)
        vertex, written = row[0].strip(), row[1].strip()
        try:
            value = float(written)
        except ValueError:
            if line == 1 and vertex not in graph.index:
                continue  # the heading
            raise ReadError(
                f"the score {written!r} of vertex {vertex!r} is not a number", line=line
            ) from None
        if vertex not in graph.index:
            raise ReadError(f"vertex {vertex!r} is not in the graph", line=line)
        if vertex in values:
            raise ReadError(f"vertex {vertex!r} has two scores", line=line)
        if not 0 < value < float("inf"):
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
