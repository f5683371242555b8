"""Learn: short chapters, each beside a live graph; their words light vertices and are lit by them."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import streamlit as st

from app import backend, pooled, sources
from app.components import assignment, cluster, mapping, network_figure
from app.components.canvas import graph_canvas
from app.components.formula import formula
from app.learn import training, words
from app.navigation import open_page
from app.pooled import Pooling, classified, view
from app.state import GIVEN, State
from app.ui.texts import safe
from mivspool.errors import InputError, MIVSPoolError
from mivspool.graphs.collections.teaching import PREFIX, PRESETS
from mivspool.lecture import chapters, exercises
from mivspool.lecture import training as training_chapter
from mivspool.lecture.chapters import CHAPTERS, Chapter
from mivspool.lecture.exercises import Exercise, Part
from mivspool.lecture.markup import formulas, markup
from mivspool.messages import fill, sentence
from mivspool.pooling import METHODS
from mivspool.streamlit import Cursor, cursor_of, move

LESSONS = (*CHAPTERS, training_chapter.CHAPTER)
"""All chapters; the last one needs a model, and is the app's alone."""
_SHORT = {**chapters.SHORT, training_chapter.CHAPTER.name: training_chapter.SHORT}
_NAMES = [chapter.name for chapter in LESSONS]


@dataclass(frozen=True)
class Scene:
    """The graph of a chapter and how it is pooled."""

    source: str
    score: str
    seed: int = 0
    complement: bool = False

    @classmethod
    def of(cls, chapter: Chapter) -> Scene:
        """The preset with its own score, or the chapter's."""
        if not chapter.preset:
            return cls(chapter.source, chapter.score, chapter.seed)
        preset = PRESETS[chapter.preset]
        score = preset.score if isinstance(preset.score, str) else GIVEN
        return cls(f"{PREFIX}{preset.name}", score, preset.seed, preset.complement)

    @property
    def key(self) -> tuple[str, str, int, bool, bool, str]:
        """What ``pooled.pool`` takes."""
        return self.source, self.score, self.seed, self.complement, False, ""


def page() -> None:
    """Show the page."""
    state = State.load("learn")
    st.session_state["learn:seen"] = True
    if state.chapter not in _NAMES:
        state.chapter = _NAMES[0]
    st.segmented_control(
        chapters.CHAPTERS_LABEL,
        _NAMES,
        format_func=lambda name: f"{_NAMES.index(name) + 1} · {_SHORT[name]}",
        required=True,
        label_visibility="collapsed",
        **state.bind("chapter"),
    )
    chapter = LESSONS[_NAMES.index(state.chapter)]
    text, picture = st.columns([1, 1.35], gap="large")
    with text, st.container(key="lesson"):
        st.subheader(chapter.title, anchor=False)
        _text(chapter)
        _exercises(chapter)
        _onward(state, chapter)
        _walk(state)
    if chapter is training_chapter.CHAPTER:
        with picture, st.container(key="figure"):
            training.show(state)
        state.save()
        return
    scene = Scene.of(chapter)
    with picture, st.container(key="figure"):
        try:
            pooling = pooled.pool(*scene.key)
        except MIVSPoolError as error:  # a data set that is not on this machine
            st.warning(safe(sentence(error.message)), icon=":material/error:")
        else:
            _live(state, chapter, scene, pooling)
    if "network" in chapter.shows:
        _network(state)
    state.save()


def _text(chapter: Chapter) -> None:
    for at, paragraph in enumerate(chapter.text):
        for line, latex in enumerate(formulas(paragraph)):
            formula(latex, f"formula-{chapter.name}-{at}-{line}")
        if not formulas(paragraph):
            st.html(f"<p class='lesson'>{markup(paragraph)}</p>")
    for title, text, kind in chapter.asides:
        st.html(f"<p class='aside {kind}'><b>{escape(title)}</b>{markup(text)}</p>")


def _exercises(chapter: Chapter) -> None:
    """What the handout asks of this chapter; each is checked by itself, so that the graph stays as it is."""
    asked = exercises.of(chapter.name)
    if asked:
        st.markdown(f"##### {chapters.EXERCISES}")
    for number, exercise in asked:
        with st.expander(f"{number} · {exercise.title}"):
            _exercise(number, exercise)


@st.fragment
def _exercise(number: int, exercise: Exercise) -> None:
    st.html(f"<p class='lesson'>{markup(exercise.question)}</p>")
    key = f"exercise-{number}"
    with st.form(key, border=False):
        for place, part in enumerate(exercise.parts):
            given = (
                st.radio(part.label, part.options, index=None, key=f"{key}:{place}")
                if part.options
                else st.text_input(part.label, key=f"{key}:{place}", max_chars=exercises.MOST_WRITTEN)
            )
            if given and given.strip():
                st.html(_verdict(part, given))
        st.form_submit_button(chapters.CHECK)
    st.html(
        f"<details class='answer'><summary>{escape(chapters.ANSWER)}</summary>"
        f"<p class='lesson'>{markup(exercise.answer)}</p></details>"
    )


def _verdict(part: Part, given: str) -> str:
    """What the library says of an answer, as HTML."""
    try:
        verdict = part.answer(given)
    except InputError as error:
        return f"<p class='verdict' role='status'>{escape(sentence(error.message))}</p>"
    kind, said = ("yes", chapters.CORRECT) if verdict.correct else ("no", chapters.WRONG)
    return f"<p class='verdict {kind}' role='status'>{escape(sentence(fill(said, why=verdict.why)))}</p>"


def _onward(state: State, chapter: Chapter) -> None:
    """The pages that the story goes on to, each with what it shows there."""
    if not chapter.onward:
        return
    st.markdown(f"##### {chapters.ONWARD}")
    for place, one in enumerate(chapter.onward):
        with st.container(gap=None):
            chosen = st.button(one.title, key=f"onward:{place}", icon=":material/arrow_forward:")
            st.caption(one.about)
        if chosen:
            state.of(one.page).follow({**dict(one.link), "hide": state.hide})
            open_page(one.page)


def _walk(state: State) -> None:
    at = _NAMES.index(state.chapter)
    with st.container(horizontal=True):
        if at:
            st.button(
                chapters.PREVIOUS_CHAPTER, on_click=_go, args=(state, at - 1), icon=":material/arrow_back:"
            )
        if at + 1 < len(LESSONS):
            title = fill(chapters.NEXT_CHAPTER, title=LESSONS[at + 1].title)
            st.button(title, on_click=_go, args=(state, at + 1), type="primary")


def _go(state: State, at: int) -> None:
    state.chapter = _NAMES[at]


def _live(state: State, chapter: Chapter, scene: Scene, pooling: Pooling) -> None:
    """The graph, what stands below it, and the way to the other pages."""
    level, viewport = pooling.levels[0], view.viewport(pooling, 0)
    trace = viewport.trace
    key = f"learn-{chapter.name}"
    last = level.num_iterations + 2 + bool(level.trace.added.any())
    begin = Cursor(chapter.step if chapter.step >= 0 else last + 1 + chapter.step, int(level.score.argmax()))
    _canvas(trace, key, begin, below=bool({"S", "cluster"} & set(chapter.shows)))
    scored = pooled.scored_by(scene.score, scene.seed, "", 0, len(pooling.levels))
    st.html(f"<p class='scored'>{escape(scored)}</p>")
    cursor = cursor_of(key, trace["id"]) or begin
    if "S" in chapter.shows:
        assignment.show(viewport.part, cursor.vertex, lambda vertices: _pointed(key, trace["id"], vertices))
    if "cluster" in chapter.shows:
        with st.container(key="below"):
            cluster.show(pooling, level, cursor.vertex)
    with st.container(horizontal=True):
        chosen = None
        if st.button(words.OPEN_IN_STEP, icon=":material/open_in_full:"):
            chosen = "step"
        if "compare" in chapter.shows and st.button(words.OPEN_IN_COMPARE):
            chosen = "compare"
    if chosen is not None:
        there = state.of(chosen)
        there.choose(scene.source)
        there.score, there.seed, there.complement = scene.score, scene.seed, scene.complement
        there.model, there.weights, there.level = "", False, 0
        there.step, there.part = cursor.step, cursor.part
        there.vertex = level.nodes[cursor.vertex] if cursor.vertex >= 0 else ""
        open_page(chosen)


def _network(state: State) -> None:
    """Figure 1 with the reader's own graph in it where a model takes it, else with a molecule."""
    models = [model for model in backend.models() if model.method in METHODS]
    for source in (state.graph, "MAO:3") if models else ():
        try:
            graph = sources.load(source)
            name = mapping.best_model(models, graph)
            if backend.is_large(graph) or mapping.refusal(graph, backend.schema(name)):
                continue
            answer = backend.classified(source, name, (), graph)
            if answer.error is not None:
                continue
            model = next(model for model in models if model.name == name)
            levels = classified.levels_of(source, model, (), graph, answer)
            network = network_figure.network_of(graph, backend.card(name), answer, levels)
        except MIVSPoolError:  # a graph that is gone, a backend that is away: the molecule, or no figure
            continue
        st.markdown(f"##### {words.FIGURE}")
        st.caption(fill(words.FIGURE_ABOUT, graph=safe(sources.graph_title(source, graph)), model=name))
        picked = network_figure.show(network, -1, "learn:figure")
        before = st.session_state.get("learn:picked")
        st.session_state["learn:picked"] = picked
        if picked is not None and picked != before and picked < len(levels):
            state.choose(source)
            there = state.of("classify")
            there.model, there.block, there.map = name, picked, ""
            open_page("classify")
        return


@st.fragment
def _canvas(trace: dict[str, Any], key: str, begin: Cursor, *, below: bool) -> None:
    """The canvas alone runs again where a cursor moved; another vertex changes what stands below as well."""
    trace_id = str(trace["id"])
    before = (cursor_of(key, trace_id) or begin).vertex
    cursor = graph_canvas(trace, key=key, start=begin, height=360, words=True)
    last = st.session_state.get(f"{key}:selected", begin.vertex)
    now = cursor.vertex if cursor is not None else before
    st.session_state[f"{key}:selected"] = now
    if below and now != last:
        st.rerun()


def _pointed(key: str, trace_id: str, vertices: list[int]) -> None:
    if vertices:
        move(key, trace_id, vertex=vertices[0])
