"""A zip in TU layout that is a known data set has that set's names for labels; another of its name has not."""

import json

import pytest

from mivspool.cli import main
from mivspool.errors import ReadError, VerticesAloneError
from mivspool.graphs.read import read_graphs
from tests.graphs.read.cases import zipped


@pytest.mark.parametrize(("graphs", "label"), [(188, "N"), (187, "1")])
def test_labels_of_a_known_set_have_their_published_names(graphs, label):
    lines = range(1, graphs + 1)
    parts = {
        "A": "",
        "graph_indicator": "".join(f"{i}\n" for i in lines),
        "graph_labels": "".join(f"{i % 2}\n" for i in lines),
        "node_labels": "".join(f"{i % 7}\n" for i in lines),
    }
    found = read_graphs(zipped({f"MUTAG/MUTAG_{part}.txt": text for part, text in parts.items()}), "x.zip")
    assert found[0].node_attributes["label"] == (label,)
    assert found[0].label == "1"
    assert "MUTAG" in found[0].read_as


NODES, EDGES = "id,kind\na,1\nb,2\nc,3\nalone,4\n", "source,target\na,b\nb,c\n"


@pytest.mark.parametrize(
    "names",
    [("nodes.csv", "edges.csv"), ("people.csv", "friends.csv"), ("net_vertices.tsv", "net_links.tsv")],
)
def test_vertices_and_edges_given_together_are_one_graph(names, tmp_path, capfd):
    """In Python, on the command line and in a zip, in either order, whatever the files are called."""
    paths = [tmp_path / name for name in names]
    for path, text in zip(paths, (NODES, EDGES), strict=True):
        path.write_text(text)
    packed = read_graphs(zipped({path.name: path.read_text() for path in paths}), "x.zip")
    for found in (read_graphs(paths), read_graphs(paths[::-1]), packed):
        (graph,) = found
        assert graph.nodes == ("a", "b", "c", "alone")
        assert graph.edges.T.tolist() == [[0, 1], [1, 2]]
        assert graph.node_attributes["kind"] == (1, 2, 3, 4)
        assert names[0] in graph.read_as
    assert main(["read", *map(str, paths), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["nodes"] == ["a", "b", "c", "alone"]


def test_files_that_do_not_belong_together_are_graphs_of_their_own(tmp_path):
    for name in ("a.csv", "b.csv", "c.csv"):
        (tmp_path / name).write_text(EDGES)
    assert [graph.name for graph in read_graphs(sorted(tmp_path.iterdir()))] == ["a", "b", "c"]
    with pytest.raises(ReadError, match="there is no file"):
        read_graphs([tmp_path / "a.csv", tmp_path / "missing.csv"])
    with pytest.raises(ReadError, match="at least one"):
        read_graphs([])
    with pytest.raises(VerticesAloneError, match="edges are missing"):
        read_graphs(NODES.encode(), "people.csv")
