"""What is compiled for a first call, and that it works where nothing can be kept."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numba.core import event

from mivspool import meer
from mivspool.arrays import compiled
from mivspool.pooling import METHODS, SCORES
from mivspool.warm_up import warm_up
from tests.pooling.drawn import graphs

# one forward and backward pass, and every function that is compiled for it
FIRST_CALL = """
import json
from numba.core import event

compiled = []

class Listener(event.Listener):
    def on_start(self, event):
        compiled.append(event.data["dispatcher"].py_func)

    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
import torch
from mivspool import MIVSPool
from mivspool.arrays import kernels

edges = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
x = torch.rand(3, 2, requires_grad=True)
MIVSPool(2)(x, edges).x.sum().backward()
print(json.dumps({
    "compiled": [f"{function.__module__}.{function.__name__}" for function in compiled],
    "kept": kernels._deal.stats.cache_path,
    "gradient": bool(x.grad.isfinite().all()),
}))
"""


def test_where_nothing_can_be_kept_a_first_call_compiles_loops_of_ours_alone(tmp_path: Path) -> None:
    # one folder is asked for, and it cannot be made
    (tmp_path / "file").touch()
    environment = {
        **os.environ,
        "NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator",
        "NUMBA_CACHE_DIR": str(tmp_path / "file" / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL], capture_output=True, text=True, check=True, env=environment
    )
    found = json.loads(done.stdout)
    assert found["kept"] is None
    assert found["gradient"]
    # numba's own functions (min, max, np.empty, …) would each be compiled as well, for each type
    assert [name for name in found["compiled"] if not name.startswith("mivspool.")] == []
    assert len(found["compiled"]) == len(set(found["compiled"])) <= 16
    assert not [name for name in found["compiled"] if ".greedy." in name or ".edges." in name]


@pytest.mark.parametrize("collects", [True, False])
def test_garbage_is_not_collected_while_numba_compiles_and_afterwards_as_before(collects: bool) -> None:
    during = []

    class Listener(event.Listener):  # type: ignore[misc]  # numba has no types
        def on_start(self, event: event.Event) -> None:
            during.append(gc.isenabled())

        def on_end(self, event: event.Event) -> None:
            pass

    if not collects:
        gc.disable()
    try:
        with event.install_listener("numba:compile", Listener()):
            assert njit(lambda number: number + 1)(1) == 2
        assert during == [False]
        assert gc.isenabled() == collects
    finally:
        gc.enable()


@pytest.fixture
def beginning(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets how many calls are left at the beginning, as where nothing has been compiled; the end is as before."""
    monkeypatch.setattr(compiled, "_left", 0)

    def begin(calls: int) -> None:
        compiled._left = calls

    return begin


@pytest.mark.parametrize("score", SCORES)
@settings(max_examples=25)
@given(adjacency=graphs(), seed=st.integers(0, 2**16))
def test_a_layer_gives_the_same_bits_at_the_beginning(score, adjacency, seed):
    bits = []
    before = compiled._left
    try:
        for calls in (10**9, 0):
            compiled._left = calls
            torch.manual_seed(seed)
            layer = METHODS["mivspool"].make(4, score=score)
            x = torch.randn(adjacency.num_nodes, 4, requires_grad=True)
            pooled = layer(x, adjacency.edge_index)
            pooled.x.sin().sum().backward()
            parts = (pooled.x.detach(), pooled.edge_index, pooled.edge_weight, pooled.cluster, pooled.batch)
            bits.append(
                [part.numpy().tobytes() for part in (*parts, torch.zeros(0) if x.grad is None else x.grad)]
            )
    finally:
        compiled._left = before
    assert bits[0] == bits[1]


def test_a_beginning_has_an_end(beginning: Callable[[int], None]) -> None:
    beginning(3)
    assert [compiled.begins(1) for _ in range(5)] == [True, True, True, False, False]


def test_a_large_graph_has_no_beginning_and_ends_none(beginning: Callable[[int], None]) -> None:
    beginning(3)
    assert not any(compiled.begins(compiled.SMALL + 1) for _ in range(9))
    assert compiled.begins(compiled.SMALL)


def test_where_selection_has_been_compiled_there_is_no_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    meer.select(torch.tensor([[0, 1], [1, 0]]), torch.ones(2))
    monkeypatch.setattr(compiled, "_left", 0)
    meer.select(torch.tensor([[0, 1], [1, 0]]), torch.ones(2))  # compiled now
    monkeypatch.setattr(compiled, "_left", None)
    assert not compiled.begins(1)


def test_what_is_compiled_ahead_leaves_nothing_to_a_beginning(beginning: Callable[[int], None]) -> None:
    beginning(10**9)
    warm_up()
    assert not compiled.begins(1)
