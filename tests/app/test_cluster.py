"""One cluster on Step: its features are those that are pooled, in a network those of the block."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from app import backend, pooled, sources
from app.components import cluster
from app.ui import common
from mivspool.errors import BackendError
from mivspool.graphs.features import fit_graph
from mivspool.learning.models import load_model
from mivspool.levels import adjacency_of, feature_names

MODEL = "mao-mivspool"


@pytest.fixture
def own(own_backend: Callable[[], None]) -> None:
    own_backend()


def network(source: str) -> tuple[list[NDArray[np.float32]], list[NDArray[np.float32]]]:
    """What each block of the model's network pools, [n, 128], and what it makes of that, [n', 128]."""
    model, graph = load_model(MODEL), sources.load(source)
    x = torch.from_numpy(fit_graph(graph, model.schema).x)
    with torch.inference_mode():
        batch = torch.zeros(graph.num_nodes, dtype=torch.int64)
        out = model.classifier.eval().detailed(x, adjacency_of(graph), batch, 1)
    return [x.numpy() for x in out.features], [level.x.numpy() for level in out.levels]


@pytest.mark.usefixtures("own")
def test_a_block_of_a_network_is_shown_with_the_features_that_it_pools() -> None:
    pooling = pooled.pool("MAO:3", "", 0, False, False, MODEL)
    before, after = network("MAO:3")
    assert len(pooling.levels) == 3
    for block, level in enumerate(pooling.levels):
        assert level.x is None, "the network's features are the network's to tell"
        for column in range(len(level.reduced_nodes)):
            made = cluster._eq12(pooling, level, column, -1, MODEL)
            for name in feature_names(pooling.graph):
                assert f"<th><bdi>{name}</bdi></th>" not in made, "a label of the input"
            shown = [int(channel) for channel in re.findall(r"<th>h<sub>(\d+)</sub></th>", made)]
            reduced = np.abs(after[block][column])
            assert shown == sorted(shown)
            assert reduced[shown].min() >= np.delete(reduced, shown).max()
            rows = re.findall(r"<tr[^>]*><th[^>]*>(?:<bdi>)?([^<]+)(?:</bdi>)?</th>(<td>.*?)</tr>", made)
            expected = {
                level.nodes[v]: before[block][v] for v in np.flatnonzero(level.cluster.numpy() == column)
            }
            assert {name for name, _ in rows} == {*expected, "X′"}
            for name, cells in rows:
                values = [float(cell) for cell in re.findall("<td>([^<]+)</td>", cells)][-len(shown) :]
                theirs = after[block][column] if name == "X′" else expected[name]
                assert np.allclose(values, theirs[shown], atol=6e-4), (block, name)
            more = np.count_nonzero(reduced) - np.count_nonzero(reduced[shown])
            assert "the 128 features that its layers compute;" in unescape(made)
            assert f"; {more} more are not 0" in made


@pytest.mark.usefixtures("own")
def test_without_the_backend_a_cluster_keeps_its_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    pooling = pooled.pool("MAO:3", "", 0, False, False, MODEL)
    level = pooling.levels[0]

    def gone(*_: object) -> None:
        raise BackendError("the backend is away")

    monkeypatch.setattr(backend, "inside", gone)
    made = cluster._eq12(pooling, level, 0, -1, MODEL)
    assert "The backend is away" in made
    assert "<sub>" not in made
    assert f"<td>{level.score[level.survivors[0]]:.2f}</td>" in made
    monkeypatch.setattr(backend, "is_large", lambda graph: True)
    assert common.HIDDEN_LARGE in cluster._eq12(pooling, level, 0, -1, MODEL)
