"""Data sets: the figures of Table 1, simple graphs, and a sentence where one cannot be had."""

import http.server
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest

from mivspool.errors import DatasetError, InputError, ReadError
from mivspool.graphs import dataset_files
from mivspool.graphs.dataset_files import checksum
from mivspool.graphs.datasets import DATASETS, find_dataset, load_dataset, statistics
from mivspool.settings import settings
from tests.graphs.read.cases import tu as tu_zip

TABLE_1 = {
    "DD": (1178, 284.3, 272.1, 715.7, 694.2),
    "PROTEINS": (1113, 39.1, 45.8, 72.8, 84.6),
    "NCI1": (4110, 29.9, 13.6, 32.3, 14.9),
    "ENZYMES": (600, 32.6, 15.3, 62.1, 25.5),
}


@pytest.mark.parametrize("name", TABLE_1)
def test_table_1(tu, name):
    found = statistics(tu(name))
    figures = (found.graphs, found.vertices, found.vertices_std, found.edges, found.edges_std)
    np.testing.assert_allclose(figures, TABLE_1[name], atol=0.1)


def test_largest_dd_graph(tu):
    found = statistics(tu("DD"))
    assert (found.max_vertices, found.max_edges) == (5748, 14267)


@pytest.mark.parametrize("name", DATASETS)
def test_laws(tu, name):
    dataset = tu(name)
    source = DATASETS[name]
    assert (len(dataset), len(dataset.classes)) == (source.graphs, source.classes)
    u, v = dataset.edges
    assert (u < v).all()
    graph = np.repeat(np.arange(len(dataset)), dataset.num_nodes)
    assert (graph[u] == graph[v]).all()
    assert (graph[u] == np.repeat(np.arange(len(dataset)), dataset.num_edges)).all()
    code = u * dataset.ptr[-1] + v
    assert (np.diff(code) > 0).all(), "each edge once, sorted"
    assert dataset.target.min() == 0
    assert dataset.target.max() == len(dataset.classes) - 1
    if dataset.node_label is not None:
        assert dataset.node_label.max() < len(dataset.label_names)
    first = dataset[0]
    assert first.nodes == tuple(str(i) for i in range(first.num_nodes))
    assert first.name == f"{name}:0"
    assert sum(graph.num_edges for graph in dataset) == dataset.edges.shape[1] if len(dataset) < 200 else True


@pytest.mark.parametrize("name", ["MUTAG", "ENZYMES", "IMDB-BINARY"])
def test_same_graphs_as_pyg(tu, name, tmp_path):
    """PyTorch Geometric's loader is the oracle."""
    ours = tu(name)
    datasets = pytest.importorskip("torch_geometric.datasets")

    class Local(datasets.TUDataset):
        url = settings().tu_url

    theirs = Local(str(tmp_path), name, use_node_attr=True)
    assert len(ours) == len(theirs)
    for i in range(0, len(ours), 7):
        graph, data = ours[i], theirs[i]
        np.testing.assert_array_equal(graph.edge_index, data.edge_index.numpy())
        assert int(data.y) == ours.target[i]
        start, end = ours.ptr[i], ours.ptr[i + 1]
        if ours.node_attributes is not None:
            own = data.x[:, : len(ours.attribute_names)].numpy()
            np.testing.assert_allclose(ours.node_attributes[start:end], own, rtol=1e-5)
        if ours.node_label is not None:
            labels = data.x[:, len(ours.attribute_names) :].numpy().argmax(axis=1)
            np.testing.assert_array_equal(ours.node_label[start:end], labels)


def test_mao():
    dataset = load_dataset("MAO")
    assert np.bincount(dataset.target).tolist() == [38, 30]
    assert set(dataset[3].node_attributes["label"]) == {"C", "N"}
    for graph in dataset:
        u, v = graph.edges
        length = np.linalg.norm(graph.positions[u] - graph.positions[v], axis=1)
        np.testing.assert_allclose(length, 1.5, atol=0.01)
        assert len(np.unique(graph.positions.round(2), axis=0)) == graph.num_nodes, (
            "no two atoms in one place"
        )


def test_mutag_labels_are_elements(tu):
    dataset = tu("MUTAG")
    assert dataset.label_names == ("C", "N", "O", "F", "I", "Cl", "Br")
    assert dataset.label_names[np.bincount(dataset.node_label).argmax()] == "C"
    assert (np.bincount(dataset.node_label, minlength=7) > 0).all()


def test_imdb_lists_each_edge_twice(tu):
    assert tu("IMDB-BINARY").repairs == ("merged 193,062 parallel edges",)


def test_names_in_any_case():
    assert find_dataset("dd") is find_dataset("D&D") is DATASETS["DD"]
    assert find_dataset("nothing") is None


def test_index_out_of_range():
    with pytest.raises(InputError, match="0 to 67"):
        load_dataset("MAO")[68]


def test_second_load_needs_neither_torch_nor_network(fresh_home):
    load_dataset("MAO")
    code = (
        "import sys; from mivspool.graphs import load_dataset; load_dataset('MAO');"
        "print([m for m in ('torch', 'rdkit', 'greycdata', 'networkx') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_damaged_cache_is_made_anew(fresh_home):
    from mivspool.graphs import dataset_files

    first = load_dataset("MAO")
    (path,) = (fresh_home / "home" / "datasets").glob("MAO*.npz")
    path.write_bytes(path.read_bytes()[:1000])
    dataset_files._load.cache_clear()
    np.testing.assert_array_equal(load_dataset("MAO").edges, first.edges)


def test_home_that_cannot_be_written(fresh_home):
    (fresh_home / "home").write_text("a file stands where the folder should be")
    assert len(load_dataset("MAO")) == 68


def test_folder_without_the_data_set(fresh_home, monkeypatch):
    monkeypatch.setenv("MIVSPOOL_TU_URL", str(fresh_home))
    settings.cache_clear()
    with pytest.raises(DatasetError, match=r"MUTAG\.zip"):
        load_dataset("MUTAG")


def test_no_network(fresh_home, monkeypatch):
    monkeypatch.setenv("MIVSPOOL_TU_URL", "http://127.0.0.1:9/nothing")
    settings.cache_clear()
    with pytest.raises(DatasetError, match="MIVSPOOL_TU_URL"):
        load_dataset("MUTAG")


def test_damaged_download(fresh_home, monkeypatch):
    (fresh_home / "MUTAG.zip").write_bytes(b"PK\x03\x04 not a zip")
    monkeypatch.setenv("MIVSPOOL_TU_URL", fresh_home.as_uri())
    settings.cache_clear()
    with pytest.raises(DatasetError, match="fetch it again"):
        load_dataset("MUTAG")


def test_fetched_over_http(fresh_home, monkeypatch):
    content = tu_zip(node_labels="0\n6\n0\n1\n").replace(b"T/T_", b"T/T_")

    class Mirror(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Mirror)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("MIVSPOOL_TU_URL", f"http://127.0.0.1:{server.server_port}")
    settings.cache_clear()
    try:
        dataset = dataset_files.load(replace(DATASETS["MUTAG"], checksum=None))
    finally:
        server.shutdown()
    assert (dataset.name, len(dataset)) == ("MUTAG", 2)
    assert dataset[0].node_attributes["label"] == ("C", "Br")


def test_another_data_set_under_the_name_of_one(fresh_home, monkeypatch):
    (fresh_home / "MUTAG.zip").write_bytes(tu_zip(node_labels="0\n6\n0\n1\n"))
    monkeypatch.setenv("MIVSPOOL_TU_URL", str(fresh_home))
    settings.cache_clear()
    with pytest.raises(DatasetError, match="its checksum differs"):
        load_dataset("MUTAG")
    assert not list((fresh_home / "home").rglob("*.npz")), "it is not kept"


@pytest.mark.parametrize("name", ["MUTAG", "ENZYMES"])
def test_the_checksum_is_of_the_graphs_and_not_of_the_zip(tu, name):
    dataset = tu(name)
    assert checksum(dataset) == DATASETS[name].checksum
    for change in (
        {"target": 1 - dataset.target},
        {"edges": dataset.edges + (dataset.edges == dataset.edges.max())},
        {"node_label": np.roll(dataset.node_label, 1)},
        {"classes": dataset.classes[::-1]},
    ):
        assert checksum(replace(dataset, **change)) != DATASETS[name].checksum
    drawn = replace(dataset, positions=np.zeros((len(dataset.node_label), 2)), repairs=("packed again",))
    assert checksum(drawn) == DATASETS[name].checksum


def test_own_folder_and_zip(tmp_path):
    (tmp_path / "own.zip").write_bytes(tu_zip(node_labels="5\n7\n5\n5\n"))
    folder = tmp_path / "T"
    folder.mkdir()
    (folder / "T_A.txt").write_text("1, 2\n2, 1\n")
    (folder / "T_graph_indicator.txt").write_text("1\n1\n2\n")
    (folder / "T_graph_labels.txt").write_text("-1\n1\n")
    zipped, plain = load_dataset(tmp_path / "own.zip"), load_dataset(folder)
    assert zipped.label_names == ("5", "7")
    assert plain.num_nodes.tolist() == [2, 1]
    assert plain.classes == ("-1", "1")


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (tu_zip(graph_labels=None), DatasetError, "no classes"),
        (tu_zip(A=None), DatasetError, "layout"),
        (tu_zip(A="0, 1\n"), ReadError, "from 1"),
    ],
)
def test_own_data_set_that_cannot_be_used(tmp_path, content, error, words):
    (tmp_path / "own.zip").write_bytes(content)
    with pytest.raises(error, match=words):
        load_dataset(tmp_path / "own.zip")


def test_unknown_name():
    with pytest.raises(DatasetError, match="MAO"):
        load_dataset("NOTHING")
