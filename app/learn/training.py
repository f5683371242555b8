"""The chapter on what learning changes: the record of a released model's training, to scrub through."""

from __future__ import annotations

import streamlit as st

from app import backend
from app.components.record import Place, document, drawn, record_view
from app.state import State
from app.ui.texts import safe
from mivspool.content import shared
from mivspool.errors import MIVSPoolError
from mivspool.lecture import training
from mivspool.messages import fill, sentence
from mivspool.service.schemas import ModelDocument


def show(state: State) -> None:
    """The choice of a model, its record, and what it is of."""
    try:
        recorded = {model.name: model for model in backend.models() if model.recorded}
        if state.model not in recorded:
            state.model = training.MODEL
        if state.model in recorded:
            st.selectbox(
                training.RECORD_OF,
                list(recorded),
                format_func=lambda name: _title(recorded[name]),
                label_visibility="collapsed",
                **state.bind("model"),
            )
        found = backend.model_record(state.model)
        card = backend.card(state.model)
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
        job=state.model,
        key="learn:record",
        start=Place(epoch=0),
    )
    which = fill(
        training.ANOTHER if found["apart"] else training.THE_SAME, model=state.model, apart=found["apart"]
    )
    epochs = fill(training.SOME_EPOCHS if found["every"] > 1 else training.ALL_EPOCHS, n=found["every"])
    part = found["graphs"][0]["part"]
    st.caption(fill(training.ABOUT, model=state.model, part=part, epochs=epochs, which=which))


def _title(model: ModelDocument) -> str:
    """A model by what it was trained on."""
    return f"{shared.dataset_title(model.dataset or '')} · {model.name}"
