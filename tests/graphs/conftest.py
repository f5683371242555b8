"""Data sets of the TU collection are used where they can be had, and skipped with the reason where not."""

import pytest

from mivspool.errors import DatasetError
from mivspool.graphs.datasets import is_cached, load_dataset
from mivspool.settings import settings


@pytest.fixture
def tu():
    """A function that loads a data set by name or skips the test."""

    def load(name):
        if not is_cached(name) and settings().tu_url is None:
            pytest.skip(f"{name} is not here: set MIVSPOOL_TU_URL to a folder with {name}.zip")
        try:
            return load_dataset(name)
        except DatasetError as error:
            pytest.skip(error.message)

    return load


@pytest.fixture
def fresh_home(tmp_path, monkeypatch):
    """An empty home folder, and no mirror."""
    from mivspool.graphs import datasets

    monkeypatch.setenv("MIVSPOOL_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MIVSPOOL_TU_URL", raising=False)
    settings.cache_clear()
    datasets._load.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    settings.cache_clear()
    datasets._load.cache_clear()
