"""What the canvas shows as a pyvis network: positions, states, arrows, and what a vertex says."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import mivspool
from mivspool import MIVSPool, meer
from mivspool.colours import COLOURS
from mivspool.errors import InputError
from mivspool.graphs import Graph, positions
from mivspool.levels import PooledGraph, step
from mivspool.pyvis import SCALE
from tests.pooling.drawn import awkward

FILLS = {COLOURS[state].fill: state for state in COLOURS}


@st.composite
def drawn(draw):
    """A small graph and its scores."""
    n = draw(st.integers(0, 8))
    pairs = [(u, v) for v in range(n) for u in range(v)]
    chosen = sorted(draw(st.lists(st.sampled_from(pairs), unique=True))) if pairs else []
    edges = np.array(chosen, np.int64).reshape(-1, 2).T
    nodes = tuple(f"v{i}" for i in range(n))
    score = draw(st.lists(st.sampled_from([0.25, 0.5, 0.75, 1.0]), min_size=n, max_size=n))
    at = np.array(draw(st.lists(st.tuples(*2 * [st.integers(-9, 9)]), min_size=n, max_size=n)), np.float64)
    return Graph(name="g", nodes=nodes, edges=edges, positions=at.reshape(n, 2)), score


def states(network):
    return {node["id"]: FILLS[node["color"]["background"]] for node in network.nodes}


@given(drawn(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_it_shows_the_state_of_each_iteration(made, complement):
    graph, score = made
    (level,) = step(graph, score, complement=complement)
    before = level.to_json()
    for k in range(level.num_iterations + 1):
        network = level.to_pyvis(k)
        course = level.trace
        for v, node in enumerate(graph.nodes):
            assert states(network)[node] == course.state(v, k).replace("-", "_")
            assert course.state(v, k) in network.get_node(node)["title"]
        assert not any("arrows" in edge for edge in network.edges)
        for part in (1, 2, 3) if k else ():
            network, shown = level.to_pyvis(k, part=part), level.part(k, part)
            drawn_as = [states(network)[node] for node in graph.nodes]
            assert [state == "survivor" for state in drawn_as] == shown.survivor.tolist()
            assert [state == "candidate" for state in drawn_as] == shown.candidate.tolist()
            assert all(
                state in network.get_node(node)["title"].replace("-", "_")
                for node, state in zip(graph.nodes, drawn_as, strict=True)
            )
            arrows = {(edge["from"], edge["to"]) for edge in network.edges if "arrows" in edge}
            assert arrows == {(graph.nodes[u], graph.nodes[v]) for u, v in shown.arrows.T.tolist()}
    network = level.to_pyvis()
    at = np.array([[node["x"], node["y"]] for node in network.nodes]).reshape(-1, 2)
    np.testing.assert_allclose(at, graph.positions * (SCALE, -SCALE))
    assignments = {edge["from"]: edge["to"] for edge in network.edges if "arrows" in edge}
    assigned = {graph.nodes[v]: graph.nodes[s] for v, s in enumerate(level.trace.cluster.tolist()) if v != s}
    assert assignments == assigned
    survivors = {node for node, state in states(network).items() if state == "survivor"}
    assert survivors == set(level.reduced_nodes)
    for node, survivor in assigned.items():
        assert f"assigned to {survivor}" in network.get_node(node)["title"]
    back = Graph.from_pyvis(network)
    assert back.nodes == graph.nodes
    assert np.array_equal(back.edges, graph.edges)
    assert np.allclose(back.positions, graph.positions) if graph.num_nodes else back.positions is None
    assert level.to_json() == before  # drawing it has changed nothing


def test_shapes_tell_the_states_apart_as_on_the_canvas():
    (level,) = step(mivspool.open_source("karate"), "degree")
    seen = {}
    for node in level.to_pyvis(1).nodes:
        seen[FILLS[node["color"]["background"]]] = (node["shape"], node["size"], node["borderWidth"])
    assert seen["non_survivor"][0] == "square"
    assert seen["survivor"][:2] > ("dot", seen["candidate"][1] if "candidate" in seen else 0)


def test_a_vertex_says_why():
    graph = mivspool.open_source("preset:tie")
    (level,) = step(graph, (0.3, 0.8, 0.8, 0.4))
    start, end = level.to_pyvis(0), level.to_pyvis()
    first, second = graph.nodes[1:3]
    assert f"It ties with its candidate neighbour {first}" in start.get_node(second)["title"]
    assert "was eliminated in iteration 1, because its neighbour" in end.get_node(second)["title"]
    assert "score 0.8\nsurvivor, settled in iteration 1\nassigned to" in end.get_node(first)["title"]


def test_a_reduced_graph_shows_sizes_and_weights():
    graph = mivspool.open_source("karate")
    pooled = PooledGraph(graph, step(graph, "degree", levels=2))
    for level in range(2):
        network = pooled.to_pyvis(level)
        assert [node["id"] for node in network.nodes] == list(pooled.levels[level].reduced_nodes)
        sizes = [int(node["title"].split("represents ")[1].split()[0]) for node in network.nodes]
        assert sizes == pooled.sizes[level + 1].tolist()
        at = positions(graph)[pooled.origin[level + 1]]
        np.testing.assert_allclose([[n["x"] / SCALE, -n["y"] / SCALE] for n in network.nodes], at, atol=1e-4)
        index, weight = pooled.levels[level].reduced.with_diagonal()
        once = index[0] < index[1]
        assert [edge.get("value", 1.0) for edge in network.edges] == weight[once].tolist()
    assert pooled.to_pyvis().num_nodes() == pooled.levels[1].survivors.numel()
    with pytest.raises(InputError, match="pooled 2 times: there is no pooling 2"):
        pooled.to_pyvis(2)


def test_a_trace_and_what_a_layer_made():
    adjacency, batch, _ = awkward()
    trace = meer.trace(adjacency.edge_index, torch.rand(adjacency.num_nodes), batch)
    assert trace.to_pyvis(0).num_nodes() == adjacency.num_nodes
    assert set(states(trace.to_pyvis(0)).values()) == {"candidate"}
    x = torch.rand(adjacency.num_nodes, 3)
    made = MIVSPool(3)(x, adjacency.edge_index, batch=batch)
    network = made.to_pyvis(physics=True)
    assert [int(node["id"]) for node in network.nodes] == torch.nonzero(made.survivor).reshape(-1).tolist()
    assert network.options.physics.enabled
    assert network.conf


def test_what_does_not_fit_gets_a_sentence():
    (level,) = step(mivspool.open_source("karate"), "degree")
    with pytest.raises(InputError, match="there is no iteration 99"):
        level.to_pyvis(99)
    with pytest.raises(InputError, match="34 pairs of numbers"):
        level.to_pyvis(positions=[[0.0, 0.0]])
    with pytest.raises(InputError, match="1 labels for 34 vertices"):
        level.to_pyvis(labels=["a"])
    with pytest.raises(InputError, match="does not know its graph"):
        meer.Trace(*[torch.zeros(0)] * 6).to_pyvis()
