"""One or several jobs on the page: state, progress, live curves, and what can be done with them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from app import backend
from app.components.record import Place
from app.navigation import open_page
from app.state import State
from app.train import jobs, records, words
from app.ui import charts, class_plots, common, run_plots, tables
from app.ui.duration import in_words
from app.ui.texts import for_plotly, safe
from mivspool.content import shared
from mivspool.errors import JobError, MIVSPoolError
from mivspool.graphs.classes import class_names, class_title
from mivspool.learning.runs import SETTINGS
from mivspool.messages import fill, sentence
from mivspool.service.jobs_schemas import Confusion, JobDocument
from mivspool.service.states import DONE, QUEUED, RUNNING, UNFINISHED

if TYPE_CHECKING:
    import pandas as pd

_EVERY = 0.5  # seconds between two looks at a running job
_LISTED = "train:unfinished"  # state and runs of each job that is not finished, at the last look
_TRIES = 60  # looks at a job of a backend that does not answer


def watch(names: Sequence[str], state: State) -> None:
    """The jobs with these ids, a record at the place of the link.

    They are looked at again as long as one of them, or another that is listed, goes on.
    One that is gone is finished, and so is one of a backend that has not answered for ``_TRIES`` looks.
    """
    going = st.session_state.get("train:going", {})
    st.session_state[_LISTED] = unfinished = _unfinished()  # what this run of the page lists
    live = any(going.get(name, True) for name in names) or bool(unfinished)
    starts = records.begin(state, list(names))
    st.fragment(_poll, run_every=_EVERY if live else None)(list(names), state, starts)


def _poll(names: list[str], state: State, starts: Mapping[str, Place]) -> None:
    found: list[JobDocument] = []
    before = st.session_state.get("train:going", {})
    now: dict[str, bool] = {}
    missed: dict[str, int] = st.session_state.setdefault("train:missed", {})
    for name in names:
        try:
            job = backend.client().job(name)
        except MIVSPoolError as error:
            st.warning(safe(sentence(error.message)))
            missed[name] = missed.get(name, 0) + 1
            now[name] = not isinstance(error, JobError) and missed[name] < _TRIES
        else:
            found.append(job)
            missed.pop(name, None)
            now[name] = not jobs.finished(job)
    st.session_state["train:going"] = now
    try:
        if len(found) > 1:
            _several(found)
        elif found:
            _one(found[0], state, starts[found[0].id])
    except MIVSPoolError as error:
        st.warning(safe(sentence(error.message)))
    listed = st.session_state[_LISTED]
    st.session_state[_LISTED] = unfinished = _unfinished()
    ended = any(before.get(name, True) != going for name, going in now.items())
    if ended or listed != unfinished:
        st.rerun()  # what has ended is no longer looked at, what came back is, and the list shows it


def _unfinished() -> dict[str, list[str]]:
    """What the list says of each job that is not finished; none while the backend is away."""
    try:
        found = backend.client().jobs(states=UNFINISHED)
    except MIVSPoolError:
        return {}
    return {job.id: [job.state, *listed(job)] for job in found}


# ---- one job ----------------------------------------------------------------------------------------------------


def _one(job: JobDocument, state: State, start: Place) -> None:
    st.markdown(f"#### {safe(job.title)}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="job-state"):
        st.markdown(_state(job), width="content")
        _buttons(job)
    if job.state in UNFINISHED:
        _progress(job)
    if job.error:
        st.error(safe(job.error))
    curve = jobs.curve(job.id)
    if job.kind == "evaluate":
        _runs(job)
    record = records.known(job) if job.kind == "train" else None
    if record is not None:
        records.show(job, record, curve, state, start)
        if curve is not None:
            run_plots.show_numbers(curve.columns)
    elif curve is not None:
        if job.kind == "evaluate":
            st.caption(fill(words.RUN_SHOWN, run=curve.run))
        run_plots.show_curves(curve.columns, curve.best, job.title, f"job:{job.id}")
    if job.state == DONE:
        _result(job, state)
    with st.expander(words.DETAILS):
        st.json({name: value for name, value in job.request.items() if value is not None}, expanded=True)
        if st.button(words.SHOW_LOG, key=f"log:{job.id}"):
            st.code(backend.client().log(job.id) or words.LOG_EMPTY, language=None)


def _state(job: JobDocument) -> str:
    name = "cancelling" if job.cancelling else job.state
    parts = [f"**{common.JOB_STATES[name]}**"]
    if job.started and job.finished:
        parts.append(fill(words.TOOK, time=in_words(job.finished - job.started)))
    elif job.state == QUEUED:
        if job.place is not None:
            parts.append(fill(words.PLACE, n=job.place) if job.place > 1 else words.NEXT)
        if job.expected_start:
            parts.append(fill(words.STARTS_IN, time=in_words(job.expected_start)))
        parts.append(fill(words.QUEUED_SINCE, time=in_words(time.time() - job.created)))
    if job.attempt > 1:
        parts.append(fill(words.ATTEMPT, n=job.attempt))
    return " · ".join(parts)


def _progress(job: JobDocument) -> None:
    progress = job.progress
    total, done = max(progress.runs_total, 1), progress.runs_done
    share = done / total
    if progress.epoch is not None and progress.max_epochs:
        share += progress.epoch / progress.max_epochs / total
    st.progress(min(share, 1.0), " · ".join(goes_on(job)))


def goes_on(job: JobDocument) -> list[str]:
    """What is said of a job that is not finished: runs and epochs, the time left, or that it has yet to begin."""
    text = how_far(job)
    if job.progress.seconds_left is not None:
        text.append(fill(words.LEFT, time=in_words(job.progress.seconds_left)))
    return text or ([words.PREPARING] if job.state == RUNNING else [])


def how_far(job: JobDocument, *, epochs: bool = True) -> list[str]:
    """Runs and epochs that are done, in words."""
    progress = job.progress
    text = []
    if progress.runs_total > 1:
        text.append(fill(words.RUNS_DONE, done=progress.runs_done, total=progress.runs_total))
    if epochs and progress.epoch is not None and progress.max_epochs:
        text.append(fill(words.EPOCH, epoch=progress.epoch, most=progress.max_epochs))
    return text


def listed(job: JobDocument) -> list[str]:
    """What the list says of a job's progress: of one that runs the finished runs alone, for epochs pass too fast."""
    if job.state == DONE:
        return []
    return how_far(job, epochs=job.state not in UNFINISHED)


def _buttons(job: JobDocument) -> None:
    if not job.mine:
        return
    client = backend.client()
    if job.state in UNFINISHED and not job.cancelling:
        _action(job, words.CANCEL, "stop", lambda: client.cancel(job.id))
    if job.resumable:
        _action(job, words.RESUME, "play_arrow", lambda: client.resume(job.id))
    if job.state != RUNNING:
        with st.popover(words.DELETE, icon=":material/delete:"):
            _action(job, words.DELETE_SURE, "delete", lambda: client.delete_job(job.id))


def _action(job: JobDocument, label: str, icon: str, do: Any) -> None:
    if st.button(label, icon=f":material/{icon}:", key=f"{label}:{job.id}"):
        try:
            do()
        except MIVSPoolError as error:
            st.warning(safe(sentence(error.message)))
            return
        st.session_state["train:going"] = {}
        st.rerun()


def _runs(job: JobDocument) -> None:
    """The finished runs of an evaluation, as points by fold."""
    lines = backend.client().runs(job.id)
    tested = [line for line in lines if line.get("test_accuracy") is not None]
    if tested:
        figure = run_plots.folds(
            [(int(line["repeat"]), int(line["fold"]), float(line["test_accuracy"])) for line in tested],
            charts.theme(),
        )
        charts.show(figure, f"runs:{job.id}", words.RUNS_TITLE, tables.frame(run_rows(tested)))


def run_rows(tested: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The numbers behind that chart; repeats and folds count from 0, as in the settings and in ``results/``."""
    return [
        {
            "repeat": line["repeat"],
            "fold": line["fold"],
            shared.POINTS_AXIS: round(100 * float(line["test_accuracy"]), 2),
        }
        for line in tested
    ]


def _result(job: JobDocument, state: State) -> None:
    result = job.result or {}
    accuracy = result.get("test_accuracy")
    if accuracy is not None:
        found = backend.client().confusion(job.id)
        st.markdown(tested(result, found))
        names = class_names(str(job.request.get("dataset")), found.classes)
        titles = [class_title(label, names) for label in found.classes]
        left, right = st.columns([3, 2])
        with left:
            st.markdown(f"**{fill(words.CONFUSION, runs=found.runs)}**")
            charts.show(
                class_plots.confusion(titles, found.matrix, charts.theme()),
                f"confusion:{job.id}",
                fill(words.CONFUSION, runs=found.runs),
                tables.frame(
                    [
                        {common.CONFUSION_TRUE: true, **dict(zip(titles, counts, strict=True))}
                        for true, counts in zip(titles, found.matrix, strict=True)
                    ]
                ),
            )
        if job.kind == "train" and job.mine:
            with right:
                _keep(job, state)
    elif job.kind == "train" and job.mine:
        _keep(job, state)


def tested(result: Mapping[str, Any], found: Confusion) -> str:
    """The accuracy of a job in words: of one run the share of its test graphs, of several also the mean over runs."""
    n = sum(map(sum, found.matrix))
    if found.runs == 1:
        return fill(words.TESTED, accuracy=100 * float(result["test_accuracy"]), n=n)
    correct = sum(row[i] for i, row in enumerate(found.matrix))
    spread = result.get("test_accuracy_std")
    return fill(
        words.TESTED_RUNS,
        accuracy=100 * float(result["test_accuracy"]),
        runs=found.runs,
        spread="" if spread is None else fill(words.TESTED_SPREAD, std=100 * float(spread)),
        share=100 * correct / n,
        n=n,
    )


def _keep(job: JobDocument, state: State) -> None:
    """Keep what was learned as a model, which Classify then offers."""
    kept = next((model for model in backend.models() if model.job == job.id), None)
    if kept is not None:
        st.success(fill(words.SAVED, name=kept.name))
        if st.button(words.CLASSIFY_WITH, icon=":material/arrow_forward:", key=f"classify:{job.id}"):
            state.of("classify").model = kept.name
            open_page("classify")
        return
    with st.form(f"keep:{job.id}"):
        name = st.text_input(
            words.SAVE_NAME,
            value=f"my-{str(job.request.get('dataset', 'model')).lower()[:20]}",
            help=words.SAVE_HELP,
        )
        visible = backend.health().separate_visitors and st.checkbox(words.SAVE_SHARED)
        if st.form_submit_button(words.SAVE, type="primary"):
            try:
                backend.client().keep_model(job.id, name, shared=bool(visible))
            except MIVSPoolError as error:
                st.warning(safe(sentence(error.message)))
                return
            backend.forget()
            st.rerun()


# ---- several ----------------------------------------------------------------------------------------------------


def _several(found: Sequence[JobDocument]) -> None:
    """Side by side: the validation curves in one picture, and in what the jobs differ."""
    import pandas as pd

    st.markdown(f"#### {fill(words.COMPARING, n=len(found))}")
    curves = {}
    for number, job in enumerate(found, start=1):
        curve = jobs.curve(job.id)
        if curve is not None:
            curves[_name(number, job, found)] = curve.columns
    left, right = st.columns(2)
    for column, what, title in (
        (left, "val_loss", words.VALIDATION_LOSS),
        (right, "val_accuracy", words.VALIDATION_ACCURACY),
    ):
        with column:
            st.markdown(f"**{title}**")
            figure = run_plots.together(curves, what, charts.theme())
            charts.show(figure, f"together:{what}", title, _epochs(curves, what))
    st.dataframe(
        pd.DataFrame([_line(number, job, found) for number, job in enumerate(found, start=1)]),
        hide_index=True,
        placeholder="",
    )


def _epochs(curves: Mapping[str, Mapping[str, Sequence[float]]], what: str) -> pd.DataFrame:
    """One row per epoch, one column per job; a job that stopped earlier has no entry there."""
    columns = {name: list(curve.get(what, ())) for name, curve in curves.items()}
    epochs = max(map(len, columns.values()), default=0)
    filled = {name: [*values, *[None] * (epochs - len(values))] for name, values in columns.items()}
    return tables.frame({shared.CURVE_EPOCH: range(1, epochs + 1), **filled})


def _differing(found: Sequence[JobDocument]) -> list[str]:
    """The settings in which the jobs differ."""
    return [
        name
        for name in dict.fromkeys(name for job in found for name in job.request)
        if name not in {"kind", "shared"} and len({str(other.request.get(name)) for other in found}) > 1
    ]


def _name(number: int, job: JobDocument, found: Sequence[JobDocument]) -> str:
    """A job by what distinguishes it from the others beside it."""
    parts = [
        f"{SETTINGS[name].label}: {SETTINGS[name].show(job.request.get(name))}"
        for name in _differing(found)
        if name in SETTINGS
    ]
    return " · ".join([str(number), *map(for_plotly, parts)])


def _line(number: int, job: JobDocument, found: Sequence[JobDocument]) -> dict[str, Any]:
    names = _differing(found)
    accuracy = (job.result or {}).get("test_accuracy")
    return {
        words.COLUMN_NUMBER: number,
        words.COLUMN_STATE: common.JOB_STATES[job.state],
        **{name: str(job.request.get(name)) for name in names},
        words.COLUMN_ACCURACY: None if accuracy is None else round(100 * float(accuracy), 1),
        words.COLUMN_TITLE: job.title,
    }
