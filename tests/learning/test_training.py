"""One run: it learns, repeats exactly, goes on exactly after a stop, tells its progress, refuses what cannot be."""

from __future__ import annotations

import errno
import json
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from mivspool.arrays import threads
from mivspool.errors import InputError
from mivspool.learning import checkpoint, training
from mivspool.learning.runs import RunConfig
from mivspool.learning.training import Cancelled, train

SMALL = {"dataset": "TOY", "hidden": 16, "blocks": 2, "batch_size": 16, "max_epochs": 12, "lr": 1e-2}


def same(first, second) -> None:
    assert first.curve == second.curve
    assert (first.best_epoch, first.val_loss) == (second.best_epoch, second.val_loss)
    assert first.test_accuracy == second.test_accuracy
    assert first.confusion == second.confusion
    for name, value in first.network.state_dict().items():
        assert torch.equal(value, second.network.state_dict()[name]), name


def test_it_learns_what_the_structure_tells(toy):
    result = train(RunConfig(**{**SMALL, "max_epochs": 40, "features": "degree"}), dataset=toy)
    assert result.test_accuracy == 1.0
    assert result.val_accuracy == 1.0
    assert result.curve[-1]["train_loss"] < result.curve[0]["train_loss"]
    assert len(result.iterations) == 2
    assert all(count >= 2 for count in result.iterations)
    assert sum(map(sum, result.confusion)) == len(result.split.test) == len(result.target["test"])


@pytest.mark.parametrize("score", ["multiview", "uniform"])
def test_a_seed_gives_the_same_run(toy, score):
    config = RunConfig(**SMALL, score=score)
    first = train(config, dataset=toy)
    torch.rand(17)  # the caller's random state must not matter
    same(first, train(config, dataset=toy))
    assert train(replace(config, seed=5), dataset=toy).curve != first.curve


def test_a_run_leaves_the_callers_random_state_and_threads_alone(toy):
    torch.manual_seed(3)
    expected = torch.rand(2)[1]
    torch.manual_seed(3)
    torch.rand(1)
    threads = torch.get_num_threads()
    train(RunConfig(**{**SMALL, "max_epochs": 1, "threads": 1}), dataset=toy)
    assert torch.rand(1)[0] == expected
    assert torch.get_num_threads() == threads


def test_a_run_of_one_thread_asks_compiled_code_for_no_other(toy, monkeypatch):
    """A run of an evaluation has one thread unless it is told otherwise: its workers share the cores, and no more."""
    monkeypatch.setattr(threads._Pool, "start", None)
    with threads.splitting(8):
        train(RunConfig(**{**SMALL, "max_epochs": 1, "threads": 1}), dataset=toy)
        with pytest.raises(TypeError):
            train(RunConfig(**{**SMALL, "max_epochs": 1}), dataset=toy)


@pytest.mark.parametrize("score", ["multiview", "uniform"])
def test_a_run_that_was_killed_and_resumed_ends_as_one_that_was_not(toy, tmp_path, score):
    config = RunConfig(**SMALL, score=score)
    whole = train(config, dataset=toy)
    checkpoint = tmp_path / "run.safetensors"
    asked = iter(range(10**6))
    with pytest.raises(Cancelled):  # in the middle of the sixth epoch
        train(
            config,
            dataset=toy,
            checkpoint=checkpoint,
            checkpoint_seconds=0,
            should_stop=lambda: next(asked) == 11,
        )
    seen = []
    resumed = train(config, dataset=toy, checkpoint=checkpoint, on_epoch=seen.append)
    assert seen[0]["epoch"] == 6
    same(whole, resumed)
    # a finished run is read from its checkpoint, no epoch is done again
    seen.clear()
    same(whole, train(config, dataset=toy, checkpoint=checkpoint, on_epoch=seen.append))
    assert not seen


def test_a_checkpoint_of_another_run_or_of_nothing_is_refused(toy, tmp_path):
    checkpoint = tmp_path / "run.safetensors"
    config = RunConfig(**{**SMALL, "max_epochs": 1})
    train(config, dataset=toy, checkpoint=checkpoint)
    with pytest.raises(InputError, match="another run"):
        train(replace(config, lr=0.5), dataset=toy, checkpoint=checkpoint)
    checkpoint.write_bytes(b"no tensors here")
    with pytest.raises(InputError, match="not a checkpoint"):
        train(config, dataset=toy, checkpoint=checkpoint)


def test_progress_is_told_after_each_epoch(toy):
    events = []
    result = train(RunConfig(**SMALL), dataset=toy, on_epoch=events.append)
    assert [event["epoch"] for event in events] == list(range(1, 13))
    assert events[-1]["seconds_left"] == 0
    assert set(events[0]) == {
        "epoch", "train_loss", "train_accuracy", "val_loss", "val_accuracy", "best_epoch", "seconds", "seconds_left",
    }  # fmt: skip
    assert min(event["val_loss"] for event in events) == result.val_loss


def test_a_checkpoint_made_before_a_setting_existed_is_resumed(toy, tmp_path):
    config, path = RunConfig(**{**SMALL, "max_epochs": 3}), tmp_path / "run.safetensors"
    whole = train(config, dataset=toy, checkpoint=path)
    tensors, state = checkpoint.load(path)
    assert state["config"].pop("dropout") == RunConfig("TOY").dropout
    checkpoint.save(path, tensors, state)
    resumed = train(config, dataset=toy, checkpoint=path)
    assert (resumed.epochs, resumed.val_loss) == (whole.epochs, whole.val_loss)
    with pytest.raises(InputError, match="another run"):
        train(replace(config, hidden=4), dataset=toy, checkpoint=path)


def test_it_stops_when_the_validation_loss_does_not_improve(toy):
    result = train(RunConfig(**{**SMALL, "max_epochs": 500, "patience": 3}), dataset=toy)
    assert result.epochs == result.best_epoch + 3


def test_the_reported_accuracy_is_that_of_the_best_epoch(toy):
    config = RunConfig(**SMALL)
    result = train(config, dataset=toy)
    until_best = train(replace(config, max_epochs=result.best_epoch), dataset=toy)
    assert until_best.test_accuracy == result.test_accuracy
    np.testing.assert_array_equal(until_best.logits["test"], result.logits["test"])


def test_without_a_test_fold_there_is_no_test_accuracy(toy):
    result = train(RunConfig(**{**SMALL, "max_epochs": 2, "fold": None}), dataset=toy)
    assert result.test_accuracy is None
    assert result.confusion is None
    assert set(result.logits) == {"validation"}


def test_attributes_that_are_no_numbers_are_refused_by_place(toy):
    values = toy.node_attributes.copy()
    vertex = int(toy.ptr[3]) + 2
    values[vertex, 0] = np.nan
    with pytest.raises(InputError, match="'noise' of vertex 2 in graph 3 of TOY is not a number"):
        train(RunConfig(**SMALL), dataset=replace(toy, node_attributes=values))


@pytest.mark.parametrize("where", ["prepare", "train_epoch"])
@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
        RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate 1 bytes."),
        MemoryError(),
    ],
    ids=["GPU", "processor", "Python"],
)
def test_a_batch_larger_than_memory_is_a_sentence(toy, error, where, monkeypatch):
    def full(*_):
        raise error

    monkeypatch.setattr(training, where, full)
    with pytest.raises(InputError, match="use a batch size of 4"):
        train(RunConfig(**SMALL), dataset=toy)


@pytest.mark.parametrize("device", ["abacus", "cuda:99", "mps"])
def test_a_device_that_is_not_there_is_refused(toy, device):
    with pytest.raises(InputError):
        train(RunConfig(**SMALL, device=device), dataset=toy)


@pytest.mark.parametrize(
    "wrong",
    [{"method": "x"}, {"score": "x"}, {"lr": 0}, {"weight_decay": -1}, {"batch_size": 0}, {"repeat": -1}],
)
def test_a_configuration_that_cannot_be_is_refused(wrong):
    with pytest.raises(InputError):
        RunConfig(**{"dataset": "TOY", **wrong})


def test_a_configuration_goes_through_json_and_has_an_identifier():
    config = RunConfig("TOY", method="gpool", lr=1e-4, fold=3)
    assert RunConfig.from_dict(config.to_dict()) == config
    same_but = replace(config, fold=4, repeat=2, seed=9, device="cuda", threads=4)
    assert same_but.config_id == config.config_id
    assert replace(config, lr=1e-3).config_id != config.config_id
    assert replace(config, method="sagpool").config_id != config.config_id
    with pytest.raises(InputError, match="colour"):
        RunConfig.from_dict({"dataset": "TOY", "colour": 1})


@pytest.mark.parametrize("method", ["mivspool", "none", "diffpool"])
@pytest.mark.parametrize("lr", [9.0, 1.0])
def test_a_run_that_diverges_keeps_its_best_epoch(toy, method, lr):
    config = RunConfig("TOY", method=method, hidden=8, blocks=2, lr=lr, max_epochs=40, patience=40)
    result = train(config, dataset=toy)
    json.dumps([result.curve, result.val_loss], allow_nan=False)
    assert all(np.isfinite(value).all() for value in result.logits.values())
    assert 1 <= result.best_epoch <= result.epochs == len(result.curve)


def test_weights_that_are_no_numbers_end_a_run_in_a_sentence(toy, monkeypatch):
    config = RunConfig("TOY", method="none", hidden=8, max_epochs=3)
    monkeypatch.setattr("mivspool.learning.training.train_epoch", lambda *_: (math.nan, 0.5))
    with pytest.raises(InputError, match=r"after epoch 1: the learning rate 0\.001 is too high"):
        train(config, dataset=toy)


def test_a_checkpoint_that_cannot_be_written_leaves_the_one_before_it(tmp_path, monkeypatch):
    path = tmp_path / "run.safetensors"
    checkpoint.save(path, {"weight": torch.ones(1)}, {"epoch": 1})

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        checkpoint.save(path, {"weight": torch.zeros(1)}, {"epoch": 2})
    assert list(tmp_path.iterdir()) == [path]
    assert checkpoint.load(path)[1]["epoch"] == 1
