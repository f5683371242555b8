"""Administration: the jobs and the data of all visitors, for whoever has the administrator's token."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from app import backend
from app.admin import words
from app.ui import common, job_states, tables
from app.ui.texts import safe
from mivspool.errors import AccessError, MIVSPoolError
from mivspool.messages import fill, sentence
from mivspool.service.states import RUNNING, UNFINISHED

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
        visitors = admin.visitors()
    except AccessError as error:
        del st.session_state[_TOKEN]
        _say(error)
        _ask()
        return
    except MIVSPoolError as error:  # it may answer again
        _say(error)
        visitors = None
    if st.button(words.LEAVE, icon=":material/logout:"):
        del st.session_state[_TOKEN]
        st.rerun()
    if visitors is None:
        return
    _jobs(admin)
    _visitors(admin, visitors)


def _ask() -> None:
    with st.form("admin:enter", width=420):
        given = st.text_input(words.ASKED, type="password", help=words.ASKED_ABOUT)
        if st.form_submit_button(words.ENTER, type="primary") and given:
            st.session_state[_TOKEN] = given
            st.rerun()


def _jobs(admin: Administration) -> None:
    st.subheader(words.JOBS)
    states = job_states.pills("admin:states")
    try:
        jobs = admin.jobs(states=states, limit=_MOST)
    except MIVSPoolError as error:
        _say(error)
        return
    if not jobs:
        st.caption(words.NO_JOBS)
        return
    chosen = _chosen({job.id: _job_row(job) for job in jobs}, "admin:jobs", "multi-row")
    if len(jobs) == _MOST:
        st.caption(fill(words.JOBS_MOST, n=_MOST))
    picked = [job for job in jobs if job.id in chosen]
    if not picked:
        st.caption(words.CHOOSE)
        return
    going = [job.id for job in picked if job.state in UNFINISHED]
    rest = [job.id for job in picked if job.state != RUNNING]
    with st.container(horizontal=True):
        _button(words.CANCEL, ":material/stop:", admin.cancel, going)
        _button(words.DELETE, ":material/delete:", admin.delete_job, rest)


def _button(label: str, icon: str, do: Callable[[str], object], jobs: Sequence[str]) -> None:
    """A button that does something to these jobs, and is another one for any others."""
    key = f"admin:{label}:{','.join(jobs)}"
    if jobs and st.button(fill(label, n=len(jobs)), icon=icon, key=key):
        _do(lambda: [do(job) for job in jobs])


def _visitors(admin: Administration, visitors: Sequence[VisitorDocument]) -> None:
    st.subheader(words.VISITORS)
    st.caption(words.VISITORS_ABOUT)
    if not visitors:
        st.caption(words.NO_VISITORS)
        return
    chosen = _chosen({one.visitor: _visitor_row(one) for one in visitors}, "admin:visitors", "single-row")
    one = next((one for one in visitors if one.visitor in chosen), None)
    if one is None:
        st.caption(words.CHOOSE_VISITOR)
        return
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
        if st.button(words.FORGET_SURE, icon=":material/delete:", key=f"admin:forget:{one.visitor}"):
            _do(lambda: admin.forget(one.visitor))


def _do(work: Callable[[], object]) -> None:
    try:
        work()
    except MIVSPoolError as error:
        _say(error)
        return
    backend.forget()
    st.rerun()


def _say(error: MIVSPoolError) -> None:
    st.error(safe(sentence(error.message)))


def _chosen(rows: Mapping[str, Mapping[str, Any]], key: str, mode: Any) -> list[str]:
    """Which rows are selected, by what they are about: they stay selected where the list changes."""
    names, picked = list(rows), f"{key}:picked"
    before: list[str] = st.session_state.get(picked, [])
    event = st.dataframe(
        tables.frame(list(rows.values())),
        hide_index=True,
        placeholder="",
        key=f"{key}:{hash(tuple(names))}",  # a place in another list is another row
        on_select="rerun",
        selection_mode=mode,
        selection_default={"selection": {"rows": [i for i, name in enumerate(names) if name in before]}},
    )
    chosen = [names[row] for row in event["selection"]["rows"]]
    st.session_state[picked] = chosen
    return chosen


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
