"""A home folder without any data set."""

import pytest

from mivspool.settings import settings


@pytest.fixture
def fresh_home(tmp_path, monkeypatch):
    """An empty home folder, and no mirror."""
    from mivspool.graphs import dataset_files

    monkeypatch.setenv("MIVSPOOL_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MIVSPOOL_TU_URL", raising=False)
    settings.cache_clear()
    dataset_files._load.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    settings.cache_clear()
    dataset_files._load.cache_clear()
