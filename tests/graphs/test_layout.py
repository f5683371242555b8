"""Layouts: finite, repeatable, nobody on top of another, components apart, own coordinates kept."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.spatial.distance import pdist

from mivspool.graphs import load_classic
from mivspool.graphs.collections.classics import CLASSICS
from mivspool.graphs.graph import Graph
from mivspool.graphs.layout import positions


def graph_of(made: nx.Graph) -> Graph:
    made = nx.convert_node_labels_to_integers(made)
    edges = np.array(sorted(tuple(sorted(e)) for e in made.edges), dtype=np.int64).reshape(-1, 2).T
    return Graph("g", tuple(map(str, made)), edges)


SHAPES = {
    "one": nx.empty_graph(1),
    "none": nx.empty_graph(0),
    "isolated": nx.empty_graph(12),
    "path": nx.path_graph(30),
    "clique": nx.complete_graph(12),
    "star": nx.star_graph(40),
    "large star": nx.star_graph(600),
    "large": nx.random_geometric_graph(900, 0.07, seed=1),
    "components": nx.disjoint_union_all([nx.cycle_graph(5), nx.path_graph(8), nx.empty_graph(7)]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_places_are_finite_distinct_and_repeatable(name: str) -> None:
    graph = graph_of(SHAPES[name])
    at = positions(graph)
    assert at.shape == (graph.num_nodes, 2)
    assert np.isfinite(at).all()
    assert np.array_equal(at, positions(graph))
    assert len({(x, y) for x, y in at.round(9).tolist()}) == graph.num_nodes


@pytest.mark.parametrize(
    "name", [*(name for name, made in SHAPES.items() if 1 < len(made) <= 300), *CLASSICS]
)
def test_no_vertex_lies_under_another(name: str) -> None:
    graph = graph_of(SHAPES[name]) if name in SHAPES else load_classic(name)
    if graph.num_nodes > 300 or graph.positions is not None:  # its own coordinates, or many points
        return
    apart = pdist(positions(graph)).min()
    assert apart >= 0.499, "in lengths of the median edge"


def test_components_do_not_overlap() -> None:
    made = SHAPES["components"]
    at = positions(graph_of(made))
    frames = [(at[list(part)].min(0), at[list(part)].max(0)) for part in nx.connected_components(made)]
    for i, (low, high) in enumerate(frames):
        for other_low, other_high in frames[:i]:
            assert (low > other_high).any() or (high < other_low).any()


def test_own_coordinates_are_kept_unless_they_are_not_finite() -> None:
    edges = np.array([[0], [1]])
    own = np.array([[3.0, 4.0], [5.0, 6.0]])
    assert np.array_equal(positions(Graph("g", ("a", "b"), edges, positions=own)), own)
    own[0, 0] = np.nan
    assert np.isfinite(positions(Graph("g", ("a", "b"), edges, positions=own))).all()
