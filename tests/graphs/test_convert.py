"""Graphs in and out of PyTorch Geometric and networkx: what is kept, what is mended, what is refused."""

from __future__ import annotations

from dataclasses import replace

import networkx
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from pyvis.network import Network
from torch_geometric.data import Batch, Data, HeteroData, InMemoryDataset
from torch_geometric.datasets import TUDataset
from torch_geometric.utils import to_undirected

from mivspool.compare import compare, compare_dataset
from mivspool.errors import DatasetError, InputError
from mivspool.graphs import Graph, load_dataset
from mivspool.graphs.given import graphs_of
from mivspool.levels import step

TEXT = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zs"]), min_size=1, max_size=5)
NUMBER = st.floats(-1e6, 1e6, width=32)


@st.composite
def drawn(draw):
    """A graph with everything that one may have."""
    n = draw(st.integers(1, 7))
    pairs = [(u, v) for v in range(n) for u in range(v)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    edges = np.array(sorted(edges), np.int64).reshape(-1, 2).T

    def column(values, size):
        return tuple(draw(st.lists(values, min_size=size, max_size=size)))

    return Graph(
        name=draw(TEXT),
        nodes=tuple(draw(st.lists(TEXT, min_size=n, max_size=n, unique=True))),
        edges=edges,
        edge_weight=np.array(column(NUMBER, edges.shape[1])) if draw(st.booleans()) and edges.size else None,
        node_attributes={
            "label": (*column(st.sampled_from(["C", "N", None]), n - 1), "O"),
            "size": column(NUMBER, n),
            "kind": column(TEXT, n),
        },
        edge_attributes={"bond": column(TEXT, edges.shape[1]), "length": column(NUMBER, edges.shape[1])}
        if edges.size
        else {},
        label=draw(st.sampled_from([None, "0", "12", "-1", "cat"])),
        positions=np.array([column(NUMBER, 2) for _ in range(n)]) if draw(st.booleans()) else None,
    )


def same(one, other):
    assert (one.name, one.nodes, one.label) == (other.name, other.nodes, other.label)
    assert np.array_equal(one.edges, other.edges)
    for name in ("edge_weight", "positions"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert (mine is None) == (theirs is None)
        if mine is not None:
            np.testing.assert_allclose(mine, theirs, rtol=1e-6)
    assert dict(one.node_attributes) == dict(other.node_attributes)
    assert dict(one.edge_attributes) == dict(other.edge_attributes)


@given(drawn())
@settings(max_examples=40, deadline=None)
def test_a_graph_comes_back_the_same(graph):
    back = Graph.from_networkx(graph.to_networkx())
    same(back, graph)
    assert back.repairs == ()
    back = Graph.from_pyvis(graph.to_pyvis())
    same(back, graph)
    assert back.repairs == ()
    back = Graph.from_data(graph.to_data())
    same(back, graph)
    assert back.repairs == ()


def molecule():
    edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    return Data(
        x=torch.eye(4)[[0, 2, 0]], edge_index=edge_index, edge_attr=torch.eye(3)[[1, 1, 0, 0]],
        y=torch.tensor([1]), pos=torch.arange(9.0).reshape(3, 3), charge=torch.tensor([0.0, 0.5, 0.0]),
    )  # fmt: skip


def test_a_molecule_by_hand():
    graph = Graph.from_data(molecule())
    assert graph.nodes == ("0", "1", "2")
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.node_attributes["label"] == ("0", "2", "0")
    assert graph.node_attributes["charge"] == (0.0, 0.5, 0.0)
    assert graph.edge_attributes["label"] == ("1", "0")
    assert graph.label == "1"
    assert graph.positions.tolist() == [[0, 1], [3, 4], [6, 7]]
    assert graph.repairs == ("left out 'pos[2]': a graph has no place for it",)
    assert graph.to_data().x_labels == ["0", "2"]
    data = graph.to_data(labels=["0", "1", "2", "3"])
    assert torch.equal(data.x[:, 1:], molecule().x)
    assert data.x[:, 0].tolist() == [0.0, 0.5, 0.0]
    assert torch.equal(data.edge_index, molecule().edge_index)
    assert data.y.tolist() == [1]
    data.validate()


@pytest.mark.parametrize(
    ("x", "columns", "expected"),
    [
        (torch.tensor([[6], [8]]), None, {"label": ("6", "8")}),
        (
            torch.tensor([[0.5, 1.0], [2.0, 0.0]]),
            None,
            {"attribute 0": (0.5, 2.0), "attribute 1": (1.0, 0.0)},
        ),
        (torch.tensor([[7.0, 1, 0], [8, 0, 1]]), 2, {"attribute 0": (7.0, 8.0), "label": ("0", "1")}),
        (torch.tensor([[1.0, 0], [0, 0]]), 2, {"label": ("0", None)}),
        (None, None, {}),
    ],
)
def test_what_the_columns_of_x_become(x, columns, expected):
    data = Data(x=x, edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2)
    assert dict(Graph.from_data(data, columns).node_attributes) == expected


def test_what_is_mended_is_said():
    one_way = Data(edge_index=torch.tensor([[0, 1, 1], [1, 2, 1]]), num_nodes=4)
    graph = Graph.from_data(one_way)
    assert graph.num_nodes == 4
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert len(graph.repairs) == 2
    multi = networkx.MultiDiGraph([("a", "b"), ("b", "a"), ("a", "b"), ("b", "b")])
    assert Graph.from_networkx(multi).edges.tolist() == [[0], [1]]
    assert Graph.from_networkx(multi).repairs
    twins = networkx.Graph([(1, "1")])
    assert len(set(Graph.from_networkx(twins).nodes)) == 2


def test_a_weight_is_taken_by_its_name_or_as_the_one_column():
    edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    weight = torch.tensor([2.0, 2.0, 5.0, 5.0])
    for given_ in ({"edge_weight": weight}, {"edge_attr": weight}, {"edge_attr": weight.reshape(-1, 1)}):
        data = Data(edge_index=edge_index, num_nodes=3, **given_)
        assert Graph.from_data(data).edge_weight.tolist() == [2.0, 5.0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (HeteroData(), "not HeteroData"),
        (3, "not int"),
        ("karate", "open_source"),
        (Data(edge_index=torch.tensor([[0], [7]]), num_nodes=2), "vertex 7"),
    ],
)
def test_what_is_no_graph_is_refused_in_words(wrong, message):
    with pytest.raises(InputError, match=message):
        step(wrong)


TWO = torch.tensor([[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"edge_index": torch.tensor([[0, -3], [1, 0]])}, "vertex -3"),
        ({"edge_index": torch.zeros(1, 2, dtype=torch.int64)}, r"\[2, M\]"),
        ({"edge_index": TWO.float()}, "float32"),
        ({"x": torch.ones(3, 2)}, "x has 3 rows for 2 vertices"),
        ({"pos": torch.ones(1, 2)}, "pos has 1 row for 2 vertices"),
        ({"edge_attr": torch.ones(5, 2)}, "edge_attr has 5 rows for 2 edges"),
        ({"edge_weight": torch.ones(7)}, "edge_weight has 7 rows for 2 edges"),
        ({"ids": ["a"]}, "ids has 1 row for 2 vertices"),
        ({"x": torch.ones(2, 1, dtype=torch.complex64)}, "complex64"),
    ],
)
def test_what_does_not_fit_its_graph_is_refused_in_words(fields, message):
    with pytest.raises(InputError, match=message):
        Graph.from_data(Data(**{"edge_index": TWO, "num_nodes": 2, **fields}))


def test_what_a_graph_has_no_place_for_is_named():
    data = Data(edge_index=TWO, num_nodes=2, flag=3, spectrum=torch.ones(2, 4), pos=torch.ones(2, 3))
    (said,) = Graph.from_data(data).repairs
    assert all(name in said for name in ("'flag'", "'spectrum'", "'pos[2]'"))
    graph = networkx.Graph([(0, 1)], name="g", crs="local")
    (said,) = Graph.from_networkx(graph).repairs
    assert "'crs'" in said


def test_a_weight_that_is_no_number_is_missing_and_said():
    graph = networkx.Graph()
    graph.add_edge("a", "b", weight="heavy")
    graph.add_edge("b", "c", weight=2)
    found = Graph.from_networkx(graph)
    assert np.isnan(found.edge_weight[0])
    assert found.edge_weight[1] == 2
    assert any("'heavy'" in said for said in found.repairs)


class Same:
    """A vertex that reads as any other."""

    def __str__(self):
        return "same"


def test_vertices_that_read_the_same_are_told_apart_in_linear_time():
    graph = networkx.Graph()
    graph.add_nodes_from(Same() for _ in range(100_000))
    graph.add_node("same (2)")
    found = Graph.from_networkx(graph)
    assert len(set(found.nodes)) == 100_001
    assert found.repairs
    assert Graph.from_data(Data(edge_index=TWO, num_nodes=2, ids=["a", "a"])).nodes == ("a", "a (2)")


def few():
    graphs = []
    for k in range(12):
        ring = torch.tensor([[v, (v + 1) % (4 + k % 3)] for v in range(4 + k % 3)]).t()
        x = torch.eye(3)[torch.arange(4 + k % 3) % (2 + k % 2)]
        graphs.append(Data(x=x, edge_index=to_undirected(ring), y=torch.tensor([k % 2])))
    return graphs


class Mine(InMemoryDataset):
    """A data set of one's own."""

    def __init__(self):
        super().__init__()
        self.data, self.slices = self.collate(few())


def as_networkx():
    return [graph.to_networkx() for graph in graphs_of(few())]


SEVERAL = {
    "a list": few,
    "a Batch": lambda: Batch.from_data_list(few()),
    "an InMemoryDataset": Mine,
    "networkx graphs": as_networkx,
    "our graphs": lambda: graphs_of(few()),
    "a generator": lambda: (one for one in few()),
}


@pytest.mark.parametrize("several", SEVERAL)
def test_several_graphs_are_a_data_set_however_they_are_given(several):
    dataset, expected = load_dataset(SEVERAL[several]()), graphs_of(few())
    assert len(dataset) == 12
    assert dataset.classes == ("0", "1")
    assert dataset.label_names == ("0", "1", "2")
    for ours, graph in zip(dataset, expected, strict=True):
        assert np.array_equal(ours.edges, graph.edges)
        assert ours.node_attributes["label"] == graph.node_attributes["label"]
        assert ours.label == graph.label


def test_a_data_set_needs_graphs():
    with pytest.raises(DatasetError, match="at least one"):
        load_dataset([])


def test_step_and_compare_take_one_graph_and_several():
    alone, ours = step(few()[0]), step(graphs_of(few())[0])
    assert alone[0].to_json() == ours[0].to_json()
    assert step(as_networkx()[0])[0].num_iterations == ours[0].num_iterations
    each = step(Batch.from_data_list(few()), "degree")
    assert [levels[0].to_json() for levels in each] == [step(one, "degree")[0].to_json() for one in few()]
    with pytest.raises(InputError, match="one graph"):
        step(few(), [1.0, 2.0])
    rows = compare(few()[:2], "gpool,none")
    assert [[row.choice.key for row in one] for one in rows] == [["gpool", "none"]] * 2
    assert [one.graphs for one in compare_dataset(Mine(), "gpool")] == [12]


@pytest.mark.needs_data
def test_a_tu_data_set_of_pyg_is_that_of_ours(tmp_path):
    """With PyTorch Geometric's columns named as the file names them, and the published names where there are any."""
    import os
    import shutil
    import zipfile
    from pathlib import Path

    folder = os.environ.get("MIVSPOOL_TU_URL", "")
    if not Path(folder).is_dir():
        pytest.skip("no data sets here")
    for name in ("MUTAG", "ENZYMES"):
        raw = tmp_path / name / "raw"
        with zipfile.ZipFile(Path(folder) / f"{name}.zip") as file:
            file.extractall(tmp_path)
        (tmp_path / name).rename(tmp_path / "taken")
        raw.mkdir(parents=True)
        for part in (tmp_path / "taken").iterdir():
            shutil.move(part, raw / part.name)
        shutil.rmtree(tmp_path / "taken")
        theirs, ours = load_dataset(TUDataset(str(tmp_path), name, use_node_attr=True)), load_dataset(name)
        assert np.array_equal(theirs.ptr, ours.ptr)
        assert np.array_equal(theirs.edges, ours.edges)
        assert theirs.attribute_names == ours.attribute_names
        for i in (0, 3, len(ours) - 1):
            assert theirs[i].node_attributes["label"] == ours[i].node_attributes["label"]
        if ours.node_attributes is not None:
            np.testing.assert_allclose(theirs.node_attributes, ours.node_attributes, rtol=1e-5)


def test_a_network_of_pyvis_that_somebody_made_is_read():
    network = Network(directed=True)
    network.add_node(1, label="carbon", group="ring", population=5)
    network.add_node("b", x=100, y=-50, size=3, shape="star")
    network.add_edge(1, "b", width=2)
    network.add_edge("b", 1, width=3, kind="double")
    network.add_edge("b", "b")
    graph = Graph.from_pyvis(network)
    assert graph.nodes == ("1", "b")
    assert graph.edges.tolist() == [[0], [1]]
    assert graph.edge_weight.tolist() == [2.0]
    assert dict(graph.node_attributes) == {
        "label": ("carbon", None), "group": ("ring", None), "population": (5, None),
    }  # fmt: skip
    assert graph.positions is None  # one vertex has none
    assert graph.repairs == ("made 3 directed edges undirected", "dropped 1 self-loop")
    with pytest.raises(InputError, match="int is none"):
        Graph.from_pyvis(3)


def test_a_data_set_as_pytorch_geometric_has_it_is_the_same_data_set():
    mao = load_dataset("MAO")
    graphs = mao.to_data()
    batch = Batch.from_data_list(graphs)
    labels = torch.from_numpy(mao.node_label)
    assert torch.equal(batch.x[:, -len(mao.label_names) :].argmax(dim=1), labels)
    assert batch.y.tolist() == mao.target.tolist()
    assert torch.equal(batch.ptr, torch.from_numpy(mao.ptr))
    back = load_dataset(graphs)
    assert np.array_equal(back.edges, mao.edges)
    assert np.array_equal(back.target, mao.target)
    without = replace(mao, target=np.full(len(mao), -1))
    assert all(data.y is None for data in without.to_data())
