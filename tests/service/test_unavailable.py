"""A database that is down, frozen, locked or full, and a disk that is full: said as what it is, and nobody hangs."""

from __future__ import annotations

import errno
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg
import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from mivspool import errors
from mivspool.errors import BackendError
from mivspool.service import uploads
from mivspool.service.backend import Backend
from mivspool.service.client import Client
from mivspool.service.database import Database
from mivspool.service.problems import KINDS, PREFIX, kind_of, raise_problem
from mivspool.settings import Settings
from tests.service import postgres
from tests.service.backends import connected
from tests.service.conftest import Make

EDGES = b"a,b\nb,c\n"
PATH = "\n".join(f"{i},{i + 1}" for i in range(20_000)).encode()


@pytest.fixture
def own_postgres() -> Iterator[tuple[str, ExitStack]]:
    """The folder of a PostgreSQL server of this test's own, and the stack that stops it."""
    binaries = postgres.find_binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed here (`.ci/run` installs it)")
    with ExitStack() as stack:
        yield stack.enter_context(postgres.server(binaries)), stack


@contextmanager
def frozen(folder: str) -> Iterator[None]:
    """The server's processes are stopped where they are: they hold their connections and say nothing."""
    first = psutil.Process(int((Path(folder) / "data" / "postmaster.pid").read_text().split()[0]))
    processes = [first, *first.children(recursive=True)]
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.resume()


def refused(answer: httpx.Response, status: int = 503) -> None:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert int(answer.headers["retry-after"]) > 0
    assert answer.json()["detail"] in {
        "the job database does not answer",
        "the job database has no space left",
        "the backend has no space left on its disk: try again later",
    }, "what the driver says is for the log"


def asks_the_database(client: Client) -> Iterator[httpx.Response]:
    send = client._transport.send
    yield send("GET", "/v1/health")
    yield send("POST", "/v1/jobs", json={"kind": "train", "dataset": "MAO"})
    yield send("POST", "/v1/datasets", files={"file": ("a.csv", EDGES)})


@pytest.mark.parametrize("transport", ["in-process", "http"])
def test_a_database_that_is_frozen_or_down_is_told_and_the_rest_goes_on(
    make_settings: Make, own_postgres: tuple[str, ExitStack], transport: str
) -> None:
    folder, stack = own_postgres
    url = postgres.new_database(folder, "frozen")
    with connected(transport, make_settings(workers=0, database_url=url, database_seconds=1)) as client:
        assert client.health().waiting_jobs == 0
        with frozen(folder):
            for answer in asks_the_database(client):
                refused(answer)
            with pytest.raises(errors.UnavailableError, match="database does not answer"):
                client.jobs()
            assert client._transport.send("GET", "/healthz").text == "ok"
            body = {"model": "tiny", "graphs": [{"nodes": ["a"], "node_attributes": {"label": ["C"]}}]}
            assert client._transport.send("POST", "/v1/classify", json=body).status_code == 200
        assert client.health().waiting_jobs == 0
        assert client.upload(EDGES, "after.csv").graphs == 1
        stack.close()
        for answer in asks_the_database(client):
            refused(answer)


def test_a_database_that_is_being_opened_holds_nobody_up(
    make_settings: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event loop asks for the models, whatever a thread is waiting for."""
    opening, go = threading.Event(), threading.Event()

    def slow(_: Settings) -> None:
        opening.set()
        go.wait()

    monkeypatch.setattr("mivspool.service.store.Store", slow)
    backend = Backend(make_settings(workers=0))
    with ThreadPoolExecutor(2) as pool:
        pool.submit(lambda: backend.store)
        opening.wait()
        try:
            assert pool.submit(lambda: backend.library).result(60)
        finally:
            go.set()


def test_a_statement_that_waits_for_a_lock_ends(make_settings: Make) -> None:
    one = Database(make_settings("postgresql", database_seconds=1))
    one.migrate()
    with one.write() as db:
        db.exec_driver_sql("LOCK TABLE jobs")
        with pytest.raises(errors.UnavailableError), one.read() as other:
            other.exec_driver_sql("SELECT * FROM jobs")
    with one.read() as db:
        assert db.exec_driver_sql("SHOW statement_timeout").scalar_one() == "1s"
    one.close()


@pytest.mark.parametrize("transport", ["in-process", "http"])
def test_a_locked_sqlite_is_told(make_settings: Make, transport: str) -> None:
    given = make_settings(workers=0, database_seconds=0.2)
    assert given.database_url is not None
    with connected(transport, given) as client:
        client.health()
        holder = sqlite3.connect(given.database_url.removeprefix("sqlite:///"), isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        refused(client._transport.send("POST", "/v1/jobs", json={"kind": "train", "dataset": "MAO"}))
        assert client.jobs() == []  # reading goes on
        holder.execute("ROLLBACK")
        holder.close()
        client.cancel(client.submit("train", dataset="MAO").id)


@pytest.mark.parametrize("transport", ["in-process", "http"])
def test_a_full_sqlite_is_told(make_settings: Make, transport: str) -> None:
    found: list[Backend] = []
    with connected(transport, make_settings(workers=0), on_backend=found.append) as client:
        engine = found[0].store.database.engine

        def narrow(connection: Any, record: Any) -> None:
            connection.execute(
                "PRAGMA max_page_count=1"
            )  # not below what there is: then nothing can be added

        event.listen(engine, "connect", narrow)
        engine.dispose()
        refused(client._transport.send("POST", "/v1/datasets", files={"file": ("a.csv", PATH)}), 507)
        with pytest.raises(errors.StorageError, match="no space left"):
            client.upload(PATH, "a.csv")
        event.remove(engine, "connect", narrow)
        engine.dispose()
        assert client.upload(PATH, "a.csv").graphs == 1


@pytest.mark.parametrize("transport", ["in-process", "http"])
def test_a_full_disk_is_told_wherever_it_is_met(
    make_settings: Make, transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with connected(transport, make_settings(workers=0)) as client:
        send = client._transport.send
        with monkeypatch.context() as patch:
            patch.setattr(uploads, "_write", full)  # writes the file that is read
            refused(send("POST", "/v1/datasets", files={"file": ("a.csv", EDGES)}), 507)
        with monkeypatch.context() as patch:
            patch.setattr("tempfile.SpooledTemporaryFile.rollover", full)  # while the form arrives
            big = b"# " + b"x" * 2**21 + b"\n" + EDGES
            refused(send("POST", "/v1/datasets", files={"file": ("a.csv", big)}), 507)


def test_what_a_database_refuses_has_its_name(settings: Settings) -> None:
    database = Database(settings)
    for error, expected in (
        (OperationalError("", {}, psycopg.errors.DiskFull()), errors.StorageError),
        (OperationalError("", {}, psycopg.errors.AdminShutdown()), errors.UnavailableError),
        (PoolTimeout("no connection is free"), errors.UnavailableError),
    ):
        with pytest.raises(expected), database.read():
            raise error
    database.close()


@pytest.mark.parametrize("name", ["BackendError", "UnavailableError", "StorageError"])
def test_what_the_backend_cannot_do_is_not_forbidden(name: str) -> None:
    error: type[BackendError] = getattr(errors, name)
    kind = kind_of(error("why"))
    assert KINDS[kind][1] >= 500
    with pytest.raises(error) as told:
        raise_problem(KINDS[kind][1], {"type": PREFIX + kind, "detail": "why"})
    assert type(told.value) is error
