"""Results: the paper's tables beside what was measured, the runs behind each cell, and what may be said of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from app import backend, runs
from app.results import TITLE, evaluations
from app.server.streamlit_internals import DeltaGenerator
from app.state import State
from app.ui import charts, run_plots
from app.ui.texts import safe
from mivspool.content import shared
from mivspool.content.results import claims as claims_of
from mivspool.content.results import paper_table, points, words
from mivspool.content.results.found import Found, cell_of, cell_title, place_of, place_title
from mivspool.errors import MIVSPoolError
from mivspool.learning import paper, recommended_table
from mivspool.learning.table_formats import FORMATS
from mivspool.learning.tables import (
    EARLIER_ORDER,
    Table,
    comparisons,
    pairs,
)
from mivspool.messages import fill, sentence
from mivspool.service.states import DONE

_MIME = {"csv": "text/csv", "markdown": "text/markdown", "latex": "application/x-tex"}
_MOST_JOBS = 1000
_SUFFIX = {"csv": "csv", "markdown": "md", "latex": "tex"}


def page() -> None:
    """Show the page."""
    state = State.load("results")
    st.header(TITLE, anchor=False)
    st.html(charts.STYLE)
    found = runs.read()
    st.markdown(found.summary)
    if state.table not in words.VIEWS:
        state.table = "4"
    st.segmented_control(
        shared.VIEW,
        list(words.VIEWS),
        format_func=lambda name: words.VIEWS[name],
        required=True,
        label_visibility="collapsed",
        **state.bind("table"),
    )
    try:
        if state.table == "claims":
            _claims(found)
        elif state.table == "curves":
            _curves(state, found)
        elif state.table == "evaluations":
            _evaluations(found)
        elif state.table == "recommended":
            _recommended(found)
        else:
            _table(state, found, int(state.table))
    except MIVSPoolError as error:
        st.warning(safe(sentence(error.message)))
    state.save()


def _table(state: State, found: Found, number: int) -> None:
    with st.spinner(words.COUNTING if number == 3 else "", show_time=False):
        table = runs.table(number, found)
    st.subheader(table.heading, anchor=False)
    st.html(paper_table.html(table))
    if number in (2, 4):
        st.caption(words.LEGEND)
    compared = {text for name in paper.DATASETS for text in comparisons(found.runs, name)}
    if EARLIER_ORDER in table.notes:
        st.caption(EARLIER_ORDER)
    with st.expander(words.NOTES):
        st.markdown("\n".join(f"- {note}" for note in table.notes if note not in compared))
    _downloads(table)
    if number in (2, 4):
        _points(state, found, number)


def _downloads(table: Table) -> None:
    with st.container(horizontal=True):
        for name, title in words.DOWNLOADS.items():
            st.download_button(
                title,
                FORMATS[name](table),
                f"table-{table.number}.{_SUFFIX[name]}",
                _MIME[name],
                key=f"download:{table.number}:{name}",
                icon=":material/download:",
            )


def _recommended(found: Found) -> None:
    table = found.recommended
    st.subheader(table.heading, anchor=False)
    st.markdown(words.RECOMMENDED)
    st.html(paper_table.html(table))
    st.markdown(f"**{words.AIMS}**")
    lines = []
    for aim in table.aims:
        said = f"- {words.SIGNS[aim.state]} **{aim.title}**: {recommended_table.STATES[aim.state]}"
        if len(aim.evidence) == 1:
            lines.append(f"{said} ({safe(aim.evidence[0].sentence.removesuffix('.'))})")
            continue
        lines.append(said)
        lines += [
            f"    - {words.SIGNS[one.state]} {shared.dataset_title(one.dataset)}: {safe(one.sentence)}"
            for one in aim.evidence
        ]
    with st.container(key="signs-aims"):
        st.markdown("\n".join(lines))
    _pairs(points.recommended_rows(table))
    with st.expander(words.NOTES):
        st.markdown("\n".join(f"- {safe(note)}" for note in table.about))
    _downloads(table)


def _pairs(rows: Sequence[dict[str, Any]]) -> None:
    """Every pair with its difference, its interval and its test."""
    st.markdown(f"**{words.PAIRS}**", help=words.PAIRS_HELP)
    if not rows:
        st.markdown(words.PAIRS_NONE)
        return
    points = st.column_config.NumberColumn(format="%+.1f")
    shares = st.column_config.NumberColumn(format="%.2g")
    formats = dict.fromkeys(("difference", "low", "high"), points) | dict.fromkeys(("p", "corrected"), shares)
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={words.PAIR_COLUMNS[name]: column for name, column in formats.items()},
    )


def _points(state: State, found: Found, number: int) -> None:
    if state.dataset not in paper.DATASETS:
        state.dataset = "ENZYMES"
    st.segmented_control(
        shared.DATASET,
        paper.DATASETS,
        format_func=shared.dataset_title,
        required=True,
        **state.bind("dataset"),
    )
    dataset = state.dataset
    columns = points.columns(found.runs, number, dataset)
    title = points.heading(columns, dataset)
    st.markdown(f"**{title}**")
    charts.show(run_plots.points(columns, charts.theme()), f"points:{number}:{dataset}", title, charts.BESIDE)
    _behind(columns)
    compared = pairs(found.runs, dataset)
    if number == 4:
        _compared(compared, dataset)
    _pairs(points.pair_rows(compared, number, dataset))


def _compared(compared: points.Compared, dataset: str) -> None:
    """What may be said of MIVSPool and each other method: a sentence for each that has runs on the same folds."""
    st.markdown(f"**{words.COMPARED}**", help=words.COMPARED_HELP)
    sentences = [safe(one) for one in points.sentences(compared)]
    if sentences:
        st.markdown("\n".join(f"- {text}" for text in sentences))
    else:
        st.markdown(fill(words.COMPARED_NONE, dataset=shared.dataset_title(dataset)))


def _behind(columns: list[points.Column]) -> None:
    rows = [
        {"": column.title, "repeat": r, "fold": f, shared.POINTS_AXIS: round(value, 2)}
        for column in columns
        for (r, f), value in column.accuracies.items()
    ]
    if rows:
        with st.expander(shared.TABLE_BEHIND):
            st.dataframe(pd.DataFrame(rows), hide_index=True)


def _claims(found: Found) -> None:
    st.markdown(words.CLAIMS_INTRO)
    with st.spinner(words.COUNTING):
        table_3 = runs.table(3, found).rows
    for claim in claims_of.claims(found.runs, table_3, runs.table(4, found).rows):
        sign, verdict = words.VERDICTS[claim.verdict]
        with st.container(border=True, key=f"signs-{claim.name}"):
            st.markdown(f"**{claim.title}** — {sign} {verdict}")
            st.caption(" ".join(filter(None, (claim.said, claim.remark))))
            if claim.evidence:
                st.markdown(
                    "\n".join(
                        f"- {words.VERDICTS[one.verdict][0]} {shared.dataset_title(one.dataset)}: {one.sentence}"
                        for one in claim.evidence
                    )
                )


def _curves(state: State, found: Found) -> None:
    kept = found.with_curves
    if not kept:
        st.info(words.CURVES_NONE)
        return
    left, middle, right = st.columns(3)
    datasets = list(dict.fromkeys(line.dataset for line in kept))
    _pick(left, state, "dataset", shared.DATASET, datasets, shared.dataset_title)
    own = [line for line in kept if line.dataset == state.dataset]
    cells = list(dict.fromkeys(cell_of(line) for line in own))
    _pick(middle, state, "cell", words.CURVE_METHOD, cells, cell_title)
    own = [line for line in own if cell_of(line) == state.cell]
    places = {place_of(line): line for line in own}
    _pick(right, state, "run", words.CURVE_RUN, list(places), lambda name: place_title(places[name]))
    line = places[state.run]
    columns = runs.curve(line)
    title = points.curve_title(line)
    st.markdown(f"**{title}**")
    if columns is None:
        st.info(words.CURVE_GONE)
        return
    run_plots.show_curves(columns, line.best_epoch, title, "results")


def _evaluations(found: Found) -> None:
    st.markdown(words.EVALUATIONS_ABOUT)
    backend.meet()
    jobs = backend.client().jobs(states=[DONE], kinds=[evaluations.KIND], limit=_MOST_JOBS)
    titles = {one.name: one.title for one in backend.datasets() if one.origin == "upload"}
    rows = evaluations.rows(found.evaluations, jobs, titles)
    if not rows:
        st.info(words.EVALUATIONS_NONE)
        return
    shares = {
        words.EVALUATION_COLUMNS[name]: st.column_config.NumberColumn(format="%.2f")
        for name in ("mean", "std")
    }
    st.dataframe(pd.DataFrame(rows), hide_index=True, placeholder="", column_config=shares)
    if any(one.earlier_order for one in found.evaluations):
        st.caption(EARLIER_ORDER)


def _pick(
    where: DeltaGenerator,
    state: State,
    name: str,
    label: str,
    options: list[str],
    title: Callable[[str], str],
) -> None:
    if getattr(state, name) not in options:
        setattr(state, name, options[0])
    where.selectbox(label, options, format_func=title, **state.bind(name))
