"""The charts of the app (plotly). Each takes data and gives a figure; none computes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from app.ui import common
from app.ui.texts import for_plotly
from mivspool.colours import ACCENT, COLOURS, GREY, Theme

# beyond this many cells S is drawn as its entries alone
MOST_CELLS = 40_000
MOST_TICKS = 40
_LONGEST_TICK = 14


def assignment(
    vertices: Sequence[str],
    clusters: Sequence[str],
    cluster: NDArray[np.int64],
    survivor: NDArray[np.bool_],
    order: NDArray[np.int64],
    selected: int | None,
    theme: Theme,
) -> go.Figure:
    """S: one row per vertex, in the given order (int64 [n]), one column per cluster; cells coloured by state.

    ``cluster`` int64 [n]: each vertex's column; ``survivor`` bool [n]; ``selected`` the vertex to point at.
    """
    n, kept = len(vertices), len(clusters)
    column, stays = cluster[order], survivor[order]
    names = [for_plotly(vertices[v]) for v in order.tolist()]
    heads = [for_plotly(name) for name in clusters]
    text = [f"{names[i]} → {heads[c]}" for i, c in enumerate(column.tolist())]
    points = {
        "type": "scatter", "x": column, "y": np.arange(n), "mode": "markers", "text": text, "hoverinfo": "text",
        "showlegend": False, "customdata": order, "marker": {"size": 12, "opacity": 0},
        "unselected": {"marker": {"opacity": 0}},
    }  # fmt: skip
    if n * kept <= MOST_CELLS:
        cells = np.full((n, kept), np.nan)
        cells[np.arange(n), column] = np.where(stays, 1.0, 0.0)
        colours = [[0, COLOURS["non_survivor"].fill], [1, COLOURS["survivor"].fill]]
        heatmap = {
            "type": "heatmap", "z": cells, "zmin": 0, "zmax": 1, "colorscale": colours, "showscale": False,
            "xgap": 1, "ygap": 1, "hoverinfo": "none",
        }  # fmt: skip
        data = [heatmap, points]
    else:
        fills = np.where(stays, COLOURS["survivor"].fill, COLOURS["non_survivor"].fill)
        marker = {"size": 4, "color": fills}
        data = [{**points, "type": "scattergl", "marker": marker, "unselected": {"marker": {"opacity": 1}}}]
    grid = {"showgrid": False, "zeroline": False, "ticks": ""}
    layout = {
        "xaxis": {
            "title": {"text": common.S_COLUMNS}, "range": [-0.5, kept - 0.5], "side": "bottom",
            **grid, **_ticks(heads),
        },
        "yaxis": {"title": {"text": common.S_ROWS}, "range": [n - 0.5, -0.5], **grid, **_ticks(names)},
        "shapes": [] if selected is None else _cross(order, cluster, kept, selected, theme),
        "height": min(420, max(230, 60 + 16 * n)),
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "dragmode": False,
        "hoverlabel": {"font": {"size": 13}},
        "font": {"color": GREY[theme]},
        "plot_bgcolor": "rgba(0,0,0,0)",
        "paper_bgcolor": "rgba(0,0,0,0)",
    }  # fmt: skip
    # in one piece: each update of a figure checks all of it again, and this one is made at every choice of a vertex
    return go.Figure({"data": data, "layout": layout})


def _cross(
    order: NDArray[np.int64], cluster: NDArray[np.int64], kept: int, selected: int, theme: Theme
) -> list[dict[str, Any]]:
    """The row of the selected vertex and the column of its cluster."""
    row, mine, n = int(np.flatnonzero(order == selected)[0]), int(cluster[selected]), len(order)
    line = {"color": ACCENT[theme], "width": 2}
    return [
        {"type": "rect", "x0": -0.5, "x1": kept - 0.5, "y0": row - 0.5, "y1": row + 0.5, "line": line},
        {
            "type": "rect", "x0": mine - 0.5, "x1": mine + 0.5, "y0": -0.5, "y1": n - 0.5,
            "line": {**line, "width": 1, "dash": "dot"},
        },
    ]  # fmt: skip


def _ticks(names: Sequence[str]) -> dict[str, Any]:
    if len(names) > MOST_TICKS:
        return {"showticklabels": False}
    short = [name if len(name) <= _LONGEST_TICK else f"{name[: _LONGEST_TICK - 1]}…" for name in names]
    return {
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": short,
        "tickfont": {"size": 11},
    }
