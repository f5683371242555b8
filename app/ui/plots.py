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


def assignment(
    vertices: Sequence[str],
    clusters: Sequence[str],
    cluster: NDArray[np.int64],
    survivor: NDArray[np.bool_],
    order: NDArray[np.int64],
    selected: int | None,
    theme: Theme,
) -> go.Figure:
    """S of many vertices, one point per entry: rows in the given order (int64 [n]), one column per cluster.

    ``cluster`` int64 [n]: each vertex's column; ``survivor`` bool [n]; ``selected`` the vertex to point at.
    """
    n, kept = len(vertices), len(clusters)
    column, stays = cluster[order], survivor[order]
    names = [for_plotly(vertices[v]) for v in order.tolist()]
    heads = [for_plotly(name) for name in clusters]
    text = [f"{names[i]} → {heads[c]}" for i, c in enumerate(column.tolist())]
    fills = np.where(stays, COLOURS["survivor"].fill, COLOURS["non_survivor"].fill)
    data = [{
        "type": "scattergl", "x": column, "y": np.arange(n), "mode": "markers", "text": text, "hoverinfo": "text",
        "showlegend": False, "customdata": order, "marker": {"size": 4, "color": fills},
        "unselected": {"marker": {"opacity": 1}},
    }]  # fmt: skip
    grid = {"showgrid": False, "zeroline": False, "ticks": "", "showticklabels": False}
    layout = {
        "xaxis": {
            "title": {"text": common.S_COLUMNS}, "range": [-0.5, kept - 0.5], "side": "bottom",
            **grid,
        },
        "yaxis": {"title": {"text": common.S_ROWS}, "range": [n - 0.5, -0.5], **grid},
        "shapes": [] if selected is None else _cross(order, cluster, kept, selected, theme),
        "height": 420,
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
