"""The schema and its versions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from mivspool.errors import BackendError
from mivspool.service.database import Database
from mivspool.service.store import Claim, Store
from mivspool.service.tables import metadata
from mivspool.settings import Settings


def test_the_migrations_make_the_tables(settings: Settings) -> None:
    database = Database(settings)
    assert database.version() is None
    database.migrate()
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    version = database.version()
    database.migrate()
    assert database.version() == version
    database.close()


def test_servers_that_start_together_migrate_once(settings: Settings) -> None:
    databases = [Database(settings) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(Database.migrate, databases))
    assert len({database.version() for database in databases}) == 1
    for database in databases:
        database.close()


# what release 0.1.0 wrote
FIRST = """INSERT INTO jobs
(id, kind, state, title, request, owner, shared, created, attempt, cancel, last_event, progress)
VALUES ('0', 'train', 'running', 'an old job', '{"dataset": "MAO"}', '', FALSE, 1.0, 1, FALSE, 0, '{}')"""


def test_a_database_of_the_first_release_is_brought_up_to_date(settings: Settings) -> None:
    database = Database(settings)
    database.migrate("0001")
    with database.write() as connection:
        connection.exec_driver_sql(FIRST)
    store = Store(settings)
    job = store.get("0")
    assert job is not None
    assert (job.title, job.request, job.deaths) == ("an old job", {"dataset": "MAO"}, 0)
    store.give_back(Claim("0", 1), "the backend was stopped", died=False)
    assert store.claim("tester") == Claim("0", 2)
    store.close()
    database.close()


def test_a_newer_schema_is_left_alone(settings: Settings) -> None:
    database = Database(settings)
    database.migrate()
    with database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BackendError, match="newer MIVSPool"):
        database.migrate()
    assert database.version() == "9999"
    database.close()
