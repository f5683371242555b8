"""All that the service keeps (jobs, uploads, kept models) as one file, whatever database it is in, while that is used.

The file is a SQLite database with the same tables, so that what was PostgreSQL's can be opened on a laptop, and the
other way round; migrations bring one of an earlier release up to date.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select

from mivspool.errors import BackendError, InputError
from mivspool.service.database import Database
from mivspool.service.objects import Objects
from mivspool.service.scrub import told_in_full
from mivspool.service.tables import metadata, objects
from mivspool.settings import Settings

_ROWS = 20  # at once: an upload may be one row of 64 MB
_SQLITE = b"SQLite format 3\0"


@told_in_full()
def backup(settings: Settings, path: Path) -> dict[str, int]:
    """Write the backup file, which holds one moment of the database; the number of rows of each table.

    Raises InputError for the file or a database that is not there, BackendError for one of another release.
    """
    if path.exists():
        raise InputError(f"{path} already exists: choose another file name")
    with _opened(settings) as source:
        version = source.version()
        if version is None:
            raise InputError("there is nothing to back up: no backend has used this database yet")
        if version != source.newest():
            raise BackendError(
                "the job database was written by another release: back it up with that one, or start this one first"
            )
        try:
            with tempfile.TemporaryDirectory(
                dir=path.absolute().parent, prefix=".mivspool-backup-"
            ) as folder:
                made = Path(folder) / "backup.sqlite"
                with _opened(settings, made) as target:
                    target.migrate()
                    with source.snapshot() as rows, target.write() as db:
                        counts = _copy(rows, db, Objects(source, settings))
                _one_file(made)
                made.rename(path)  # whole or not at all
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from error
    return counts


@told_in_full()
def restore(settings: Settings, path: Path) -> dict[str, int]:
    """Put a backup into an empty database; the number of rows of each table. Raises InputError, BackendError.

    Jobs that were running go on from their last checkpoint.
    """
    try:
        with path.open("rb") as file:
            known = file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    if not known:
        raise InputError(f"{path} is not a backup made by MIVSPool")
    with tempfile.TemporaryDirectory(prefix="mivspool-restore-") as folder, _opened(settings) as target:
        copy = Path(folder) / "backup.sqlite"  # migrations write into it
        shutil.copyfile(path, copy)
        target.migrate()
        with _opened(settings, copy) as source:
            if source.version() is None:
                raise InputError(f"{path} is not a backup made by MIVSPool")
            source.migrate()
            with source.read() as rows, target.write() as db:
                for table in metadata.sorted_tables:
                    if db.execute(select(func.count()).select_from(table)).scalar_one():
                        raise InputError(
                            "the database is not empty: restore into a new one (MIVSPOOL_DATABASE_URL, MIVSPOOL_HOME)"
                        )
                return _copy(rows, db, Objects(source, settings))


@contextmanager
def _opened(settings: Settings, file: Path | None = None) -> Iterator[Database]:
    """The database in use, or that of a file."""
    use = settings if file is None else settings.model_copy(update={"database_url": f"sqlite:///{file}"})
    database = Database(use)
    try:
        yield database
    finally:
        database.close()


def _copy(source: Connection, target: Connection, kept: Objects) -> dict[str, int]:
    """Every row, with what it names in an object store as its own content."""
    return {
        table.name: _copy_table(source, target, table, kept)
        for table in metadata.sorted_tables
        if table is not objects
    }


def _copy_table(source: Connection, target: Connection, table: Table, kept: Objects) -> int:
    copied = 0
    found = source.execution_options(stream_results=True, max_row_buffer=_ROWS).execute(select(table))
    for rows in found.mappings().partitions(_ROWS):
        target.execute(insert(table), [_whole(row, kept) for row in rows])
        copied += len(rows)
    return copied


def _whole(row: Mapping[Any, Any], kept: Objects) -> dict[str, Any]:
    if row.get("object") is None:
        return dict(row)
    return {**row, "content": kept.read(row), "object": None}


def _one_file(path: Path) -> None:
    """What SQLite keeps beside a database goes into it when the last connection is closed."""
    for more in ("-wal", "-shm"):
        beside = path.with_name(path.name + more)
        with suppress(FileNotFoundError):
            assert beside.stat().st_size == 0, beside
