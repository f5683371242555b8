"""What visitors have uploaded: kept by the hash of its name and content for a set number of days, then deleted."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import zipfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import and_, delete, insert, or_, select, update

from mivspool.errors import DatasetError, MIVSPoolError, ReadError, UnavailableError
from mivspool.graphs.graph import Graph
from mivspool.service.database import Database
from mivspool.service.objects import Objects
from mivspool.service.quotas import check_bytes
from mivspool.service.scrub import scrub
from mivspool.service.tables import contents, now, uploads
from mivspool.service.turns import Turns
from mivspool.settings import Settings

PREFIX = "upload-"
_MOST_FAILURES = 100
_DAY = 86_400.0
_PORTION = 2**20  # bytes of a file that are in memory at once
Read = list[tuple[str, Graph | ReadError]]
Given = bytes | BinaryIO
"""A file's content, or the open file, which need not fit into memory."""
_IDENTITY = re.compile(PREFIX + r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Upload:
    """One uploaded file of one visitor; ``summary`` says what was read of it."""

    id: str
    owner: str
    name: str
    shared: bool
    created: float
    size: int
    summary: dict[str, Any]


def read_all(content: Given, name: str, settings: Settings, as_: str | None = None) -> Read:
    """Every graph of a file, in the reading ``as_``, with what it is called, or why it could not be read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _base_name(name)
        _write(content, path)
        return _read(path, settings, as_)


def _read(path: Path, settings: Settings, as_: str | None = None) -> Read:
    from mivspool.graphs.read import read_each

    return [(Path(source).name, item) for source, item in read_each(path, settings.limits, as_)]


def _write(content: Given, path: Path) -> None:
    with path.open("wb") as file:
        shutil.copyfileobj(BytesIO(content) if isinstance(content, bytes) else content, file)


class Uploads:
    """The uploads of one database."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.database, self.settings = database, settings
        self.objects = Objects(database, settings)
        self.readers = Turns(settings.limits)

    def read(self, identity: str, name: str, as_: str | None = None) -> Read:
        """The graphs of an upload, when it is its turn. Raises DatasetError, UnavailableError."""
        with self.readers.taken(), tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / _base_name(name)
            self.fetch(identity, path)
            return _read(path, self.settings, as_)

    def add(self, content: Given, name: str, owner: str, shared: bool = False) -> Upload:
        """Read a file and keep it. The same file again renews it.

        Raises ReadError when nothing can be read, LimitError when the visitor keeps too much, StorageError when all
        visitors do.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / _base_name(name)
            with self.readers.taken():  # so that no file is copied that only waits
                _write(content, path)
                summary = self._summary(path)
            return self._add(path, owner, shared, summary)

    def _add(self, path: Path, owner: str, shared: bool, summary: dict[str, Any]) -> Upload:
        identity, size = _identity(path), path.stat().st_size
        mine = and_(uploads.c.id == identity, uploads.c.owner == owner)
        there = select(contents.c.id).where(contents.c.id == identity)
        with self.database.read() as db:
            check_bytes(db, self.settings, owner, size, instead_of=identity)  # before it is put anywhere
            known = db.execute(there).one_or_none() is not None
        columns = None if known else self.objects.columns(path)
        with self.database.write() as db:
            check_bytes(db, self.settings, owner, size, instead_of=identity)
            if db.execute(there).one_or_none() is None:
                if columns is None:
                    raise UnavailableError("the same file has just been deleted: upload it again")
                db.execute(insert(contents).values(id=identity, **columns))
            values = {
                "name": path.name,
                "shared": shared,
                "created": now(),
                "size": size,
                "summary": summary,
            }
            if not db.execute(update(uploads).where(mine).values(**values)).rowcount:
                db.execute(insert(uploads).values(id=identity, owner=owner, **values))
            return Upload(**db.execute(select(uploads).where(mine)).one()._mapping)

    def all(self, owner: str) -> list[Upload]:
        """A visitor's uploads, the newest first, and those shared with everyone."""
        query = select(uploads).where(or_(uploads.c.owner == owner, uploads.c.shared))
        with self.database.read() as db:
            rows = [Upload(**row._mapping) for row in db.execute(query.order_by(uploads.c.created.desc()))]
        own = {upload.id for upload in rows if upload.owner == owner}
        return [upload for upload in rows if upload.owner == owner or upload.id not in own]

    def find(self, identity: str, owner: str) -> Upload:
        """One upload that the visitor may see. Raises DatasetError."""
        seen = or_(uploads.c.owner == owner, uploads.c.shared)
        query = select(uploads).where(uploads.c.id == identity, seen).order_by(uploads.c.owner != owner)
        row = None
        if _IDENTITY.fullmatch(identity):
            with self.database.read() as db:
                row = db.execute(query.limit(1)).one_or_none()
        if row is None:
            raise DatasetError(
                f"{identity[:60]} is not here (any more): an upload is kept for "
                f"{self.settings.keep_uploads_days} days and is visible to whoever uploaded it; upload the file again"
            )
        return Upload(**row._mapping)

    def fetch(self, identity: str, path: Path) -> None:
        """Write the uploaded file to a path. Raises DatasetError."""
        query = select(contents.c.content, contents.c.object).where(contents.c.id == identity)
        with self.database.read() as db:
            row = db.execute(query).one_or_none()
        if row is None:
            raise DatasetError(f"{identity[:60]} is not here any more: upload the file again")
        self.objects.fetch(row._mapping, path)

    def expires(self, upload: Upload) -> float:
        """When it is deleted, in seconds since 1970."""
        return upload.created + self.settings.keep_uploads_days * _DAY

    def delete(self, identity: str, owner: str) -> bool:
        """Delete a visitor's own upload; False when there is none."""
        if not _IDENTITY.fullmatch(identity):
            return False
        with self.database.write() as db:
            gone = db.execute(
                delete(uploads).where(uploads.c.id == identity, uploads.c.owner == owner)
            ).rowcount
            self._sweep(db)
            return bool(gone)

    def forget(self, owner: str) -> None:
        """Delete all uploads of a visitor."""
        with self.database.write() as db:
            db.execute(delete(uploads).where(uploads.c.owner == owner))
            self._sweep(db)

    def delete_old(self) -> int:
        """Delete the uploads past their time; how many."""
        old = uploads.c.created < now() - self.settings.keep_uploads_days * _DAY
        with self.database.read() as db:
            if db.execute(select(uploads.c.id).where(old).limit(1)).one_or_none() is None:
                return 0
        with self.database.write() as db:
            gone = db.execute(delete(uploads).where(old)).rowcount
            self._sweep(db)
            return int(gone)

    def _summary(self, path: Path) -> dict[str, Any]:
        """What is told of a file. Raises ReadError when nothing can be read."""
        found = _read(path, self.settings)
        graphs = [item for _, item in found if isinstance(item, Graph)]
        failures = [(which, item.message) for which, item in found if isinstance(item, ReadError)]
        if not graphs:
            raise (
                found[0][1]
                if found and isinstance(found[0][1], ReadError)
                else ReadError(f"{path.name} holds no graph")
            )
        return {
            "graphs": len(found),
            "failures": [
                {"source": which, "error": scrub(error)} for which, error in failures[:_MOST_FAILURES]
            ],
            "format": graphs[0].format,
            "classes": _classes(path),
        }

    @staticmethod
    def _sweep(db: Any) -> None:
        db.execute(delete(contents).where(contents.c.id.not_in(select(uploads.c.id))))


def _base_name(name: str) -> str:
    """The file's name alone, without folders or control characters, as short as a file system wants it."""
    last = "".join(c for c in re.split(r"[\\/]", name)[-1] if c.isprintable())
    short = last.encode()[-200:].decode(errors="ignore")
    return short if short.strip(". ") else "upload"


def _identity(path: Path) -> str:
    """What an upload is called: by its content and by its name, which can say how the content is to be read."""
    digest = hashlib.sha256(path.name.encode() + b"\0")
    with path.open("rb") as file:
        while part := file.read(_PORTION):
            digest.update(part)
    return PREFIX + digest.hexdigest()[:32]


def _classes(given: Path) -> int | None:
    """How many classes the graphs have, where the file is a data set in TU layout that one can train on."""
    from mivspool.graphs.datasets import load_dataset

    if not zipfile.is_zipfile(given):
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upload.zip"
        shutil.copyfile(given, path)
        try:
            return len(load_dataset(path).classes)
        except MIVSPoolError:  # a zip of something else: it can be classified, not trained on
            return None
