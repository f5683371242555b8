"""Where large contents lie: in their rows of the database, or as objects of a store that every backend reaches.

``MIVSPOOL_STORE_URL`` names the store as fsspec does: a folder (``file:///srv/mivspool``), or a bucket
(``s3://bucket/folder``). A row then holds the object's key instead of the content. An object is written once, before
the row that names it, and never changed: so a row that can be read names an object that is whole. One that no row has
named for ``GRACE_SECONDS`` is deleted by ``sweep``; until then, whoever has just read the row can still read it.
"""

from __future__ import annotations

import logging
import os
import secrets
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import and_, delete, insert, or_, select, union_all, update

from mivspool.errors import BackendError, StorageError, UnavailableError, is_full
from mivspool.service.database import Database
from mivspool.service.scrub import in_full
from mivspool.service.tables import contents, files, models, now, objects
from mivspool.settings import Settings, private_folder

log = logging.getLogger(__name__)

GRACE_SECONDS = 3600.0  # more than a worker waits for its database, and than a backup takes
REACH_SECONDS = 5.0
SWEEP_SECONDS = 10.0  # of one sweep: jobs wait for it
_PORTION = 1000  # keys in one statement
Content = bytes | Path
_HOLDERS = (files, contents, models)  # what has columns ``content`` and ``object``


class Objects:
    """``columns`` makes the values of a new row's columns, ``read`` and ``fetch`` give back what a row holds."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database, self._url = database, settings.store_url
        self._fs: Any = None
        self._root = ""
        self._checking = threading.Lock()
        self._probe: _Probe | None = None
        if self._url:
            self._fs, self._root = _opened(self._url)
            self._local = _is_local(self._fs)

    def check(self) -> None:
        """Write an object and delete it. Raises BackendError where that cannot be done within seconds."""
        if self._fs is None:
            return
        with self._checking:
            if self._probe is None or not self._probe.is_alive():
                self._probe = _Probe(self._fs, f"{self._root}/probe")
                self._probe.start()
            probe = self._probe  # one that hangs is waited for again, and not joined by another
        probe.join(REACH_SECONDS)
        reason = f"no answer within {REACH_SECONDS:.0f} s" if probe.is_alive() else probe.failed
        if reason:
            raise BackendError(f"MIVSPOOL_STORE_URL names a store that cannot be used: {reason}")

    def columns(self, content: Content) -> dict[str, Any]:
        """The columns that hold a content, from memory or from a file. Raises UnavailableError, StorageError."""
        if self._fs is None:
            return {
                "content": content if isinstance(content, bytes) else content.read_bytes(),
                "object": None,
            }
        key = secrets.token_hex(16)
        with self._database.write() as db:  # first, so that it can be deleted whatever happens to its row
            db.execute(insert(objects).values(key=key, unused_since=now()))
        with _reachable():
            if self._local:  # readable by its own account alone, from the beginning
                private_folder(Path(self._path(key)).parent)
                os.close(os.open(self._path(key), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            if isinstance(content, bytes):
                self._fs.pipe_file(self._path(key), content)
            else:
                self._fs.put_file(str(content), self._path(key))
        return {"content": b"", "object": key}

    def read(self, row: Mapping[Any, Any]) -> bytes:
        """The content of a row with both columns. Raises UnavailableError."""
        if row["object"] is None:
            return bytes(row["content"])
        fs = self._needed()
        with _reachable():
            return bytes(fs.cat_file(self._path(row["object"])))

    def fetch(self, row: Mapping[Any, Any], path: Path) -> None:
        """Write the content of a row to a file. Raises UnavailableError."""
        if row["object"] is None:
            path.write_bytes(row["content"])
            return
        fs = self._needed()
        with _reachable():
            fs.get_file(self._path(row["object"]), str(path))

    def sweep(self) -> int:
        """Delete the objects that no row has named for ``GRACE_SECONDS``; how many.

        One that cannot be deleted is tried again after as long, so that it is in nobody's way.
        """
        if self._fs is None:
            return 0
        held = union_all(*(select(one.c.object).where(one.c.object.is_not(None)) for one in _HOLDERS))
        new = and_(objects.c.unused_since.is_(None), objects.c.key.not_in(held))
        used = and_(objects.c.unused_since.is_not(None), objects.c.key.in_(held))
        old = and_(objects.c.unused_since <= now() - GRACE_SECONDS, objects.c.key.not_in(held))
        with self._database.read() as db:  # a look without a lock: mostly there is nothing to do
            if db.execute(select(objects.c.key).where(or_(new, used, old)).limit(1)).one_or_none() is None:
                return 0
        with self._database.write() as db:
            db.execute(update(objects).where(new).values(unused_since=now()))
            db.execute(update(objects).where(used).values(unused_since=None))
            oldest = select(objects.c.key).where(old).order_by(objects.c.unused_since)
            keys = list(db.execute(oldest).scalars())
        gone, left = self._removed(keys)
        for some, do in ((gone, delete(objects)), (left, update(objects).values(unused_since=now()))):
            for start in range(0, len(some), _PORTION):  # a statement has so many places for values
                with self._database.write() as db:
                    db.execute(do.where(objects.c.key.in_(some[start : start + _PORTION])))
        return len(gone)

    def _removed(self, keys: Sequence[str]) -> tuple[list[str], list[str]]:
        """Which of these were deleted, and which could not be, as far as ``SWEEP_SECONDS`` go."""
        gone: list[str] = []
        left: list[str] = []
        end = time.monotonic() + SWEEP_SECONDS
        for key in keys:
            try:
                with _reachable(), suppress(FileNotFoundError):
                    self._fs.rm_file(self._path(key))
                gone.append(key)
            except UnavailableError as error:
                if not left:
                    log.warning("an object cannot be deleted and is tried again later: %s", in_full(error))
                left.append(key)
            if time.monotonic() > end:
                break
        return gone, left

    def _path(self, key: str) -> str:
        """In folders of two letters: a folder of a hundred thousand files is slow."""
        return f"{self._root}/{key[:2]}/{key}"

    def _needed(self) -> Any:
        if self._fs is None:
            raise UnavailableError("this content is in an object store: set MIVSPOOL_STORE_URL to that store")
        return self._fs


class _Probe(threading.Thread):
    """One try to write an object and delete it: its driver may go on trying for minutes."""

    def __init__(self, fs: Any, path: str) -> None:
        super().__init__(name="mivspool-objects", daemon=True)
        self._fs, self._path = fs, path
        self.failed = ""

    def run(self) -> None:
        """Try."""
        try:
            with _reachable():
                self._fs.pipe_file(self._path, b"")
                with suppress(FileNotFoundError):  # another backend has tried as well
                    self._fs.rm_file(self._path)
        except UnavailableError as error:
            self.failed = in_full(error)


def _opened(url: str) -> tuple[Any, str]:
    """The file system of an address and the path within it. Raises BackendError."""
    from fsspec.core import url_to_fs

    try:
        fs, root = url_to_fs(url)
        if _is_local(fs):
            private_folder(Path(root))
    except ImportError as error:
        raise BackendError(f"MIVSPOOL_STORE_URL needs a package that is not installed: {error}") from error
    except (ValueError, OSError) as error:
        raise BackendError(f"MIVSPOOL_STORE_URL names a store that cannot be used: {error}") from error
    return fs, root.rstrip("/")


def _is_local(fs: Any) -> bool:
    return "file" in ((fs.protocol,) if isinstance(fs.protocol, str) else fs.protocol)


@contextmanager
def _reachable() -> Iterator[None]:
    """What a store refuses, as an error of ours, whose cause is the driver's: those are of many kinds."""
    try:
        yield
    except Exception as error:
        if is_full(error):
            raise StorageError("the object store has no space left") from error
        raise UnavailableError("the object store does not answer") from error
