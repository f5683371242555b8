"""The chapter on what learning changes: the record of a released model's training, to scrub through."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import backend
from app.components.record import Place, drawn, record_view
from app.ui.texts import safe, sentence, visible
from mivspool.errors import MIVSPoolError
from mivspool.graphs.classes import class_names, class_title
from mivspool.lecture import learning
from mivspool.messages import fill
from mivspool.pooling import METHODS


def show() -> None:
    """The record, and what it is of."""
    try:
        document = backend.model_record(learning.MODEL)
        card = backend.card(learning.MODEL)
    except MIVSPoolError as error:
        st.warning(safe(fill(learning.NO_RECORD, reason=sentence(error.message))), icon=":material/error:")
        return
    record_view(
        data(document, card.dataset or "", card.method or ""),
        job=learning.MODEL,
        key="learn:record",
        start=Place(epoch=0),
    )
    part = document["graphs"][0]["part"]
    st.caption(fill(learning.ABOUT, model=learning.MODEL, part=part, n=document["every"]))


def data(document: dict[str, Any], dataset: str, method: str) -> dict[str, Any]:
    """What the component takes of a ``ModelRecord``."""
    classes = document["classes"]
    names = class_names(dataset, classes)
    return {
        "graphs": [drawn(graph, classes) for graph in document["graphs"]],
        "entries": document["entries"],
        "names": classes,
        "classes": [class_title(visible(name), names) for name in classes],
        "curves": document["curves"],
        "best": document["best"],
        "running": False,
        "competes": "all" if method in METHODS and METHODS[method].kind == "selective" else "neighbours",
    }
