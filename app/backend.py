"""The app's way to training and inference: the client, and what is kept of its answers."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import strings_pages as words
from mivspool.graphs.graph import Graph
from mivspool.graphs.schema import InputSchema
from mivspool.service.client import Client, default_client
from mivspool.service.schemas import Classified, Health, ModelCard, ModelDocument, Without

Mapping = tuple[tuple[str, str], ...]


def client() -> Client:
    """The backend of this process, or the one whose address is set."""
    with st.spinner(words.STARTING, show_time=False):
        return _client()


@st.cache_resource(show_spinner=False)
def _client() -> Client:
    return default_client()


@st.cache_data(ttl=20, max_entries=1, show_spinner=False)
def health() -> Health:
    """What the backend allows; asked anew after a while."""
    return client().health()


@st.cache_data(ttl=20, max_entries=4, show_spinner=False)
def models() -> list[ModelDocument]:
    """The models that can classify; a kept one is offered at once (``forget``)."""
    return client().models()


@st.cache_data(ttl=300, max_entries=32, show_spinner=False)
def card(name: str) -> ModelCard:
    """A model with its card."""
    return client().model_card(name)


def schema(name: str) -> InputSchema:
    """What a model needs of a graph. Raises ModelError."""
    return InputSchema.from_dict(card(name).config["input_schema"])


def forget() -> None:
    """Ask the backend anew for its models: one was added or deleted."""
    models.clear()
    card.clear()


@st.cache_data(ttl=600, max_entries=64, show_spinner=False)
def classified(source: str, model: str, mapping: Mapping, _graph: Graph) -> Classified:
    """The answer for the graph called ``source``. Raises a MIVSPoolError where the backend cannot be asked."""
    return client().classify(_graph, model, mapping=_plain(mapping))[0]


@st.cache_data(ttl=600, max_entries=32, show_spinner=False)
def without(source: str, model: str, level: int, mapping: Mapping, _graph: Graph) -> Without:
    """What the class probabilities do when each cluster of a level is left out in turn."""
    return client().without(_graph, model, level, mapping=_plain(mapping))


def _plain(mapping: Mapping) -> dict[str, Any] | None:
    return dict(mapping) or None
