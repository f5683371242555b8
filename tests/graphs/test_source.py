"""SOURCE: a file wins over a classic or a data set of its name; what is wrong is said."""

import pytest

from mivspool.errors import MIVSPoolError, ReadError
from mivspool.graphs import CLASSICS, open_source, open_sources
from mivspool.graphs.graph import Graph


@pytest.mark.parametrize("name", CLASSICS)
def test_classics(name):
    graph = open_source(name)
    assert graph.num_nodes > 0
    assert len(set(graph.nodes)) == graph.num_nodes
    assert (graph.edges[0] < graph.edges[1]).all()
    assert graph.name == name


def test_known_sizes():
    sizes = {
        name: (open_source(name).num_nodes, open_source(name).num_edges)
        for name in ("karate", "petersen", "davis")
    }
    assert sizes == {"karate": (34, 78), "petersen": (10, 15), "davis": (32, 89)}
    assert open_source("grid").nodes[:2] == ("A1", "A2")


def test_file_wins(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "karate").write_text("a b\n")
    (tmp_path / "MAO:3").write_text("a b\nb c\n")
    assert open_source("karate").nodes == ("a", "b")
    assert open_source("MAO:3").num_nodes == 3


def test_index_of_a_file(tmp_path):
    path = tmp_path / "a#b.smi"
    path.write_text("CC\nCCC\nCCCC\n")
    assert open_source(str(path)).num_nodes == 2
    assert open_source(f"{path}#2").num_nodes == 4
    assert open_source(f"{tmp_path}/a#b.smi#0").num_nodes == 2
    with pytest.raises(MIVSPoolError, match="3 graphs"):
        open_source(f"{path}#3")


def test_data_set():
    assert open_source("mao:3").name == "MAO:3"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("MAO", "MAO:0"),
        ("MAO:", "number"),
        ("MAO:x", "number"),
        ("MAO:68", "0 to 67"),
        ("MAO:-1", "0 to 67"),
        ("MAO:" + "9" * 30, "index"),
        ("FOO:1", "FOO"),
        ("nothing.csv", "nothing.csv"),
        ("a" * 5000, "aaa"),
        ("", "source"),
        ("a\0b", "source"),
    ],
)
def test_errors(source, words):
    with pytest.raises(MIVSPoolError) as caught:
        open_source(source)
    assert words in caught.value.message
    assert len(caught.value.message) < 400


def test_every_graph_of_a_folder(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n")
    (tmp_path / "b.json").write_text("{")
    (tmp_path / "c.smi").write_text("CC\nC1C\nCCC\n")
    found = list(open_sources(str(tmp_path)))
    names = [(source.removeprefix(f"{tmp_path}/"), isinstance(item, Graph)) for source, item in found]
    assert names == [
        ("a.csv", True),
        ("b.json", False),
        ("c.smi#0", True),
        ("c.smi", False),
        ("c.smi#1", True),
    ]
    again = [open_source(source) for source, item in found if isinstance(item, Graph)]
    assert [graph.num_nodes for graph in again] == [2, 2, 3]
    assert all(isinstance(item, ReadError) for _, item in found if not isinstance(item, Graph))


def test_every_graph_of_a_data_set():
    found = dict(open_sources("MAO"))
    assert len(found) == 68
    assert found["MAO:3"].num_nodes == 14
    assert [source for source, _ in open_sources("karate")] == ["karate"]


def test_a_preset_is_a_source():
    assert open_source("preset:bridge").num_nodes == 10
    with pytest.raises(MIVSPoolError, match=r"no preset 'bridges'; there are: rising-path"):
        open_source("preset:bridges")
