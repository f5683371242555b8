"""What uploads may take: of one visitor, and of all; counted by the database, whoever writes into it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import insert

from mivspool.errors import LimitError, StorageError
from mivspool.service.database import Database
from mivspool.service.quotas import Quota, check_bytes, set_quota
from mivspool.service.tables import models
from mivspool.service.uploads import Uploads
from mivspool.settings import Settings

EDGES = b"a,b\nb,c\n"


@pytest.fixture
def uploads(settings: Settings) -> Iterator[Uploads]:
    narrow = settings.model_copy(update={"visitor_bytes": 3 * len(EDGES), "upload_bytes": 5 * len(EDGES)})
    database = Database(narrow)
    database.migrate()
    yield Uploads(database, narrow)
    database.close()


def test_one_visitor_s_uploads_and_all_together_are_limited(uploads: Uploads) -> None:
    mine = [uploads.add(EDGES, f"{i}.csv", "ann").id for i in range(3)]
    with pytest.raises(LimitError, match="delete some first"):
        uploads.add(EDGES, "one-more.csv", "ann")
    assert uploads.add(EDGES, "0.csv", "ann").id == mine[0], "the same file again takes no more"
    for i in range(2):
        uploads.add(EDGES, f"other-{i}.csv", "bob")
    with pytest.raises(StorageError, match="no space left for uploads"):
        uploads.add(EDGES, "one-more.csv", "cyd")
    uploads.delete(mine[0], "ann")
    assert uploads.add(EDGES, "one-more.csv", "cyd")


def test_kept_models_count_too_and_a_quota_holds_for_one_visitor(uploads: Uploads) -> None:
    size = len(EDGES)

    def keep(name: str, owner: str) -> None:
        with uploads.database.write() as db:
            check_bytes(db, uploads.settings, owner, size)
            values = {
                "name": name,
                "owner": owner,
                "shared": False,
                "created": 1.0,
                "content": EDGES,
                "size": size,
            }
            db.execute(insert(models).values(**values))

    uploads.add(EDGES, "a.csv", "ann")
    keep("one", "ann")
    keep("two", "ann")
    for more in (lambda: keep("three", "ann"), lambda: uploads.add(EDGES, "b.csv", "ann")):
        with pytest.raises(LimitError, match="delete some first"):
            more()
    with uploads.database.write() as db:
        set_quota(db, "ann", Quota(bytes=4 * size))
        set_quota(db, "bob", Quota(bytes=0))
    keep("three", "ann")
    with pytest.raises(LimitError, match="delete some first"):
        keep("four", "bob")
    keep("four", "cyd")
    with pytest.raises(StorageError, match="no space left for uploads"):
        keep("five", "cyd")
