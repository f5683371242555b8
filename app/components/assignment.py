"""S of one level, as a picture and as a table to take along."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app.components.assignment_picture import picture
from app.ui import charts, common, plots, tables
from mivspool.canvas.sample import Part
from mivspool.graphs.export import table as csv_table
from mivspool.levels import Level
from mivspool.messages import fill

# rows that are drawn as HTML; plotly, which takes seconds to load, draws more
MOST_ROWS = 400


def show(part: Part, selected: int, pointed: Callable[[list[int]], None]) -> None:
    """S of what is drawn of a level, the row of ``selected`` lit (−1: none); the download has all of it.

    ``pointed`` is told the vertices chosen in it.
    """
    level, whole = part.level, part.whole
    title = fill(common.S_TITLE, n=len(whole.nodes), kept=len(whole.reduced_nodes))
    st.markdown(f"##### {title}")
    if part.sampled:
        st.caption(common.SAMPLE_S)
    order = _order(level)
    survivor = level.trace.survivor.numpy()
    drawn, table = st.tabs([common.S_PICTURE, common.S_TABLE])
    with drawn:
        chosen = selected if selected >= 0 else None
        shown = level.nodes, level.reduced_nodes, level.cluster.numpy(), survivor, order, chosen
        if len(level.nodes) <= MOST_ROWS:
            with st.container(key="assignment"):
                st.html(picture(*shown, alt=title))
        else:
            charts.show(
                plots.assignment(*shown, charts.theme()),
                "assignment",
                title,
                charts.BESIDE,
                on_select=lambda: pointed(_points("assignment")),
                selection_mode="points",
            )
    frame = tables.frame(_columns(whole, part.vertices[order]))
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
            common.S_DOWNLOAD,
            lambda: as_csv(whole),
            file_name=f"S-level-{level.level}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
        )


FACTORS = {"mean": "share", "sum": "factor"}
"""What the table calls the factor of a vertex in Eq. 12, by the reduction."""


def as_csv(level: Level) -> bytes:
    """S of a level with scores and states, one row per vertex; no cell is a formula to a spreadsheet."""
    columns = _columns(level, _order(level))
    return csv_table(list(columns), zip(*columns.values(), strict=True)).encode("utf-8", "replace")


def _columns(level: Level, order: NDArray[np.int64]) -> dict[str, list[Any]]:
    """The table of these vertices of a level (int64 [k]), by the names of its columns."""
    score, cluster = level.score.numpy(), level.cluster.numpy()
    added, survivor = level.trace.added.numpy(), level.trace.survivor.numpy()
    became = np.where(added, "added", np.where(survivor, "survivor", "non_survivor"))[order]
    names = common.S_COLUMNS_TABLE
    return {
        names["vertex"]: [level.nodes[v] for v in order.tolist()],
        names["cluster"]: [level.reduced_nodes[c] for c in cluster[order].tolist()],
        names["score"]: score[order].tolist(),
        names[FACTORS[level.reduction]]: level.factor.numpy()[order].tolist(),
        names["state"]: [common.STATES[name] for name in became.tolist()],
        names["settled"]: level.trace.settled_at.numpy()[order].tolist(),
    }


def _order(level: Level) -> NDArray[np.int64]:
    """Vertices by cluster, the survivor first, then by score: S as a staircase."""
    score, cluster = level.score.numpy(), level.cluster.numpy()
    survivor = level.trace.survivor.numpy()
    return np.lexsort((-score, ~survivor, cluster)).astype(np.int64)


def _points(key: str) -> list[int]:
    return [point["customdata"] for point in st.session_state[key].selection.points]


def _rows(key: str, order: NDArray[np.int64]) -> list[int]:
    return [int(order[row]) for row in st.session_state[key].selection.rows]
