"""The features that a graph has by itself: what the columns are, what is missing, and how many there may be."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from mivspool.graphs import open_source
from mivspool.graphs.graph import Graph
from mivspool.levels import PooledGraph, feature_names, features, step
from mivspool.pooling.methods.mivspool import REDUCE

MOST = 256  # columns of a one-hot code


def path(labels=None, n=None, **attributes):
    """A path with an attribute ``label`` (and others) at each vertex."""
    n = len(labels) if labels is not None else n
    at = np.arange(n - 1)
    columns = ({} if labels is None else {"label": tuple(labels)}) | attributes
    return Graph("path", tuple(str(v) for v in range(n)), np.stack([at, at + 1]), node_attributes=columns)


@pytest.mark.parametrize("n", [MOST + 1, 3000])
def test_features_are_bounded_by_the_vertices_and_not_by_their_labels(n: int) -> None:
    graph = path([f"name {v}" for v in range(n)])
    x = features(graph)
    assert x.numel() <= MOST * n
    assert len(feature_names(graph)) == x.shape[1]
    assert feature_names(graph) == ("degree",), "a label of which hardly two are equal names a vertex"
    assert x.equal(features(path(n=n)))


def test_as_many_labels_as_there_may_be_are_one_hot() -> None:
    labels = [f"{v % MOST:03}" for v in range(3 * MOST)]
    graph = path(labels)
    x, names = features(graph), feature_names(graph)
    assert names == tuple(sorted(set(labels)))
    assert x.sum(1).eq(1).all()
    assert [names[k] for k in x.argmax(1).tolist()] == labels


def test_a_label_of_many_numbers_is_a_number() -> None:
    n = 2 * MOST
    graph = path([v / 7 for v in range(n)], charge=(0.5,) * n)
    assert feature_names(graph) == ("label", "charge")
    assert features(graph).shape == (n, 2)


def test_many_names_pool_by_every_score() -> None:
    graph = path([f"name {v}" for v in range(600)])
    for score in ("projection", "attention", "multiview"):
        (level,) = step(graph, score)
        assert level.reduced_x is not None
        assert level.reduced_x.shape[0] == len(level.reduced_nodes)


def test_numbers_too_large_for_a_float_are_no_features() -> None:
    graph = path(
        n=4, large=(10**25, 0, 1, 2), larger=(10**400, 0, 1, 2), infinite=(1.0, float("inf"), 0.0, 0.0)
    )
    assert feature_names(graph) == ("large",)
    assert features(graph).isfinite().all()


@pytest.mark.parametrize("reduction", REDUCE)
def test_features_are_reduced_by_the_factors_that_are_shown(reduction: str) -> None:
    for level in step(open_source("karate"), "multiview", levels=2):
        level.reduction = reduction
        assert level.x is not None
        made = torch.zeros(len(level.reduced_nodes), level.x.size(1), dtype=torch.float64)
        made.index_add_(0, level.cluster, level.factor.double()[:, None] * level.x.double())
        torch.testing.assert_close(level.reduced_x.double(), made, atol=1e-6, rtol=1e-6)
        if reduction == "mean":
            whole = torch.zeros(len(level.reduced_nodes)).index_add(0, level.cluster, level.factor.float())
            torch.testing.assert_close(whole, torch.ones_like(whole))
        assert level.to_json()["reduction"] == reduction


@pytest.mark.parametrize("score", ["degree", "uniform", "multiview"])
@pytest.mark.parametrize("complement", [False, True])
def test_every_level_of_a_pooled_graph_accounts_for_every_vertex(score: str, complement: bool) -> None:
    graph = open_source("karate")
    pooled = PooledGraph(graph, step(graph, score, levels=9, complement=complement))
    assert len(pooled.origin) == len(pooled.sizes) == len(pooled.levels) + 1
    for k, level in enumerate(pooled.levels):
        assert [graph.nodes[v] for v in pooled.origin[k]] == list(level.nodes)
        inside = [pooled.place(node, k) for node in graph.nodes]
        assert np.bincount(inside).tolist() == pooled.sizes[k].tolist()
        kept = [pooled.place(node, k) for node in level.nodes]
        assert kept == list(range(len(level.nodes))), "a survivor stands for itself"
    assert pooled.place("no such vertex", 0) is None
    assert pooled.learned == pooled.levels[0].learned
