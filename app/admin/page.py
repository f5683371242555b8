"""Administration: the jobs and the data of all visitors, for whoever has the administrator's token."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from app import backend
from app.admin import words
from app.ui import common
from app.ui.texts import safe, sentence
from mivspool.errors import MIVSPoolError
from mivspool.messages import fill

if TYPE_CHECKING:
    from mivspool.service.administration import Administration
    from mivspool.service.jobs_schemas import AdminJob
    from mivspool.service.schemas import VisitorDocument

_MOST = 200
_TOKEN = "admin:token"  # noqa: S105 - where the session keeps it


def page() -> None:
    """Show the page."""
    token = st.session_state.get(_TOKEN)
    if token is None:
        _ask()
        return
    admin = backend.administration(token)
    try:
        jobs, visitors = admin.jobs(limit=_MOST), admin.visitors()
    except MIVSPoolError as error:
        del st.session_state[_TOKEN]
        st.error(safe(sentence(error.message)))
        _ask()
        return
    if st.button(words.LEAVE, icon=":material/logout:"):
        del st.session_state[_TOKEN]
        st.rerun()
    _jobs(admin, jobs)
    _visitors(admin, visitors)


def _ask() -> None:
    with st.form("admin:enter", width=420):
        given = st.text_input(words.ASKED, type="password", help=words.ASKED_ABOUT)
        if st.form_submit_button(words.ENTER, type="primary") and given:
            st.session_state[_TOKEN] = given
            st.rerun()


def _jobs(admin: Administration, jobs: Sequence[AdminJob]) -> None:
    st.subheader(words.JOBS)
    states = st.pills(
        words.JOBS_STATE,
        [name for name in common.JOB_STATES if name != "cancelling"],
        selection_mode="multi",
        format_func=lambda name: common.JOB_STATES[name],
        key="admin:states",
    )
    shown = [job for job in jobs if not states or job.state in states]
    if not shown:
        st.caption(words.NO_JOBS)
        return
    chosen = _chosen([_job_row(job) for job in shown], f"admin:jobs:{','.join(states)}", "multi-row")
    if len(jobs) == _MOST:
        st.caption(fill(words.JOBS_MOST, n=_MOST))
    picked = [shown[row] for row in chosen if row < len(shown)]
    if not picked:
        st.caption(words.CHOOSE)
        return
    going = [job.id for job in picked if job.state in {"queued", "running"}]
    rest = [job.id for job in picked if job.state != "running"]
    with st.container(horizontal=True):
        if going and st.button(fill(words.CANCEL, n=len(going)), icon=":material/stop:"):
            _do(lambda: _each(admin.cancel, going))
        if rest and st.button(fill(words.DELETE, n=len(rest)), icon=":material/delete:"):
            _do(lambda: _each(admin.delete_job, rest))


def _visitors(admin: Administration, visitors: Sequence[VisitorDocument]) -> None:
    st.subheader(words.VISITORS)
    st.caption(words.VISITORS_ABOUT)
    if not visitors:
        st.caption(words.NO_VISITORS)
        return
    chosen = _chosen([_visitor_row(one) for one in visitors], "admin:visitors", "single-row")
    if not chosen or chosen[0] >= len(visitors):
        st.caption(words.CHOOSE_VISITOR)
        return
    one = visitors[chosen[0]]
    st.markdown(f"`{one.visitor}`")
    with st.form(f"admin:quota:{one.visitor}", width=420):
        most_jobs = st.number_input(words.QUOTA_JOBS, min_value=0, value=one.most_waiting_jobs)
        most_bytes = st.number_input(words.QUOTA_BYTES, min_value=0, value=one.most_bytes)
        with st.container(horizontal=True):
            if st.form_submit_button(words.QUOTA):
                _do(lambda: admin.set_quota(one.visitor, int(most_jobs), int(most_bytes)))
            if st.form_submit_button(words.QUOTA_DEFAULT):
                _do(lambda: admin.set_quota(one.visitor))
    with st.popover(words.FORGET, icon=":material/delete:"):
        if st.button(words.FORGET_SURE, icon=":material/delete:"):
            _do(lambda: admin.forget(one.visitor))


def _each(do: Callable[[str], object], jobs: Sequence[str]) -> None:
    for job in jobs:
        do(job)


def _do(work: Callable[[], object]) -> None:
    try:
        work()
    except MIVSPoolError as error:
        st.error(safe(sentence(error.message)))
        return
    backend.forget()
    st.rerun()


def _chosen(rows: list[dict[str, Any]], key: str, mode: Any) -> list[int]:
    import pandas as pd

    event = st.dataframe(
        pd.DataFrame(rows), hide_index=True, placeholder="", key=key, on_select="rerun", selection_mode=mode
    )
    return list(event["selection"]["rows"])


def _job_row(job: AdminJob) -> dict[str, Any]:
    return {
        words.COLUMN_JOB: job.id,
        words.COLUMN_STATE: common.JOB_STATES["cancelling" if job.cancelling else job.state],
        words.COLUMN_TITLE: job.title,
        words.COLUMN_VISITOR: job.visitor,
        words.COLUMN_ADDRESS: job.address or "",
        words.COLUMN_CREATED: datetime.datetime.fromtimestamp(job.created, datetime.UTC),
    }


def _visitor_row(one: VisitorDocument) -> dict[str, Any]:
    return {
        words.COLUMN_VISITOR: one.visitor,
        words.COLUMN_JOBS: one.jobs,
        words.COLUMN_UNFINISHED: one.unfinished_jobs,
        words.COLUMN_MOST_UNFINISHED: one.most_waiting_jobs,
        words.COLUMN_UPLOADS: one.uploads,
        words.COLUMN_MODELS: one.models,
        words.COLUMN_BYTES: one.bytes,
        words.COLUMN_MOST_BYTES: one.most_bytes,
    }
