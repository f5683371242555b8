"""What a step did to a graph: each measure against networkx, its definition, or a case by hand."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mivspool.pooling import METHODS, MIVSPool, method
from mivspool.pooling.methods.diffpool import DiffPool
from mivspool.pooling.methods.gpool import GPool
from mivspool.pooling.parts.measure import EXPLAINED, measure, pattern, renumber, structure
from mivspool.pooling.parts.stretch import MOST_SOURCES, stretch
from tests.pooling.drawn import CHANNELS, dense, features, graphs, of_edges


def networkx(adjacency):
    graph = nx.Graph()
    graph.add_nodes_from(range(adjacency.num_nodes))
    graph.add_edges_from(adjacency.edge_index.t().tolist())
    return graph


@given(graphs())
@settings(max_examples=50)
def test_structure_is_that_of_networkx(adjacency):
    graph, found = networkx(adjacency), structure(adjacency)
    assert (found.num_nodes, found.num_edges) == (graph.number_of_nodes(), graph.number_of_edges())
    assert found.density == pytest.approx(nx.density(graph))
    assert found.mean_degree == pytest.approx(2 * graph.number_of_edges() / graph.number_of_nodes())
    assert found.components == nx.number_connected_components(graph)


def test_structure_of_nothing():
    empty = structure(of_edges([], 0))
    assert (empty.num_nodes, empty.density, empty.mean_degree, empty.components) == (0, 0.0, 0.0, 0)


@given(graphs(), st.integers(0, 99))
@settings(max_examples=40)
def test_stretch_is_its_definition(adjacency, seed):
    torch.manual_seed(seed)
    layer, x = GPool(CHANNELS).double(), features(adjacency.num_nodes)
    found, pooled = measure(layer, x, adjacency, renumberings=0)
    before = dict(nx.all_pairs_shortest_path_length(networkx(adjacency)))
    after = dict(nx.all_pairs_shortest_path_length(networkx(pooled.adjacency)))
    kept = torch.nonzero(pooled.survivor).reshape(-1).tolist()
    pairs = [(i, j) for i, u in enumerate(kept) for j, v in enumerate(kept) if i < j and v in before[u]]
    ratios = [after[i][j] / before[kept[i]][kept[j]] for i, j in pairs if j in after[i]]
    assert found.mean_stretch == (pytest.approx(np.mean(ratios)) if ratios else None)
    assert found.pairs_lost == (pytest.approx(1 - len(ratios) / len(pairs)) if pairs else None)
    assert found.stretch_sources is None


def test_a_large_graph_is_sampled_and_says_so():
    n = 2 * MOST_SOURCES + 2
    adjacency = of_edges([(i, i + 1) for i in range(n - 1)], n)
    survivor = torch.arange(n) % 2 == 0
    reduced = of_edges([(i, i + 1) for i in range(n // 2 - 1)], n // 2)
    found = stretch(pattern(adjacency), pattern(reduced), survivor.numpy())
    assert found.sources == MOST_SOURCES
    assert found.mean == pytest.approx(0.5)
    assert found.lost == 0
    assert found == stretch(pattern(adjacency), pattern(reduced), survivor.numpy())


def test_a_path_by_hand():
    """Degrees 1 2 2 2 1 on the path 0 – 4: 1 is first by its index, 2 then is out, and 3 survives in update 2.

    The index decided for 1, beside its equal 2, and for 2, between the equals 1 and 3.
    """
    adjacency = of_edges([(0, 1), (1, 2), (2, 3), (3, 4)], 5)
    found, pooled = measure(MIVSPool(CHANNELS, "degree"), features(5), adjacency, renumberings=0)
    assert pooled.survivor.tolist() == [False, True, False, True, False]
    assert found.to_json() | {"seconds": 0, "memory": 0} == {
        "selection": "hard", "ratio": 0.4, "information_kept": 1.0, "assignment_entropy": 0.0,
        "mean_stretch": 0.5, "pairs_lost": 0.0, "stretch_sources": None, "independent": True, "maximal": True,
        "iterations": 2, "ties_broken": 2, "order_sensitivity": None, "seconds": 0, "memory": 0,
        "num_nodes": 2, "num_edges": 1, "density": 1.0, "mean_degree": 1.0, "components": 1,
        "num_nodes_before": 5, "num_edges_before": 4, "density_before": 0.4, "mean_degree_before": 1.6,
        "components_before": 1,
    }  # fmt: skip


def test_a_selective_method_keeps_the_ratio_of_the_information():
    found, _ = measure(GPool(CHANNELS, ratio=0.3).double(), features(10), of_edges([(0, 1), (1, 2)], 10))
    assert found.selection == "selective"
    assert found.information_kept == pytest.approx(0.3)
    assert found.assignment_entropy == 0


def test_a_soft_assignment_has_an_entropy_and_no_survivors():
    layer = DiffPool(CHANNELS, clusters=4).double()
    for parameter in layer.parameters():
        parameter.data.zero_()
    found, _ = measure(layer, features(6), of_edges([(0, 1), (1, 2), (2, 3)], 6))
    assert found.assignment_entropy == pytest.approx(np.log(4))
    assert found.information_kept == 1
    assert found.after.density == 1
    assert found.independent is found.maximal is found.mean_stretch is found.iterations is None
    assert found.order_sensitivity == 0


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_measured(name):
    adjacency = of_edges([(i, (i + 1) % 9) for i in range(9)] + [(0, 4)], 10)
    found, _ = measure(method(name).make(CHANNELS).double().eval(), features(10), adjacency)
    flat = found.to_json()
    assert set(EXPLAINED) <= set(flat)
    assert 0 < flat["ratio"] <= 2.5
    assert 0 <= flat["information_kept"] <= 1
    assert flat["seconds"] > 0
    assert flat["memory"] > 0
    if found.selection == "hard":
        assert flat["information_kept"] == 1
        assert flat["components"] == flat["components_before"] == 2


@pytest.mark.parametrize("name", METHODS)
def test_a_graph_without_vertices_is_measured(name):
    found, _ = measure(method(name).make(CHANNELS).double().eval(), features(0), of_edges([], 0))
    assert found.ratio >= 1
    assert found.mean_stretch is None


def test_equal_scores_let_the_numbering_decide():
    """A cycle, where no rule can help; and a graph whose scores differ, where nothing changes."""
    cycle = of_edges([(i, (i + 1) % 6) for i in range(6)], 6)
    assert measure(MIVSPool(CHANNELS, "degree"), features(6), cycle, renumberings=8)[0].order_sensitivity == 1
    assert measure(MIVSPool(CHANNELS, "projection").double(), features(6), cycle)[0].order_sensitivity == 0


@given(graphs(), st.integers(0, 99))
@settings(max_examples=40)
def test_a_renumbered_graph_is_the_same_graph(adjacency, seed):
    order = torch.randperm(adjacency.num_nodes, generator=torch.Generator().manual_seed(seed))
    assert torch.equal(dense(renumber(adjacency, order)), dense(adjacency)[order][:, order])
