"""A backup holds all that the service keeps, of one moment, and is restored into either kind of database."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from mivspool.cli import main
from mivspool.errors import BackendError, InputError
from mivspool.service.backup import backup, restore
from mivspool.service.database import Database
from mivspool.service.quotas import Quota, set_quota
from mivspool.service.states import DONE
from mivspool.service.store import Store
from mivspool.service.tables import metadata, models
from mivspool.service.uploads import Uploads
from mivspool.settings import Settings
from tests.configured import configured
from tests.service.conftest import Make

OTHER = {"sqlite": "postgresql", "postgresql": "sqlite"}


def rows(settings: Settings) -> dict[str, list[Any]]:
    database = Database(settings)
    with database.read() as db:
        found = {
            table.name: [tuple(row) for row in db.execute(select(table).order_by(*table.primary_key))]
            for table in metadata.sorted_tables
            if table.name != "objects"  # what they hold is in the rows
        }
    database.close()
    return found


@pytest.fixture
def used(settings: Settings) -> Iterator[Store]:
    """A database with something in each table, in use."""
    store = Store(settings)
    done, running = (store.submit("train", {"dataset": "MAO"}, title="a test", owner="ann") for _ in range(2))
    for job in (done, running):
        held = store.claim("tester", job.id)
        assert held is not None
        store.save(held, "checkpoint", bytes(range(256)) * 1000)
        store.record(held, "train", {"val_loss": 0.1, "curve": [1.5, None]})
        if job is done:
            store.finish(held, DONE, result={"runs": 1})
    Uploads(store.database, settings).add(b"a,b\nb,c\n", "a.csv", "ann")
    with store.database.write() as db:
        set_quota(db, "ann", Quota(waiting_jobs=3))
    with store.database.write() as db:
        db.execute(
            insert(models).values(
                name="kept", owner="ann", shared=False, created=1.0, content=b"weights", size=7
            )
        )
    yield store
    store.close()


def test_what_is_restored_is_what_was_there(used: Store, make_settings: Make, tmp_path: Path) -> None:
    file = tmp_path / "backup.sqlite"
    before = rows(used.settings)
    with used.database.write() as db:  # somebody writes meanwhile
        db.execute(insert(models).values(name="later", owner="ann", shared=False, created=2.0, content=b""))
        counts = backup(used.settings, file)
    assert counts == {name: len(some) for name, some in before.items()}
    assert min(counts.values()) > 0
    assert list(tmp_path.iterdir()) == [file]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    elsewhere = make_settings(OTHER["sqlite" if used.database.sqlite else "postgresql"])
    assert restore(elsewhere, file) == counts
    assert rows(elsewhere) == before
    store = Store(elsewhere)
    (running,) = store.give_back_stale(-1.0)
    assert store.load(running, "checkpoint") == bytes(range(256)) * 1000
    assert store.places() == {running: 1}
    store.close()


def test_a_backup_of_the_first_release_is_restored(make_settings: Make, tmp_path: Path) -> None:
    file = tmp_path / "old.sqlite"
    old = Database(make_settings().model_copy(update={"database_url": f"sqlite:///{file}"}))
    old.migrate("0001")
    old.close()
    content = file.read_bytes()
    restore(make_settings(), file)
    assert file.read_bytes() == content


def refusals(used: Settings, empty: Settings, folder: Path) -> dict[str, Callable[[], object]]:
    (folder / "text").write_text("no database")
    other = Database(empty.model_copy(update={"database_url": f"sqlite:///{folder / 'other.sqlite'}"}))
    with other.write() as db:
        db.exec_driver_sql("CREATE TABLE t (x)")
    other.close()
    backup(used, folder / "good.sqlite")
    return {
        "already exists": lambda: backup(used, folder / "text"),
        "cannot be written": lambda: backup(used, folder / "nowhere" / "file"),
        "nothing to back up": lambda: backup(empty, folder / "empty"),
        "cannot be read": lambda: restore(empty, folder / "nothing"),
        "is not a backup": lambda: restore(empty, folder / "text"),
        "not a backup made by": lambda: restore(empty, folder / "other.sqlite"),
        "not empty": lambda: restore(used, folder / "good.sqlite"),
    }


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_what_cannot_be_is_refused_and_leaves_nothing(
    used: Store, make_settings: Make, tmp_path: Path
) -> None:
    before = rows(used.settings)
    for says, call in refusals(used.settings, make_settings(), tmp_path).items():
        with pytest.raises(InputError, match=says):
            call()
    assert {path.name for path in tmp_path.iterdir()} == {"text", "other.sqlite", "good.sqlite"}
    assert rows(used.settings) == before
    old = make_settings()
    database = Database(old)
    database.migrate("0001")
    database.close()
    with pytest.raises(BackendError, match="another release"):
        backup(old, tmp_path / "old")


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_the_commands(
    used: Store, make_settings: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "backup.sqlite")
    with configured(database_url=used.settings.database_url):
        assert main(["backup", file]) == 0
    with configured(database_url=make_settings().database_url):
        assert main(["restore", file]) == 0
        said = capsys.readouterr().out
        assert main(["restore", file]) == 2
    assert said == f"{file}: 2 jobs, 1 upload, 1 kept model\nrestored: 2 jobs, 1 upload, 1 kept model\n"
    assert "not empty" in capsys.readouterr().err
