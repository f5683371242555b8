"""Every format: what an independent writer makes of a drawn graph is read as that graph, and said to be that format."""

import json

import igraph
import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit import Chem

from mivspool.errors import ReadError
from mivspool.graphs.read import FORMATS, read_graphs, summary
from tests.graphs.read.writers import (
    EDGES_ONLY,
    IDS,
    WEIGHTS,
    WRITERS,
    dimacs_plain,
    dl,
    dl_embedded,
    dl_list,
    mol2,
    multiline,
)


@st.composite
def graphs(draw):
    """A simple graph of vertices v0, v1, … with a whole number as each edge's weight."""
    n = draw(st.integers(1, 7))
    pairs = [(u, v) for u in range(n) for v in range(u + 1, n)]
    chosen = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    graph = nx.Graph()
    graph.add_nodes_from(f"v{i}" for i in range(n))
    for u, v in sorted(chosen):
        graph.add_edge(f"v{u}", f"v{v}", weight=draw(st.integers(1, 9)))
    return graph


@pytest.mark.parametrize(("write", "name", "format", "has"), WRITERS, ids=[w[0].__name__ for w in WRITERS])
@given(graph=graphs())
@settings(max_examples=25, deadline=None)
def test_a_drawn_graph_comes_back(write, name, format, has, graph):
    text = write(graph)
    if not text.strip() or (EDGES_ONLY in has and not graph.edges):
        return
    if multiline is write and not graph.edges:
        name = "x.madjlist"
    (back,) = read_graphs(text.encode(), name)
    assert back.format == format
    assert back.read_as.startswith("Read as ")
    names = list(graph) if IDS in has else list(back.nodes)
    if EDGES_ONLY in has:
        graph = graph.subgraph([v for v in graph if graph.degree(v)])
        names = list(back.nodes)
        assert sorted(back.nodes) == sorted(graph)
    assert list(back.nodes) == names
    order = {v: i for i, v in enumerate(graph if EDGES_ONLY not in has else names)}
    expected = {tuple(sorted((order[u], order[v]))): d["weight"] for u, v, d in graph.edges(data=True)}
    assert set(map(tuple, back.edges.T.tolist())) == set(expected)
    if WEIGHTS in has and expected and not (back.edge_weight is None and set(expected.values()) == {1}):
        found = dict(zip(map(tuple, back.edges.T.tolist()), back.edge_weight.tolist(), strict=True))
        assert found == expected


@pytest.mark.parametrize("n", [63, 64, 100, 300])
def test_longer_sizes_of_nauty(n):
    graph = nx.gnm_random_graph(n, 2 * n, seed=n)
    for text in (nx.to_graph6_bytes(graph), nx.to_sparse6_bytes(graph)):
        (back,) = read_graphs(text, "x")
        assert back.num_nodes == n
        assert set(map(tuple, back.edges.T.tolist())) == {tuple(sorted(edge)) for edge in graph.edges}


ETHANE = """@<TRIPOS>MOLECULE
ethanol
 3 2 0 0 0
SMALL
NO_CHARGES

@<TRIPOS>ATOM
      1 C1 0.0 0.0 0.0 C.3 1 LIG 0.0
      2 C2 1.5 0.0 0.0 C.3 1 LIG 0.0
      3 O1 2.0 1.2 0.0 O.3 1 LIG 0.0
@<TRIPOS>BOND
     1    1    2    1
     2    2    3    1
@<TRIPOS>SUBSTRUCTURE
     1 LIG 1
"""


def test_mol2_keeps_what_it_says_of_the_rest():
    (graph,) = read_graphs(ETHANE.encode(), "x")
    assert graph.nodes == ("1", "2", "3")
    assert any("SUBSTRUCTURE" in repair for repair in graph.repairs)


@given(graph=graphs(), elements=st.lists(st.sampled_from(["C", "N", "O", "S"]), min_size=7, max_size=7))
@settings(max_examples=25, deadline=None)
def test_mol2_is_what_rdkit_reads(graph, elements):
    text = mol2(graph, elements)
    (found,) = read_graphs(text.encode(), "x.mol2")
    molecule = Chem.MolFromMol2Block(text, sanitize=False, cleanupSubstructures=False)
    assert found.node_attributes["label"] == tuple(atom.GetSymbol() for atom in molecule.GetAtoms())
    bonds = [sorted((b.GetBeginAtomIdx(), b.GetEndAtomIdx())) for b in molecule.GetBonds()]
    assert found.edges.T.tolist() == sorted(bonds)
    gaps = text.replace("\n@<TRIPOS>", "\n\n  \n@<TRIPOS>").replace("@<TRIPOS>BOND\n", "@<TRIPOS>BOND\n\n")
    (again,) = read_graphs(gaps.encode(), "x.mol2")  # blank lines say nothing
    assert (again.nodes, again.edges.tolist()) == (found.nodes, found.edges.tolist())


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("x.sif", "a pp\n", "SIF"),
        ("x.tgf", "1 a\n#\n1 2\n", "'2'"),
        ("x.dl", "dl n=2 format=edgelist1\ndata:\n1 3\n", "1 to 2"),
        ("x.dl", "dl nr=2, nc=3\ndata:\n1 0 0\n0 1 1\n", "two modes"),
        ("x.dl", "dl n=2\ndata:\n1 0 0\n", "2 × 2"),
        ("x.dl", "dl n=999999999\ndata:\n", "more than"),
        ("x.gdf", "nodedef>name VARCHAR\na,b\n", "columns"),
        ("x.graph", "3 2\n2\n1 4\n2\n", "1 to 3"),
        ("x.graph", "3 2\n2\n", "cut off"),
        ("x.col", "p edge 2 1\ne 1 3\n", "1 to 2"),
        ("x.col", "p cnf 2 1\n1 -2 0\n", "CNF"),
        ("x.col", "p edge 999999999 1\n", "more than"),
        ("x.lgl", "a 1\n", "LGL"),
        ("x.g6", "Bww\n", "length"),
        ("x.g6", "~?@\n", "cut off"),
        ("x.g6", "~~~~~~~~\n", "more than"),
        ("x.s6", ";Bw\n", "incremental"),
        ("x.madjlist", "a 2\nb {}\n", "cut off"),
        ("x.mol2", "@<TRIPOS>MOLECULE\nx\n@<TRIPOS>ATOM\n1 C\n", "atom"),
        ("x.jsonl", '{"nodes":[{"id":1}],"edges":[]}\n{"nodes":\n', "line 2"),
    ],
)
def test_bad_files_get_a_sentence(name, text, words):
    with pytest.raises(ReadError, match=words):
        read_graphs(text.encode(), name)


def test_json_lines_of_graphs():
    lines = [{"edge_index": [[0], [1]], "y": 1}, {"edge_index": [[0, 1], [1, 2]], "y": 0}]
    graphs = read_graphs("".join(json.dumps(line) + "\n" for line in lines).encode(), "x.jsonl")
    assert [(g.num_nodes, g.label) for g in graphs] == [(2, "1"), (3, "0")]


@pytest.mark.parametrize(
    "document",
    [
        ["a", "b"],
        {"columns": ["a", "b"], "data": ["c"]},
        {"source": ["a"], "target": ["b"]},
        {"a": {"b": 1}},
        [1, 2],
        {"x": [[1, 2]]},
    ],
)
def test_unknown_json_is_refused(document):
    with pytest.raises(ReadError, match="JSON"):
        read_graphs(json.dumps(document).encode(), "x.json")


@pytest.mark.parametrize(
    ("document", "left_out"),
    [
        ({"nodes": [{"id": "a"}], "links": [], "graph": {"author": "x"}, "zoom": 3}, ["'author'", "'zoom'"]),
        ({"edge_index": [[0], [1]], "num_nodes": 2, "train_mask": [True]}, ["'train_mask'"]),
        (
            {"elements": {"nodes": [{"data": {"id": "a", "parent": "b"}, "style": {"c": 1}}]}},
            ["'parent'", "'style'"],
        ),
        ({"nodes": [{"key": "a"}], "edges": [], "attributes": {"author": "x"}}, ["'author'"]),
    ],
)
def test_what_is_left_out_of_json_is_named(document, left_out):
    repairs = " ".join(summary(read_graphs(json.dumps(document).encode(), "x.json"))["repairs"])
    assert all(name in repairs for name in left_out), repairs


def test_features_and_class_of_a_dictionary_are_kept():
    (graph,) = read_graphs(
        b'{"x":[[1,0],[0,1]],"edge_index":[[0],[1]],"y":[3],"mask":[true,false]}', "x.json"
    )
    assert graph.label == "3"
    assert graph.node_attributes == {"attribute 0": (1, 0), "attribute 1": (0, 1), "mask": (True, False)}


def test_each_dialect_of_json_comes_after_json():
    places = {format.name: format.place for format in FORMATS.values() if format.knows is not None}
    assert len(set(places.values())) == len(places)  # the order in which they are asked is decided


@pytest.mark.parametrize(
    "document",
    [[[0]], [[1]], [[0, 3], [3, 0]], [[0, 1], [1, 2]], [[0, 1, 2], [1, 0, 3], [2, 3, 0]], [[0, 1, 2]] * 3],
)
def test_a_square_of_numbers_as_json_is_read_either_way(document):
    """Each reading that is offered gives another graph, and offers the first one."""
    data = json.dumps(document).encode()
    (graph,) = read_graphs(data, "x.json")
    for reading in graph.readings:
        (other,) = read_graphs(data, "x.json", as_=reading.as_)
        assert other.read_as != graph.read_as
        assert graph.read_as in [read_graphs(data, "x.json", as_=r.as_)[0].read_as for r in other.readings]


def igraph_dl(file):
    graph = igraph.Graph.Read_DL(file, directed=False)
    return graph.vs["name"] if "name" in graph.vs.attributes() else None, graph.get_edgelist()


def igraph_dimacs(file):
    (graph, *_) = igraph.GraphBase.Read_DIMACS(file, directed=False)  # Graph's own wants capacities
    return None, graph.get_edgelist()


@pytest.mark.parametrize(
    ("write", "read"),
    [(dl, igraph_dl), (dl_embedded, igraph_dl), (dl_list, igraph_dl), (dimacs_plain, igraph_dimacs)],
    ids=lambda given: given.__name__,
)
@given(graph=graphs())
@settings(max_examples=25, deadline=None)
def test_igraph_reads_the_same(write, read, tmp_path_factory, graph):
    if not graph.edges:
        return
    nx.set_edge_attributes(graph, 1, "weight")  # igraph's matrices hold nothing else
    file = tmp_path_factory.getbasetemp() / f"{write.__name__}.txt"
    file.write_text(write(graph))
    (ours,) = read_graphs(file.read_bytes(), "x")
    names, edges = read(str(file))
    assert names is None or names == list(ours.nodes)
    assert set(map(frozenset, edges)) == set(map(frozenset, ours.edges.T.tolist()))
