"""Which attribute of a graph carries what a model needs: proposed, shown, and changed by a person."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from app import backend
from app.state import State
from app.ui.texts import safe
from mivspool.content import shared
from mivspool.errors import ModelError
from mivspool.graphs.fit import LABEL, Fit, fit_graph, label_candidates
from mivspool.graphs.graph import Graph
from mivspool.graphs.schema import InputSchema
from mivspool.messages import fill
from mivspool.service.schemas import ModelDocument

MOST_TRIED = 20_000  # vertices of a graph that is tried with every model
_MOST_UNKNOWN = 20

Mapping = tuple[tuple[str, str], ...]


def refusal(graph: Graph, schema: InputSchema) -> str | None:
    """Why a model with this input does not take a graph, or None."""
    found = _fit(graph, schema)
    return found.message if isinstance(found, ModelError) else None


def within_domain(graph: Graph, schema: InputSchema) -> bool:
    """Whether a model with this input takes a graph, and it lies in the model's domain; a graph of more than MOST_TRIED
    vertices is not tried."""
    return graph.num_nodes <= MOST_TRIED and _is_within(_fit(graph, schema))


def _is_within(found: Fit | ModelError) -> bool:
    return isinstance(found, Fit) and not found.outside


def _fit(graph: Graph, schema: InputSchema) -> Fit | ModelError:
    try:
        return fit_graph(_tried(graph), schema)
    except ModelError as error:
        return error


def _tried(graph: Graph) -> Graph:
    """The graph, or of a large one its first vertices: what they lack, the whole lacks."""
    n = MOST_TRIED
    if graph.num_nodes <= n:
        return graph
    inside = (graph.edges < n).all(axis=0)
    attributes = {name: values[:n] for name, values in graph.node_attributes.items()}
    return Graph(graph.name, graph.nodes[:n], graph.edges[:, inside], node_attributes=attributes)


def best_model(models: Sequence[ModelDocument], graph: Graph) -> str:
    """The most accurate model of the graph's own data set, else of those whose domain it lies in, else of those that
    take it, else of all.
    """
    best = sorted(models, key=lambda model: -(model.accuracy or 0.0))
    of = (
        graph.collection or graph.name.partition(":")[0]
    )  # a data set that somebody uploads is known by its name
    own = [model.name for model in best if model.dataset == of]
    if own:
        return own[0]
    found = {model.name: _fit(graph, backend.schema(model.name)) for model in best}
    fitting = [name for name, fit in found.items() if isinstance(fit, Fit)]
    within = [name for name in fitting if graph.num_nodes <= MOST_TRIED and _is_within(found[name])]
    return next(iter(within + fitting), best[0].name)


def offered(models: Sequence[ModelDocument]) -> list[ModelDocument]:
    """The models as a menu lists them: by data set, in their order, and of one data set the most accurate first."""
    order = list(dict.fromkeys(model.dataset for model in models))
    return sorted(models, key=lambda model: (order.index(model.dataset), -(model.accuracy or 0.0)))


def chosen(state: State, graph: Graph, schema: InputSchema) -> Mapping:
    """What a person chose, as the link holds it; what this graph or model does not have is left out."""
    needs = {name for name, *_ in schema.attributes} | ({LABEL} if schema.node_labels is not None else set())
    pairs = parse_qsl(state.map)
    return tuple(sorted((need, own) for need, own in pairs if need in needs and own in graph.node_attributes))


def controls(state: State, graph: Graph, schema: InputSchema, mapping: Mapping) -> None:
    """Show which attribute is taken for what, and how much of the graph it covers; let it be changed."""
    if schema.node_labels is None and not schema.attributes:
        st.caption(shared.MAPPING_DEGREES)
        return
    fit: Fit | None = None
    with contextlib.suppress(ModelError):  # the refusal stands above, as the backend said it
        fit = fit_graph(graph, schema, dict(mapping))
    with st.expander(_summary(fit, schema), expanded=fit is None and bool(graph.node_attributes)):
        if schema.node_labels is not None:
            _label(state, graph, schema, mapping, fit)
        for name, *_ in schema.attributes:
            _attribute(state, graph, name, mapping, fit)


def _summary(fit: Fit | None, schema: InputSchema) -> str:
    if fit is None:
        return shared.MAPPING_NONE
    if schema.node_labels is None:
        return fill(shared.MAPPING_ATTRIBUTES, n=len(schema.attributes))
    return fill(shared.MAPPING_LABEL, attribute=safe(fit.label_attribute or ""), share=100 * fit.coverage)


def _label(state: State, graph: Graph, schema: InputSchema, mapping: Mapping, fit: Fit | None) -> None:
    candidates = {one.attribute: one for one in label_candidates(graph, schema)}
    if not candidates:
        st.caption(shared.MAPPING_NO_ATTRIBUTES)
        return
    current = dict(mapping).get(LABEL) or (fit.label_attribute if fit else None)
    _choice(
        state,
        LABEL,
        shared.MAPPING_ASK,
        list(candidates),
        current,
        lambda name: fill(shared.MAPPING_CHOICE, name=name, share=100 * candidates[name].coverage),
    )
    if fit is not None and fit.unknown:
        st.caption(fill(shared.MAPPING_UNKNOWN, names=listed(fit.unknown)))
    st.caption(fill(shared.MAPPING_KNOWN, names=listed(schema.node_labels or ())))


def listed(names: Sequence[str]) -> str:
    """Names with commas between, and how many more there are."""
    more = len(names) - _MOST_UNKNOWN
    return ", ".join(map(safe, names[:_MOST_UNKNOWN])) + (fill(shared.MORE, n=more) if more > 0 else "")


def _attribute(state: State, graph: Graph, need: str, mapping: Mapping, fit: Fit | None) -> None:
    current = dict(mapping).get(need) or (fit.mapping.get(need) if fit else None)
    _choice(state, need, fill(shared.MAPPING_NEEDS, name=need), list(graph.node_attributes), current, str)


def _choice(
    state: State, need: str, label: str, options: list[str], current: str | None, title: Callable[[str], str]
) -> None:
    key = f"mapping:{need}"
    st.session_state[key] = current
    st.selectbox(
        label,
        options,
        index=None,
        format_func=title,
        placeholder=shared.MAPPING_CHOOSE,
        key=key,
        on_change=_take,
        args=(state, need, key),
    )


def _take(state: State, need: str, key: str) -> None:
    pairs = dict(parse_qsl(state.map))
    value = st.session_state[key]
    if value is None:
        pairs.pop(need, None)
    else:
        pairs[need] = value
    state.map = urlencode(sorted(pairs.items()))
