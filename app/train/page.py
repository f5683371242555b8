"""Train: what to learn from what, how long that takes, and the jobs with their live curves."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import backend
from app.components.top import show_top
from app.state import State
from app.train import form, job_view, jobs, records, watched, words
from app.ui import charts, common, job_states
from app.ui.duration import in_words
from app.ui.texts import safe
from mivspool.content import shared
from mivspool.errors import MIVSPoolError
from mivspool.learning.runs import SETTINGS
from mivspool.messages import fill, sentence
from mivspool.pooling import METHODS, SCORES
from mivspool.service.jobs_schemas import JobDocument
from mivspool.service.schemas import DatasetDocument, Health

_MOST_TOGETHER = 4
_LISTED = 200


def page() -> None:
    """Show the page."""
    state = State.load("train")
    st.html(charts.STYLE)
    try:
        health = backend.health()
        _page(state, health)
    except MIVSPoolError as error:
        st.error(safe(sentence(error.message)), icon=":material/cloud_off:")
    state.save()


def _page(state: State, health: Health) -> None:
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.markdown(f"#### {words.TRAIN_NEW}")
        if health.training:
            backend.prepare()
            _new(state, health)
        else:
            st.info(words.TRAINING_OFF)
    with right:
        names = [name for name in state.job.split(",") if name][:_MOST_TOGETHER]
        if names:
            show_top(state.job)
        names = names or [job.id for job in backend.client().jobs(limit=1)]
        if names:
            with st.container(key="watched"):
                job_view.watch(names, state)
        else:
            st.info(words.NO_JOB_CHOSEN)
    _list(state)


# ---- a new job --------------------------------------------------------------------------------------------------


def _new(state: State, health: Health) -> None:
    offered = [one for one in backend.datasets() if one.trainable]
    _dataset(state, health, offered)
    methods = [*METHODS, "structure-blind"]
    if state.method not in methods:
        state.method = "mivspool"
    st.selectbox(
        SETTINGS["method"].label,
        methods,
        format_func=shared.method_title,
        help=SETTINGS["method"].help,
        **state.bind("method"),
    )
    if state.method in METHODS and METHODS[state.method].takes_score:
        if state.score not in SCORES:
            state.score = "multiview"
        st.selectbox(
            SETTINGS["score"].label,
            list(SCORES),
            format_func=shared.score_title,
            help=SETTINGS["score"].help,
            **state.bind("score"),
        )
    form.controls(state)
    if form.kind(state) == "train":
        watched.controls(state)
    asked = form.request(state)
    _estimate(asked, form.runs(state))
    visible = health.separate_visitors and st.checkbox(words.SHARE_JOB, key="train:shared")
    if st.button(words.START, type="primary", icon=":material/play_arrow:", key="train:start"):
        try:
            recorded = watched.request(state) if form.kind(state) == "train" else {}
            job = backend.client().submit(form.kind(state), **asked, **recorded, shared=bool(visible))
        except MIVSPoolError as error:
            st.error(safe(sentence(error.message)))
            return
        state.job = job.id
        records.forget(state)
        state.save()
        st.rerun()
    st.caption(fill(words.LEAVE, device=health.device))
    running, waiting = backend.jobs_now()
    if running or waiting:
        st.caption(fill(words.BUSY, running=running, waiting=waiting))


def _dataset(state: State, health: Health, offered: list[DatasetDocument]) -> None:
    names = {one.name: one for one in offered}
    if state.dataset not in names:
        state.dataset = "MAO" if "MAO" in names else next(iter(names))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            shared.DATASET, list(names), format_func=lambda name: _title(names[name]), **state.bind("dataset")
        )
        if health.uploads:
            _upload(state, health)


def _title(one: DatasetDocument) -> str:
    about = fill(words.DATASET_SIZE, graphs=one.graphs or 0, classes=one.classes or 0)
    kind = words.DATASET_UPLOAD if one.origin == "upload" else ""
    return f"{one.title}{kind} · {about}"


def _upload(state: State, health: Health) -> None:
    with st.popover(words.UPLOAD_SET):
        st.caption(fill(words.UPLOAD_SET_HELP, days=health.keep_uploads_days))
        file = st.file_uploader(
            words.UPLOAD_SET, type="zip", key="train:upload", label_visibility="collapsed"
        )
        if file is None or st.session_state.get("train:uploaded") == file.file_id:
            return
        st.session_state["train:uploaded"] = file.file_id
        try:
            made = backend.client().upload(file.getvalue(), file.name)
        except MIVSPoolError as error:
            st.error(safe(sentence(error.message)))
            return
        if not made.trainable:
            st.warning(words.UPLOAD_UNTRAINABLE)
            return
        backend.forget()
        state.dataset = made.name
        st.rerun()


def _estimate(asked: dict[str, Any], runs: int) -> None:
    found = jobs.estimate(asked)
    if found is None:
        st.markdown(words.NO_ESTIMATE)
        return
    st.markdown(
        fill(
            words.ESTIMATE,
            usual=in_words(found.usual * runs),
            most=in_words(found.most * runs),
            runs="" if runs == 1 else fill(words.ESTIMATE_RUNS, n=runs),
        )
    )
    about = words.ESTIMATE_SOURCES[found.source]
    st.caption(fill(about, n=found.count, epoch=f"{found.seconds_an_epoch:.2f}"))


# ---- all jobs ---------------------------------------------------------------------------------------------------


def _list(state: State) -> None:
    import pandas as pd

    st.markdown(f"#### {words.JOBS}")
    with st.container(horizontal=True, gap="small"):
        states = job_states.pills("train:states")
        kinds = st.pills(
            words.FILTER_KIND,
            list(words.KINDS_SHORT),
            selection_mode="multi",
            format_func=lambda name: words.KINDS_SHORT[name],
            key="train:kinds",
        )
        text = st.text_input(words.FILTER_TEXT, key="train:text", width=240)
    found = backend.client().jobs(states=states, kinds=kinds, limit=_LISTED)
    found = [job for job in found if text.lower() in job.title.lower()]
    if not found:
        st.caption(words.NO_JOBS)
        return
    frame = pd.DataFrame([_row(job) for job in found])
    event = st.dataframe(
        frame,
        hide_index=True,
        placeholder="",
        height=min(420, 42 + 36 * len(found)),
        key=f"train:list:{','.join(states)}:{','.join(kinds)}:{text}",
        on_select="rerun",
        selection_mode="multi-row",
        column_config={
            words.COLUMN_STARTED: st.column_config.DatetimeColumn(format="D MMM, HH:mm"),
            words.COLUMN_ACCURACY: st.column_config.NumberColumn(format="%.1f"),
        },
    )
    st.caption(fill(words.LIST_HELP, n=_MOST_TOGETHER))
    rows = event["selection"]["rows"]
    chosen = ",".join(found[row].id for row in rows[:_MOST_TOGETHER] if row < len(found))
    if chosen and chosen != st.session_state.get("train:chosen"):
        st.session_state["train:chosen"] = chosen
        st.session_state["train:going"] = {}
        state.job = chosen
        records.forget(state)
        state.save()
        st.rerun()


def _row(job: JobDocument) -> dict[str, Any]:
    import datetime

    accuracy = (job.result or {}).get("test_accuracy")
    return {
        words.COLUMN_TITLE: job.title,
        words.COLUMN_STATE: common.JOB_STATES[job.state],
        words.COLUMN_ACCURACY: None if accuracy is None else 100 * float(accuracy),
        words.COLUMN_PROGRESS: " · ".join(job_view.listed(job)),
        words.COLUMN_STARTED: datetime.datetime.fromtimestamp(job.created, datetime.UTC),
        words.COLUMN_TOOK: in_words(job.finished - job.started) if job.started and job.finished else "",
    }
