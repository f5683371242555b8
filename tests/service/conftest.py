"""One home, one small trained model and one database server per process, for the tests of the service."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from mivspool.service.client import Client
from mivspool.settings import Settings
from mivspool.settings import settings as settings_in_use
from tests.service import postgres
from tests.service.backends import connected

Make = Callable[..., Settings]
_number = count()


@pytest.fixture(scope="package")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home folder of these tests, with the model ``tiny``."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIVSPOOL_HOME", str(folder))
        patch.delenv("MIVSPOOL_BACKEND_URL", raising=False)
        patch.delenv("MIVSPOOL_TOKEN", raising=False)
        settings_in_use.cache_clear()
        _train_tiny()
        yield folder
    settings_in_use.cache_clear()


def _train_tiny() -> None:
    from mivspool.learning.models import save_model
    from mivspool.learning.training import RunConfig, train

    result = train(RunConfig("MAO", max_epochs=3, blocks=2, hidden=8))
    save_model("tiny", result.network, result.schema, result.classes, {"dataset": "MAO"})


@pytest.fixture(scope="package")
def postgres_folder() -> Iterator[str]:
    """A running PostgreSQL server."""
    binaries = postgres.find_binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed here (`.ci/run` installs it)")
    with postgres.server(binaries) as folder:
        yield folder


@pytest.fixture(scope="package")
def make_settings(home: Path, request: pytest.FixtureRequest) -> Make:
    """Settings with an empty database of their own: ``make_settings("postgresql", workers=0)``."""

    def make(database: str = "sqlite", **changes: object) -> Settings:
        name = f"jobs{next(_number)}"
        if database == "postgresql":
            url = postgres.new_database(request.getfixturevalue("postgres_folder"), name)
        else:
            url = f"sqlite:///{home / name}.sqlite"
        return Settings(**{"database_url": url, "rate_per_minute": 0, "device": "cpu", **changes})

    return make


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, make_settings: Make) -> Settings:
    """Settings on each kind of database."""
    return make_settings(request.param)


COMBINATIONS = [
    ("in-process", "sqlite"),
    ("http", "sqlite"),
    ("in-process", "postgresql"),
    ("http", "postgresql"),
]


@pytest.fixture(scope="package", params=COMBINATIONS, ids="-".join)
def client(request: pytest.FixtureRequest, make_settings: Make) -> Iterator[Client]:
    """The contract is the same whatever lies behind the client."""
    transport, database = request.param
    with connected(transport, make_settings(database)) as made:
        yield made
