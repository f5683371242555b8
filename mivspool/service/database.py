"""The database: SQLite under home by default, PostgreSQL by its address; its schema brought up to date."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from mivspool.errors import BackendError
from mivspool.settings import Settings

_MIGRATION_LOCK = 0x4D495653  # one number for all servers of a PostgreSQL database
_WRITES = "mivspool_writes"
_migrating = threading.Lock()


def database_url(settings: Settings) -> str:
    """The address in use: the setting, or a SQLite file under home."""
    return settings.database_url or f"sqlite:///{settings.home / 'jobs.sqlite'}"


class Database:
    """Connections to the job database: ``read()`` and ``write()`` are transactions."""

    def __init__(self, settings: Settings) -> None:
        address = database_url(settings)
        try:
            url = make_url(address)
            self.sqlite = url.get_backend_name() == "sqlite"
            if self.sqlite and url.database:
                Path(url.database).parent.mkdir(parents=True, exist_ok=True)
            self.engine = _sqlite(address) if self.sqlite else _postgresql(address)
        except (ArgumentError, NoSuchModuleError, ImportError) as error:
            raise BackendError(
                f"the job database cannot be used ({error}): set MIVSPOOL_DATABASE_URL to sqlite:///FILE or "
                "postgresql://… (for that: pip install 'mivspool[postgres]')"
            ) from error
        except OSError as error:
            raise BackendError(f"the job database cannot be made: {error}") from error
        self._writer = self.engine.execution_options(**{_WRITES: True})

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads."""
        with _reachable(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes; in SQLite it waits for its turn at once, not half way through."""
        with _reachable(), self._writer.begin() as connection:
            yield connection

    def migrate(self) -> None:
        """Bring the schema to this version; servers that start together do it one after the other."""
        from alembic import command
        from alembic.config import Config
        from alembic.script import ScriptDirectory
        from alembic.script.revision import ResolutionError
        from alembic.util.exc import CommandError

        config = Config()
        config.set_main_option(
            "script_location", str(Path(__file__).parent / "migrations").replace("%", "%%")
        )
        head = ScriptDirectory.from_config(config).get_current_head()
        if self.version() == head:
            return
        with _migrating, self.write() as connection:
            if not self.sqlite:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except (CommandError, ResolutionError) as error:
                raise BackendError(
                    "the job database was written by a newer MIVSPool: update this one, or choose another "
                    "database (MIVSPOOL_DATABASE_URL)"
                ) from error

    def version(self) -> str | None:
        """The schema's version, None for an empty database."""
        from alembic.runtime.migration import MigrationContext

        with self.read() as connection:
            return MigrationContext.configure(connection).get_current_revision()

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


@contextmanager
def _reachable() -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        reason = " ".join(str(error.orig).split())
        raise BackendError(f"the job database does not answer: {reason}") from error


def _sqlite(address: str) -> Engine:
    engine = create_engine(address, connect_args={"timeout": 30}, pool_size=20, max_overflow=40)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # transactions begin as _begin says
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=30000"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql(address: str) -> Engine:
    url = make_url(address)
    if url.drivername in {"postgres", "postgresql"}:
        url = url.set(drivername="postgresql+psycopg")
    return create_engine(url, pool_size=10, max_overflow=20, pool_pre_ping=True)
