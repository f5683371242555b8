"""The record of a job on the Train page: read on from where this session stopped, and shown beside its curves."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from app import backend
from app.components.record import Place, document, drawn, place_of, record_view
from app.state import State
from app.train import jobs, words
from mivspool.learning.runs import MOST_WATCHED, MOST_WATCHED_VERTICES
from mivspool.messages import fill
from mivspool.service.jobs_schemas import JobDocument

_KEPT = "train:records"
_STARTS = "train:record-starts"
_MOST_KEPT = 4
_SMALL = (
    400_000  # bytes that are sent to the browser at every look; a longer record, when it has grown by a tenth
)
_GROWN = 1.1


@dataclass
class Known:
    """What this session has read of a record. ``size``: bytes, about; ``shown``: how many entries the browser has."""

    attempt: int
    classes: list[str] = field(default_factory=list)
    graphs: list[dict[str, Any]] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)
    last: int = -1
    every: int = 1
    size: int = 0
    shown: int = 0

    def add(self, answer: dict[str, Any]) -> None:
        """The epochs of an answer (``RecordDocument``) after those that are known."""
        if answer["graphs"] and not self.graphs:
            self.graphs = [drawn(graph, answer["classes"]) for graph in answer["graphs"]]
        self.classes = answer["classes"]
        self.entries += answer["entries"]
        self.last, self.every = answer["last"], answer["every"]
        self.size += len(json.dumps(answer["entries"])) if answer["entries"] else 0

    def due(self, running: bool) -> list[dict[str, Any]]:
        """The entries for the browser: all, but of a long record that goes on, those it has until there are more."""
        whole = len(self.entries)
        if not running or self.size < _SMALL or whole >= _GROWN * self.shown:
            self.shown = whole
        return self.entries[: self.shown]


def known(job: JobDocument) -> Known | None:
    """The record of a training so far; None where it has none, or none yet. Raises a MIVSPoolError."""
    kept: dict[str, Known] = st.session_state.setdefault(_KEPT, {})
    own = kept.pop(job.id, None)
    if own is None or own.attempt != job.attempt:
        own = Known(job.attempt)
    answer = backend.client().record(job.id, own.last)
    if answer["attempt"] != own.attempt:
        own = Known(answer["attempt"])
        answer = backend.client().record(job.id, own.last)
    own.add(answer)
    kept[job.id] = own
    while len(kept) > _MOST_KEPT:
        del kept[next(iter(kept))]
    pools = own.entries and own.entries[0]["graphs"] and own.entries[0]["graphs"][0].get("levels")
    return own if pools else None


def begin(state: State, names: list[str]) -> dict[str, Place]:
    """Where each record begins: where the link says, and again when Back or Forward names another place."""
    starts: dict[str, Place] = st.session_state.setdefault(_STARTS, {})
    for name in names:
        linked = Place(state.epoch, state.watched, state.level)
        if name not in starts or state.opened:
            starts[name] = linked
    return starts


def show(job: JobDocument, own: Known, curve: jobs.Curve | None, state: State, start: Place) -> None:
    """The record, with the curves of its run."""
    key = f"record:{job.id}"
    running = not jobs.finished(job)
    record_view(
        document(
            graphs=own.graphs,
            entries=own.due(running),
            classes=own.classes,
            dataset=str(job.request.get("dataset")),
            method=str(job.request.get("method")),
            curves={name: [] for name in jobs.CURVES} if curve is None else curve.columns,
            best=None if curve is None else curve.best,
            running=running,
        ),
        job=job.id,
        key=key,
        start=start,
        on_place=lambda: _rested(state, key, job.id),
    )
    for sentence in left_out(own, job.request.get("watch") is None):
        st.caption(sentence)


def left_out(own: Known, chosen: bool) -> list[str]:
    """What a record does not hold, in sentences; ``chosen``: its graphs are those that are chosen by default."""
    missing = len(set(own.classes) - {graph["label"] for graph in own.graphs}) if chosen else 0
    found = (
        [fill(words.RECORD_MISSING, n=missing, most=MOST_WATCHED, vertices=MOST_WATCHED_VERTICES)]
        if missing
        else []
    )
    return found + ([fill(words.RECORD_EVERY, n=own.every)] if own.every > 1 else [])


def _rested(state: State, key: str, job: str) -> None:
    place = place_of(key, job)
    if place is not None:
        st.session_state[_STARTS][job] = place  # where it goes on when it is left and comes back
        state.epoch, state.watched, state.level = place.epoch, place.graph, place.level
        state.save()


def forget(state: State) -> None:
    """Another job is looked at: its record begins anew."""
    state.epoch, state.watched, state.level = -1, 0, 0
