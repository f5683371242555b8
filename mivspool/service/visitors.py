"""What is kept of each visitor, for whoever administers the backend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, case, func, select

from mivspool.service.quotas import Quota
from mivspool.service.states import UNFINISHED
from mivspool.service.tables import jobs, models, quotas, uploads


@dataclass
class Use:
    """One visitor."""

    owner: str
    jobs: int = 0
    unfinished: int = 0
    uploads: int = 0
    upload_bytes: int = 0
    models: int = 0
    model_bytes: int = 0
    quota: Quota = field(default_factory=Quota)

    @property
    def bytes(self) -> int:
        """Those of uploads and kept models."""
        return self.upload_bytes + self.model_bytes


def all_use(db: Connection) -> list[Use]:
    """Everybody of whom something is kept or decided, whoever keeps most first."""
    return sorted(_found(db).values(), key=lambda one: (-one.bytes, -one.jobs, one.owner))


def use_of(db: Connection, owner: str) -> Use:
    """One visitor's; nothing where nothing is kept."""
    return _found(db, owner).get(owner, Use(owner))


def _found(db: Connection, owner: str | None = None) -> dict[str, Use]:
    """Each visitor's use, or that of one, summed by the database."""
    found: dict[str, Use] = {}

    def each(table: Table, *columns: ColumnElement[Any], grouped: bool = True) -> Iterator[tuple[Use, Any]]:
        query = select(table.c.owner, *columns)
        if grouped:
            query = query.group_by(table.c.owner)
        if owner is not None:
            query = query.where(table.c.owner == owner)
        for name, *values in db.execute(query):
            yield found.setdefault(name, Use(name)), values

    unfinished = func.sum(case((jobs.c.state.in_(UNFINISHED), 1), else_=0))
    for use, (number, still) in each(jobs, func.count(), unfinished):
        use.jobs, use.unfinished = number, int(still)
    for use, (number, size) in each(uploads, func.count(), func.sum(uploads.c.size)):
        use.uploads, use.upload_bytes = number, int(size)
    for use, (number, size) in each(models, func.count(), func.sum(models.c.size)):
        use.models, use.model_bytes = number, int(size)
    for use, decided in each(quotas, quotas.c.waiting_jobs, quotas.c.bytes, grouped=False):
        use.quota = Quota(*decided)
    return found
