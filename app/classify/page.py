"""Classify: the class of a graph, the network with this graph in it, and what each cluster contributes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from app import backend, pooled, sources
from app.classify.many import many
from app.components import importance, inside, left_out, mapping, network_figure
from app.components.canvas import graph_canvas
from app.navigation import open_page
from app.pooled import Pooling, view
from app.sources import picker, reading
from app.state import State
from app.ui import charts, class_plots, common
from app.ui.texts import safe
from mivspool.content import shared
from mivspool.content.classify import said, words
from mivspool.errors import MIVSPoolError
from mivspool.graphs.classes import class_of
from mivspool.graphs.graph import Graph
from mivspool.lecture import training
from mivspool.messages import fill, sentence
from mivspool.service.schemas import Classified, ModelCard, ModelDocument
from mivspool.streamlit import Cursor, cursor_of, move

CANVAS = "classify:canvas"
_FRESH = "classify:fresh"


def page() -> None:
    """Show the page."""
    state = State.load("classify")
    st.html(charts.STYLE)
    try:
        models = mapping.offered(backend.models())
    except MIVSPoolError as error:
        st.error(safe(sentence(error.message)))
        state.save()
        return
    if not models:
        st.info(words.NO_MODELS)
        state.save()
        return
    if state.how not in words.HOW:
        state.how = "one"
    try:
        if state.how == "many":
            _how(state)
            many(state, models)
        else:
            _one(state, models)
    except MIVSPoolError as error:  # the backend went away in between
        st.error(safe(sentence(error.message)), icon=":material/cloud_off:")
    state.save()


# ---- one graph --------------------------------------------------------------------------------------------------


def _how(state: State) -> None:
    st.segmented_control(
        words.HOW_LABEL,
        list(words.HOW),
        format_func=lambda name: words.HOW[name],
        required=True,
        **state.bind("how"),
    )


def _one(state: State, models: list[ModelDocument]) -> None:
    notice = st.container()
    bar = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="bar")
    with bar:
        _how(state)
        picker.controls(state, _choose)
    with notice:
        graph = picker.load(state)
    with bar:
        model = _model(state, models, graph)
    schema = backend.schema(model.name)
    _about(state, graph, model)
    reading.show(state, graph, _choose)
    chosen = mapping.chosen(state, graph, schema)
    try:
        answer = backend.classified(state.graph, model.name, chosen, graph)
    except MIVSPoolError as error:
        answer = Classified(source=state.graph, error=error.message)
    if answer.error is not None:
        _refused(graph, answer.error, model, models)
        mapping.controls(state, graph, schema, chosen)
        return
    card = backend.card(model.name)
    if answer.outside and state.anyway != _asked(state):
        _outside(state, graph, answer, model, models)
        mapping.controls(state, graph, schema, chosen)
        return
    pooling = pooled.of_answer(state.graph, model, chosen, graph, answer)
    state.block = min(max(state.block, 0), max(len(pooling.levels) - 1, 0))
    _sentence(answer, model)
    left, right = st.columns(2, gap="large")
    with left:
        st.html(class_plots.probabilities(answer, charts.accent(charts.theme())))
        st.caption(safe(_how_sure(answer, card)))
        if answer.warnings:
            what = words.OUTSIDE_ASKED if answer.outside else words.NOTES
            st.warning(f"{what}\n{_list(answer.warnings)}", icon=":material/warning:")
        mapping.controls(state, graph, schema, chosen)
        _card(state, card)
    why = right.container()  # beside the answer, but it takes a while: what stands below does not wait for it
    st.markdown(f"##### {words.FIGURE_TITLE}")
    _figure(state, graph, card, answer, pooling)
    state.save()  # the link is right before the slower part below is
    clusters = 0
    if pooling.levels:
        _block(state, graph, pooling, model)
        _inside(state, graph, pooling, card, chosen)
        clusters = len(pooling.levels[state.block].reduced_nodes)
    with why:
        _why(state, graph, model, clusters, chosen, answer)
    if not pooling.levels:
        st.caption(fill(words.NO_POOLING, method=shared.method_title(model.method or "")))


def _choose(state: State, source: str) -> None:
    picker.choose(state, source)
    state.map = ""
    st.session_state[_FRESH] = True


def _model(state: State, models: list[ModelDocument], graph: Graph) -> ModelDocument:
    """The model chosen, or the one that this graph's data set has; those that do not fit stay in the list."""
    names = [model.name for model in models]
    fresh = st.session_state.pop(
        _FRESH, False
    )  # another graph: a model that takes it, before one that does not
    if state.model not in names or (fresh and mapping.refusal(graph, backend.schema(state.model))):
        state.model = mapping.best_model(models, graph)
    about = {model.name: model for model in models}
    st.selectbox(
        shared.MODEL,
        names,
        format_func=lambda name: said.model_title(about[name]),
        help=shared.MODEL_HELP,
        width=320,
        **state.bind("model", lambda: setattr(state, "map", "")),
    )
    return about[state.model]


def _about(state: State, graph: Graph, model: ModelDocument) -> None:
    about = fill(shared.GRAPH_ABOUT, n=graph.num_nodes, m=graph.num_edges)
    label = "" if graph.label is None else f" · {safe(class_of(graph))}"
    repairs = "" if not graph.repairs else " · " + safe("; ".join(graph.repairs))
    title = safe(sources.graph_title(state.graph, graph))
    st.caption(f"{title} · {about}{label}{repairs}  \n{safe(said.model_about(model))}")


def _refused(graph: Graph, reason: str, model: ModelDocument, models: list[ModelDocument]) -> None:
    st.error(fill(words.REFUSED, model=model.name, reason=safe(reason)), icon=":material/block:")
    if graph.num_nodes > mapping.MOST_TRIED:
        st.markdown(words.OTHERS_UNTRIED)
        return
    others = [
        f"`{other.name}`"
        for other in models
        if other.name != model.name and not mapping.refusal(graph, backend.schema(other.name))
    ]
    st.markdown(fill(words.OTHERS, names=", ".join(others)) if others else words.NO_OTHERS)


def _outside(
    state: State, graph: Graph, answer: Classified, model: ModelDocument, models: list[ModelDocument]
) -> None:
    """Why the graph is none of the model's, which models it is one of, and the way to ask all the same."""
    st.markdown(f"#### {fill(words.OUTSIDE, model=model.name)}")
    st.markdown(f"{words.OUTSIDE_WHY}\n{_list(answer.outside or [])}")
    if graph.num_nodes > mapping.MOST_TRIED:
        st.markdown(words.OTHERS_UNTRIED)
    else:
        others = [
            f"`{other.name}`"
            for other in models
            if other.name != model.name and mapping.within_domain(graph, backend.schema(other.name))
        ]
        st.markdown(fill(words.OUTSIDE_OTHERS, names=", ".join(others)) if others else words.OUTSIDE_NONE)
    st.button(
        words.OUTSIDE_ANYWAY, on_click=setattr, args=(state, "anyway", _asked(state)), key="classify:anyway"
    )


def _asked(state: State) -> str:
    """What ``anyway`` says where this graph is to be classified by this model whatever its domain."""
    return hashlib.sha256(f"{state.graph} {state.model}".encode()).hexdigest()[:8]


def _list(sentences: Sequence[str]) -> str:
    return "\n".join(f"- {safe(one)}" for one in sentences)


def _sentence(answer: Classified, model: ModelDocument) -> None:
    predicted, shares = answer.predicted or "", class_plots.shares(answer)
    sentence = fill(
        words.PREDICTED,
        model=model.name,
        predicted=safe(class_plots.title(answer, predicted)),
        share=shares.get(predicted, 0.0),
    )
    if answer.true is not None:
        sentence += " " + fill(
            words.RIGHT if answer.true == predicted else words.WRONG,
            true=safe(class_plots.title(answer, answer.true)),
        )
    st.markdown(f"#### {sentence}")
    if answer.true is not None and model.dataset and answer.source.startswith(f"{model.dataset}:"):
        st.caption(words.IN_TRAINING_SET)


def _how_sure(answer: Classified, card: ModelCard) -> str:
    """What the probability means, how accurate the model is, and beside what."""
    share = class_plots.shares(answer).get(answer.predicted or "", 0.0)
    parts = [words.UNCALIBRATED]
    if answer.calibrated is not None:
        predictions = card.config["evaluation"]["calibration"]["predictions"]
        parts = [fill(words.CALIBRATION, share=share, n=round(100 * share), predictions=predictions)]
    parts.append(said.assessed(card.assessment, card.class_names))
    if card.class_source:
        parts.append(fill(words.CLASSES_FROM, source=card.class_source))
    return " ".join(parts)


def _figure(state: State, graph: Graph, card: ModelCard, answer: Classified, pooling: Pooling) -> None:
    network = network_figure.network_of(graph, card, answer, pooling.levels)
    picked = network_figure.show(network, state.block if pooling.levels else -1, "classify:figure")
    if (
        picked is not None
        and picked != st.session_state.get("classify:picked")
        and picked < len(pooling.levels)
    ):
        st.session_state["classify:picked"] = picked
        _open_block(state, picked)
        st.rerun()


def _open_block(state: State, block: int) -> None:
    state.block = block
    state.vertex, state.step = "", 0


def _card(state: State, card: ModelCard) -> None:
    with st.expander(words.CARD):
        if card.recorded and st.button(words.WATCH_LEARNING, icon=":material/arrow_forward:"):
            there = state.of("learn")
            there.chapter, there.model = training.CHAPTER.name, card.name
            open_page("learn")
        st.markdown(card_text(card))
        st.markdown(f"**{words.LAYERS}**")
        st.markdown(layers_table(card.layers), help=words.LAYERS_HELP)


def card_text(card: ModelCard) -> str:
    """The card as a page shows it: without the metadata that stand before it for model hubs."""
    return re.sub(r"\A---\n.*?\n---\n", "", card.card, flags=re.DOTALL)


def layers_table(layers: Sequence[Mapping[str, Any]]) -> str:
    """The layers of a network (``ModelCard.layers``) as a table in Markdown, one row per layer."""
    cells = [[safe(cell) for cell in row] for row in said.layer_rows(layers)]
    cells.insert(1, ["---"] * len(words.LAYER_COLUMNS))
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _inside(state: State, graph: Graph, pooling: Pooling, card: ModelCard, chosen: backend.Mapping) -> None:
    """The network opened at the vertex that is selected in the block, else at the one of the highest score."""
    if not st.toggle(shared.INSIDE_TITLE, help=common.INSIDE_HELP, **state.bind("inside")):
        return
    level = pooling.levels[state.block]
    best = level.nodes[int(level.score.argmax())]
    vertex = state.vertex if state.vertex in level.nodes else best
    inside.show(state.graph, graph, card, state.block, vertex, chosen)


def _why(
    state: State,
    graph: Graph,
    model: ModelDocument,
    clusters: int,
    chosen: backend.Mapping,
    answer: Classified,
) -> None:
    """What the answer rests on: by cluster of the block, or by vertex and one of two methods.

    ``clusters``: how many there are; 0 for a method that forms none.
    """
    offered = [name for name in common.WHY if clusters or name != "clusters"]
    if state.why not in offered:
        state.why = offered[0]
    st.segmented_control(
        common.WHY_TITLE,
        offered,
        format_func=lambda name: common.WHY[name],
        label_visibility="collapsed",
        help=common.WHY_HELP,
        required=True,
        **state.bind("why"),
    )
    if state.why == "clusters":
        left_out.show(state.graph, graph, model.name, state.block, clusters, chosen)
    else:
        importance.show(state.graph, graph, model.name, chosen, state.why, answer.label_attribute)


# ---- one block's pooling ----------------------------------------------------------------------------------------


def _block(state: State, graph: Graph, pooling: Pooling, model: ModelDocument) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"##### {words.POOLING_TITLE}")
        if model.score and st.button(words.OPEN_IN_STEP, icon=":material/open_in_full:"):
            there = state.of("step")
            there.model, there.score, there.complement, there.mode = model.name, model.score, False, ""
            there.level, there.step, there.part = state.block, state.step, state.part
            open_page("step")
    if len(pooling.levels) > 1:
        st.segmented_control(
            words.BLOCK,
            list(range(len(pooling.levels))),
            format_func=lambda k: fill(
                words.BLOCK_CHOICE,
                k=k + 1,
                before=len(pooling.levels[k].nodes),
                after=len(pooling.levels[k].reduced_nodes),
            ),
            required=True,
            label_visibility="collapsed",
            **state.bind("block", lambda: _open_block(state, state.block)),
        )
    shown = view.viewport(pooling, state.block, state.around)
    level, trace = shown.level, shown.trace
    place = {node: i for i, node in enumerate(level.nodes)}
    best = int(level.score.argmax()) if len(level.nodes) else -1
    start = place.get(state.vertex, best)
    view.why_a_sample(state, shown, start, graph.index.__contains__)
    if state.opened:  # the canvas may stand elsewhere in this trace
        move(CANVAS, trace["id"], step=state.step, part=state.part, vertex=start)
    graph_canvas(
        trace,
        key=CANVAS,
        start=Cursor(state.step, start, state.part),
        words=True,
        on_cursor=state.while_shown(lambda: _follow(state, trace["id"], level.nodes)),
    )
    ties = int(level.trace.ties_broken[0])
    if ties:
        st.caption(fill(shared.TIES, ties=ties))


def _follow(state: State, trace: str, nodes: tuple[str, ...]) -> None:
    """The link follows the cursor."""
    cursor = cursor_of(CANVAS, trace)
    if cursor is not None:
        state.step, state.part = cursor.step, cursor.part
        state.vertex = nodes[cursor.vertex] if 0 <= cursor.vertex < len(nodes) else ""
