"""What is kept of each visitor, for whoever administers the backend."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Select, Table, case, func, select

from mivspool.service.quotas import Quota
from mivspool.service.states import UNFINISHED
from mivspool.service.tables import jobs, models, quotas, uploads


@dataclass
class Use:
    """One visitor; ``bytes`` are those of uploads and kept models."""

    owner: str
    jobs: int = 0
    unfinished: int = 0
    uploads: int = 0
    models: int = 0
    bytes: int = 0
    quota: Quota = field(default_factory=Quota)


def all_use(db: Connection) -> list[Use]:
    """Everybody of whom something is kept or decided, whoever keeps most first."""
    return sorted(_found(db).values(), key=lambda one: (-one.bytes, -one.jobs, one.owner))


def use_of(db: Connection, owner: str) -> Use:
    """One visitor's; nothing where nothing is kept."""
    return _found(db).get(owner, Use(owner))


def _found(db: Connection) -> dict[str, Use]:
    found: dict[str, Use] = {}

    def of(owner: str) -> Use:
        return found.setdefault(owner, Use(owner))

    unfinished = func.sum(case((jobs.c.state.in_(UNFINISHED), 1), else_=0))
    for owner, number, still in db.execute(
        select(jobs.c.owner, func.count(), unfinished).group_by(jobs.c.owner)
    ):
        of(owner).jobs, of(owner).unfinished = number, int(still)
    for owner, number, size in db.execute(_sizes(uploads)):
        of(owner).uploads, of(owner).bytes = number, of(owner).bytes + int(size)
    for owner, number, size in db.execute(_sizes(models)):
        of(owner).models, of(owner).bytes = number, of(owner).bytes + int(size)
    for owner, waiting_jobs, size in db.execute(
        select(quotas.c.owner, quotas.c.waiting_jobs, quotas.c.bytes)
    ):
        of(owner).quota = Quota(waiting_jobs, size)
    return found


def _sizes(table: Table) -> Select[Any]:
    return select(table.c.owner, func.count(), func.sum(table.c.size)).group_by(table.c.owner)
