"""Whose turn it is: addresses take turns, and within an address its visitors, however many jobs each has submitted.

A visitor's name is chosen by the visitor, so that anybody can have many; an address stands for a class as well as for
one person. So both count. Each job is given a number of each kind when it is submitted (start-time fair queueing): one
more than its address, or visitor, was given last, and at least that of the jobs that are at their turn now. The lowest
number comes first. A number of an address belongs to whichever of its visitors is next.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, select, true, update
from sqlalchemy.sql.functions import coalesce

from mivspool.service.states import QUEUED, RUNNING, UNFINISHED
from mivspool.service.tables import jobs

_address = coalesce(jobs.c.address, "")  # within one process there are visitors and no address
_ORDER = {
    "address": (jobs.c.address_turn, jobs.c.created, jobs.c.id),
    "visitor": (jobs.c.visitor_turn, jobs.c.created, jobs.c.id),
}


def turns(db: Connection, address: str | None, owner: str) -> dict[str, int]:
    """The numbers of a job that is submitted now, as columns of its row."""
    here = _address == (address or "")
    return {
        "address_turn": _next(db, jobs.c.address_turn, here, true()),
        "visitor_turn": _next(db, jobs.c.visitor_turn, and_(here, jobs.c.owner == owner), here),
    }


def _next(db: Connection, turn: Any, own: Any, others: Any) -> int:
    def ask(what: Any, *where: Any) -> int:
        return int(db.execute(select(coalesce(what, 0)).select_from(jobs).where(*where)).scalar_one())

    unfinished = jobs.c.state.in_(UNFINISHED)
    last = ask(func.max(turn), unfinished, own)
    at_their_turn = max(
        ask(func.max(turn), jobs.c.state == RUNNING, others),
        ask(func.min(turn) - 1, jobs.c.state == QUEUED, others),
    )
    return max(last, at_their_turn) + 1


def next_job(db: Connection, waiting: ColumnElement[bool]) -> str | None:
    """The job whose turn it is among those that are ``waiting``; its row is held until the transaction ends."""
    first = db.execute(
        select(jobs.c.id, jobs.c.address_turn, _address.label("group"))
        .where(waiting)
        .order_by(*_ORDER["address"])
        .limit(1)
        .with_for_update(skip_locked=True)
    ).one_or_none()
    if first is None:
        return None
    chosen = db.execute(
        select(jobs.c.id, jobs.c.address_turn)
        .where(waiting, _address == first.group)
        .order_by(*_ORDER["visitor"])
        .limit(1)
        .with_for_update(skip_locked=True)
    ).one()
    for one, other in ((first, chosen), (chosen, first)):
        if one.id != other.id:
            db.execute(update(jobs).where(jobs.c.id == one.id).values(address_turn=other.address_turn))
    return str(chosen.id)


def places(db: Connection) -> dict[str, int]:
    """The place of each job that waits: 1 is next."""
    rows = db.execute(
        select(
            jobs.c.id, jobs.c.created, jobs.c.address_turn, jobs.c.visitor_turn, _address.label("group")
        ).where(jobs.c.state == QUEUED)
    ).all()
    at: dict[str, list[Any]] = defaultdict(list)
    for row in rows:
        at[row.group].append(row)
    slots = []
    for some in at.values():
        numbers = sorted((row.address_turn, row.created, row.id) for row in some)
        chosen = sorted(some, key=lambda row: (row.visitor_turn, row.created, row.id))
        slots += [(number, row.id) for number, row in zip(numbers, chosen, strict=True)]
    return {job: i + 1 for i, (_, job) in enumerate(sorted(slots))}
