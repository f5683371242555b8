"""What is compiled for a first call, and that it works where nothing can be kept."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import njit
from numba.core import event

import mivspool.arrays.compiled  # noqa: F401, its import makes it listen to what numba compiles

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
    assert len(found["compiled"]) == len(set(found["compiled"])) <= 32


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
