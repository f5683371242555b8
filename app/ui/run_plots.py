"""Plots of the evaluated runs: points, not only bars, with the paper's value marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from app.ui import common
from app.ui.charts import BESIDE, accent, base, grey, show, theme
from mivspool.colours import Theme
from mivspool.content import shared
from mivspool.content.results.points import CURVES, Column
from mivspool.messages import fill


def points(columns: Sequence[Column], theme: Theme) -> go.Figure:
    """Every run of each cell as a point, their mean as a line, the paper's mean ± std as a diamond."""
    figure = base(380)
    shift = np.random.default_rng(0)
    for k, column in enumerate(columns):
        values = list(column.accuracies.values())
        if values:
            figure.add_scatter(
                x=k + shift.uniform(-0.22, 0.06, len(values)),
                y=values,
                mode="markers",
                marker={"size": 6, "color": grey(theme), "opacity": 0.55},
                text=[
                    fill(shared.POINT, repeat=r, fold=f, accuracy=v)
                    for (r, f), v in column.accuracies.items()
                ],
                hovertemplate="%{text}<extra></extra>",
                name=shared.POINTS_RUN,
                legendgroup="run",
                showlegend=False,
            )
            figure.add_scatter(
                x=[k - 0.28, k + 0.12],
                y=[float(np.mean(values))] * 2,
                mode="lines",
                line={"width": 3, "color": accent(theme)},
                hovertemplate=f"{shared.POINTS_MEAN} %{{y:.1f}} %<extra></extra>",
                legendgroup="mean",
                showlegend=False,
            )
        if column.printed is not None:
            figure.add_scatter(
                x=[k + 0.3],
                y=[column.printed.mean],
                error_y={
                    "array": [column.printed.std or 0.0],
                    "thickness": 1.5,
                    "width": 5,
                    "color": grey(theme),
                },
                mode="markers",
                marker={
                    "symbol": "diamond-open",
                    "size": 11,
                    "color": accent(theme),
                    "line": {"width": 2, "color": accent(theme)},
                },
                hovertemplate=f"{shared.PAPER} %{{y:.2f}} %<extra></extra>",
                legendgroup="paper",
                showlegend=False,
            )
    _legend(figure, theme)
    figure.update_xaxes(
        tickvals=list(range(len(columns))),
        ticktext=[column.title for column in columns],
        range=[-0.6, len(columns) - 0.4],
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    figure.update_layout(margin={"r": 24})
    figure.update_yaxes(title=shared.POINTS_AXIS, zeroline=False)
    return figure


def _legend(figure: go.Figure, theme: Theme) -> None:
    """One entry for each mark, whichever columns have it."""
    marks: list[tuple[str, str, dict[str, Any]]] = [
        ("run", shared.POINTS_RUN, {"mode": "markers", "marker": {"size": 6, "color": grey(theme)}}),
        ("mean", shared.POINTS_MEAN, {"mode": "lines", "line": {"width": 3, "color": accent(theme)}}),
        (
            "paper",
            shared.POINTS_PAPER,
            {"mode": "markers", "marker": {"symbol": "diamond-open", "size": 10, "color": accent(theme)}},
        ),
    ]
    for group, title, style in marks:
        figure.add_scatter(x=[None], y=[None], name=title, legendgroup=group, **style)
    figure.update_layout(legend={"orientation": "h", "y": 1.08, "x": 0}, showlegend=True)


def curve(
    columns: Mapping[str, Sequence[float]], what: str, title: str, best: int | None, theme: Theme
) -> go.Figure:
    """``what`` ("loss" or "accuracy") of the training and the validation graphs, epoch by epoch.

    ``columns``: train_loss, val_loss, train_accuracy, val_accuracy, one value per epoch; accuracies as shares.
    ``best``: the epoch whose weights were kept, marked with a line.
    """
    figure = base(280)
    scale = 100.0 if what == "accuracy" else 1.0
    for part, name, colour in (
        ("train", shared.TRAINING, grey(theme)),
        ("val", shared.VALIDATION, accent(theme)),
    ):
        values = [scale * value for value in columns.get(f"{part}_{what}", ())]
        figure.add_scatter(
            x=list(range(1, len(values) + 1)),
            y=values,
            mode="lines" if len(values) > 1 else "markers",
            name=name,
            line={"width": 1.8, "color": colour, "dash": "dot" if part == "train" else "solid"},
        )
    if best:
        figure.add_vline(best, line={"width": 1, "dash": "dash", "color": grey(theme)})
    figure.update_xaxes(title=shared.CURVE_EPOCH, zeroline=False)
    figure.update_yaxes(title=title, zeroline=False)
    figure.update_layout(
        legend={"orientation": "h", "y": 1.16, "x": 0}, showlegend=True, hovermode="x unified"
    )
    return figure


def show_curves(columns: Mapping[str, Sequence[float]], best: int | None, title: str, key: str) -> None:
    """Loss and accuracy side by side, and the numbers behind them."""
    left, right = st.columns(2)
    for place, (what, name) in zip((left, right), CURVES, strict=True):
        with place:
            show(curve(columns, what, name, best, theme()), f"{key}:{what}", f"{name}: {title}", BESIDE)
    show_numbers(columns)


def show_numbers(columns: Mapping[str, Sequence[float]]) -> None:
    """The numbers behind learning curves, one row per epoch."""
    with st.expander(shared.TABLE_BEHIND):
        epochs = range(1, max(map(len, columns.values()), default=0) + 1)
        st.dataframe(pd.DataFrame({shared.CURVE_EPOCH: epochs, **columns}), hide_index=True)


def together(curves: Mapping[str, Mapping[str, Sequence[float]]], what: str, theme: Theme) -> go.Figure:
    """One curve per run in one picture: ``what`` of each, distinguished by dash and by its number at the end.

    A name is a number, and after " · " what else is known of the run.
    """
    figure = base(300)
    scale = 100.0 if what.endswith("accuracy") else 1.0
    dashes = ("solid", "dot", "dash", "dashdot")
    for k, (name, columns) in enumerate(curves.items()):
        values = [scale * value for value in columns.get(what, ())]
        colour = accent(theme) if k % 2 == 0 else grey(theme)
        figure.add_scatter(
            x=list(range(1, len(values) + 1)),
            y=values,
            mode="lines",
            name=name,
            line={"width": 1.8, "color": colour, "dash": dashes[k % len(dashes)]},
        )
        if values:
            figure.add_annotation(
                x=len(values),
                y=values[-1],
                text=name.partition(" · ")[0],
                showarrow=False,
                xshift=9,
                font={"color": colour},
            )
    figure.update_xaxes(title=shared.CURVE_EPOCH, zeroline=False)
    figure.update_yaxes(title=shared.CURVE_ACCURACY if scale > 1 else shared.CURVE_LOSS, zeroline=False)
    figure.update_layout(
        showlegend=True, legend={"orientation": "h", "y": 1.14, "x": 0}, hovermode="x unified"
    )
    return figure


def folds(tested: Sequence[tuple[int, int, float]], theme: Theme) -> go.Figure:
    """The test accuracy of each finished run, (repeat, fold, share), by fold, and their mean."""
    figure = base(240)
    figure.add_scatter(
        x=[fold for _, fold, _ in tested],
        y=[100 * accuracy for *_, accuracy in tested],
        mode="markers",
        marker={"size": 8, "color": accent(theme), "opacity": 0.7},
        text=[fill(shared.POINT, repeat=r, fold=f, accuracy=100 * a) for r, f, a in tested],
        hovertemplate="%{text}<extra></extra>",
    )
    mean = 100 * float(np.mean([accuracy for *_, accuracy in tested]))
    figure.add_hline(
        mean, line={"width": 1.5, "dash": "dash", "color": grey(theme)}, annotation_text=f"{mean:.1f}"
    )
    figure.update_xaxes(title=common.FOLD_AXIS, range=[-0.5, 9.5], dtick=1, zeroline=False)
    figure.update_yaxes(title=shared.POINTS_AXIS, zeroline=False)
    return figure
