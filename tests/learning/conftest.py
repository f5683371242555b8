"""What the tests learn from: a small data set told apart by structure alone, and small models, made once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from mivspool.graphs import InputSchema, dataset_features, load_dataset
from mivspool.graphs.dataset import Dataset
from mivspool.learning.models import Model, load_model, save_model
from mivspool.learning.network import Classifier, NetworkConfig
from mivspool.settings import settings


def cycles_and_stars(graphs: int = 40, name: str = "TOY", attributes: bool = True, seed: int = 0) -> Dataset:
    """Cycles (class 0) and stars (class 1) of 4 to 9 vertices, with an attribute that says nothing."""
    rng = np.random.default_rng(seed)
    ptr, edge_ptr, edges, target = [0], [0], [], []
    for i in range(graphs):
        n, star = int(rng.integers(4, 10)), i % 2
        pairs = [(0, v) for v in range(1, n)] if star else [*((v, v + 1) for v in range(n - 1)), (0, n - 1)]
        edges += [(ptr[-1] + u, ptr[-1] + v) for u, v in sorted(pairs)]
        ptr.append(ptr[-1] + n)
        edge_ptr.append(len(edges))
        target.append(star)
    return Dataset(
        name=name,
        ptr=np.asarray(ptr),
        edges=np.asarray(edges).T.copy(),
        edge_ptr=np.asarray(edge_ptr),
        node_label=np.asarray(rng.integers(0, 3, ptr[-1])),
        label_names=("a", "b", "c"),
        node_attributes=rng.normal(size=(ptr[-1], 1)) if attributes else None,
        attribute_names=("noise",) if attributes else (),
        target=np.asarray(target),
        classes=("cycle", "star"),
    )


@pytest.fixture(scope="session")
def toy() -> Dataset:
    return cycles_and_stars()


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
