"""Writers of formats for the tests: networkx's and igraph's, else a few lines by the specification."""

import io
import json
import tempfile
from pathlib import Path

import igraph
import networkx as nx


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


def json_pairs(graph):
    edges = [[u, v, d["weight"]] for u, v, d in graph.edges(data=True)]
    return json.dumps(edges) if edges else ""


def json_matrix(graph):
    return json.dumps(nx.to_numpy_array(graph, dtype=int).tolist())


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
    return f"dl n={len(graph)}\nformat = edgelist1\nlabels:\n{chr(10).join(graph)}\ndata:\n{rows}"


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


def dimacs_plain(graph):
    made = numbered(graph)
    lines = "".join(f"e {u} {v}\n" for u, v in made.edges)
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


def mol2(graph, elements):
    place = {v: i + 1 for i, v in enumerate(graph)}
    atoms = "".join(
        f"{i} {e}{i} {i}.0 0.0 0.0 {e}.3 1 LIG 0.0\n" for i, e in zip(place.values(), elements, strict=False)
    )
    bonds = "".join(f"{k} {place[u]} {place[v]} 1\n" for k, (u, v) in enumerate(graph.edges, start=1))
    sizes = f"{len(graph)} {graph.number_of_edges()} 0 0 0"
    return f"@<TRIPOS>MOLECULE\nx\n{sizes}\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n{atoms}@<TRIPOS>BOND\n{bonds}"


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
    (json_pairs, "x.json", "json-edges", {WEIGHTS, EDGES_ONLY}),
    (json_matrix, "x.json", "json-matrix", {WEIGHTS}),
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
    (dimacs_plain, "x.col", "dimacs", set()),
    (pace, "x.gr", "dimacs", set()),
    (adjlist, "x.adjlist", "adjlist", {IDS}),
    (multiline, "x.adjlist", "multiline-adjlist", {WEIGHTS, IDS}),
    (graph6, "x", "graph6", set()),
    (graph6_alone, "x.g6", "graph6", set()),
    (sparse6, "x", "sparse6", set()),
    (sparse6_alone, "x.s6", "sparse6", set()),
    (lgl, "x.lgl", "lgl", {EDGES_ONLY}),
]
