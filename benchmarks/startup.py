"""How long a start takes, and what compiling costs: once with nothing kept on disk, and ever after."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from benchmarks.harness import document, row

STEP = ["-m", "mivspool", "step", "karate", "--score", "uniform"]
# prints the seconds of the layer's first call, and of the gradient
LAYER = """
import sys, time
import torch
from mivspool import MIVSPool

now = time.process_time if "cpu" in sys.argv else time.perf_counter
layer, x = MIVSPool(4), torch.rand(4, 4, requires_grad=True)
edge_index = torch.tensor([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]])
start = now()
pooled = layer(x, edge_index)
middle = now()
pooled.x.sum().backward()
print(middle - start, now() - middle)
"""


def run(cpu_time: bool = False) -> dict[str, Any]:
    """A row for each command; each runs in a process of its own. ``cpu_time`` counts the processes' time."""
    rows = [
        _row("mivspool --help", ["-m", "mivspool", "--help"], cpu_time, 7),
        _row("import mivspool", ["-c", "import mivspool"], cpu_time, 7),
        _row("import torch", ["-c", "import torch"], cpu_time, 5),
        _row("import torch, mivspool", ["-c", "import torch, mivspool"], cpu_time, 5),
        _row("import mivspool.meer (torch with it)", ["-c", "import mivspool.meer"], cpu_time, 3),
        _row("mivspool step karate", STEP, cpu_time, 3),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for what in ("with nothing compiled", "the same again"):
            rows.append(_row(f"mivspool step karate, {what}", STEP, cpu_time, 1, folder))
    rows += _first_call(cpu_time)
    with tempfile.TemporaryDirectory() as folder:
        rows.append(_row("python -m mivspool.warm_up", ["-m", "mivspool.warm_up"], cpu_time, 1, folder))
    return document("startup", rows, cpu_time)


def _first_call(cpu_time: bool, rounds: int = 3) -> list[dict[str, Any]]:
    """The layer's first forward and backward pass in a process, imports not counted."""
    taken: dict[str, list[list[float]]] = {"with nothing compiled": [], "the next process": []}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            for seconds in taken.values():
                command = ["-c", LAYER, "cpu" if cpu_time else "wall"]
                seconds.append([float(part) for part in _run(command, folder).stdout.split()])
    return [
        _result(f"the layer's first {part} pass, {what}", [1000 * passes[place] for passes in seconds])
        for what, seconds in taken.items()
        for place, part in enumerate(("forward", "backward"))
    ]


def _row(
    what: str, command: list[str], cpu_time: bool, rounds: int, cache: str | None = None
) -> dict[str, Any]:
    times = []
    for _ in range(rounds):
        before, start = os.times(), time.perf_counter()
        _run(command, cache)
        wall, after = time.perf_counter() - start, os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        times.append(1000 * (used if cpu_time else wall))
    return _result(what, times)


def _run(command: list[str], cache: str | None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    return subprocess.run(
        [sys.executable, *command], check=True, capture_output=True, text=True, env=environment
    )


def _result(what: str, milliseconds: list[float]) -> dict[str, Any]:
    return row(what, statistics.median(milliseconds))
