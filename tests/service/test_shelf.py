"""Inference: what arrives together runs together, and nobody is spoiled by a neighbour."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
import torch

from mivspool.errors import LimitError, ModelError
from mivspool.graphs.graph import Graph
from mivspool.service import shelf as module
from mivspool.service.shelf import Shelf


def path(n: int, name: str = "path") -> Graph:
    nodes = tuple(map(str, range(n)))
    return Graph(name, nodes, np.stack([np.arange(n - 1), np.arange(1, n)]).astype(np.int64))


class Counting:
    """Answers with the number of vertices; notes each batch; can be held, and runs out of memory."""

    def __init__(self, memory: int = 10**9) -> None:
        self.batches: list[list[int]] = []
        self.memory = memory
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Event()

    def classify_each(self, graphs: Sequence[Graph], mapping: Mapping[str, str] | None = None) -> list[Any]:
        self.entered.set()
        assert self.gate.wait(10)
        sizes = [graph.num_nodes for graph in graphs]
        self.batches.append(sizes)
        if sum(sizes) > self.memory:
            raise torch.OutOfMemoryError("out of memory")
        return [ModelError("it does not fit") if graph.name == "bad" else graph.num_nodes for graph in graphs]


@pytest.fixture
def model() -> Counting:
    return Counting()


@pytest.fixture
def shelf(model: Counting) -> Iterator[Shelf]:
    made = Shelf(lambda name: model, lambda name: 1)
    yield made
    model.gate.set()
    made.close()


def test_what_arrives_together_runs_together(shelf: Shelf, model: Counting) -> None:
    model.gate.clear()
    first = shelf.classify("m", [path(3)])
    assert model.entered.wait(10)
    others = [shelf.classify("m", [path(n)]) for n in range(4, 10)]
    model.gate.set()
    assert first.result(10) == [3]
    assert [future.result(10) for future in others] == [[n] for n in range(4, 10)]
    assert model.batches == [[3], [4, 5, 6, 7, 8, 9]]


def test_requests_that_differ_do_not_share_a_batch(shelf: Shelf, model: Counting) -> None:
    model.gate.clear()
    shelf.classify("m", [path(3)])
    assert model.entered.wait(10)
    futures = [shelf.classify("m", [path(4)], {"label": "atom"}), shelf.classify("m", [path(5)])]
    model.gate.set()
    assert [future.result(10) for future in futures] == [[4], [5]]
    assert model.batches == [[3], [4], [5]]


def test_a_graph_that_does_not_fit_spoils_nothing(shelf: Shelf) -> None:
    good, bad, last = shelf.classify("m", [path(2), path(3, "bad"), path(4)]).result(10)
    assert (good, last) == (2, 4)
    assert isinstance(bad, ModelError)


def test_memory_that_runs_out_makes_smaller_batches(shelf: Shelf, model: Counting) -> None:
    model.memory = 10
    outcome = shelf.classify("m", [path(4) for _ in range(8)] + [path(50)]).result(10)
    assert outcome[:8] == [4] * 8
    assert isinstance(outcome[8], LimitError)
    assert "MIVSPOOL_DEVICE=cpu" in outcome[8].message


def test_batches_are_bounded(shelf: Shelf, model: Counting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH_VERTICES", 20)
    model.gate.clear()
    shelf.classify("m", [path(3)])
    assert model.entered.wait(10)
    futures = [shelf.classify("m", [path(9)]) for _ in range(5)]
    model.gate.set()
    for future in futures:
        future.result(10)
    assert max(map(sum, model.batches)) <= 20


def test_a_fault_is_told_and_the_shelf_goes_on(shelf: Shelf, model: Counting) -> None:
    model.memory = -1  # even nothing does not fit
    broken = Shelf(lambda name: object(), lambda name: 1)
    with pytest.raises(AttributeError):
        broken.classify("m", [path(2)]).result(10)
    with pytest.raises(AttributeError):
        broken.classify("m", [path(2)]).result(10)
    broken.close()


def test_a_model_is_loaded_once_and_again_when_it_changes() -> None:
    loaded: list[str] = []
    stamp = [1]

    def load(name: str) -> Counting:
        loaded.append(name)
        return Counting()

    shelf = Shelf(load, lambda name: stamp[0], recheck_seconds=0)
    for _ in range(3):
        shelf.classify("m", [path(2)]).result(10)
    assert loaded == ["m"]
    assert shelf.fresh("m")
    stamp[0] = 2
    assert not shelf.fresh("m")
    shelf.classify("m", [path(2)]).result(10)
    assert loaded == ["m", "m"]
    shelf.close()
    with pytest.raises(RuntimeError, match="closed"):
        shelf.classify("m", [path(2)])


def test_a_request_that_was_given_up_is_left_out(shelf: Shelf, model: Counting) -> None:
    model.gate.clear()
    shelf.classify("m", [path(3)])
    assert model.entered.wait(10)
    given_up, kept = shelf.classify("m", [path(4)]), shelf.classify("m", [path(5)])
    assert given_up.cancel()
    model.gate.set()
    assert kept.result(10) == [5]
    assert model.batches == [[3], [5]]
