"""Results: the paper's tables beside what was measured, the runs behind each cell, and what may be said of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from app import backend, runs
from app.results import TITLE, evaluations, paper_table, words
from app.results import claims as claims_of
from app.server.streamlit_internals import DeltaGenerator
from app.state import State
from app.ui import charts, common, run_plots
from app.ui.texts import safe, sentence
from mivspool.errors import MIVSPoolError
from mivspool.learning import paper, recommended_table, statistics
from mivspool.learning.statistics import Comparison
from mivspool.learning.table_formats import FORMATS
from mivspool.learning.tables import (
    CELLS,
    COMPARED,
    EARLIER_ORDER,
    Method,
    Table,
    comparisons,
    pairs,
    with_mivspool,
)
from mivspool.messages import fill
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
        common.VIEW,
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


def _table(state: State, found: runs.Found, number: int) -> None:
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


def _recommended(found: runs.Found) -> None:
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
            f"    - {words.SIGNS[one.state]} {common.dataset_title(one.dataset)}: {safe(one.sentence)}"
            for one in aim.evidence
        ]
    with st.container(key="signs-aims"):
        st.markdown("\n".join(lines))
    own = common.method_title(recommended_table.OWN[0])
    _pairs(
        [pair_row(one.dataset, own, common.method_title(one.twin[0]), one.comparison) for one in table.pairs]
    )
    with st.expander(words.NOTES):
        st.markdown("\n".join(f"- {safe(note)}" for note in table.about))
    _downloads(table)


def pair_row(dataset: str, first: str, second: str, c: Comparison) -> dict[str, Any]:
    """A row of the table of pairs."""
    values = {
        "dataset": common.dataset_title(dataset), "first": first, "second": second,
        "difference": c.difference, "low": c.low, "high": c.high, "folds": c.pairs,
        "p": c.p, "corrected": c.corrected, "tests": c.tests,
    }  # fmt: skip
    return {words.PAIR_COLUMNS[name]: value for name, value in values.items()}


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


def _points(state: State, found: runs.Found, number: int) -> None:
    if state.dataset not in paper.DATASETS:
        state.dataset = "ENZYMES"
    st.segmented_control(
        common.DATASET,
        paper.DATASETS,
        format_func=common.dataset_title,
        required=True,
        **state.bind("dataset"),
    )
    dataset = state.dataset
    printed: Mapping[str, paper.Figure] = (paper.TABLE_2 if number == 2 else paper.TABLE_4)[dataset]
    titles = {
        (method, score): common.score_title(score or "") if number == 2 else common.method_title(method)
        for method, score in CELLS[number]
    }
    columns = [
        run_plots.Column(
            title,
            found.runs.accuracies(dataset, method, score),
            printed.get((score or "") if number == 2 else method),
        )
        for (method, score), title in titles.items()
    ]
    title = words.POINTS_TITLE if any(column.accuracies for column in columns) else words.POINTS_NONE
    st.markdown(f"**{fill(title, dataset=common.dataset_title(dataset))}**")
    charts.show(run_plots.points(columns, charts.theme()), f"points:{number}:{dataset}", title, charts.BESIDE)
    _behind(columns)
    compared = pairs(found.runs, dataset)
    if number == 4:
        _compared(compared, dataset)
        titles = {(m, s): runs.cell_title(f"{m}:{s or ''}") for m, s in COMPARED}
    _pairs(
        [
            pair_row(dataset, titles[first], titles[second], one)
            for (first, second), one in compared.items()
            if first in titles and second in titles
        ]
    )


def _compared(compared: Mapping[tuple[Method, Method], Comparison], dataset: str) -> None:
    """What may be said of MIVSPool and each other method: a sentence for each that has runs on the same folds."""
    st.markdown(f"**{words.COMPARED}**", help=words.COMPARED_HELP)
    sentences = [
        safe(sentence(statistics.sentence(common.method_title("mivspool"), common.method_title(other), one)))
        for other, one in with_mivspool(compared).items()
    ]
    if sentences:
        st.markdown("\n".join(f"- {text}" for text in sentences))
    else:
        st.markdown(fill(words.COMPARED_NONE, dataset=common.dataset_title(dataset)))


def _behind(columns: list[run_plots.Column]) -> None:
    rows = [
        {"": column.title, "repeat": r, "fold": f, common.POINTS_AXIS: round(value, 2)}
        for column in columns
        for (r, f), value in column.accuracies.items()
    ]
    if rows:
        with st.expander(common.TABLE_BEHIND):
            st.dataframe(pd.DataFrame(rows), hide_index=True)


def _claims(found: runs.Found) -> None:
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
                        f"- {words.VERDICTS[one.verdict][0]} {common.dataset_title(one.dataset)}: {one.sentence}"
                        for one in claim.evidence
                    )
                )


def _curves(state: State, found: runs.Found) -> None:
    kept = found.with_curves
    if not kept:
        st.info(words.CURVES_NONE)
        return
    left, middle, right = st.columns(3)
    datasets = list(dict.fromkeys(line.dataset for line in kept))
    _pick(left, state, "dataset", common.DATASET, datasets, common.dataset_title)
    own = [line for line in kept if line.dataset == state.dataset]
    cells = list(dict.fromkeys(runs.cell_of(line) for line in own))
    _pick(middle, state, "cell", words.CURVE_METHOD, cells, runs.cell_title)
    own = [line for line in own if runs.cell_of(line) == state.cell]
    places = {runs.place_of(line): line for line in own}
    _pick(right, state, "run", words.CURVE_RUN, list(places), lambda name: runs.place_title(places[name]))
    line = places[state.run]
    columns = runs.curve(line)
    title = fill(
        words.CURVE_TITLE, epochs=line.epochs, best=line.best_epoch, accuracy=100 * line.test_accuracy
    )
    st.markdown(f"**{title}**")
    if columns is None:
        st.info(words.CURVE_GONE)
        return
    run_plots.show_curves(columns, line.best_epoch, title, "results")


def _evaluations(found: runs.Found) -> None:
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
