"""The chapter on what learning changes: the record of a released model's training, to scrub through."""

from __future__ import annotations

import streamlit as st

from app import backend
from app.components.record import Place, document, drawn, record_view
from app.ui.texts import safe, sentence
from mivspool.errors import MIVSPoolError
from mivspool.lecture import training
from mivspool.messages import fill


def show() -> None:
    """The record, and what it is of."""
    try:
        found = backend.model_record(training.MODEL)
        card = backend.card(training.MODEL)
    except MIVSPoolError as error:
        st.warning(safe(fill(training.NO_RECORD, reason=sentence(error.message))), icon=":material/error:")
        return
    record_view(
        document(
            graphs=[drawn(graph, found["classes"]) for graph in found["graphs"]],
            entries=found["entries"],
            classes=found["classes"],
            dataset=card.dataset or "",
            method=card.method or "",
            curves=found["curves"],
            best=found["best"],
        ),
        job=training.MODEL,
        key="learn:record",
        start=Place(epoch=0),
    )
    part = found["graphs"][0]["part"]
    st.caption(fill(training.ABOUT, model=training.MODEL, part=part, n=found["every"]))
