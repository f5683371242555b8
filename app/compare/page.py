"""Compare: several pooling methods on one graph side by side, on a whole data set, and as a pyramid of levels."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from app import sources
from app.compare import methods, plots
from app.compare.panels import panels
from app.sources import picker
from app.state import State
from app.ui import charts, common, tables
from app.ui.duration import in_words
from app.ui.texts import safe
from mivspool.compare import Row, Summary, compare, compare_dataset
from mivspool.content import shared
from mivspool.content.compare import measure_table, reductions, words
from mivspool.content.compare.legend import legend, style
from mivspool.errors import MIVSPoolError
from mivspool.graphs.datasets import DATASETS
from mivspool.graphs.graph import Graph
from mivspool.messages import fill, sentence
from mivspool.pooling.parts.measure import EXPLAINED

if TYPE_CHECKING:
    import pandas as pd

_PYRAMID = 8  # levels
_GRAPHS = (50, 200, 1000, 5000)
_LARGE = 20_000  # vertices of a graph that is measured but no longer drawn


def page() -> None:
    """Show the page."""
    state = State.load("compare")
    st.html(charts.STYLE)
    if state.view not in words.COMPARE_VIEWS:
        state.view = "graph"
    notice = st.container()
    bar = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="bar")
    with bar:
        st.segmented_control(
            shared.VIEW,
            list(words.COMPARE_VIEWS),
            format_func=lambda name: words.COMPARE_VIEWS[name],
            required=True,
            **state.bind("view"),
        )
    if state.view == "dataset":
        _dataset(state)
    else:
        with bar:
            picker.controls(state)
        with notice:
            graph = picker.load(state)
        (_pyramid if state.view == "pyramid" else _graph)(state, graph)
    state.save()


# ---- what is compared -------------------------------------------------------------------------------------------


def _methods(state: State) -> list[str]:
    """The methods chosen, two or more; the link holds them with commas between."""
    known = reductions.names(_given(state))
    chosen = _chosen(state, known)
    key = "compare:methods"
    st.session_state[key] = chosen
    st.multiselect(
        words.METHODS_LABEL,
        known,
        format_func=reductions.title,
        key=key,
        on_change=_take_methods,
        args=(state, key),
    )
    if state.view == "graph":
        st.button(
            words.ALL_METHODS,
            help=fill(words.ALL_METHODS_HELP, n=len(known)),
            disabled=len(chosen) == len(known),
            key="compare:all",
            on_click=setattr,
            args=(state, "methods", ",".join(known)),
        )
    if len(chosen) < methods.LEAST:
        st.info(words.METHODS_FEW)
    return chosen


def _given(state: State) -> bool:
    """Whether what is compared are poolings of one graph that brings scores."""
    return state.view != "dataset" and sources.brings_scores(state.graph)


def _chosen(state: State, known: Sequence[str]) -> list[str]:
    """The methods of the link that there are, or where it names none, those that a visit begins with."""
    wanted = [name for name in state.methods.split(",") if name] or reductions.first(_given(state))
    return list(dict.fromkeys(full for full in (_full(name) for name in wanted) if full in known))


def _full(name: str) -> str:
    try:
        return reductions.key_of(name)
    except MIVSPoolError:
        return ""


def _take_methods(state: State, key: str) -> None:
    state.methods = ",".join(st.session_state[key])


def _weights(state: State, names: Sequence[str]) -> dict[str, str]:
    """A model for each method that pools by one, where a person wants trained weights; the seed for all others."""
    models = {name: methods.models_for(name) for name in names}
    offered = sorted({model for found in models.values() for model in found})
    with st.popover(words.WEIGHTS_LABEL, icon=":material/tune:"):
        st.number_input(
            common.SEED, 0, 2**31 - 1, step=1, help=common.SEED_HELP_METHODS, **state.bind("seed")
        )
        if offered:
            if state.model not in offered:
                state.model = ""
            st.selectbox(
                words.TRAINED,
                ["", *offered],
                format_func=lambda name: name or words.TRAINED_NONE,
                help=words.TRAINED_HELP,
                **state.bind("model"),
            )
    return {name: state.model for name, found in models.items() if state.model in found and state.model}


# ---- one graph --------------------------------------------------------------------------------------------------


def _graph(state: State, graph: Graph) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="methods"):
        names = _methods(state)
        weights = _weights(state, names)
    if not names:
        return
    found = _pooled(state, graph, names, weights)
    made = {name: rows for name, rows in found.items() if any(row.pooled is not None for row in rows)}
    if not made:
        _say(absent(found, 0))
        return
    most = max(_times(rows) for rows in made.values())
    state.level = min(max(state.level, 0), most - 1)
    if most > 1:
        st.segmented_control(
            words.LEVEL_LABEL,
            list(range(most)),
            format_func=lambda level: fill(words.LEVEL_NAME, n=level + 1),
            required=True,
            label_visibility="collapsed",
            **state.bind("level"),
        )
    st.caption(_about(graph, state, weights, made))
    _draw(state, graph, made)
    st.markdown(f"##### {words.MEASURES_TITLE}")
    columns = [
        (reductions.title(name), rows[state.level].measures)
        for name, rows in made.items()
        if state.level < len(rows) and rows[state.level].measures is not None
    ]
    if columns:
        shown = [(title, measures) for title, measures in columns if measures is not None]
        st.html(measure_table.html(shown))
        st.caption(words.MEASURES_NOTE)
    _say(absent(found, state.level))
    st.markdown("\n".join([f"##### {words.WHAT_THEY_DO}", *reductions.what_each_does(names)]))


def absent(found: Mapping[str, Sequence[Row]], level: int) -> list[str]:
    """Which methods have no column at this level, and why, a sentence each."""
    said = []
    for name, rows in found.items():
        if level < len(rows) and rows[level].measures is not None:
            continue
        refused = next((row.refused for row in rows if row.refused), None)
        times = sum(row.pooled is not None for row in rows)
        ended = fill(words.NOTE_ENDED, n=times) if times else words.ABSENT_NONE
        said.append(f"{reductions.title(name)}: {safe(refused) if refused else ended}")
    return said


def _say(sentences: Sequence[str]) -> None:
    for text in sentences:
        st.caption(text if text.endswith(".") else f"{text}.")


def _pooled(
    state: State, graph: Graph, names: Sequence[str], weights: dict[str, str]
) -> dict[str, list[Row]]:
    """Each method's rows; one that refuses this graph says so, and the others go on."""
    found: dict[str, list[Row]] = {}
    levels = max(methods.levels_ahead(graph), state.level + 1)
    levels = min(levels, _PYRAMID)
    for name in names:
        with st.spinner(fill(words.POOLING_BY, method=reductions.title(name)), show_time=True):
            try:
                rows = methods.pooled(state.graph, name, state.seed, weights.get(name, ""), levels, graph)
            except MIVSPoolError as error:
                st.warning(f"{reductions.title(name)}: {safe(sentence(error.message))}")
                continue
        refused = next((row.refused for row in rows if row.refused), None)
        if refused:
            st.warning(f"{reductions.title(name)}: {safe(refused)}")
        found[name] = rows
    return found


def _times(rows: Sequence[Row]) -> int:
    """How often a method can pool: as often as it has, and once more where an edge is left."""
    made = [row for row in rows if row.pooled is not None]
    last = made[-1].pooled if made else None
    more = last is not None and last.adjacency.col.numel() > 0 and len(made) == len(rows) < _PYRAMID
    return len(made) + more


def _about(graph: Graph, state: State, weights: dict[str, str], made: dict[str, list[Row]]) -> str:
    size = fill(shared.GRAPH_ABOUT, n=graph.num_nodes, m=graph.num_edges)
    trained = [reductions.title(name) for name in weights if name in made]
    untrained = [name for name in made if name not in weights and not reductions.by_given(name)]
    parts = [f"{safe(sources.graph_title(state.graph, graph))} · {size}"]
    if trained:
        parts.append(fill(words.WITH_TRAINED, names=", ".join(trained), model=state.model))
    if untrained:
        parts.append(fill(words.WITH_SEED, seed=state.seed))
    return " · ".join(parts)


def _draw(state: State, graph: Graph, made: dict[str, list[Row]]) -> None:
    if graph.num_nodes > _LARGE:
        st.info(fill(words.TOO_LARGE, n=graph.num_nodes))
        return
    positions = sources.positions(state.graph, graph)
    shown = []
    for name, rows in made.items():
        reduced = reductions.reduced(rows, state.level, graph)
        if reduced is None or reduced.measures is None:
            continue
        notes = measure_table.notes(reduced.measures)
        if reduced.row.level < state.level:
            notes = [fill(words.NOTE_ENDED, n=reduced.row.level + 1), *notes]
        shown.append(reductions.panel(reduced, positions, reductions.title(name), notes))
    original = reductions.originals(graph, positions, sources.vertex_labels(graph))
    st.html(f"<style>{style()}</style><div class='legend'>{legend()}</div>")
    picked = panels(original, shown, graph.index.get(state.vertex, -1), "compare:panels")
    if picked is not None:
        state.vertex = graph.nodes[picked] if 0 <= picked < graph.num_nodes else ""


# ---- a whole data set -------------------------------------------------------------------------------------------


def _dataset(state: State) -> None:
    if state.dataset not in DATASETS:
        state.dataset = "MAO"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="methods"):
        st.selectbox(
            shared.DATASET,
            list(DATASETS),
            format_func=shared.dataset_title,
            width=200,
            **state.bind("dataset"),
        )
        total = DATASETS[state.dataset].graphs
        counts = [count for count in _GRAPHS if count < total] + [total]
        if state.graphs not in counts:
            state.graphs = counts[0]
        st.selectbox(
            words.HOW_MANY,
            counts,
            format_func=lambda n: fill(words.ALL_GRAPHS, n=n) if n == total else f"{n:,}",
            width=160,
            **state.bind("graphs"),
        )
        names = _methods(state)
    if not names:
        return
    key = f"compare:{state.dataset}:{state.graphs}:{','.join(names)}:{state.seed}"
    kept: dict[str, list[Summary]] = st.session_state.setdefault("compare:summaries", {})
    if key not in kept:
        st.caption(words.MEASURE_ABOUT)
        small = state.graphs * len(names) <= 200 and total < 200
        if not small and not st.button(fill(words.MEASURE_START, n=state.graphs), type="primary"):
            return
        summaries = _measured(state, names)
        if summaries is None:
            return
        kept[key] = summaries
        while len(kept) > 8:
            del kept[next(iter(kept))]
    _boxes(state, kept[key])


def _measured(state: State, names: Sequence[str]) -> list[Summary] | None:
    place = st.empty()
    start = time.monotonic()

    def report(done: int, of: int) -> None:
        left = (time.monotonic() - start) / done * (of - done)
        place.progress(done / of, fill(words.MEASURE_PROGRESS, done=done, total=of, left=in_words(left)))

    try:
        with st.spinner(words.DATASET_LOADING):
            dataset = sources.dataset(state.dataset)
        found = compare_dataset(
            dataset, names, levels=2, seed=state.seed, graphs=state.graphs, on_graph=report
        )
    except MIVSPoolError as error:
        st.error(safe(sentence(error.message)))
        return None
    finally:
        place.empty()
    return found


def _boxes(state: State, summaries: list[Summary]) -> None:
    levels = sorted({summary.level for summary in summaries})
    state.level = min(max(state.level, 0), max(levels, default=0))
    measures = [
        name
        for name in measure_table.SHOWN
        if name in EXPLAINED and any(summary.values.get(name) is not None for summary in summaries)
    ]
    if not measures:
        _missing(summaries, state.level)
        return
    if state.measure not in measures:
        state.measure = measures[0]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            words.MEASURE,
            measures,
            format_func=lambda name: EXPLAINED[name].title,
            width=260,
            **state.bind("measure"),
        )
        if len(levels) > 1:
            st.segmented_control(
                words.LEVEL_LABEL,
                levels,
                format_func=lambda level: fill(words.LEVEL_NAME, n=level + 1),
                required=True,
                **state.bind("level"),
            )
    st.caption(f"{EXPLAINED[state.measure].text[:1].upper()}{EXPLAINED[state.measure].text[1:]}.")
    own = [
        summary
        for summary in summaries
        if summary.level == state.level and summary.values.get(state.measure) is not None
        and summary.values[state.measure].size
    ]  # fmt: skip
    _missing(summaries, state.level)
    if not own:
        st.info(words.MEASURE_NONE)
        return
    st.markdown(f"**{_finding(own, state.measure)}**")
    charts.show(
        plots.boxes(own, state.measure, charts.theme()),
        "compare:boxes",
        _finding(own, state.measure),
        charts.BESIDE,
    )
    _summary_table(own)


def _missing(summaries: Sequence[Summary], level: int) -> None:
    """Which graphs a method refused, and which methods had nothing left to pool at this level."""
    here = {summary.choice.key: summary for summary in summaries if summary.level == level}
    for key in dict.fromkeys(summary.choice.key for summary in summaries):
        title = reductions.title(key)
        if key not in here:
            st.caption(fill(words.ENDED_ALL, method=title))
        elif here[key].refused:
            st.caption(fill(words.REFUSED_SOME, method=title, n=here[key].refused))


def _finding(own: Sequence[Summary], measure: str) -> str:
    """The medians, in a sentence."""
    import numpy as np

    medians = [(reductions.title(s.choice.key), float(np.median(s.values[measure]))) for s in own]
    listed = ", ".join(
        f"{title} {measure_table.show(measure, _typed(measure, value))}" for title, value in medians
    )
    return fill(words.MEDIANS, measure=EXPLAINED[measure].title, list=listed, graphs=own[0].graphs)


def _typed(measure: str, value: float) -> float | int:
    return (
        int(value) if value == int(value) and measure in {"num_nodes", "num_edges", "components"} else value
    )


def _summary_table(own: Sequence[Summary]) -> None:
    import pandas as pd

    from mivspool.compare import spread

    rows = []
    for summary in own:
        for name in measure_table.SHOWN:
            found = spread(summary.values[name]) if name in summary.values else None
            if found is not None:
                low, middle, high = found.pop("quartiles")
                title = EXPLAINED[name].title
                rows.append(
                    {"method": reductions.title(summary.choice.key), "measure": title, "25 %": low, "median": middle,
                     "75 %": high, **found}
                )  # fmt: skip
    with st.expander(shared.TABLE_BEHIND):
        st.dataframe(pd.DataFrame(rows), hide_index=True)


# ---- the pyramid ------------------------------------------------------------------------------------------------


def _pyramid(state: State, graph: Graph) -> None:
    known = reductions.names(_given(state))
    name = next(iter(_chosen(state, known)), known[0])
    key = "compare:pyramid"
    st.session_state[key] = name
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            words.METHOD_LABEL,
            known,
            format_func=reductions.title,
            key=key,
            on_change=_take_first,
            args=(state, key, known),
            width=280,
        )
        weights = _weights(state, [name])
    if graph.num_nodes > _LARGE:
        st.info(fill(words.TOO_LARGE, n=graph.num_nodes))
        return
    try:
        with st.spinner(fill(words.POOLING_BY, method=reductions.title(name)), show_time=True):
            rows = levels(state.graph, name, state.seed, weights.get(name, ""), graph)
    except MIVSPoolError as error:
        st.warning(safe(sentence(error.message)))
        return
    if rows and rows[-1].refused:
        st.warning(safe(rows[-1].refused))
    rows = [row for row in rows if row.pooled is not None]
    if not rows:
        return
    sizes = [len(row.nodes) for row in rows] + [len(rows[-1].reduced_nodes)]
    shown = " → ".join(map(str, sizes))
    st.markdown(
        f"**{fill(words.PYRAMID_TITLE, method=reductions.title(name), sizes=shown, last=sizes[-1])}**"
    )
    planes = list(range(len(sizes)))
    chosen = st.segmented_control(
        words.PLANES,
        planes,
        selection_mode="multi",
        default=planes,
        format_func=lambda level: fill(words.PLANE, level=level, n=sizes[level]),
        key=f"compare:planes:{len(planes)}",
    )
    figure = plots.pyramid(
        rows, sources.positions(state.graph, graph), chosen, graph.nodes, graph, charts.theme()
    )
    charts.show(figure, "compare:pyramid-figure", words.PYRAMID_ALT, _planes(rows))
    left_out = plots.undrawn(rows)
    more = (
        f" {fill(words.PYRAMID_UNDRAWN, n=left_out, most=f'{reductions.MOST_EDGES:,}')}" if left_out else ""
    )
    st.caption(words.PYRAMID_ABOUT + more)


def _planes(rows: Sequence[Row]) -> pd.DataFrame:
    """Where each vertex of each plane goes."""
    found = []
    for level, row in enumerate(rows):
        cluster = [] if row.pooled is None else plots.most(row).tolist()
        found += [
            {
                words.PLANE_LEVEL: level,
                words.PLANE_VERTEX: node,
                words.PLANE_GOES: row.reduced_nodes[to] if to >= 0 else words.PLANE_DROPPED,
            }
            for node, to in zip(row.nodes, cluster, strict=bool(cluster))
        ]
    return tables.frame(found)


def _take_first(state: State, key: str, known: Sequence[str]) -> None:
    first = st.session_state[key]
    state.methods = ",".join([first, *(name for name in _chosen(state, known) if name != first)])


def levels(source: str, name: str, seed: int, model: str, graph: Graph) -> list[Row]:
    """The rows of one method for the pyramid, one per level. Raises a MIVSPoolError."""
    if model or reductions.by_given(name):
        return methods.pooled(source, name, seed, model, _PYRAMID, graph)
    return _levels(source, name, seed, graph)


@st.cache_resource(max_entries=16, show_spinner=False)
def _levels(source: str, name: str, seed: int, _graph: Graph) -> list[Row]:
    return compare(_graph, [name], _PYRAMID, seed, renumberings=0)
