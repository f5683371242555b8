"""What uploads may take: of one visitor, and of all; counted by the database, whoever writes into it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mivspool.errors import LimitError, StorageError
from mivspool.service.database import Database
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
    with pytest.raises(StorageError, match="no place left"):
        uploads.add(EDGES, "one-more.csv", "cyd")
    uploads.delete(mine[0], "ann")
    assert uploads.add(EDGES, "one-more.csv", "cyd")
