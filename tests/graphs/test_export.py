"""What is written reads back to the same graph, whatever stands in its names and values."""

import csv
import dataclasses
import io
import json
import math

import networkx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mivspool.errors import InputError
from mivspool.graphs import open_source
from mivspool.graphs.export import (
    WRITERS,
    assignment_csv,
    assignment_npz,
    plain_dictionary,
    scores_csv,
    write_graph,
)
from mivspool.graphs.graph import Graph
from mivspool.graphs.read import read_graphs

HOSTILE = [
    "<script>alert(1)</script>", "=1+1", "=cmd|' /C calc'!A0", "+x", "-x", "@sum", "'=x", "''=x", "'", "\t=x", "\rx",
    '"', '""', 'a"b', "a,b", "a;b", " a ", "007", "1.0", "-1", "1e5", "nan", "true", "None", "#x", "//", "%", "a\nb",
    "a\r\nb", "a\rb", "\u202eabc", "\u200f", "\u2028", "\x85", "\x00", "\x07", "\x1b[31m", "\x7f", "_x0007_", "_x005F_",
    "&amp;", "&#65;", "&", "]", "[", "{}", "\\", "\\n", "é", "e\u0301", "日本", "😀", "source", "target", "id", "label",
    "x" * 300, ":id", "::id", "{'a': 1}", "\ufeff", "\ufffe", "|", "a|b", "\x1c", "0", "00", "a b",
]  # fmt: skip
texts = st.sampled_from(HOSTILE) | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
values = {
    "texts": texts,
    "whole numbers": st.integers(-(10**25), 10**25),
    "numbers": st.floats(allow_nan=False, allow_infinity=False),
    "truths": st.booleans(),
}
names = texts.filter(lambda name: name not in {"x", "y", "weight"})


@st.composite
def columns(draw, length):
    """Up to three attributes, each of one type, with gaps."""
    made = {}
    for name in draw(st.lists(names, max_size=3, unique_by=str.lower)):
        kind = draw(st.sampled_from(sorted(values)))
        column = draw(st.lists(st.none() | values[kind], min_size=length, max_size=length))
        if any(value is not None for value in column):
            made[name] = tuple(column)
    return made


@st.composite
def graphs(draw):
    ids = draw(st.lists(texts, min_size=1, max_size=8, unique=True))
    n = len(ids)
    pairs = [(u, v) for u in range(n) for v in range(u + 1, n)]
    chosen = sorted(draw(st.sets(st.sampled_from(pairs)))) if pairs else []
    weight = draw(
        st.none()
        | st.lists(st.just(math.nan) | st.floats(0, 1e6), min_size=len(chosen), max_size=len(chosen))
    )
    placed = draw(st.booleans())
    coordinate = st.floats(-1e6, 1e6)
    return Graph(
        name=draw(texts),
        nodes=tuple(ids),
        edges=np.asarray(chosen, dtype=np.int64).reshape(-1, 2).T,
        edge_weight=np.asarray(weight, dtype=np.float64) if weight and not np.isnan(weight).all() else None,
        node_attributes=draw(columns(n)),
        edge_attributes=draw(columns(len(chosen))) if chosen else {},
        label=draw(st.none() | texts),
        positions=np.asarray(draw(st.lists(st.tuples(coordinate, coordinate), min_size=n, max_size=n)))
        if placed
        else None,
    )


def same_structure(one, other):
    assert one.nodes == other.nodes
    np.testing.assert_array_equal(one.edges, other.edges)
    assert (one.edge_weight is None) == (other.edge_weight is None)
    if one.edge_weight is not None:
        np.testing.assert_array_equal(one.edge_weight, other.edge_weight)


def same(one, other):
    same_structure(one, other)
    assert one.node_attributes == dict(other.node_attributes)
    assert one.edge_attributes == dict(other.edge_attributes)
    assert (one.name, one.label) == (other.name, other.label)
    assert (one.positions is None) == (other.positions is None)
    if one.positions is not None:
        np.testing.assert_array_equal(one.positions, other.positions)


def again(graph, format):
    """Written, saved in UTF-8 and read."""
    (back,) = read_graphs(write_graph(graph, format).encode("utf-8"), f"again{WRITERS[format].extension}")
    return back


ALONE = Graph(name="alone", nodes=("=1",), edges=np.zeros((2, 0), dtype=np.int64))


@pytest.mark.parametrize("format", [name for name in WRITERS if name != "csv"])
@settings(max_examples=60, deadline=None)
@example(graph=ALONE)
@given(graph=graphs())
def test_reads_back_to_the_same_graph(format, graph):
    same(graph, again(graph, format))


@settings(max_examples=100, deadline=None)
@example(graph=ALONE)
@example(graph=Graph("controls", ("\0", "\x1c", "\x1f\x1f\x1f\x1f"), np.zeros((2, 0), dtype=np.int64)))
@given(graph=graphs())
def test_edge_list_keeps_vertices_in_order_edges_and_weights(graph):
    graph = dataclasses.replace(graph, edge_attributes={})
    same_structure(graph, again(graph, "csv"))


@settings(max_examples=60, deadline=None)
@given(graph=graphs())
def test_no_cell_of_a_table_is_a_formula(graph):
    rows = csv.reader(io.StringIO(write_graph(graph, "csv"), newline=""))
    for cell in (cell for row in rows for cell in row):
        number = (
            cell.lstrip("+-").replace(".", "").replace("e", "").replace("-", "").replace("+", "").isdigit()
        )
        assert number or not cell.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_repeated_writing_changes_nothing():
    for source in ("karate", "MAO:3", "grid"):
        graph = open_source(source)
        for format in WRITERS:
            once = write_graph(graph, format)
            if format != "csv":
                (back,) = read_graphs(once.encode(), f"g{WRITERS[format].extension}")
                assert write_graph(back, format) == once


@pytest.mark.parametrize("source", ["karate", "les-miserables", "MAO:3"])
def test_networkx_reads_what_is_written(source):
    graph = open_source(source)
    edges = {frozenset((graph.nodes[u], graph.nodes[v])) for u, v in graph.edges.T.tolist()}
    read = [
        networkx.read_graphml(io.BytesIO(write_graph(graph, "graphml").encode())),
        networkx.read_gexf(io.BytesIO(write_graph(graph, "gexf").encode())),
        networkx.node_link_graph(json.loads(write_graph(graph, "node-link")), edges="edges"),
        networkx.parse_gml(write_graph(graph, "gml")),
    ]
    for other in read:
        assert list(other.nodes) == list(graph.nodes)
        assert {frozenset(edge) for edge in other.edges} == edges


def test_plain_dictionary_makes_pyg_data():
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    plain = plain_dictionary(open_source("MAO:3"))
    made = data.Data(edge_index=torch.tensor(plain["edge_index"]), num_nodes=plain["num_nodes"])
    made.validate()
    assert made.is_undirected()
    assert not made.has_self_loops()


def test_scores_and_assignment():
    nodes, reduced = ("a", "=b", "c"), ("a", "c")
    assert scores_csv(nodes, np.asarray([0.5, 1, 2])) == 'vertex,score\na,0.5\n"\'=b",1.0\nc,2.0\n'
    assert (
        assignment_csv(nodes, reduced, np.asarray([0, 0, -1])) == 'vertex,cluster,value\na,a,1\n"\'=b",a,1\n'
    )
    packed = assignment_npz(nodes, reduced, np.asarray([0, 0, -1]), np.asarray([0.5, 1, 2]))
    matrix = scipy.sparse.load_npz(io.BytesIO(packed))
    np.testing.assert_array_equal(matrix.toarray(), [[1, 0], [1, 0], [0, 0]])
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        assert arrays["vertices"].tolist() == list(nodes)
        np.testing.assert_array_equal(arrays["score"], [0.5, 1, 2])


def test_unknown_format():
    with pytest.raises(InputError, match="graphml"):
        write_graph(ALONE, "docx")
