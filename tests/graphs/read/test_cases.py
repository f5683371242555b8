"""Every fault of ``cases.py`` comes out as it says, and never as anything but a sentence."""

import numpy as np
import pytest

from mivspool.errors import ReadError
from mivspool.graphs.read import read_graphs
from tests.graphs.read.cases import CASES


def pairs_of(graph):
    return {frozenset((graph.nodes[u], graph.nodes[v])) for u, v in graph.edges.T.tolist()}


def check_first(graph, expected):
    assert list(graph.nodes) == expected.get("nodes", list(graph.nodes))
    if "edges" in expected:
        assert pairs_of(graph) == {frozenset(pair) for pair in expected["edges"]}
    if "weights" in expected:
        assert [None if np.isnan(w) else w for w in graph.edge_weight.tolist()] == expected["weights"]
    if "attributes" in expected:
        assert dict(graph.node_attributes) == expected["attributes"]
    if "edge_attributes" in expected:
        assert dict(graph.edge_attributes) == expected["edge_attributes"]
    if "positions" in expected:
        np.testing.assert_allclose(graph.positions, expected["positions"])
    if "drawn" in expected:
        assert len(np.unique(graph.positions.round(3), axis=0)) == graph.num_nodes
    for key in ("label", "format", "encoding"):
        assert getattr(graph, key) == expected.get(key, getattr(graph, key))


@pytest.mark.parametrize(("name", "content", "expected"), CASES, ids=[name for name, *_ in CASES])
def test_case(name, content, expected):
    data = content.encode() if isinstance(content, str) else content
    if "error" in expected:
        with pytest.raises(ReadError) as caught:
            read_graphs(data, name)
        assert expected["error"] in caught.value.message
        assert "\n" not in caught.value.message
        return
    graphs = read_graphs(data, name)
    repairs = [repair for graph in graphs for repair in graph.repairs]
    assert len(graphs) == expected.get("graphs", len(graphs))
    assert sum(g.num_nodes for g in graphs) == expected.get("num_nodes", sum(g.num_nodes for g in graphs))
    assert sum(g.num_edges for g in graphs) == expected.get("num_edges", sum(g.num_edges for g in graphs))
    for word in expected.get("repairs", []):
        assert any(word in repair for repair in repairs), repairs
    if "repairs" not in expected and name.startswith(("plain", "lone", "quoted")):
        assert not repairs
    check_first(graphs[0], expected)


def test_names_are_different():
    assert len({name for name, *_ in CASES}) == len(CASES)
