"""Every format: what an independent writer makes of a drawn graph is read as that graph, and said to be that format."""

import json

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
]


@pytest.mark.parametrize(("write", "name", "format", "has"), WRITERS, ids=[w[0].__name__ for w in WRITERS])
@given(graph=graphs())
@settings(max_examples=25, deadline=None)
def test_a_drawn_graph_comes_back(write, name, format, has, graph):
    (back,) = read_graphs(write(graph).encode(), name)
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
