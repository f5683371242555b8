"""The charts of the app (plotly). Each takes data and gives a figure; none computes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from app import strings
from app.texts import for_plotly
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
    """S: a row a vertex, in the given order (int64 [n]), a column a cluster; a cell in the colour of what it became.

    ``cluster`` int64 [n]: each vertex's column; ``survivor`` bool [n]; ``selected`` the vertex to point at.
    """
    n, kept = len(vertices), len(clusters)
    column, stays = cluster[order], survivor[order]
    names = [for_plotly(vertices[v]) for v in order.tolist()]
    heads = [for_plotly(name) for name in clusters]
    text = [f"{names[i]} → {heads[c]}" for i, c in enumerate(column.tolist())]
    figure = go.Figure()
    if n * kept <= MOST_CELLS:
        cells = np.full((n, kept), np.nan)
        cells[np.arange(n), column] = np.where(stays, 1.0, 0.0)
        colours = [[0, COLOURS["non_survivor"].fill], [1, COLOURS["survivor"].fill]]
        figure.add_heatmap(
            z=cells, zmin=0, zmax=1, colorscale=colours, showscale=False, xgap=1, ygap=1, hoverinfo="none"
        )
        hidden = go.Scatter(
            x=column, y=np.arange(n), mode="markers", text=text, hoverinfo="text", showlegend=False,
            customdata=order, marker={"size": 12, "opacity": 0}, unselected={"marker": {"opacity": 0}},
        )  # fmt: skip
        figure.add_trace(hidden)
    else:
        fills = np.where(stays, COLOURS["survivor"].fill, COLOURS["non_survivor"].fill)
        points = go.Scattergl(
            x=column, y=np.arange(n), mode="markers", text=text, hoverinfo="text", showlegend=False,
            customdata=order, marker={"size": 4, "color": fills}, unselected={"marker": {"opacity": 1}},
        )  # fmt: skip
        figure.add_trace(points)
    if selected is not None:
        row = int(np.flatnonzero(order == selected)[0])
        line = {"color": ACCENT[theme], "width": 2}
        figure.add_shape(type="rect", x0=-0.5, x1=kept - 0.5, y0=row - 0.5, y1=row + 0.5, line=line)
        mine = int(cluster[selected])
        figure.add_shape(
            type="rect",
            x0=mine - 0.5,
            x1=mine + 0.5,
            y0=-0.5,
            y1=n - 0.5,
            line={**line, "width": 1, "dash": "dot"},
        )
    grid = {"showgrid": False, "zeroline": False, "ticks": ""}
    figure.update_xaxes(
        title=strings.S_COLUMNS, range=[-0.5, kept - 0.5], **_ticks(heads), **grid, side="bottom"
    )
    figure.update_yaxes(title=strings.S_ROWS, range=[n - 0.5, -0.5], **_ticks(names), **grid)
    return _plainly(figure, theme, height=min(420, max(230, 60 + 16 * n)))


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


def _plainly(figure: go.Figure, theme: Theme, height: int) -> go.Figure:
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        dragmode=False,
        hoverlabel={"font": {"size": 13}},
        font={"color": GREY[theme]},
        plot_bgcolor="rgba(0,0,0,0)",
        paper_bgcolor="rgba(0,0,0,0)",
    )
    return figure
