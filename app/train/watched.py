"""Which graphs a training records: one of each class, those that are named, and the graph of the other pages."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import sources
from app.state import State
from app.train import words
from app.ui.texts import safe
from mivspool.errors import InputError, MIVSPoolError
from mivspool.learning.runs import MOST_WATCHED
from mivspool.messages import fill, sentence
from mivspool.service.schemas import GraphDocument


def controls(state: State) -> None:
    """The graphs to record, below the settings."""
    with st.expander(words.WATCH):
        st.text_input(
            words.WATCH_GRAPHS,
            placeholder=words.WATCH_PLACEHOLDER,
            help=words.WATCH_HELP,
            **state.bind("watch"),
        )
        try:
            numbers(state.watch)
        except InputError as error:
            st.error(safe(sentence(error.message)))
        title = _title(state)
        if title is not None:
            st.checkbox(
                fill(words.WATCH_OWN, graph=safe(title)), help=words.WATCH_OWN_HELP, **state.bind("own")
            )


def request(state: State) -> dict[str, Any]:
    """What the backend is asked to record. Raises InputError for what is no number, and what reading a graph raises."""
    asked: dict[str, Any] = {"watch": numbers(state.watch)}
    if state.own and _title(state) is not None:
        asked["own"] = [GraphDocument.of(sources.load(state.graph)).model_dump()]
    return asked


def numbers(text: str) -> list[int] | None:
    """The graphs that a text names, by their places in the data set; None where it names none."""
    parts = [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]
    wrong = [part for part in parts if not part.isascii() or not part.isdigit() or len(part) > 9]
    if wrong:
        raise InputError(fill(words.WATCH_WRONG, text=wrong[0][:40]))
    if len(parts) > MOST_WATCHED:
        raise InputError(fill(words.WATCH_MANY, n=MOST_WATCHED))
    return [int(part) for part in parts] or None


def _title(state: State) -> str | None:
    """What the graph of the other pages is called; None where it is one of the data set's, or cannot be read."""
    if state.graph.startswith(f"{state.dataset}:"):
        return None
    try:
        return sources.graph_title(state.graph, sources.load(state.graph))
    except MIVSPoolError:
        return None
