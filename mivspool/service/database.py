"""The database: SQLite under home by default, PostgreSQL by its address; its schema brought up to date."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    ProgrammingError,
)
from sqlalchemy.exc import DataError as ValueRefused
from sqlalchemy.exc import TimeoutError as PoolTimeout

from mivspool.errors import BackendError, InputError, StorageError, UnavailableError
from mivspool.settings import Settings, private_folder

_MIGRATION_LOCK = 0x4D495653  # one number for all servers of a PostgreSQL database
_WRITES = "mivspool_writes"
_DISK_FULL = "53100"  # of PostgreSQL
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
            seconds = settings.database_seconds
            if self.sqlite:
                if url.database and url.database != ":memory:":
                    _make_private(Path(url.database))
                self.engine = _sqlite(address, seconds)
            else:
                self.engine = _postgresql(address, seconds)
        except (ArgumentError, NoSuchModuleError, ImportError) as error:
            raise BackendError(
                f"the job database cannot be used ({error}): set MIVSPOOL_DATABASE_URL to sqlite:///FILE or "
                "postgresql://… (for that: pip install 'mivspool[postgres]')"
            ) from error
        except OSError as error:
            raise BackendError(f"the job database cannot be created: {error}") from error
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

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A transaction that reads one moment of the database, however long it takes."""
        with _reachable(), self.engine.connect() as connection:
            if not self.sqlite:  # there every transaction is that
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin(), _unlimited(connection):
                yield connection

    def migrate(self, to: str = "head") -> None:
        """Bring the schema to this version; servers that start together do it one after the other."""
        from alembic import command
        from alembic.script.revision import ResolutionError
        from alembic.util.exc import CommandError

        if self.version() == self.newest():
            return
        config = _migrations()
        with _migrating, self.write() as connection, _unlimited(connection):
            if not self.sqlite:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, to)
            except (CommandError, ResolutionError) as error:
                raise BackendError(
                    "the job database was written by a newer MIVSPool: update this one, or choose another "
                    "database (MIVSPOOL_DATABASE_URL)"
                ) from error

    @staticmethod
    def newest() -> str | None:
        """The schema's version of this release."""
        from alembic.script import ScriptDirectory

        return ScriptDirectory.from_config(_migrations()).get_current_head()

    def version(self) -> str | None:
        """The schema's version, None for an empty database."""
        from alembic.runtime.migration import MigrationContext

        with self.read() as connection:
            return MigrationContext.configure(connection).get_current_revision()

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


def _migrations() -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config


def _make_private(path: Path) -> None:
    """The database file, readable by its own account alone; SQLite gives its -wal and -shm the same mode."""
    private_folder(path.parent)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for file in (path, *(path.with_name(path.name + more) for more in ("-wal", "-shm"))):
        with suppress(
            FileNotFoundError, PermissionError
        ):  # another account's file is that account's to close
            file.chmod(0o600)


@contextmanager
def _reachable() -> Iterator[None]:
    """What a database refuses, as an error of ours: it is away, it is full, or it does not take a value.

    What its driver says is the cause: ``scrub.in_full`` has it.
    """
    try:
        yield
    except (IntegrityError, ProgrammingError):
        raise  # a row that is there already, or a fault of ours
    except ValueRefused as error:
        raise InputError(
            "the job database does not accept a value in this request, such as text with a NUL character"
        ) from error
    except (DBAPIError, PoolTimeout) as error:
        if _is_full(getattr(error, "orig", None)):
            raise StorageError("the job database has no space left") from error
        raise UnavailableError("the job database does not answer") from error


def _is_full(error: BaseException | None) -> bool:
    return (
        getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        or getattr(error, "sqlstate", None) == _DISK_FULL
    )


def _sqlite(address: str, seconds: float) -> Engine:
    engine = create_engine(
        address, connect_args={"timeout": seconds}, pool_size=20, max_overflow=40, pool_timeout=seconds
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # transactions begin as _begin says
        wait = f"busy_timeout={round(1000 * seconds)}"
        for pragma in (wait, "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql(address: str, seconds: float) -> Engine:
    """An engine whose connections give up after ``seconds``, also where the server is frozen and says nothing."""
    import psycopg

    class Bounded(psycopg.Connection[Any]):
        """A connection on which nothing is waited for without an end."""

        seconds: float | None = None

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            """As psycopg waits, but not for longer than ``seconds``; then the connection is given up."""
            try:
                return super().wait(gen, interval, self.seconds if timeout is None else timeout)
            except psycopg.errors.OperationalError:
                if self.pgconn.transaction_status == psycopg.pq.TransactionStatus.ACTIVE:
                    self.pgconn.finish()
                raise

    url = make_url(address)
    if url.drivername in {"postgres", "postgresql"}:
        url = url.set(drivername="postgresql+psycopg")
    engine = create_engine(url, pool_size=10, max_overflow=20, pool_pre_ping=True, pool_timeout=seconds)

    @event.listens_for(engine, "do_connect")
    def _open(dialect: Any, record: Any, arguments: Any, options: dict[str, Any]) -> Any:
        options = {
            "connect_timeout": max(2, round(seconds)),
            **options,
        }  # psycopg knows whole seconds from 2 on
        connection = Bounded.connect(*arguments, **options)
        connection.seconds = seconds + 1  # the server itself gives up first, where it can
        connection.execute(f"SET statement_timeout = {round(1000 * seconds)}")
        connection.commit()
        return connection

    return engine


@contextmanager
def _unlimited(connection: Connection) -> Iterator[None]:
    """Within it a transaction may take as long as it needs: a migration."""
    if connection.dialect.name == "sqlite":
        yield
        return
    driver: Any = connection.connection.driver_connection
    seconds, driver.seconds = driver.seconds, None
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    try:
        yield
    finally:
        driver.seconds = seconds
