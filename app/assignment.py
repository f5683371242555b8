"""S of one level, as a picture and as a table to take along."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import plots, strings
from app.strings import fill
from mivspool.colours import Theme
from mivspool.levels import Level


def show(level: Level, selected: int, pointed: Callable[[list[int]], None]) -> None:
    """S of a level, the row of ``selected`` lit (−1: none); ``pointed`` is told the vertices chosen in it."""
    import pandas as pd

    n, kept = len(level.nodes), len(level.reduced_nodes)
    st.markdown(f"##### {fill(strings.S_TITLE, n=n, kept=kept)}")
    order = _order(level)
    survivor = level.trace.survivor.numpy()
    picture, table = st.tabs([strings.S_PICTURE, strings.S_TABLE])
    with picture:
        figure = plots.assignment(
            level.nodes,
            level.reduced_nodes,
            level.cluster.numpy(),
            survivor,
            order,
            selected if selected >= 0 else None,
            _theme(),
        )
        st.plotly_chart(
            figure,
            key="assignment",
            config={"displayModeBar": False},
            on_select=lambda: pointed(_points("assignment")),
            selection_mode="points",
            alt=fill(strings.S_TITLE, n=n, kept=kept),
        )
    score = level.score.numpy()
    total = np.bincount(level.cluster.numpy(), weights=score, minlength=kept)
    added = level.trace.added.numpy()
    became = np.where(added, "added", np.where(survivor, "survivor", "non_survivor"))[order]
    names = strings.S_COLUMNS_TABLE
    frame = pd.DataFrame(
        {
            names["vertex"]: [level.nodes[v] for v in order.tolist()],
            names["cluster"]: [level.reduced_nodes[c] for c in level.cluster.numpy()[order].tolist()],
            names["score"]: score[order],
            names["share"]: (score / total[level.cluster.numpy()])[order],
            names["state"]: [strings.STATES[name] for name in became.tolist()],
            names["settled"]: level.trace.settled_at.numpy()[order],
        }
    )
    with table:
        st.dataframe(
            frame,
            hide_index=True,
            height=330,
            key="assignment-table",
            on_select=lambda: pointed(_rows("assignment-table", order)),
            selection_mode="single-row",
        )
        st.download_button(
            strings.S_DOWNLOAD,
            frame.to_csv(index=False).encode("utf-8"),
            file_name=f"S-level-{level.level}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
        )


def _theme() -> Theme:
    return "dark" if st.context.theme.type == "dark" else "light"


def _order(level: Level) -> NDArray[np.int64]:
    """Vertices by cluster, the survivor first, then by score: S as a staircase."""
    score, cluster = level.score.numpy(), level.cluster.numpy()
    survivor = level.trace.survivor.numpy()
    return np.lexsort((-score, ~survivor, cluster)).astype(np.int64)


def _points(key: str) -> list[int]:
    return [point["customdata"] for point in st.session_state[key].selection.points]


def _rows(key: str, order: NDArray[np.int64]) -> list[int]:
    return [int(order[row]) for row in st.session_state[key].selection.rows]
