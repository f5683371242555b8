"""Step: one graph, Meer's iterations on it, why each vertex survives, S, and the reduced graph, level by level."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from app import backend, pooled, sources
from app.components import assignment, cluster, left_out
from app.components.canvas import edited_of, graph_canvas, harder_of, requested_of
from app.navigation import page_of
from app.pooled import Pooling, view
from app.pooled.view import Viewport
from app.server import hosted
from app.server.streamlit_internals import DeltaGenerator
from app.sources import edited, picker, reading, uploads
from app.state import GIVEN, PROPERTIES, State
from app.step import downloads, free, words
from app.ui import common, hiding
from app.ui.texts import safe
from mivspool.content import shared
from mivspool.errors import MIVSPoolError
from mivspool.graphs.classes import class_of
from mivspool.graphs.collections.teaching import preset_of
from mivspool.lecture import challenges
from mivspool.levels import Level
from mivspool.messages import fill, sentence
from mivspool.pooling import METHODS
from mivspool.streamlit import Cursor, cursor_of, move

CANVAS, REDUCED = "canvas", "reduced"
WHOLE, THROUGH = 0, 3  # stepping by whole iterations; the last part of an iteration, which is then through
UNSELECTED = "!"  # the vertex of the link when none is selected
MOST_SEED = 2**31 - 1
_TRACE = ("graph", "score", "seed", "complement", "weights", "model")  # what makes the trace
_SHOWN = "shown"  # the last of these that could be shown, and what it was, to fall back on
_MODEL_WIDTH = 150  # pixels
_REQUESTED = "step:requested"  # the number of the request of the canvas that was heard last
_STAGE = "step:stage"  # the stage that the page shows
_MOVED = "step:moved"  # a button has moved the cursor, which the canvas does not know yet
# what pools the graph that the page opens with: learned weights, not random ones
FIRST_MODEL = "mao-mivspool"
DRAWN = "uniform"  # the score where neither a link nor a person has chosen one


class Stage(IntEnum):
    """What has happened in a level, as far as the cursor has come: nothing is told before it has happened."""

    ITERATING = 0
    SELECTED = 1  # the survivors are known, with the complement's
    ASSIGNED = 2  # S is
    POOLED = 3  # the reduced graph is, and the next level's size


def page() -> None:
    """Show the page."""
    state = State.load("step")
    if state.opened:
        edited.forget()
        if not st.query_params.to_dict():
            _first(state)
    # containers, because the number of elements in them varies: so the canvas below is not remounted
    bar, notice, head = st.container(), st.container(), st.container()
    pooling = _shown(state, notice)
    if pooling.levels:
        state.level = min(max(state.level, 0), len(pooling.levels) - 1)
        level = pooling.levels[state.level]
        state.step = min(max(state.step, 0), _last(level))
        state.part = _part(level, state)
    if state.mode and pooling.levels and pooled.too_large(pooling, state.level):
        state.mode = ""
        notice.info(words.SAMPLE_NO_PREDICT)
    moved = st.session_state.pop(_MOVED, False)
    if (state.opened or moved) and pooling.levels:  # the canvas may stand elsewhere in this trace
        viewport = _viewport(state, pooling)
        move(
            CANVAS,
            viewport.trace["id"],
            step=state.step,
            part=state.part,
            vertex=_vertex(state, viewport.level),
        )
    if state.present and pooling.levels:  # the canvas is all there is
        _canvas(state, pooling, _key(state))
        return
    stage = _stage(pooling.levels[state.level], state) if pooling.levels else Stage.ITERATING
    st.session_state[_STAGE] = stage
    with bar:
        model = _bar(state)
    with notice:
        picker.missed(state)
    with head:
        take = _title(state, pooling, stage)
        if not pooling.levels:
            return
        # in Predict it would give the answer away, and Edit needs its place
        if not (state.mode or state.hidden("about")):
            _about(state, pooling)
        viewport = _viewport(state, pooling)
        view.why_a_sample(state, viewport, _vertex(state, viewport.level), pooling.graph.index.__contains__)
    _canvas(state, pooling, _key(state))
    if state.mode == "predict":  # what stands below would give the answers away
        with model:
            _model(state)
        return
    with model:  # last: what can be seen without the backend does not wait for it
        _model(state)
    level = pooling.levels[state.level]
    selected = _vertex(state, viewport.level)
    with take:
        if not state.hidden("take"):
            downloads.popover(state, pooling, selected, reduced=stage >= Stage.POOLED)
    if not state.hidden("badges"):
        if stage >= Stage.SELECTED:
            _badges(level)
        else:
            _later(state, level, words.LATER_CHECKS, ahead=True)
    with st.container(key="below"):
        left, middle, right = st.columns(3, gap="medium")
        with left:
            if not state.hidden("assignment"):
                if stage >= Stage.ASSIGNED:
                    assignment.show(
                        viewport.part, selected, lambda vertices: _pointed(state, viewport, vertices)
                    )
                else:
                    _later(state, level, words.LATER_ASSIGNMENT)
        with middle:
            if not state.hidden("cluster"):
                if stage >= Stage.ASSIGNED:
                    vertex = int(viewport.part.vertices[selected]) if selected >= 0 else -1
                    cluster.show(pooling, level, vertex, state.model)
                else:
                    _later(state, level, words.LATER_CLUSTER)
        with right:
            if not state.hidden("reduced"):
                if stage >= Stage.POOLED:
                    _reduced(pooling, state, viewport, selected)
                else:
                    _later(state, level, words.LATER_REDUCED)
    if state.model and stage >= Stage.ASSIGNED and not state.hidden("left-out"):
        with st.container(key="left-out"):
            clusters = len(level.reduced_nodes)
            left_out.show(state.graph, pooling.graph, state.model, state.level, clusters)


def _first(state: State) -> None:
    """What a person sees who follows no link: a molecule as a trained network pools it."""
    try:
        pooled.pool(state.graph, "", 0, False, False, FIRST_MODEL)
    except MIVSPoolError:  # without the backend or that model
        state.score = DRAWN
    else:
        state.model = FIRST_MODEL


def _shown(state: State, notice: DeltaGenerator) -> Pooling:
    """What the link asks for; or its mistake as a sentence, and what was shown before."""
    wrong = []
    offered = pooled.scores_offered(sources.brings_scores(state.graph))
    if state.score not in offered:
        wrong.append(fill(words.NO_SCORE, score=state.score[:40], scores=", ".join(offered)))
        state.score = _default("score", state.graph)
    if state.labels not in words.LABEL_NAMES:
        state.labels = _default("labels")
    for name, known in (("mode", words.MODES), ("free", words.FREE_OF)):
        if getattr(state, name) not in known:
            setattr(state, name, _default(name))
    state.seed = min(max(state.seed, 0), MOST_SEED)
    pooling: Pooling | None = None
    without = ""
    if state.score == GIVEN:
        state.model = ""  # one that was chosen on another page has scores of its own
    if state.model:
        try:
            pooling = _pooling(state)
            state.score = (
                pooling.score or state.score
            )  # chosen on another page, or by a link: its own one is shown
        except MIVSPoolError as error:  # another graph than the model takes, say: show it without the model
            another = _of_another_graph(state)
            if another or pooled.is_learned(state.score):  # what the model has learned is not of this one
                state.score = DRAWN
            if not another:
                without = fill(words.NO_MODEL, reason=sentence(error.message))
            state.model = ""
    try:
        pooling = pooling or _pooling(state)
    except MIVSPoolError as error:
        without = sentence(error.message)
        pooling = _before(state)
    wrong += [without] if without else []
    for text in wrong:
        notice.warning(safe(text), icon=":material/error:")
    return _keep(state, pooling)


def _of_another_graph(state: State) -> bool:
    """Whether a person went to another graph while the model was that of the one before."""
    before, _ = st.session_state.get(_SHOWN, ({}, None))
    return bool(before.get("model") == state.model and before.get("graph") != state.graph)


def _before(state: State) -> Pooling:
    """What was shown last, as it was, even where it could not be read again; else what the page opens with."""
    values, pooling = st.session_state.get(_SHOWN, ({name: _default(name) for name in _TRACE}, None))
    for name, value in values.items():
        setattr(state, name, value)
    return pooling or _pooling(state)


def _keep(state: State, pooling: Pooling) -> Pooling:
    st.session_state[_SHOWN] = ({name: getattr(state, name) for name in _TRACE}, pooling)
    return pooling


def _default(name: str, source: str = "") -> Any:
    return next(prop.default_for(source) for prop in PROPERTIES if prop.name == name)


def _pooling(state: State) -> Pooling:
    return pooled.pool(*_key(state))


def _key(state: State) -> tuple[Any, ...]:
    return tuple(getattr(state, name) for name in _TRACE)


# ---- the bar: graph, score, options -----------------------------------------------------------------------------


def _bar(state: State) -> DeltaGenerator:
    """What is chosen: few controls in sight, the rest in a popover. Returns the place of the model's picker, which
    comes later.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="bar"):
        if not state.hidden("graph"):
            picker.controls(state)
        if not state.hidden("score"):
            offered = pooled.scores_offered(sources.brings_scores(state.graph))
            st.selectbox(
                words.SCORE,
                offered,
                format_func=pooled.score_label,
                help="\n".join(f"- **{name}**: {pooled.score_about(name)}" for name in offered),
                width=158,
                **state.bind("score", lambda: _scored(state)),
            )
        # it comes late, and finds its place kept
        place = st.container(width="content" if state.hidden("model") else _MODEL_WIDTH, key="model")
        if not state.hidden("mode"):
            st.segmented_control(
                words.MODES_LABEL,
                [name for name in words.MODES if name in {"", state.mode} or not state.hidden(name)],
                format_func=lambda name: words.MODES[name],
                required=True,
                **state.bind("mode", lambda: _switched(state)),
            )
        if not state.hidden("options"):
            _options(state)
    return place


def _title(state: State, pooling: Pooling, stage: Stage) -> DeltaGenerator:
    """Which graph it is, and what can be done with what is seen. Returns the place of the downloads: they come last."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="title"):
        if not state.hidden("about"):
            graph = pooling.graph
            size = fill(words.SIZE, n=graph.num_nodes, m=graph.num_edges)
            label = f" · {class_of(graph)}" if graph.label is not None else ""
            name = escape(sources.graph_title(state.graph, graph))
            scored = pooled.scored_by(state.score, state.seed, state.model, state.level, len(pooling.levels))
            st.html(
                f"<p class='about'><b dir='auto'>{name}</b> · {size}{escape(label)}</p>"
                f"<p class='scored'>{escape(scored)}</p>"
            )
        _levels(state, pooling, stage)
        if not (
            st.session_state.get("learn:seen") or state.mode or state.hidden("about") or state.hidden("menu")
        ):
            with st.container(width="content", key="welcome"):
                st.page_link(page_of("learn"), label=words.WELCOME, icon=":material/school:")
        if not state.hidden("present"):
            st.button(
                words.PRESENT,
                icon=":material/slideshow:",
                help=words.PRESENT_HELP,
                on_click=setattr,
                args=(state, "present", True),
                key="present",
            )
        if not state.hidden("share"):
            _share(state)
        return st.container(width="content", key="take-place")


def _model(state: State) -> None:
    """Which weights a learned score has: random ones, or those of a model that pools by it."""
    if state.hidden("model"):
        return
    try:
        scores = {
            model.name: model.score
            for model in backend.models()
            if model.score and model.method in METHODS and METHODS[str(model.method)].takes_score
        }
    except MIVSPoolError as error:
        st.caption(safe(sentence(error.message)))
        return
    if state.model:
        scores.setdefault(state.model, state.score)
    random = fill(words.MODEL_NONE, seed=state.seed)
    none = random if pooled.is_learned(state.score) else words.MODEL_NO
    if scores:
        st.selectbox(
            common.WEIGHTS_OF,
            ["", *scores],
            format_func=lambda name: name or none,
            help=common.WEIGHTS_OF_HELP,
            width=_MODEL_WIDTH,
            **state.bind("model", lambda: _by_model(state, scores.get(state.model))),
        )


def _by_model(state: State, score: str | None) -> None:
    """A model brings the score it has learned."""
    if score is not None:
        state.score = score
    _rewind(state)


def _scored(state: State) -> None:
    """Another score is not the model's; one given by hand begins with the scores that were seen."""
    state.model = ""
    _rewind(state)
    if state.score == GIVEN and not sources.brings_scores(state.graph):
        before, shown = st.session_state[_SHOWN]
        for name in _TRACE:
            setattr(state, name, before[name])
        try:
            edited.by_hand(state, shown)
        except MIVSPoolError as error:
            st.toast(safe(sentence(error.message)), icon=":material/error:")
        else:
            _begin_change(state)


def _switched(state: State) -> None:
    """Another mode: a prediction starts at the beginning, a change where the cursor is."""
    if state.mode == edited.MODE:
        _begin_change(state)
    elif state.mode:
        _rewind(state)


def _begin_change(state: State) -> None:
    """Let the graph be changed: that is the one of level 0."""
    state.mode = edited.MODE
    if state.level:
        _go_level(state, 0)


def _rewind(state: State) -> None:
    """Another trace starts at its beginning."""
    state.step, state.part = 0, THROUGH if state.part else WHOLE


def _options(state: State) -> None:
    with st.popover(words.OPTIONS, icon=":material/tune:", key="options"):
        st.number_input(
            common.SEED,
            min_value=0,
            max_value=MOST_SEED,
            step=1,
            help=common.SEED_HELP,
            **state.bind("seed", lambda: _rewind(state)),
        )
        st.toggle(
            words.COMPLEMENT,
            help=words.COMPLEMENT_HELP,
            **state.bind("complement", lambda: _rewind(state)),
        )
        st.toggle(words.WEIGHTS, help=words.WEIGHTS_HELP, **state.bind("weights", lambda: _rewind(state)))
        st.segmented_control(
            words.LABELS,
            list(words.LABEL_NAMES),
            format_func=lambda name: words.LABEL_NAMES[name],
            required=True,
            **state.bind("labels"),
        )
        st.toggle(words.SHOW_SCORES, **state.bind("scores"))


def _share(state: State) -> None:
    """The link to what is seen, to copy; the address bar has it as well."""
    with st.popover(words.SHARE, icon=":material/link:", key="share", on_change="rerun") as popover:
        if popover.open:
            st.code(state.address(), language=None, wrap_lines=True)
            st.caption(words.SHARE_ABOUT)
            _embed(state.address())
            if not uploads.lasts(state.graph):
                st.warning(words.LINK_TOO_LARGE)
            st.button(words.HIDE, icon=":material/visibility_off:", key="hide", on_click=_ask_what_to_hide)
    if st.session_state.pop("hide:asked", False):
        hiding.dialog(state)


def _embed(address: str) -> None:
    """The code that shows a link in a frame of another page, and which pages may."""
    st.caption(words.EMBED_ABOUT)
    st.code(fill(shared.EMBED, address=escape(address)), language="html", wrap_lines=True)
    if not hosted.frames:
        st.caption(words.EMBED_NONE)
    elif hosted.frames != "*":
        st.caption(fill(words.EMBED_SOME, sites=hosted.frames))


def _ask_what_to_hide() -> None:
    """The dialog takes the popover's place."""
    st.session_state["share"] = False
    st.session_state["hide:asked"] = True


def _about(state: State, pooling: Pooling) -> None:
    """What the graph is there to show, and what reading it took."""
    preset = preset_of(state.graph)
    if preset is not None:
        st.html(f"<p class='says'>{escape(preset.says)}</p>")
    graph = pooling.graph
    reading.show(state, graph, picker.choose)
    if graph.repairs:
        with st.expander(fill(words.REPAIRS, n=len(graph.repairs)), icon=":material/build:"):
            for repair in graph.repairs:
                st.markdown(f"- {safe(repair)}")


# ---- the trace --------------------------------------------------------------------------------------------------


def _levels(state: State, pooling: Pooling, stage: Stage) -> None:
    """The levels as a breadcrumb; the size of one that is not made yet is not told."""
    if len(pooling.levels) < 2 or state.hidden("levels"):
        return

    known = state.level + (stage >= Stage.POOLED)

    def title(level: int) -> str:
        if level > known:
            return fill(words.LEVEL_LATER, level=level)
        n = len(pooling.levels[level].nodes)
        return fill(words.LEVEL_FIRST if level == 0 else words.LEVEL_NEXT, level=level, n=n)

    st.segmented_control(
        words.LEVELS,
        range(len(pooling.levels)),
        format_func=title,
        required=True,
        label_visibility="collapsed",
        **state.bind("level", lambda: _go_level(state, state.level)),
    )


def _last(level: Level) -> int:
    """The last place on the timeline: all iterations, the complement's, the assignment and the pooling."""
    return level.num_iterations + bool(level.trace.added.any()) + 2


def _part(level: Level, state: State) -> int:
    """The part of the iteration that is seen, where a person steps by parts: beside the iterations there is one."""
    if 1 <= state.step <= level.num_iterations:
        return int(min(max(state.part, WHOLE), THROUGH))
    return THROUGH if state.part > WHOLE else WHOLE


def _stage(level: Level, state: State) -> Stage:
    """What has happened at this place of the timeline."""
    left = _last(level) - state.step + (WHOLE < state.part < THROUGH)
    return (
        Stage.POOLED
        if left <= 0
        else Stage.ASSIGNED
        if left == 1
        else Stage.SELECTED
        if left == 2
        else Stage.ITERATING
    )


def _later(state: State, level: Level, text: str, *, ahead: bool = False) -> None:
    """The place of something that has not happened yet; ``ahead``: with the way to where everything has."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f"<p class='later'>{escape(fill(text, T=level.num_iterations))}</p>")
        if ahead:
            st.button(
                words.TO_THE_END,
                icon=":material/skip_next:",
                on_click=state.while_shown(_to_the_end),
                args=(state, level),
                key="to-the-end",
            )


def _to_the_end(state: State, level: Level) -> None:
    state.step, state.part = _last(level), THROUGH if state.part else WHOLE
    st.session_state[_MOVED] = True


def _vertex(state: State, level: Level) -> int:
    """The selected vertex's index at this level, −1 for none."""
    if state.vertex == UNSELECTED and UNSELECTED not in level.nodes:
        return -1
    if state.vertex in level.nodes:
        return level.nodes.index(state.vertex)
    return int(np.argmax(level.score.numpy())) if level.nodes else -1


def _viewport(state: State, pooling: Pooling) -> Viewport:
    """What is drawn of the level; a link to a vertex that a sample leaves out takes the sample there."""
    viewport = view.viewport(pooling, state.level, state.around)
    elsewhere = viewport.part.sampled and state.vertex not in viewport.level.nodes
    if elsewhere and state.vertex != state.around and state.vertex in viewport.part.whole.nodes:
        state.around = state.vertex
        viewport = view.viewport(pooling, state.level, state.around)
    return viewport


@st.fragment
def _canvas(state: State, pooling: Pooling, key: tuple[Any, ...]) -> None:
    """The canvas: a cursor that moved changes the link, another vertex changes what stands below as well.

    ``key`` is that of ``pooling``: the canvas itself may have changed what ``state`` names since.
    """
    if st.session_state.pop("another", False) or key != _key(state):
        st.rerun()
    viewport = _viewport(state, pooling)
    level, trace = viewport.level, viewport.trace
    before = _vertex(state, level)

    def moved() -> None:
        cursor = cursor_of(CANVAS, trace["id"])
        if cursor is not None:
            state.step, state.part = cursor.step, cursor.part
            state.vertex = level.nodes[cursor.vertex] if 0 <= cursor.vertex < len(level.nodes) else UNSELECTED
            st.session_state["vertex:changed"] = cursor.vertex != before
            st.session_state["share:outdated"] = st.session_state.get("share", False)

    go = state.while_shown(lambda level: _go_level(state, level))

    def changed() -> None:
        told = edited_of(CANVAS)
        # not of a graph that was left meanwhile
        if told.get("id") == trace["id"] or edited.goes_on(state, told):
            edited.take(state, pooling, told)
            st.session_state["another"] = True

    state.save()  # first: a change that the canvas shows is in the link, and whoever reloads the page keeps it
    graph_canvas(
        trace,
        key=CANVAS,
        start=Cursor(state.step, before, state.part),
        labels=state.labels,
        scores=state.scores,
        words=True,
        mode=state.mode,
        present=None if state.hidden("present") and not state.present else state.present,
        requested=st.session_state.get(_REQUESTED, 0),
        levels=(state.level, len(pooling.levels)),
        hide=hiding.canvas_hides(state),
        complement=state.complement,
        edit=edited.answer(state),
        original=edited.original(state),
        difficulty=(challenges.difficulty(viewport.level), challenges.HARDEST)
        if state.mode == "predict"
        else None,
        on_cursor=state.while_shown(moved),
        on_another=state.while_shown(lambda: _another(state)),
        on_request=lambda: _requested(state, go),
        on_edited=changed,
    )
    stage = _stage(pooling.levels[state.level], state)
    if not (state.mode or state.present or state.hidden("free")):
        free.show(state, pooling, viewport, reduced=stage >= Stage.POOLED)
    pointed = st.session_state.pop("vertex:changed", False) and state.mode != "predict"
    outdated = st.session_state.pop("share:outdated", False)  # Share was opened before the step was told
    if pointed or outdated or (not state.present and stage != st.session_state.get(_STAGE)):
        st.rerun()


def _requested(state: State, go: Callable[[int], None]) -> None:
    """The canvas asks to be presented, to leave the presentation, or for another level, which ``go`` shows."""
    request = requested_of(CANVAS)
    st.session_state[_REQUESTED] = int(request.get("n") or 0)
    if "present" in request:
        state.present = bool(request["present"])
    if "level" in request:
        go(int(request["level"]))
    st.session_state["another"] = True


def _another(state: State) -> None:
    """Another graph to predict on, as hard as this one or harder: the link's number decides which."""
    level = _pooling(state).levels[state.level]
    hard = challenges.difficulty(level) + harder_of(CANVAS)
    state.draw = max(state.draw, 0) + 1
    drawn = challenges.draw(min(hard, challenges.HARDEST), state.draw, besides=state.graph)
    picker.choose(state, drawn.source)
    state.model, state.complement = "", False
    if drawn.score is not None:
        state.score, state.seed = drawn.score, drawn.seed
    st.session_state["another"] = True


# ---- what came of it --------------------------------------------------------------------------------------------


def _badges(level: Level) -> None:
    checks, metrics = level.checks, level.metrics
    n, kept = len(level.nodes), len(level.reduced_nodes)
    ties = int(level.trace.ties_broken[0])
    independent, maximal = checks["independent"], checks["maximal"]
    marks = [
        (words.INDEPENDENT, words.INDEPENDENT_ABOUT, "yes")
        if independent
        else (words.NOT_INDEPENDENT, words.NOT_INDEPENDENT_ABOUT, "no"),
        (words.MAXIMAL, words.MAXIMAL_ABOUT, "yes")
        if maximal
        else (words.NOT_MAXIMAL, words.NOT_MAXIMAL_ABOUT, "no"),
        (
            fill(words.RATIO, n=n, kept=kept),
            fill(words.RATIO_ABOUT, ratio=f"{100 * metrics['ratio']:.0f} %"),
            "",
        ),
        (_change(words.DENSITY, metrics, "density", 2), words.DENSITY_ABOUT, ""),
        (_change(words.MEAN_DEGREE, metrics, "mean_degree", 2), words.MEAN_DEGREE_ABOUT, ""),
        (_change(words.COMPONENTS, metrics, "components", 0), words.COMPONENTS_ABOUT, ""),
        (fill(common.TIES_BROKEN, ties=ties), words.TIES_ABOUT if ties else words.NO_TIES_ABOUT, ""),
    ]
    items = "".join(
        f"<li><b class='{kind}'>{escape(text)}</b><span>{escape(about)}</span></li>"
        for text, about, kind in marks
    )
    st.html(f"<ul class='badges'>{items}</ul>")


def _change(template: str, metrics: dict[str, float], name: str, digits: int) -> str:
    before, after = metrics[f"{name}_before"], metrics[f"{name}_after"]
    if not digits:
        return fill(template, before=int(before), after=int(after))
    most = max(before, after)
    if 0 < most < 0.1:  # a large graph's density
        digits = 3 if most >= 0.01 else 4
    return fill(template, before=f"{before:.{digits}f}", after=f"{after:.{digits}f}")


def _pointed(state: State, viewport: Viewport, vertices: list[int]) -> None:
    """A vertex was pointed at outside the canvas: it is lit there and everywhere."""
    if vertices:
        state.vertex = viewport.level.nodes[vertices[0]]
        move(CANVAS, viewport.trace["id"], vertex=vertices[0])


def _reduced(pooling: Pooling, state: State, viewport: Viewport, selected: int) -> None:
    level, whole = viewport.level, viewport.part.whole
    n, m = len(whole.reduced_nodes), int(whole.reduced.col.numel()) // 2
    st.markdown(f"##### {fill(words.REDUCED_TITLE, n=n, m=m)}")
    reduced = view.reduced(pooling, state.level, state.around)

    def pointed() -> None:
        cursor = cursor_of(REDUCED, reduced["id"])
        if cursor is not None and cursor.vertex >= 0:
            _pointed(state, viewport, [int(level.survivors[cursor.vertex])])

    # the selected vertex's cluster is lit here too
    focus = (reduced["id"], int(level.cluster[selected]) if selected >= 0 else -1)
    if st.session_state.get("reduced:focus") != focus:
        st.session_state["reduced:focus"] = focus
        move(REDUCED, focus[0], vertex=focus[1])
    graph_canvas(
        reduced,
        key=REDUCED,
        start=Cursor(0, focus[1]),
        on_cursor=state.while_shown(pointed),
        layout="still",
        height=280,
        labels=state.labels,
        scores=False,
        keys=False,
    )
    st.caption(words.SAMPLE_REDUCED if viewport.part.sampled else words.REDUCED_ABOUT)
    if state.level + 1 < len(pooling.levels):
        st.button(
            words.POOL_AGAIN,
            type="primary",
            icon=":material/arrow_forward:",
            on_click=state.while_shown(_go_level),
            args=(state, state.level + 1),
            key="pool-again",
        )
    else:
        st.caption(fill(words.MODEL_POOLED_OUT, k=len(pooling.levels)) if state.model else words.POOLED_OUT)
        if state.level:
            start_over = state.while_shown(_go_level)
            st.button(words.START_OVER, on_click=start_over, args=(state, 0), key="start-over")


def _go_level(state: State, level: int) -> None:
    state.level = level
    if level and state.mode == edited.MODE:  # a reduced graph follows from the one below it
        state.mode = _default("mode")
    _rewind(state)
