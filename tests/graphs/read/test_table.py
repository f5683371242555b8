"""Tables: squares of numbers are matrices, headings no edges, tables of vertices none of edges, and all is said."""

import io

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mivspool.errors import ReadError
from mivspool.graphs.read import read_graphs
from tests.graphs.read.cases import zipped

QUICK = settings(max_examples=40, deadline=None)


@st.composite
def matrices(draw, least=3):
    n = draw(st.integers(least, 6))
    upper = draw(st.lists(st.integers(0, 1), min_size=n * n, max_size=n * n))
    matrix = np.triu(np.array(upper).reshape(n, n), 1)
    return matrix + matrix.T


def read(text, name="x.csv", as_=None):
    (graph,) = read_graphs(text.encode(), name, as_=as_)
    return graph


def edges_of(graph):
    return {frozenset((graph.nodes[u], graph.nodes[v])) for u, v in graph.edges.T.tolist()}


def is_the_graph(graph, matrix, names):
    assert list(graph.nodes) == list(names)
    assert edges_of(graph) == {
        frozenset((names[u], names[v])) for u, v in zip(*np.nonzero(matrix), strict=True)
    }
    assert "matrix" in graph.read_as


def saved(matrix, **options):
    out = io.StringIO()
    np.savetxt(out, matrix, **options)
    return out.getvalue()


@given(matrices())
@QUICK
def test_a_square_table_of_numbers_is_a_matrix(matrix):
    n = len(matrix)
    counted, words = [str(i) for i in range(n)], [f"v{chr(97 + i)}" for i in range(n)]
    frame = pd.DataFrame(matrix, index=words, columns=words)
    for text in (saved(matrix), saved(matrix, fmt="%d", delimiter=",")):
        is_the_graph(read(text), matrix, counted)
    is_the_graph(read(pd.DataFrame(matrix).to_csv(index=False)), matrix, counted)
    is_the_graph(read(pd.DataFrame(matrix).to_csv()), matrix, counted)
    is_the_graph(read(frame.to_csv()), matrix, words)
    is_the_graph(read(frame.to_csv(index=False)), matrix, words)
    is_the_graph(read(frame.to_csv(header=False)), matrix, words)
    is_the_graph(read(frame.to_csv(sep=";", index_label="name")), matrix, words)
    r = pd.DataFrame(matrix, index=range(1, n + 1), columns=[f"V{i}" for i in range(1, n + 1)])
    is_the_graph(read(r.to_csv(quoting=2)), matrix, list(r.columns))


@pytest.mark.parametrize(
    "text", ["0 1 1.0\n0 2 1.0\n1 2 1.0\n", "1,2,5\n2,3,4\n1,3,2\n", "id,source,target\n1,5,6\n2,6,7\n"]
)
def test_three_edges_with_weights_are_no_matrix(text):
    assert "edges" in read(text).read_as


@given(
    st.sampled_from(
        [("from", "to"), ("Source Node", "Target Node"), ("gene_a", "gene_b"), ("citing", "cited"), ("V1", "V2"),
         ("Sender", "Recipient"), ("person", "friend"), ("origin", "destination")]
    ),
    st.lists(st.tuples(*[st.sampled_from(["ann", "bob", "eve", "dan"])] * 2), min_size=1, max_size=6),
    st.sampled_from([",", "\t", ";"]),
    st.sampled_from(["", "# ", "#"]),
)  # fmt: skip
@QUICK
def test_a_heading_is_no_edge(names, pairs, mark, comment):
    text = "".join(mark.join(row) + "\n" for row in [names, *pairs])
    graph = read(comment + text)
    assert set(graph.nodes) == {name for pair in pairs for name in pair}
    assert all(name in graph.read_as for name in names)


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("source,target,year,weight\na,b,1999,2\nb,c,2000,3\n", [2.0, 3.0]),
        ("source,target,year,strength\na,b,1999,2\nb,c,2000,3\n", [2.0, 3.0]),
        ("source,target,year\na,b,1999\nb,c,2000\n", None),
        ("#node1 node2 count\na b 2\nb c 3\n", [2.0, 3.0]),
        ("a,b,2\nb,c,3\n", [2.0, 3.0]),
        (",source,target,count,note\n0,a,b,2,x\n1,b,c,3,y\n", [2.0, 3.0]),
    ],
)
def test_a_weight_is_taken_by_its_name(text, weights):
    graph = read(text)
    assert graph.nodes == ("a", "b", "c")
    assert (None if graph.edge_weight is None else graph.edge_weight.tolist()) == weights


@pytest.mark.parametrize(
    "text",
    [
        "id,age,height\n1,2,3.5\n2,7,1.5\n3,1,1.0\n",
        "name,city\nann,Bern\nbob,Wien\neve,Prag\n",
        ",name,group\n0,ann,x\n1,bob,y\n",
        "node_id;label\n4;x\n5;y\n",
        "gene,symbol,start_position\nENSG1,TP53,10\nENSG2,BRCA1,20\n",
        "1,Ann\n2,Bob\n3,Eve\n",
    ],
)
def test_a_table_of_vertices_is_refused_as_such(text):
    with pytest.raises(ReadError, match="table of vertices"):
        read(text)


@pytest.mark.parametrize(
    ("text", "as_", "edges"),
    [
        ("wer,wen\nann,bob\n", None, {"wer-wen", "ann-bob"}),
        ("wer,wen\nann,bob\n", "heading", {"ann-bob"}),
        ("source,target\nann,bob\n", "no heading", {"source-target", "ann-bob"}),
        ("1,a,b\n2,b,c\n", "columns 2 3", {"a-b", "b-c"}),
        ("k,p,q\n1,a,b\n2,b,c\n", "heading, columns 2 3", {"a-b", "b-c"}),
        ("0,1,0\n1,0,1\n0,1,0\n", "edges", {"0-1"}),
        ("1,2\n2,3\n", "matrix", {"0-1"}),
        ("id,friend\n1,2\n", "edges", {"1-2"}),
    ],
)
def test_a_person_chooses_the_reading(text, as_, edges):
    assert {"-".join(sorted(pair)) for pair in edges_of(read(text, as_=as_))} == {
        "-".join(sorted(pair.split("-"))) for pair in edges
    }


@given(
    st.lists(
        st.lists(
            st.sampled_from(["a", "b", "1", "2", "0.5", "source", "weight", ""]), min_size=2, max_size=5
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([",", " ", "\t"]),
)
@settings(max_examples=150, deadline=None)
def test_every_reading_that_is_offered_can_be_chosen(cells, mark):
    text = "\n".join(mark.join(row) for row in cells)
    try:
        graph = read(text)
    except ReadError:
        return
    assert graph.read_as.endswith(".")
    for reading in graph.readings:
        try:
            said = read(text, as_=reading.as_).read_as
        except ReadError as error:
            said = error.message  # the reading is known; the table may not be fit for it
        assert said != graph.read_as
        assert "no reading" not in said


def test_columns_of_one_name_are_told_apart_by_their_numbers():
    graph = read("source,target,w,w\n1,2,3,4\n2,3,5,6\n")
    assert "the weight is 'w' (column 3); kept as attributes: 'w' (column 4)" in graph.read_as
    assert "the ends are 'source' and 'target'" in graph.read_as
    titles = [reading.title for reading in graph.readings]
    assert len(titles) == len(set(titles))
    said = {
        read("a,a,a\n1,2,3\n", as_=f"heading, columns {u} {v}").read_as for u, v in ((1, 2), (1, 3), (2, 3))
    }
    assert len(said) == 3


def test_an_unknown_reading_is_refused():
    with pytest.raises(ReadError, match="no reading 'rows'"):
        read("a,b\n", as_="rows")


@given(st.integers(1, 30), st.integers(0, 2**16))
@QUICK
def test_what_networkx_writes_of_a_grid_is_read(m, seed):
    graph = nx.convert_node_labels_to_integers(nx.gnm_random_graph(8, m, seed=seed))
    graph = nx.relabel_nodes(graph, {i: (i // 3, i % 3) for i in graph})
    graph.remove_nodes_from(list(nx.isolates(graph)))
    text = "\n".join(nx.generate_edgelist(graph))
    assert edges_of(read(text, "x.edgelist")) == {frozenset(map(str, edge)) for edge in graph.edges}


def test_vertices_and_edges_in_one_zip_are_one_graph():
    names = [
        ("nodes.csv", "edges.csv"),
        ("a/my_vertices.tsv", "a/my_links.tsv"),
        ("NodeList.csv", "EdgeList.csv"),
    ]
    for nodes, edges in names:
        mark = "\t" if nodes.endswith("tsv") else ","
        data = zipped({
            nodes: "Id,Label,Size\na,Ann,1\nb,Bob,2\nc,Eve,3\n".replace(",", mark),
            edges: "Source,Target\na,b\nb,z\n".replace(",", mark),
        })  # fmt: skip
        (graph,) = read_graphs(data, "x.zip")
        assert graph.nodes == ("a", "b", "c", "z")
        assert edges_of(graph) == {frozenset("ab"), frozenset("bz")}
        assert graph.node_attributes == {"label": ("Ann", "Bob", "Eve", None), "Size": (1, 2, 3, None)}
        assert nodes in graph.read_as
        assert any("'z'" in repair for repair in graph.repairs)
