"""Plots of the Compare page: a data set's graphs as boxes, and one graph's levels as stacked planes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from app.ui.charts import accent, base, grey
from app.ui.texts import for_plotly
from mivspool.colours import COLOURS, Theme
from mivspool.compare import Row, Summary
from mivspool.content.compare import reductions, words
from mivspool.graphs.graph import Graph
from mivspool.pooling.parts.measure import EXPLAINED
from mivspool.sparse import Adjacency

_SCALED = {"seconds": (1000.0, "ms"), "memory": (0.001, "kB")}


def boxes(summaries: Sequence[Summary], measure: str, theme: Theme) -> go.Figure:
    """One measure: a box a method over the graphs of a data set, and the graphs before where that means something."""
    scale, unit = _SCALED.get(measure, (1.0, ""))
    figure = base(90 + 44 * (len(summaries) + 1))
    before = summaries[0].values.get(f"{measure}_before") if summaries else None
    for k, summary in enumerate(reversed(summaries)):
        _box(figure, scale * summary.values[measure], reductions.title(summary.choice.key), k, accent(theme))
    if before is not None:
        _box(figure, scale * before, words.BEFORE, len(summaries), grey(theme))
    title = EXPLAINED[measure].title
    figure.update_xaxes(title=f"{title} ({unit})" if unit else title, zeroline=False, rangemode="tozero")
    figure.update_yaxes(automargin=True, showgrid=False)
    return figure


def _box(figure: go.Figure, values: NDArray[np.float64], name: str, place: int, colour: str) -> None:
    figure.add_box(
        x=values,
        y=[name] * len(values),
        name=name,
        orientation="h",
        boxpoints="outliers",
        boxmean=True,
        marker={"color": colour, "size": 3},
        line={"width": 1.5},
        fillcolor="rgba(128,128,128,0.12)",
    )


def pyramid(
    rows: Sequence[Row],
    graph_positions: NDArray[np.float64],
    shown: Sequence[int],
    ids: Sequence[str],
    graph: Graph,
    theme: Theme,
) -> go.Figure:
    """Level upon level as planes, the graph itself below; lines say which vertex goes where.

    ``graph_positions`` float64 [n, 2]; ``shown``: the planes in full, the others faded.
    """
    figure = base(640)
    corner, size = _frame(graph_positions)
    step = min(0.42, 1.4 / max(len(rows), 1)) * float(size.max())
    here = graph_positions
    made = [reductions.reduced(rows, level, graph) for level in range(len(rows))]
    names: Sequence[str] = ids
    for level, row in enumerate(rows):
        _plane(figure, corner, size, level * step, level in shown, theme)
        _edges(figure, row.adjacency, here, level * step, level in shown, theme)
        survivor = None if row.pooled is None or row.pooled.survivor is None else row.pooled.survivor.numpy()
        _vertices(figure, here, level * step, names, survivor, level in shown, theme)
        reduced = made[level]
        if reduced is None or row.pooled is None:
            break
        above = reductions.places(reduced, graph_positions)
        _assignment(figure, row, here, above, level * step, step, level in shown, theme)
        here, names = above, row.reduced_nodes
        if level == len(rows) - 1:
            top = level + 1
            _plane(figure, corner, size, top * step, top in shown, theme)
            _edges(figure, row.pooled.adjacency, here, top * step, top in shown, theme)
            _vertices(figure, here, top * step, names, None, top in shown, theme)
    hidden = {"visible": False, "showspikes": False}
    whole = np.array([*size, step * len(rows)])
    ratio = dict(zip("xyz", (1.55 * whole / max(float(whole.max()), 1e-9)).tolist(), strict=True))
    figure.update_layout(
        scene={
            "xaxis": hidden,
            "yaxis": hidden,
            "zaxis": hidden,
            "aspectmode": "manual",
            "aspectratio": {axis: max(value, 0.05) for axis, value in ratio.items()},
            "camera": {"eye": {"x": 1.05, "y": -1.45, "z": 0.7}, "projection": {"type": "orthographic"}},
        },
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        dragmode="orbit",
    )
    return figure


def _frame(positions: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lower corner and the size of a plane that holds all positions with a margin."""
    if not len(positions):
        return np.zeros(2), np.ones(2)
    low, high = positions.min(axis=0), positions.max(axis=0)
    margin = 0.06 * max(float((high - low).max()), 1e-6)
    least = 0.4 * max(float((high - low).max()), 1e-6)
    short = np.maximum(least - (high - low), 0) / 2  # a path is no line of a plane
    return low - margin - short, high - low + 2 * (margin + short)


def _plane(
    figure: go.Figure,
    corner: NDArray[np.float64],
    size: NDArray[np.float64],
    z: float,
    full: bool,
    theme: Theme,
) -> None:
    x, y = corner[0] + size[0] * np.array([0, 1, 1, 0]), corner[1] + size[1] * np.array([0, 0, 1, 1])
    figure.add_mesh3d(
        x=x, y=y, z=[z] * 4, i=[0, 0], j=[1, 2], k=[2, 3], color=grey(theme),
        opacity=0.1 if full else 0.03, hoverinfo="skip",
    )  # fmt: skip


def undrawn(rows: Sequence[Row]) -> int:
    """How many edges of the levels of ``rows`` are more than a plane takes."""
    planes = [row.adjacency for row in rows] + [
        row.pooled.adjacency for row in rows[-1:] if row.pooled is not None
    ]
    return sum(max(len(_drawn(plane)[0]) - reductions.MOST_EDGES, 0) for plane in planes)


def _drawn(adjacency: Adjacency) -> NDArray[np.int64]:
    """int64 [2, m]: each edge once."""
    index = adjacency.edge_index.numpy()
    return np.asarray(index[:, index[0] < index[1]], dtype=np.int64)


def _edges(
    figure: go.Figure,
    adjacency: Adjacency,
    at: NDArray[np.float64],
    z: float,
    full: bool,
    theme: Theme,
) -> None:
    pairs = _drawn(adjacency)[:, : reductions.MOST_EDGES]
    x, y = _broken(at[pairs[0], 0], at[pairs[1], 0]), _broken(at[pairs[0], 1], at[pairs[1], 1])
    figure.add_scatter3d(
        x=x, y=y, z=np.full(len(x), z), mode="lines", hoverinfo="skip",
        line={"color": grey(theme), "width": 2.5}, opacity=0.75 if full else 0.12,
    )  # fmt: skip


def _vertices(
    figure: go.Figure,
    at: NDArray[np.float64],
    z: float,
    names: Sequence[str],
    survivor: NDArray[np.bool_] | None,
    full: bool,
    theme: Theme,
) -> None:
    size = 3 if len(at) > 500 else 5
    for kept, state in ((True, "survivor"), (False, "non_survivor")):
        own = np.ones(len(at), dtype=bool) if survivor is None and kept else None
        chosen = (
            own
            if own is not None
            else (survivor == kept if survivor is not None else np.zeros(len(at), bool))
        )
        if not chosen.any():
            continue
        colours = COLOURS["survivor" if state == "survivor" else "non_survivor"]
        # the last plane and a soft S have no survivors: neutral
        fill = colours.fill if survivor is not None else accent(theme)
        figure.add_scatter3d(
            x=at[chosen, 0],
            y=at[chosen, 1],
            z=np.full(int(chosen.sum()), z),
            mode="markers",
            text=[for_plotly(names[v]) for v in np.flatnonzero(chosen).tolist()],
            hoverinfo="text",
            opacity=1.0 if full else 0.15,
            marker={
                "size": size + 2 if kept else size,
                "symbol": "circle" if kept else "square",
                "color": fill,
                "line": {"width": 1, "color": colours.border(theme)},
            },
        )


def most(row: Row) -> NDArray[np.int64]:
    """The reduced vertex that each vertex goes to, most of it where S is soft; −1 where it is dropped. int64 [n]."""
    assert row.pooled is not None
    selection = row.pooled.selection
    if selection.cluster is not None:
        return np.asarray(selection.cluster.numpy())
    assert selection.assignment is not None
    soft = selection.assignment
    return np.asarray((soft.to_dense() if soft.is_sparse else soft).argmax(1).numpy())


def _assignment(
    figure: go.Figure,
    row: Row,
    below: NDArray[np.float64],
    above: NDArray[np.float64],
    z: float,
    step: float,
    full: bool,
    theme: Theme,
) -> None:
    """Lines from each vertex to the reduced vertex it goes to (most)."""
    cluster = most(row)
    kept = np.flatnonzero(cluster >= 0)
    ends = above[cluster[kept]]
    x, y = _broken(below[kept, 0], ends[:, 0]), _broken(below[kept, 1], ends[:, 1])
    height = _broken(np.full(len(kept), z), np.full(len(kept), z + step))
    figure.add_scatter3d(
        x=x, y=y, z=height, mode="lines", hoverinfo="skip",
        line={"color": accent(theme), "width": 1.5}, opacity=0.4 if full else 0.08,
    )  # fmt: skip


def _broken(start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    """Segments one after the other, with a gap after each."""
    gaps = np.full(len(start), np.nan)
    return np.stack([start, end, gaps], axis=1).ravel()
