"""What is kept of a visitor is summed by the database: it is the same for one visitor as in the list of all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import event, insert

from mivspool.service import tables
from mivspool.service.quotas import Quota, set_quota
from mivspool.service.store import Store
from mivspool.service.visitors import Use, all_use, use_of
from mivspool.settings import Settings


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    made = Store(settings)
    yield made
    made.close()


def upload(owner: str, name: str, size: int) -> dict[str, object]:
    return {
        "id": name, "owner": owner, "name": name, "shared": False, "created": 0.0, "size": size, "summary": {},
    }  # fmt: skip


def model(owner: str, name: str, size: int) -> dict[str, object]:
    return {
        "name": name, "owner": owner, "shared": False, "job": None, "created": 0.0, "size": size, "content": b"",
    }  # fmt: skip


def test_one_visitor_s_use_is_its_line_in_the_list(store: Store) -> None:
    store.submit("train", {"dataset": "MAO"}, title="a test", owner="ann")
    ended = store.submit("train", {"dataset": "MAO"}, title="a test", owner="ann").id
    store.cancel(ended)
    with store.database.write() as db:
        db.execute(
            insert(tables.uploads), [upload("ann", "a", 5), upload("ann", "b", 7), upload("bob", "c", 1)]
        )
        db.execute(insert(tables.models), [model("bob", "m", 100)])
        set_quota(db, "eve", Quota(bytes=3))
    with store.database.read() as db:
        assert all_use(db) == [
            Use("bob", uploads=1, upload_bytes=1, models=1, model_bytes=100),
            Use("ann", jobs=2, unfinished=1, uploads=2, upload_bytes=12),
            Use("eve", quota=Quota(bytes=3)),
        ]
        assert [use_of(db, one.owner) for one in all_use(db)] == all_use(db)
        assert use_of(db, "nobody") == Use("nobody")


def test_no_row_leaves_the_database_to_be_counted(store: Store) -> None:
    with store.database.write() as db:
        db.execute(insert(tables.uploads), [upload("ann", f"a{i}", 5) for i in range(50)])
    fetched: list[str] = []

    @event.listens_for(store.database.engine, "before_cursor_execute")
    def asked(_: object, __: object, statement: str, *more: object) -> None:
        fetched.append(statement)

    with store.database.read() as db:
        assert use_of(db, "ann") == Use("ann", uploads=50, upload_bytes=250)
    wanted = [one for one in fetched if "FROM uploads" in one]
    assert len(wanted) == 1
    assert "sum(" in wanted[0]
    assert "uploads.owner =" in wanted[0]
