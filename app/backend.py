"""The app's way to training and inference: the client, and what is kept of its answers.

Each cache holds the visitor, and the version of a model beside its name: a name in a link may be another visitor's
model, and may come to mean another model (tests/app/test_caches.py).
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import streamlit as st

from app.components import visitor as visitors
from app.server.opened import open_backend
from app.ui import common
from mivspool.errors import BackendError, MIVSPoolError, ModelError
from mivspool.graphs.graph import Graph
from mivspool.graphs.schema import InputSchema
from mivspool.settings import settings

if TYPE_CHECKING:
    from mivspool.service.administration import Administration
    from mivspool.service.client import Client
    from mivspool.service.schemas import (
        Classified,
        DatasetDocument,
        ExplanationDocument,
        Health,
        Inside,
        ModelCard,
        ModelDocument,
        Scores,
        Without,
    )

Mapping = tuple[tuple[str, str], ...]
_LARGE = 60_000  # vertices and edges


def meet() -> None:
    """Before a page: find out who this browser is, where the backend tells visitors apart."""
    if health().separate_visitors and visitors.known() is None and not visitors.ask():
        st.stop()


def visitor() -> str | None:
    """This browser's name; None where the backend does not tell visitors apart.

    Raises BackendError where it does and the browser has not said who it is, and where it does not although others
    reach this app.
    """
    if not health().separate_visitors:
        if settings().separate_visitors:
            raise BackendError(common.NOT_SEPARATE)
        return None
    name = visitors.known()
    if name is None:
        raise BackendError("the backend does not know yet who asks: reload the page")
    return name


def client() -> Client:
    """The backend of this process, or the one whose address is set, for this visitor."""
    name = visitor()
    return _client() if name is None else _client().for_visitor(name)


@st.cache_resource(show_spinner=False)
def _client() -> Client:
    with st.spinner(common.STARTING, show_time=False):
        return open_backend()


def administration(token: str) -> Administration:
    """The backend for whoever has the administrator's token, which the backend checks."""
    return _client().administration(token)


@st.cache_data(ttl=20, max_entries=1, show_spinner=False)
def health() -> Health:
    """What the backend allows; asked anew after a while. Raises BackendError.

    Its numbers of jobs are old by then: ``jobs_now`` asks for them.
    """
    return _client().health()


def jobs_now() -> tuple[int, int]:
    """How many jobs run and how many wait, all visitors' together. Not kept: they change. Raises BackendError."""
    now = _client().health()
    return now.running_jobs, now.waiting_jobs


def prepare() -> None:
    """Say that this visitor may start a job; said again after some minutes."""
    _prepare(visitor())


@st.cache_data(ttl=300, max_entries=64, show_spinner=False)
def _prepare(visitor: str | None) -> None:
    with suppress(MIVSPoolError):  # the job then takes longer to begin
        client().prepare()


def models() -> list[ModelDocument]:
    """The models that can classify; a kept one is offered at once (``forget``)."""
    return _models(visitor())


@st.cache_data(ttl=20, max_entries=64, show_spinner=False)
def _models(visitor: str | None) -> list[ModelDocument]:
    return client().models()


def version(name: str) -> str:
    """Which model this visitor means by a name, for the keys of caches. Raises ModelError where there is none."""
    found = next((model for model in models() if model.name == name), None)
    if found is None:
        raise ModelError(f"there is no model {name[:60]!r}: choose one of the list")
    return found.version


def card(name: str) -> ModelCard:
    """A model with its card. Raises ModelError."""
    return _card(visitor(), name, version(name))


@st.cache_data(ttl=300, max_entries=64, show_spinner=False)
def _card(visitor: str | None, name: str, version: str) -> ModelCard:
    return client().model_card(name)


def class_names(name: str) -> dict[str, str]:
    """Label → published meaning of the classes of a model. Raises ModelError."""
    return card(name).class_names


def model_record(name: str) -> dict[str, Any]:
    """What the training of a released model did to a few graphs. Raises ModelError where no record is kept."""
    return _model_record(visitor(), name, version(name))


@st.cache_data(ttl=600, max_entries=8, show_spinner=False)
def _model_record(visitor: str | None, name: str, version: str) -> dict[str, Any]:
    return client().model_record(name)


def schema(name: str) -> InputSchema:
    """What a model needs of a graph. Raises ModelError."""
    return InputSchema.from_dict(card(name).config["input_schema"])


@st.cache_data(ttl=20, max_entries=64, show_spinner=False)
def _datasets(visitor: str | None) -> list[DatasetDocument]:
    return client().datasets()


def datasets() -> list[DatasetDocument]:
    """Data sets, classics and this visitor's uploads."""
    return _datasets(visitor())


def forget() -> None:
    """Ask the backend anew: something was added or deleted."""
    for kept in (_models, _card, _datasets):
        kept.clear()


def classified(source: str, model: str, mapping: Mapping, graph: Graph) -> Classified:
    """The answer for the graph called ``source``. Raises a MIVSPoolError where the backend cannot be asked."""
    return _classified(visitor(), source, model, version(model), mapping, graph)


@st.cache_data(ttl=600, max_entries=64, show_spinner=False)
def _classified(
    visitor: str | None, source: str, model: str, version: str, mapping: Mapping, _graph: Graph
) -> Classified:
    if not is_large(_graph):
        return client().classify(_graph, model, mapping=_plain(mapping))[0]
    with st.spinner(common.CLASSIFYING_LARGE):
        return client().classify(_graph, model, mapping=_plain(mapping), levels=False)[0]


def scores(graph: Graph, model: str, mapping: Mapping) -> Scores:
    """A model's scores of each level, for a graph whose levels are a large document. Not kept."""
    return client().scores(graph, model, mapping=_plain(mapping))


def is_large(graph: Graph) -> bool:
    """Whether a graph's levels are asked for as scores rather than in full."""
    return graph.num_nodes + graph.num_edges > _LARGE


def without(source: str, model: str, level: int, mapping: Mapping, graph: Graph) -> Without:
    """What the class probabilities do when each cluster of a level is left out in turn."""
    return _without(visitor(), source, model, version(model), level, mapping, graph)


@st.cache_data(ttl=600, max_entries=32, show_spinner=False)
def _without(
    visitor: str | None, source: str, model: str, version: str, level: int, mapping: Mapping, _graph: Graph
) -> Without:
    return client().without(_graph, model, level, mapping=_plain(mapping))


def explained(source: str, model: str, mapping: Mapping, graph: Graph) -> ExplanationDocument:
    """What each vertex and each cluster brings to the predicted class."""
    return _explained(visitor(), source, model, version(model), mapping, graph)


@st.cache_data(ttl=600, max_entries=32, show_spinner=False)
def _explained(
    visitor: str | None, source: str, model: str, version: str, mapping: Mapping, _graph: Graph
) -> ExplanationDocument:
    return client().explain(_graph, model, mapping=_plain(mapping))


def inside(source: str, model: str, vertex: str, mapping: Mapping, graph: Graph) -> Inside:
    """What each layer of a network makes of a vertex."""
    return _inside(visitor(), source, model, version(model), vertex, mapping, graph)


@st.cache_data(ttl=600, max_entries=64, show_spinner=False)
def _inside(
    visitor: str | None, source: str, model: str, version: str, vertex: str, mapping: Mapping, _graph: Graph
) -> Inside:
    return client().inside(_graph, model, vertex, mapping=_plain(mapping))


def _plain(mapping: Mapping) -> dict[str, Any] | None:
    return dict(mapping) or None
