"""The states of jobs, as every page that lists jobs lets a person choose among them."""

from __future__ import annotations

import streamlit as st

from app.ui import common
from mivspool.service.states import STATES


def pills(key: str) -> list[str]:
    """The states that a person wants listed; none: all of them."""
    chosen: list[str] = st.pills(
        common.JOB_STATE,
        STATES,
        selection_mode="multi",
        format_func=lambda name: common.JOB_STATES[name],
        key=key,
    )
    return chosen
