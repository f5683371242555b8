"""Every format: what an independent writer makes of a drawn graph is read as that graph, and said to be that format."""

import io
import json
import tempfile
from pathlib import Path

import igraph
import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit import Chem

from mivspool.errors import ReadError
from mivspool.graphs.read import FORMATS, read_graphs, summary


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


def node_link(graph):
    return json.dumps(nx.node_link_data(graph, edges="links"))


def node_link_edges(graph):
    return json.dumps(nx.node_link_data(graph, edges="edges"))


def by_position(graph):
    place = {v: i for i, v in enumerate(graph)}
    links = [
        {"source": place[u], "target": place[v], "weight": d["weight"]} for u, v, d in graph.edges(data=True)
    ]
    return json.dumps({"nodes": [{"name": v} for v in graph], "links": links})


def adjacency(graph):
    return json.dumps(nx.adjacency_data(graph))


def cytoscape(graph):
    return json.dumps(nx.cytoscape_data(graph))


def jgf(graph):
    edges = [{"source": u, "target": v, "metadata": d} for u, v, d in graph.edges(data=True)]
    return json.dumps({"graph": {"nodes": {v: {} for v in graph}, "edges": edges}})


def dict_of_dicts(graph):
    return json.dumps(nx.to_dict_of_dicts(graph))


def dict_of_lists(graph):
    return json.dumps(nx.to_dict_of_lists(graph))


def graphology(graph):
    return json.dumps({
        "attributes": {}, "options": {"type": "undirected", "multi": False, "allowSelfLoops": True},
        "nodes": [{"key": v} for v in graph],
        "edges": [{"key": str(k), "source": u, "target": v, "attributes": d, "undirected": True}
                  for k, (u, v, d) in enumerate(graph.edges(data=True))],
    })  # fmt: skip


def sigma(graph):
    return json.dumps({
        "nodes": [{"id": v, "label": v, "attributes": {}} for v in graph],
        "edges": [{"id": str(k), "source": u, "target": v, "attributes": d}
                  for k, (u, v, d) in enumerate(graph.edges(data=True))],
    })  # fmt: skip


def apoc(graph):
    lines = [{"type": "node", "id": v, "labels": ["V"], "properties": {}} for v in graph]
    lines += [
        {"id": f"e{k}", "type": "relationship", "label": "T", "properties": d,
         "start": {"id": u, "labels": ["V"]}, "end": {"id": v, "labels": ["V"]}}
        for k, (u, v, d) in enumerate(graph.edges(data=True))
    ]  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


def neo4j(graph):
    return json.dumps({
        "nodes": [{"id": v, "labels": ["V"]} for v in graph],
        "relationships": [{"type": "T", "startNode": u, "endNode": v, "properties": d}
                          for u, v, d in graph.edges(data=True)],
    })  # fmt: skip


def canvas(graph):
    return json.dumps({
        "nodes": [{"id": v, "type": "text", "text": v, "x": i, "y": 0, "width": 2, "height": 2}
                  for i, v in enumerate(graph)],
        "edges": [{"id": f"{u}{v}", "fromNode": u, "toNode": v, "toEnd": "none"} for u, v in graph.edges],
    })  # fmt: skip


def pyg(graph):
    place = {v: i for i, v in enumerate(graph)}
    both = [(u, v, d["weight"]) for a, b, d in graph.edges(data=True) for u, v in ((a, b), (b, a))]
    return json.dumps({
        "x": [[1.5, i] for i in range(len(graph))], "edge_index": [[place[u] for u, _, _ in both],
        [place[v] for _, v, _ in both]], "edge_attr": [[w] for *_, w in both], "y": [1],
    })  # fmt: skip


def sif(graph):
    lines = [f"{u}\tpp\t{v}\n" for u, v in graph.edges]
    return "".join([f"{v}\n" for v in graph] + lines)


def tgf(graph):
    return "".join([f"{v} label of {v}\n" for v in graph] + ["#\n"] + [f"{u} {v}\n" for u, v in graph.edges])


def matrix_of(graph):
    return nx.to_numpy_array(graph, dtype=int).tolist()


def dl(graph):
    rows = "".join(" ".join(map(str, row)) + "\n" for row in matrix_of(graph))
    return f"dl n={len(graph)}\nformat=fullmatrix\nlabels:\n{','.join(graph)}\ndata:\n{rows}"


def dl_embedded(graph):
    rows = "".join(f"{v} {' '.join(map(str, row))}\n" for v, row in zip(graph, matrix_of(graph), strict=True))
    return f"DL N = {len(graph)}\nFormat = fullmatrix\nlabels embedded\ndata:\n{' '.join(graph)}\n{rows}"


def dl_list(graph):
    place = {v: i + 1 for i, v in enumerate(graph)}
    rows = "".join(f"{place[u]} {place[v]} {d['weight']}\n" for u, v, d in graph.edges(data=True))
    return f"dl n={len(graph)} format=edgelist1\nlabels:\n{' '.join(graph)}\ndata:\n{rows}"


def gdf(graph):
    nodes = "".join(f"{v},'the label, of {v}'\n" for v in graph)
    edges = "".join(f"{u},{v},{d['weight']}.0,false\n" for u, v, d in graph.edges(data=True))
    return (
        f"nodedef>name VARCHAR,label VARCHAR\n{nodes}"
        f"edgedef>node1 VARCHAR,node2 VARCHAR,weight DOUBLE,directed BOOLEAN\n{edges}"
    )


def numbered(graph):
    return nx.convert_node_labels_to_integers(graph, first_label=1)


def metis(graph):
    made = numbered(graph)
    lines = [" ".join(f"{v} {made[u][v]['weight']}" for v in made[u]) for u in made]
    return f"% made by a test\n{len(made)} {made.number_of_edges()} 001\n" + "".join(
        f"{line}\n" for line in lines
    )


def metis_plain(graph):
    made = numbered(graph)
    lines = [" ".join(map(str, made[u])) for u in made]
    return f"{len(made)} {made.number_of_edges()}\n" + "".join(f"{line}\n" for line in lines)


def dimacs(graph):
    made = numbered(graph)
    lines = "".join(f"e {u} {v} {d['weight']}\n" for u, v, d in made.edges(data=True))
    return f"c by a test\np edge {len(made)} {made.number_of_edges()}\n{lines}"


def pace(graph):
    made = numbered(graph)
    return f"p tw {len(made)} {made.number_of_edges()}\n" + "".join(f"{u} {v}\n" for u, v in made.edges)


def adjlist(graph):
    return "\n".join(nx.generate_adjlist(graph)) + "\n"


def multiline(graph):
    return "\n".join(nx.generate_multiline_adjlist(graph)) + "\n"


def graph6(graph):
    return nx.to_graph6_bytes(graph).decode()


def graph6_alone(graph):
    return nx.to_graph6_bytes(graph, header=False).decode()


def sparse6(graph):
    return nx.to_sparse6_bytes(graph).decode()


def sparse6_alone(graph):
    return nx.to_sparse6_bytes(graph, header=False).decode()


def lgl(graph):
    made = igraph.Graph.from_networkx(graph)
    made.vs["name"] = made.vs["_nx_name"]
    out = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        made.write_lgl(f"{folder}/x.lgl", isolates=False)
        out.write(Path(f"{folder}/x.lgl").read_bytes())
    return out.getvalue().decode()


# what writes it, the name of the file, the format it must be read as, whether weights and ids are in it
WEIGHTS, IDS, EDGES_ONLY = "weights", "ids", "vertices without edges are not in it"
WRITERS = [
    (node_link, "x.json", "node-link", {WEIGHTS, IDS}),
    (node_link_edges, "x.json", "node-link", {WEIGHTS, IDS}),
    (by_position, "x.json", "node-link", {WEIGHTS, IDS}),
    (adjacency, "x.json", "node-link", {WEIGHTS, IDS}),
    (cytoscape, "x.cyjs", "cytoscape", {WEIGHTS, IDS}),
    (jgf, "x.json", "node-link", {WEIGHTS, IDS}),
    (dict_of_dicts, "x.json", "json-dict", {WEIGHTS, IDS}),
    (dict_of_lists, "x.json", "json-dict", {IDS}),
    (graphology, "x.json", "graphology", {WEIGHTS, IDS}),
    (sigma, "x.json", "sigma", {WEIGHTS, IDS}),
    (apoc, "x.jsonl", "neo4j", {WEIGHTS, IDS}),
    (neo4j, "x.json", "neo4j", {WEIGHTS, IDS}),
    (canvas, "x.canvas", "canvas", {IDS}),
    (pyg, "x.json", "plain", {WEIGHTS}),
    (sif, "x.sif", "sif", {IDS}),
    (tgf, "x.tgf", "tgf", {IDS}),
    (dl, "x", "dl", {WEIGHTS, IDS}),
    (dl_embedded, "x", "dl", {WEIGHTS, IDS}),
    (dl_list, "x.dl", "dl", {WEIGHTS, IDS}),
    (gdf, "x", "gdf", {WEIGHTS, IDS}),
    (metis, "x.graph", "metis", {WEIGHTS}),
    (metis_plain, "x.metis", "metis", set()),
    (dimacs, "x", "dimacs", {WEIGHTS}),
    (pace, "x.gr", "dimacs", set()),
    (adjlist, "x.adjlist", "adjlist", {IDS}),
    (multiline, "x.adjlist", "multiline-adjlist", {WEIGHTS, IDS}),
    (graph6, "x", "graph6", set()),
    (graph6_alone, "x.g6", "graph6", set()),
    (sparse6, "x", "sparse6", set()),
    (sparse6_alone, "x.s6", "sparse6", set()),
    (lgl, "x.lgl", "lgl", {EDGES_ONLY}),
]


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


def test_mol2_is_what_rdkit_reads():
    (graph,) = read_graphs(ETHANE.encode(), "x")
    molecule = Chem.MolFromMol2Block(ETHANE, sanitize=False)
    assert graph.node_attributes["label"] == tuple(atom.GetSymbol() for atom in molecule.GetAtoms())
    assert graph.edges.T.tolist() == [[b.GetBeginAtomIdx(), b.GetEndAtomIdx()] for b in molecule.GetBonds()]
    assert graph.nodes == ("1", "2", "3")
    assert any("SUBSTRUCTURE" in repair for repair in graph.repairs)


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
