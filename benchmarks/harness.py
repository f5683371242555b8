"""How a benchmark measures: in turn, several rounds, medians, what machine and when."""

from __future__ import annotations

import gc
import os
import platform
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Call = Callable[[], Any]


def clock(cpu_time: bool) -> Callable[[], float]:
    """Wall time, or this process's time on the CPU (for a machine that is shared)."""
    return time.process_time if cpu_time else time.perf_counter


def in_turn(calls: dict[str, Call], rounds: int, cpu_time: bool) -> tuple[dict[str, float], dict[str, Any]]:
    """The median milliseconds of each call and its last result; after a round to warm up, each call once a round."""
    now = clock(cpu_time)
    results = {name: call() for name, call in calls.items()}
    taken: dict[str, list[float]] = {name: [] for name in calls}
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, call in calls.items():
                start = now()
                results[name] = call()
                taken[name].append(1000 * (now() - start))
    finally:
        gc.enable()
    return {name: statistics.median(times) for name, times in taken.items()}, results


def compare(
    what: str,
    ours: Call,
    peers: dict[str, Call],
    same: Callable[[Any, Any], bool] | None = None,
    rounds: int = 7,
    cpu_time: bool = False,
) -> list[dict[str, Any]]:
    """A row for each peer: ``same(ours, theirs)`` says whether both computed the same thing (null: cannot be)."""
    times, results = in_turn({"ours": ours, **peers}, rounds, cpu_time)
    return [
        {
            "what": what,
            "ours_ms": times["ours"],
            "peer": peer,
            "peer_ms": times[peer],
            "ratio": times[peer] / times["ours"],
            "equal": None if same is None else bool(same(results["ours"], results[peer])),
        }
        for peer in peers
    ]


def document(
    name: str, rows: list[dict[str, Any]], cpu_time: bool = False, missing: list[str] | None = None
) -> dict[str, Any]:
    """What ``mivspool bench NAME --json`` prints."""
    return {"name": name, "machine": machine(cpu_time), "rows": rows, "missing": missing or []}


def machine(cpu_time: bool) -> dict[str, Any]:
    """Where and when the figures were taken."""
    import numba
    import torch

    about = {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "system": platform.system(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numba": numba.__version__,
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "clock": "time on the CPU" if cpu_time else "wall time",
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }
    if torch.cuda.is_available():
        about["gpu"] = torch.cuda.get_device_name()
    return about


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()
