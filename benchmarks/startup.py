"""How long a start takes, and what compiling costs: once with nothing kept on disk, and ever after."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from benchmarks.harness import document


def run(cpu_time: bool = False) -> dict[str, Any]:
    """A row for each command; each runs in a process of its own. ``cpu_time`` counts the processes' time."""
    rows = [
        _row("mivspool --help", ["-m", "mivspool", "--help"], cpu_time, 7),
        _row("import mivspool", ["-c", "import mivspool"], cpu_time, 7),
        _row("import mivspool.meer (torch with it)", ["-c", "import mivspool.meer"], cpu_time, 3),
        _row("mivspool step karate", ["-m", "mivspool", "step", "karate", "--score", "uniform"], cpu_time, 3),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for what in ("with nothing compiled", "the same again"):
            command = ["-m", "mivspool", "step", "karate", "--score", "uniform"]
            rows.append(_row(f"mivspool step karate, {what}", command, cpu_time, 1, folder))
    with tempfile.TemporaryDirectory() as folder:
        rows.append(_row("python -m mivspool.warm_up", ["-m", "mivspool.warm_up"], cpu_time, 1, folder))
    return document("startup", rows, cpu_time)


def _row(
    what: str, command: list[str], cpu_time: bool, rounds: int, cache: str | None = None
) -> dict[str, Any]:
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    times = []
    for _ in range(rounds):
        before, start = os.times(), time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, capture_output=True, env=environment)
        wall, after = time.perf_counter() - start, os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        times.append(1000 * (used if cpu_time else wall))
    nothing = dict.fromkeys(("peer", "peer_ms", "ratio", "equal"))
    return {"what": what, "ours_ms": statistics.median(times), **nothing}
