"""Where large contents lie: in their rows of the database, or as objects of a store that every backend reaches.

``MIVSPOOL_STORE_URL`` names the store as fsspec does: a folder (``file:///srv/mivspool``), or a bucket
(``s3://bucket/folder``). A row then holds the object's key instead of the content. An object is written once, before
the row that names it, and never changed: so a row that can be read names an object that is whole. One that no row has
named for ``GRACE_SECONDS`` is deleted by ``sweep``; until then, whoever has just read the row can still read it.
"""

from __future__ import annotations

import errno
import os
import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import and_, delete, insert, not_, or_, select, update

from mivspool.errors import BackendError, StorageError, UnavailableError
from mivspool.service.database import Database
from mivspool.service.tables import contents, files, models, now, objects
from mivspool.settings import Settings, private_folder

GRACE_SECONDS = 3600.0  # more than a worker waits for its database, and than a backup takes
REACH_SECONDS = 5.0
Content = bytes | Path
_HOLDERS = (files, contents, models)  # what has columns ``content`` and ``object``


class Objects:
    """``columns`` makes the values of a new row's columns, ``read`` and ``fetch`` give back what a row holds."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database, self._url = database, settings.store_url
        self._fs: Any = None
        self._root = ""
        if self._url:
            self._fs, self._root = _opened(self._url)
            self._local = _is_local(self._fs)

    def check(self) -> None:
        """Write an object and delete it. Raises BackendError where that cannot be done within seconds."""
        if self._fs is None:
            return
        failed: list[BaseException] = []

        def attempt() -> None:
            try:
                with _reachable():
                    probe = f"{self._root}/probe-{secrets.token_hex(8)}"
                    self._fs.pipe_file(probe, b"")
                    self._fs.rm_file(probe)
            except Exception as error:
                failed.append(error)

        # its driver may try for minutes
        thread = threading.Thread(target=attempt, name="mivspool-objects", daemon=True)
        thread.start()
        thread.join(REACH_SECONDS)
        if thread.is_alive() or failed:
            reason = str(failed[0]) if failed else f"no answer within {REACH_SECONDS:.0f} s"
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
        """Delete the objects that no row has named for ``GRACE_SECONDS``; how many."""
        if self._fs is None:
            return 0
        named = or_(*(select(one.c.object).where(one.c.object == objects.c.key).exists() for one in _HOLDERS))
        with self._database.write() as db:
            new = and_(objects.c.unused_since.is_(None), not_(named))
            db.execute(update(objects).where(new).values(unused_since=now()))
            used = and_(objects.c.unused_since.is_not(None), named)
            db.execute(update(objects).where(used).values(unused_since=None))
            old = objects.c.unused_since <= now() - GRACE_SECONDS
            keys = list(db.execute(select(objects.c.key).where(old)).scalars())
        for key in keys:
            with _reachable(), suppress(FileNotFoundError):
                self._fs.rm_file(self._path(key))
            with self._database.write() as db:  # only now: what could not be deleted is tried again
                db.execute(delete(objects).where(objects.c.key == key))
        return len(keys)

    def _path(self, key: str) -> str:
        """In folders of two letters: a folder of a hundred thousand files is slow."""
        return f"{self._root}/{key[:2]}/{key}"

    def _needed(self) -> Any:
        if self._fs is None:
            raise UnavailableError("what is asked for lies in an object store: set MIVSPOOL_STORE_URL to it")
        return self._fs


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
    """What a store refuses, as an error of ours. Its drivers have errors of their own kinds."""
    try:
        yield
    except Exception as error:
        if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise StorageError("the object store has no space left") from error
        reason = " ".join(str(error).split()) or type(error).__name__
        raise UnavailableError(f"the object store does not answer: {reason}") from error
