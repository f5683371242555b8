"""Small models, made once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from mivspool.graphs import Dataset, InputSchema, dataset_features, load_dataset
from mivspool.learning.models import Model, load_model, save_model
from mivspool.learning.network import Classifier, NetworkConfig
from mivspool.settings import settings


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home folder of the test's own."""
    monkeypatch.setenv("MIVSPOOL_HOME", str(tmp_path))
    settings.cache_clear()
    yield tmp_path
    settings.cache_clear()


@pytest.fixture(scope="session")
def mao() -> Dataset:
    return load_dataset("MAO")


@pytest.fixture(scope="session")
def schema(mao: Dataset) -> InputSchema:
    return dataset_features(mao)[1]


@pytest.fixture(scope="session")
def network(schema: InputSchema) -> Classifier:
    """A network of random weights: what it says means nothing, but it says it exactly."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        return Classifier(NetworkConfig(schema.num_features, 2, hidden=16)).eval()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, network: Classifier, schema: InputSchema) -> Path:
    """Its folder, called "small"."""
    where = tmp_path_factory.mktemp("models") / "small"
    return save_model(where, network, schema, ["0", "1"], {"dataset": "MAO"})


@pytest.fixture(scope="session")
def model(folder: Path) -> Model:
    return load_model(folder)
