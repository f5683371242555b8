"""Methods side by side: which rows there are, whose weights they have, and what a refusal looks like."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from mivspool.cli import main
from mivspool.compare import choices, compare, compare_dataset, spread
from mivspool.errors import InputError
from mivspool.graphs import load_dataset, open_source
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.graph import Graph
from mivspool.learning.network import Classifier, NetworkConfig
from mivspool.levels import step
from mivspool.pooling import METHODS, SCORES
from mivspool.pooling.parts import loops, memory

KEYS = {
    "name", "score", "level", "selection", "survivors", "num_nodes", "num_edges", "ratio", "density",
    "mean_degree", "components", "information_kept", "assignment_entropy", "mean_stretch", "independent", "maximal",
    "iterations", "seconds", "weights",
}  # fmt: skip


def test_all_is_every_method_that_pools_and_mivspool_with_each_score():
    keys = [choice.key for choice in choices("all")]
    assert keys[: len(SCORES)] == ["mivspool:multiview"] + [
        f"mivspool:{s}" for s in SCORES if s != "multiview"
    ]
    assert {choice.method.name for choice in choices("all")} == set(METHODS) - {"none"}
    assert len(keys) == len(set(keys))
    assert [choice.key for choice in choices("gpool, mivspool,none")] == [
        "gpool",
        "mivspool:multiview",
        "none",
    ]


@pytest.mark.parametrize("names", ["", "topk", "gpool:uniform", "mivspool:best", []])
def test_names_that_are_none_are_refused(names):
    with pytest.raises(InputError):
        choices(names)


def test_karate_with_every_method_and_three_levels():
    graph = open_source("karate")
    rows = compare(graph, levels=3)
    assert {row.choice.key for row in rows} == {choice.key for choice in choices("all")}
    for before, row in zip([None, *rows], rows, strict=False):
        document = json.loads(json.dumps(row.to_json()))
        assert not KEYS - set(document)
        assert document["weights"] == "seed 0"
        if row.level:
            assert row.nodes == before.reduced_nodes
        if row.choice.method.kind != "complete":
            assert set(document["survivors"]) <= set(graph.nodes)
            assert len(document["survivors"]) == document["num_nodes"]
        if row.choice.method.name == "mivspool":
            assert document["information_kept"] == 1
            assert document["components"] == document["components_before"]
            assert document["independent"]
            assert document["maximal"]


@pytest.mark.parametrize("score", SCORES)
def test_mivspool_is_what_the_step_command_shows(score):
    graph = load_dataset("MAO")[3]
    rows, levels = compare(graph, f"mivspool:{score}", levels=2, seed=4), step(graph, score, levels=2, seed=4)
    assert [row.survivors for row in rows] == [list(level.reduced_nodes) for level in levels]
    assert [row.measures.iterations for row in rows] == [level.num_iterations for level in levels]


def test_a_method_that_refuses_has_a_row_that_says_so(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda device: 100)
    rows = compare(open_source("karate"), "gpool,diffpool,ndp", levels=2)
    assert [row.choice.method.name for row in rows] == ["gpool", "gpool", "diffpool", "ndp"]
    refused = rows[2].to_json()
    assert "DiffPool needs about" in refused["refused"]
    assert refused["selection"] == "complete"


class Model:
    """What ``compare`` uses of a trained model."""

    name = "mao-gpool"

    def __init__(self):
        torch.manual_seed(7)
        self.classifier = Classifier(NetworkConfig(3, 2, method="gpool", hidden=8, blocks=2)).eval()


def test_a_model_brings_its_weights_for_its_own_method(monkeypatch):
    graph = open_source("karate")
    model, x = Model(), np.random.default_rng(0).standard_normal((34, 3)).astype(np.float32)
    model.schema = None
    fit = type("Fit", (), {"x": x})()
    monkeypatch.setattr("mivspool.graphs.features.fit_graph", lambda graph, schema: fit)
    rows = compare(graph, "gpool,sagpool", levels=3, models=[model])
    assert [row.weights for row in rows if row.choice.key == "gpool"] == ["mao-gpool"] * 2
    assert {row.weights for row in rows if row.choice.key == "sagpool"} == {"seed 0"}
    batch = torch.zeros(34, dtype=torch.int64)
    out = model.classifier.detailed(torch.from_numpy(x), rows[0].adjacency, batch, 1)
    for row, pooled in zip(rows, out.levels, strict=False):
        assert torch.equal(row.pooled.survivor, pooled.survivor)


def test_a_whole_data_set():
    dataset = load_dataset("MAO")
    told = []
    rows = compare_dataset(
        dataset,
        "mivspool,gpool,diffpool",
        levels=2,
        graphs=20,
        on_graph=lambda done, of: told.append((done, of)),
    )
    assert told[-1] == (20, 20)
    assert [(row.choice.method.name, row.level) for row in rows] == [
        ("mivspool", 0), ("mivspool", 1), ("gpool", 0), ("gpool", 1), ("diffpool", 0), ("diffpool", 1),
    ]  # fmt: skip
    document = rows[0].to_json()
    assert document["graphs"] == 20
    assert document["information_kept"]["mean"] == 1
    assert document["independent"]["mean"] == 1
    assert len(document["ratio"]["quartiles"]) == 3
    assert rows[4].to_json()["mean_stretch"] is None


def test_the_graphs_of_a_sample_are_spread_and_bad_numbers_are_refused():
    with pytest.raises(InputError, match="at least 1"):
        compare_dataset(load_dataset("MAO"), "gpool", graphs=0)
    with pytest.raises(InputError, match="at least 1"):
        compare(open_source("karate"), "gpool", levels=0)


def test_spread_by_hand():
    values = spread(np.array([1.0, 2.0, 3.0, 4.0]))
    assert values["mean"] == 2.5
    assert values["std"] == pytest.approx(np.std([1, 2, 3, 4], ddof=1))
    assert values["quartiles"] == [1.75, 2.5, 3.25]
    assert (values["min"], values["max"]) == (1, 4)
    assert spread(np.array([])) is None


def test_the_command_prints_json_and_nothing_else(capsys):
    assert main(["compare", "MAO:3", "--methods", "mivspool,gpool", "--levels", "2", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["graph"]["name"] == "MAO:3"
    assert all(not KEYS - set(row) for row in document["methods"])
    assert main(["compare", "MAO", "--methods", "gpool", "--graphs", "5", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["dataset"] == {"name": "MAO", "graphs": 68, "compared": 5}
    assert document["methods"][0]["ratio"]["mean"] == pytest.approx(0.5, abs=0.05)


def test_the_command_prints_a_table_for_a_person(capsys):
    assert main(["compare", "karate", "--methods", "mivspool,diffpool"]) == 0
    out = capsys.readouterr().out
    assert "mivspool:multiview" in out
    assert "weights: seed 0" in out
    assert main(["compare", "MAO", "--methods", "gpool", "--graphs", "5"]) == 0
    assert "means over 5 graphs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["karate", "--methods", "topk"], "no pooling method 'topk'"),
        (["karate", "--graphs", "3"], "--graphs is for a data set"),
        (["MAO", "--model", "x"], "--model is for one graph"),
        (["nothing-of-that-name"], "nothing-of-that-name"),
    ],
)
def test_bad_arguments_get_one_line_and_status_2(arguments, message, capsys):
    assert main(["compare", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_data_set_whose_labels_are_names_is_compared_by_its_degrees(monkeypatch):
    """As Classify's network and Step do; and no matrix is made of labels times labels."""
    n = 300
    dataset = Dataset(
        name="NAMED",
        ptr=np.array([0, n]),
        edges=np.stack([np.arange(n - 1), np.arange(1, n)]),
        edge_ptr=np.array([0, n - 1]),
        node_label=np.arange(n),
        label_names=tuple(f"name {k}" for k in range(n)),
        node_attributes=None,
        attribute_names=(),
        target=np.array([0]),
        classes=("0",),
    )
    asked = []
    make = torch.eye
    monkeypatch.setattr(torch, "eye", lambda n, *args, **options: (asked.append(n), make(n))[1])
    (row,) = compare_dataset(dataset, "gpool")
    assert row.graphs == 1
    assert not any(size > 256 for size in asked)


@pytest.mark.parametrize("name", ["mvpool", "mvpool-sl", "kmis-2"])
def test_a_hub_whose_neighbours_would_all_be_joined_is_refused_before_they_are(name, monkeypatch):
    """Powers of A are as large as n² however few edges there are; a refusal comes before the memory is taken."""
    monkeypatch.setattr(memory, "available", lambda device: 10**9)
    refuse_loops(monkeypatch)
    n = 30_000
    leaves = np.arange(1, n)
    star = Graph("star", tuple(str(v) for v in range(n)), np.stack([np.zeros_like(leaves), leaves]))
    (row,) = compare(star, [name], renumberings=0)
    assert "1.0 GB are free" in (row.refused or "")


def refuse_loops(monkeypatch):
    def nearby(*args):
        raise AssertionError("the joins were begun")

    monkeypatch.setattr(loops, "nearby", nearby)


def test_a_method_that_refuses_every_graph_is_told_with_its_refusals(monkeypatch, capsys):
    def refuses(layer, *args, **options):
        raise InputError("this graph is too large for it")

    monkeypatch.setattr("mivspool.compare.measure", refuses)
    rows = compare_dataset(load_dataset("MAO"), "gpool", graphs=3)
    assert [(row.choice.key, row.graphs, row.refused) for row in rows] == [("gpool", 0, 3)]
    assert main(["compare", "MAO", "--methods", "gpool", "--graphs", "2"]) == 0
    assert "2 refused" in capsys.readouterr().out


def test_by_given_scores_mivspool_is_what_step_makes_of_them_and_gpool_keeps_the_best():
    scores = np.random.default_rng(3).permutation(np.arange(1, 35) / 40)
    graph = replace(open_source("karate"), node_attributes={"score": tuple(scores.tolist())})
    levels = step(graph, scores.tolist(), levels=3)
    rows = compare(graph, "mivspool:given", levels=3)
    assert [row.survivors for row in rows] == [list(level.reduced_nodes) for level in levels]
    assert [row.weights for row in rows] == ["given scores"] * len(rows)
    half = step(graph, scores.tolist(), complement=True)[0]
    (row,) = compare(graph, "mivspool-comp:given")
    assert row.survivors == list(half.reduced_nodes)
    kept, value = set(range(34)), dict(zip(graph.nodes, scores, strict=True))
    for row in compare(graph, "gpool:given", levels=3):
        best = sorted(kept, key=lambda v: -scores[v])[: -(-len(kept) // 2)]
        kept = set(best)
        assert sorted(row.survivors, key=value.get) == sorted((graph.nodes[v] for v in best), key=value.get)


def test_scores_that_a_graph_brings_are_used_and_where_it_brings_none_that_is_said():
    edges = np.array([[0, 1], [1, 2]])
    brings = Graph("path", ("a", "b", "c"), edges, node_attributes={"score": (0.2, 0.1, 0.3)})
    keys = [row.choice.key for row in compare(brings, "all", renumberings=0)]
    assert keys[:3] == ["mivspool:given", "mivspool-comp:given", "gpool:given"]
    assert compare(brings, "mivspool:given")[0].survivors == ["a", "c"]
    for wrong in (None, (0.2, -1, 0.3), (0.2, True, 0.3), (0.2, None, 0.3)):
        without = Graph("path", ("a", "b", "c"), edges, node_attributes={"score": wrong} if wrong else {})
        assert "mivspool:given" not in [row.choice.key for row in compare(without, "all", renumberings=0)]
        (row,) = compare(without, "gpool:given")
        assert "brings no scores" in row.refused
    with pytest.raises(InputError, match="takes no score"):
        choices("sagpool:given")
