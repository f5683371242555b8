"""The record of a run: what the saved model says at its best epoch, to the bit; whole after a stop; bounded."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from mivspool.errors import InputError
from mivspool.graphs.graph import Graph
from mivspool.learning import record as records
from mivspool.learning.folds import split
from mivspool.learning.layers import NETWORKS
from mivspool.learning.models import load_model, save_model
from mivspool.learning.record import Record, Watch
from mivspool.learning.runs import MOST_WATCHED, RunConfig
from mivspool.learning.training import Cancelled, prepare, train
from mivspool.pooling import METHODS

SMALL = {"dataset": "TOY", "hidden": 8, "blocks": 2, "batch_size": 16, "max_epochs": 8, "lr": 1e-2}
SURVIVING = [name for name, entry in METHODS.items() if entry.kind != "complete" and name != "none"]


def copied(record: Record, epoch: int) -> list[dict]:
    return json.loads(json.dumps(record.at(epoch), allow_nan=False))


def test_the_best_epoch_is_what_the_saved_model_says_to_the_bit(toy, tmp_path):
    config = RunConfig(**SMALL)
    indices = tuple(split(toy, config.repeat, config.fold).test[:3].tolist())
    result = train(config, dataset=toy, watch=Watch(indices))
    save_model(tmp_path / "kept", result.network, result.schema, result.classes, {"dataset": "TOY"})
    graphs = [toy[index] for index in indices]
    answers = load_model(tmp_path / "kept").classify(graphs)
    for graph, answer, said in zip(graphs, answers, copied(result.record, result.best_epoch), strict=True):
        assert said["probabilities"] == list(answer.probabilities)
        assert said["loss"] == pytest.approx(-np.log(said["probabilities"][int(graph.label == "star")]))
        vertices = list(range(graph.num_nodes))
        assert len(said["levels"]) == len(answer.levels) == 2
        for level, own in zip(answer.levels, said["levels"], strict=True):
            assert np.float32(own["score"]).tolist() == level.score.tolist()
            assert own["head"] == [vertices[head] for head in level.trace.cluster.tolist()]
            vertices = [vertices[v] for v in level.survivors.tolist()]
            reduced = level.reduced
            pairs = zip(reduced.row.tolist(), reduced.col.tolist(), strict=True)
            assert own["edges"] == [[vertices[u], vertices[v]] for u, v in pairs if u < v]


@pytest.mark.parametrize(
    ("method", "network"),
    [*((name, "paper") for name in SURVIVING), *(("mivspool", name) for name in NETWORKS if name != "paper")],
)
def test_every_method_with_survivors_and_every_network_is_recorded(toy, method, network):
    """One validation graph of each class: what the kept weights make of them, to the bit."""
    config = RunConfig(**{**SMALL, "max_epochs": 2}, method=method, network=network)
    result = train(config, dataset=toy, watch=Watch())
    said = copied(result.record, result.best_epoch)
    parts, _, data = prepare(config, toy, torch.device("cpu"))
    batch = data.cut(parts.validation)
    out = passed(result.network, batch)
    chance = torch.softmax(out.logits.double(), 1)
    for described, one in zip(result.record.graphs, said, strict=True):
        place = parts.validation.tolist().index(described["index"])
        assert one["probabilities"] == chance[place].tolist()
        assert len(one["levels"]) == 2
        vertices, of = np.arange(len(described["nodes"])), batch.batch
        for pooled, own in zip(out.levels, one["levels"], strict=True):
            inside = (of == place).numpy()
            survivor = pooled.survivor.numpy()[inside]
            head = np.asarray(own["head"])
            np.testing.assert_array_equal(head == vertices, survivor)
            assert set(head.tolist()) <= {-1, *vertices[survivor].tolist()}
            if pooled.score is not None:
                score = pooled.score.numpy()
                assert np.asarray(own["score"], score.dtype).tolist() == score[inside].tolist()
            vertices, of = vertices[survivor], pooled.batch
            assert {v for edge in own["edges"] for v in edge} <= set(vertices.tolist())


@torch.no_grad()
def passed(network, batch):
    return network.eval().of_batch(batch)


def test_a_pass_of_its_own_sees_what_the_pass_of_the_validation_graphs_sees(toy):
    """But for the last bits, in which products over other batches end."""
    config = RunConfig(**{**SMALL, "max_epochs": 3})
    result = train(config, dataset=toy, watch=Watch())
    index = tuple(one["index"] for one in result.record.graphs)
    own = tuple(replace(toy[i], name="mine") for i in index)
    other = train(config, dataset=toy, watch=Watch((), own))
    for one, two in zip(copied(result.record, 3), copied(other.record, 3), strict=True):
        assert one["probabilities"] == pytest.approx(two["probabilities"])
        for first, second in zip(one["levels"], two["levels"], strict=True):
            assert (first["head"], first["edges"]) == (second["head"], second["edges"])
            assert first["score"] == pytest.approx(second["score"])


def test_recording_changes_nothing_of_the_run(toy):
    config = RunConfig(**SMALL)
    plain, recorded = train(config, dataset=toy), train(config, dataset=toy, watch=Watch())
    assert plain.record is None
    assert plain.curve == recorded.curve
    for name, value in plain.network.state_dict().items():
        assert torch.equal(value, recorded.network.state_dict()[name]), name
    assert recorded.record.epochs == list(range(9)), "the untrained network, and each epoch"


def test_one_graph_of_each_class_that_the_run_does_not_learn_from(toy):
    result = train(RunConfig(**{**SMALL, "max_epochs": 1}), dataset=toy, watch=Watch())
    assert [one["label"] for one in result.record.graphs] == ["cycle", "star"]
    assert {one["part"] for one in result.record.graphs} == {"validation"}
    assert {one["index"] for one in result.record.graphs} <= set(result.split.validation.tolist())


def test_a_graph_of_ones_own_is_recorded_beside_them(toy):
    own = Graph(
        "mine",
        ("a", "b", "c"),
        np.array([[0, 1], [1, 2]]),
        node_attributes={"label": ("a", "c", "b"), "noise": (0.1, 0.2, 0.3)},
    )
    result = train(RunConfig(**{**SMALL, "max_epochs": 2}), dataset=toy, watch=Watch((5,), (own,)))
    first, mine = result.record.graphs
    assert (first["index"], mine["index"], mine["part"], mine["nodes"]) == (5, None, "own", ["a", "b", "c"])
    assert result.record.at(2)[1]["loss"] is None, "nobody said its class"
    assert len(result.record.at(2)[1]["levels"][0]["head"]) == 3


def test_a_record_that_was_interrupted_ends_as_one_that_was_not(toy, tmp_path):
    config = RunConfig(**SMALL)
    whole = train(config, dataset=toy, watch=Watch())
    path, asked = tmp_path / "run.safetensors", iter(range(10**6))
    with pytest.raises(Cancelled):
        train(
            config, dataset=toy, watch=Watch(),
            checkpoint=path, checkpoint_seconds=0, should_stop=lambda: next(asked) == 7,
        )  # fmt: skip
    heard = []
    resumed = train(
        config,
        dataset=toy,
        checkpoint=path,
        watch=Watch(),
        on_record=lambda record: heard.append(record.epochs[-1]),
    )
    assert heard[0] > 1
    assert resumed.record.to_dict() == whole.record.to_dict()
    with pytest.raises(InputError, match="records other graphs"):
        train(config, dataset=toy, checkpoint=path, watch=Watch((0, 1, 2)))


def test_a_record_is_bounded_and_keeps_the_first_and_the_best_epoch(toy, monkeypatch):
    config = RunConfig(**{**SMALL, "max_epochs": 40})
    whole = train(config, dataset=toy, watch=Watch())
    monkeypatch.setattr(records, "MOST_VALUES", 300)
    result = train(config, dataset=toy, watch=Watch())
    record = result.record
    assert record.every > 1
    assert len(record.entries) < 20
    assert {0, result.best_epoch} <= set(record.epochs)
    assert all(epoch % record.every == 0 or epoch == result.best_epoch for epoch in record.epochs)
    for epoch in record.epochs:
        assert copied(record, epoch) == copied(whole.record, epoch), "what was left out is in what follows"


def test_only_changes_are_kept(toy):
    record = train(RunConfig(**SMALL, score="uniform"), dataset=toy, watch=Watch()).record
    for entry in record.entries[1:]:  # uniform scores are drawn once, so nothing moves
        for graph in entry["graphs"]:
            assert all(level == {} for level in graph["levels"])


@pytest.mark.parametrize(
    ("watch", "says"),
    [
        (Watch((99,)), "there is no 99"),
        (Watch(tuple(range(MOST_WATCHED + 1))), "too many to record"),
        (
            Watch((), (Graph("bare", ("a",), np.zeros((2, 0), dtype=np.int64)),)),
            "bare cannot be recorded: .*label",
        ),
        (
            Watch((), (Graph("huge", tuple(map(str, range(4000))), np.zeros((2, 0), dtype=np.int64)),)),
            "4,000 vertices together, and at most 3,000",
        ),
    ],
)
def test_graphs_that_cannot_be_recorded_are_refused(toy, watch, says):
    with pytest.raises(InputError, match=says):
        train(RunConfig(**{**SMALL, "max_epochs": 1}), dataset=toy, watch=watch)


def test_nothing_to_record_is_no_record(toy):
    config = RunConfig(**{**SMALL, "max_epochs": 1})
    assert train(config, dataset=toy, watch=Watch(())).record is None
    diffpool = train(replace(config, method="diffpool"), dataset=toy, watch=Watch()).record
    assert "levels" not in diffpool.at(1)[0], "a soft S has no survivors"
    with pytest.raises(InputError, match="epoch 7 is not recorded; the recorded epochs are 0, 1"):
        diffpool.at(7)


def numbers(record: Record) -> int:
    """How many numbers its entries hold, counted in their JSON."""
    graphs = [graph for entry in record.entries for graph in entry["graphs"]]
    levels = [level for graph in graphs for level in graph.get("levels", ())]
    flat = sum(1 + len(graph["probabilities"]) for graph in graphs)
    return flat + sum(np.size(values) for level in levels for values in level.values())


def test_a_thinned_record_says_of_its_epochs_what_the_whole_says(toy):
    """And holds as many as the limit allows: at its own length it stays, below that every second epoch goes."""
    result = train(RunConfig(**{**SMALL, "max_epochs": 40, "patience": 40}), dataset=toy, watch=Watch())
    whole, best = result.record, result.best_epoch
    ends = {0, best, whole.epochs[-1]}
    thin = whole.thinned(10**9, best)
    assert thin.to_dict() == whole.to_dict()
    for every in (1, 2, 4, 8, 16, 32):
        assert thin.every == every
        assert set(thin.epochs) == ends | set(range(0, 41, every))
        for epoch in thin.epochs:
            assert copied(thin, epoch) == copied(whole, epoch)
        assert whole.thinned(numbers(thin), best).to_dict() == thin.to_dict()
        thin = whole.thinned(numbers(thin) - 1, best)
        assert set(whole.epochs) >= set(thin.epochs) >= ends
    for most in (numbers(thin) - 1, 3, 2, 1, 0):
        assert set(whole.thinned(most, best).epochs) == ends, "what stays whatever the limit"


@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_a_record_keeps_its_ends_and_its_best_epoch_whatever_the_limit(monkeypatch, most):
    monkeypatch.setattr(records, "MOST_VALUES", most)
    record = Record([{}], ["a", "b"])
    for epoch, best in enumerate([0, 1, 1, 1, 1, 5, 5]):
        if epoch % record.every == 0 or epoch == best:
            record.add({"epoch": epoch, "graphs": [{"loss": 0.5, "probabilities": [epoch / 8, 0]}]}, best)
            assert set(record.epochs) == {0, best, epoch}
