"""k-MIS pooling against a brute-force greedy set on the distances of networkx, and its sums against dense ones."""

from __future__ import annotations

import math

import networkx as nx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mivspool import meer
from mivspool.errors import InputError
from mivspool.pooling.parts.kmis import KMIS
from tests.pooling.drawn import CHANNELS, awkward, dense, features, graphs, single


def brute_force(adjacency, value, k):
    """The greedy set from best to worst, and for every vertex the best survivor within k edges."""
    graph = nx.Graph()
    graph.add_nodes_from(range(adjacency.num_nodes))
    graph.add_edges_from(adjacency.edge_index.t().tolist())
    far = dict(nx.all_pairs_shortest_path_length(graph))
    order = sorted(graph, key=lambda v: (-value[v], v))
    kept = []
    for v in order:
        if all(far[v].get(u, math.inf) > k for u in kept):
            kept.append(v)
    return kept, [next(u for u in kept if far[v].get(u, math.inf) <= k) for v in graph]


@given(
    graphs(), st.integers(1, 3), st.sampled_from(["none", "greedy", "weighted-greedy"]), st.integers(0, 99)
)
def test_it_is_the_greedy_k_independent_set(adjacency, k, heuristic, seed):
    n = adjacency.num_nodes
    layer = KMIS(CHANNELS, k=k, scorer="uniform", heuristic=heuristic, seed=seed).double()
    pooled = layer.pool(features(n), adjacency, *single(n))
    s = layer.score(features(n), adjacency, *single(n))
    walk = torch.linalg.matrix_power(dense(adjacency) + torch.eye(n), k)
    around = {"none": 1, "greedy": walk.sum(1), "weighted-greedy": walk @ s}[heuristic]
    kept, nearest = brute_force(adjacency, (s / around).tolist(), k)
    assert torch.nonzero(pooled.survivor).reshape(-1).tolist() == sorted(kept)
    assert [sorted(kept)[c] for c in pooled.cluster.tolist()] == nearest


def test_with_one_hop_and_no_heuristic_it_keeps_what_mivspool_keeps():
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes)
    pooled = KMIS(CHANNELS, scorer="uniform", heuristic="none").double().pool(x, adjacency, batch, size)
    assert torch.equal(pooled.survivor, meer.select(adjacency, pooled.score))


@pytest.mark.parametrize("aggregate", ["sum", "mean", "survivor"])
def test_features_and_edges_are_the_dense_products(aggregate):
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes)
    pooled = KMIS(CHANNELS, k=2, aggregate=aggregate).double().pool(x, adjacency, batch, size)
    s = torch.nn.functional.one_hot(pooled.cluster, pooled.x.size(0)).double()
    scored = x * pooled.score.unsqueeze(1)
    expected = {
        "sum": s.t() @ scored,
        "mean": (s.t() @ scored) / s.sum(0).unsqueeze(1),
        "survivor": scored[pooled.survivor],
    }[aggregate]
    torch.testing.assert_close(pooled.x, expected)
    torch.testing.assert_close(dense(pooled.adjacency), s.t() @ dense(adjacency) @ s)


@pytest.mark.parametrize("options", [{"k": 0}, {"scorer": "x"}, {"heuristic": "x"}, {"aggregate": "x"}])
def test_options_that_are_none_are_refused(options):
    with pytest.raises(InputError):
        KMIS(CHANNELS, **options)
