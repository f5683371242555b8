"""Choosing the graph of a page: a data set's, a classic, or a person's own. The link holds the choice."""

from __future__ import annotations

import random
from collections.abc import Callable

import streamlit as st

from app import navigation, sources
from app.sources import edited, search, uploads, words
from app.sources.gallery import gallery
from app.state import GIVEN, PROPERTIES, State
from app.ui.texts import safe
from mivspool.errors import MIVSPoolError
from mivspool.graphs.collection import COLLECTIONS
from mivspool.graphs.collections.teaching import preset_of
from mivspool.graphs.graph import Graph
from mivspool.messages import sentence

Chosen = Callable[[State, str], None]
_MISSED = "picker:missed"  # what was typed and is no graph
_SHOWN = "picker:shown"  # the last graph of this page that could be read, and its name, to fall back on


def choose(state: State, source: str) -> None:
    """Another graph, and what cannot be kept beside it."""
    state.choose(source)
    state.origin = ""
    if state.score == GIVEN and not sources.brings_scores(source):
        state.score = next(prop.default for prop in PROPERTIES if prop.name == "score")
    if preset_of(source) is not None:
        state.model = ""


def controls(state: State, chosen: Chosen = choose) -> None:
    """Collection, gallery, previous, next, random, upload. ``chosen`` is told of another graph."""
    try:
        where = sources.place(state.graph)
    except MIVSPoolError:
        where = sources.place(_default())
    key = f"picker:{state.page}"
    st.session_state[key] = sources.entry(state.graph, where)
    offered = [name for name in sources.collections() if name in {*COLLECTIONS, where.collection}]
    st.selectbox(
        words.COLLECTION,
        [*offered, *search.named()],
        format_func=_entry_title,
        key=key,
        help=words.COLLECTION_HELP,
        accept_new_options=True,
        filter_mode="contains",
        on_change=_choose_entry,
        args=(state, key, chosen),
        width=176,
    )
    if where.count > 1:
        _walks(state, where, key, chosen)
    uploads.box(state, key, chosen, lambda: _draw(state, key, chosen))


def _walks(state: State, where: sources.Place, key: str, chosen: Chosen) -> None:
    """The other graphs of the collection: gallery, previous, next, random."""
    with st.popover(
        f"{where.index + 1} / {where.count}",
        help=words.GALLERY_HELP,
        key=f"{key}:gallery",
        on_change="rerun",
    ) as popover:
        if popover.open:
            with st.container(width=600):
                gallery(state.graph, where, lambda name: chosen(state, name))
    with st.container(horizontal=True, gap=None, width="content", key=f"{key}:walk"):
        for step, icon, label in (
            (-1, "chevron_left", words.PREVIOUS_GRAPH),
            (1, "chevron_right", words.NEXT_GRAPH),
            (0, "shuffle", words.RANDOM_GRAPH),
        ):
            st.button(
                "",
                icon=f":material/{icon}:",
                help=label,
                key=f"{key}:walk:{step}",
                on_click=_walk,
                args=(state, where, step, chosen),
            )


def load(state: State) -> Graph:
    """The graph chosen; one that cannot be read gets its sentence here, and the one before is kept."""
    missed(state)
    key = f"{_SHOWN}:{state.page}"
    try:
        graph = sources.load(state.graph)
    except MIVSPoolError as error:
        st.warning(safe(sentence(error.message)), icon=":material/error:")
        state.graph, graph = st.session_state.get(key) or (_default(), sources.load(_default()))
    st.session_state[key] = (state.graph, graph)
    return graph


def _default() -> str:
    return str(next(prop.default for prop in PROPERTIES if prop.name == "graph"))


def _entry_title(entry: str) -> str:
    return sources.collection_title(entry) if entry in sources.collections() else search.title(entry)


def _choose_entry(state: State, key: str, chosen: Chosen) -> None:
    entry = st.session_state[key]
    if entry in COLLECTIONS:
        chosen(state, COLLECTIONS[entry].first())
    elif entry in search.named():
        chosen(state, entry)
    elif entry and entry != sources.FILE:
        found = search.find(entry)
        if found.source:
            chosen(state, found.source)
        else:
            st.session_state[_MISSED] = (found, state.page, state.link(), chosen)


def missed(state: State) -> None:
    """What to do where what was typed is no graph; until something else is done."""
    found, *where, chosen = st.session_state.get(_MISSED, (None, None, None, None))
    if found is None or where != [state.page, state.link()]:
        st.session_state.pop(_MISSED, None)
        return
    st.warning(safe(found.sentence), icon=":material/search_off:")
    if found.offers:
        with st.container(horizontal=True, gap="small"):
            for source in found.offers:
                name = safe(search.name_of(source))
                st.button(name, key=f"picker:offer:{source}", on_click=chosen, args=(state, source))


def _walk(state: State, where: sources.Place, step: int, chosen: Chosen) -> None:
    index = where.index + step if step else random.randrange(where.count)
    chosen(state, sources.named(where, index, state.graph))


def _draw(state: State, key: str, chosen: Chosen) -> None:
    """Draw a graph instead, on the Step page."""
    if not st.button(words.DRAW, icon=":material/draw:", help=words.DRAW_HELP, key=f"{key}:draw"):
        return
    chosen(state, edited.blank())
    there = state.of("step")
    there.score, there.model, there.mode = GIVEN, "", edited.MODE
    if state.page == "step":
        st.rerun()
    navigation.open_page("step")
