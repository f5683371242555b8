"""The look of every chart: quiet, no toolbar, the theme's own text and grid."""

from __future__ import annotations

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from mivspool.colours import ACCENT, GREY, Theme
from mivspool.content import shared, style

STYLE = f"<style>{style('tables')}{style('inside')}</style>"
"""The look of what pages draw as HTML."""

# nothing that a class would click by accident; no link to the outside
CONFIG: dict[str, Any] = {
    "displayModeBar": False,
    "displaylogo": False,
    "scrollZoom": False,
    "responsive": True,
}


def theme() -> Theme:
    """The theme this page is shown in."""
    return "dark" if st.context.theme.type == "dark" else "light"


def accent(of: Theme) -> str:
    """The one accent."""
    return ACCENT[of]


def grey(of: Theme) -> str:
    """The grey of what stands behind."""
    return GREY[of]


def base(height: int) -> go.Figure:
    """An empty figure in the house's look, ``height`` pixels high."""
    figure = go.Figure()
    figure.update_layout(
        height=height, margin={"l": 8, "r": 8, "t": 28, "b": 8}, showlegend=False, dragmode=False
    )
    return figure


class Beside:
    """Says that the numbers of a chart stand in a table of the page already."""


BESIDE = Beside()


def show(figure: go.Figure, key: str, alt: str, table: pd.DataFrame | Beside, **more: Any) -> Any:
    """Put a chart on the page, with the numbers behind it as a table below.

    ``alt`` says what it shows to those who do not see it. ``table``: the numbers, or BESIDE where they stand
    elsewhere on the page.
    """
    shown = st.plotly_chart(figure, key=key, config=CONFIG, alt=alt, **more)
    if not isinstance(table, Beside):
        with st.expander(shared.TABLE_BEHIND):
            st.dataframe(table, hide_index=True)
    return shown
