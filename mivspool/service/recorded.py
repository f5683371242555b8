"""The record of a job's run in the database: its head and portions of its epochs, of which a watcher needs the last."""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from mivspool.service.store import Claim, Job, Store

if TYPE_CHECKING:
    from mivspool.learning.record import Record

_PORTION = 64  # epochs
_HEAD = "record"
_PREFIX = "record:"


def save(store: Store, claim: Claim, record: Record) -> None:
    """Write what has changed since the last time. Raises Lost."""
    if record.changed >= len(record.entries):
        return
    begin = record.changed - record.changed % _PORTION
    parts = {
        _name(record.entries[place]["epoch"]): _encoded(record.entries[place : place + _PORTION])
        for place in range(begin, len(record.entries), _PORTION)
    }
    first = _name(record.entries[begin - 1]["epoch"] + 1 if begin else 0)
    if begin == 0:
        head = {"classes": record.classes, "graphs": record.graphs, "every": record.every}
        parts[_HEAD] = _encoded(head)
    store.save_record(claim, _PREFIX, parts, first)
    record.changed = len(record.entries)


def load(store: Store, job: Job, after: int) -> dict[str, Any]:
    """The epochs after a number, as a ``RecordDocument``; without graphs where nothing was recorded."""
    names = store.names(job.id, _PREFIX)
    head = store.load(job.id, _HEAD)
    known = {"classes": [], "graphs": [], "every": 1} if head is None else json.loads(head)
    entries: list[dict[str, Any]] = []
    for name in names[max(bisect_right(names, _name(after)) - 1, 0) :]:
        content = store.load(job.id, name)
        if content is None:  # the record was thinned out meanwhile: the next look finds it
            break
        entries += [entry for entry in json.loads(content) if entry["epoch"] > after]
    last = entries[-1]["epoch"] if entries else after
    return {"attempt": job.attempt, **known, "entries": entries, "last": last, "state": job.state}


def _name(epoch: int) -> str:
    return f"{_PREFIX}{max(epoch, 0):09d}"


def _encoded(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
