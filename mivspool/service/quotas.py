"""What one visitor may keep: as the settings say, or as an administrator has decided for that one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select

from mivspool.errors import LimitError, StorageError
from mivspool.service.tables import models, quotas, uploads
from mivspool.settings import Settings


@dataclass(frozen=True)
class Quota:
    """Unfinished jobs, and bytes of uploads and kept models together. None: as the settings say."""

    waiting_jobs: int | None = None
    bytes: int | None = None


def quota(db: Connection, owner: str) -> Quota:
    """What was decided for this visitor."""
    query = select(quotas.c.waiting_jobs, quotas.c.bytes).where(quotas.c.owner == owner)
    row = db.execute(query).one_or_none()
    return Quota() if row is None else Quota(*row)


def set_quota(db: Connection, owner: str, given: Quota) -> None:
    """Decide it."""
    db.execute(delete(quotas).where(quotas.c.owner == owner))
    if given != Quota():
        db.execute(insert(quotas).values(owner=owner, waiting_jobs=given.waiting_jobs, bytes=given.bytes))


def check_bytes(
    db: Connection, settings: Settings, owner: str, more: int, instead_of: str | None = None
) -> None:
    """Whether ``more`` bytes may be kept; the upload ``instead_of`` is not counted.

    Raises LimitError when this visitor has too much then, StorageError when all together have.
    """
    files = select(func.coalesce(func.sum(uploads.c.size), 0)).where(uploads.c.id != (instead_of or ""))
    kept = select(func.coalesce(func.sum(models.c.size), 0))
    own = files.where(uploads.c.owner == owner), kept.where(models.c.owner == owner)

    def used(*queries: Select[Any]) -> int:
        return sum(int(db.execute(query).scalar_one()) for query in queries)

    decided = quota(db, owner).bytes
    most = settings.visitor_bytes if decided is None else decided
    if used(*own) + more > most:
        raise LimitError(
            f"your uploads and kept models would take more than {most:,} bytes: delete some first"
        )
    if used(files, kept) + more > settings.upload_bytes:
        raise StorageError("the backend has no space left for uploads and kept models: try again later")
