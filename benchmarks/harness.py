"""How a benchmark measures: in turn, several rounds, medians, what machine and when."""

from __future__ import annotations

import gc
import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

Call = Callable[[], Any]
Rows = list[dict[str, Any]]


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
) -> Rows:
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


def row(what: str, ours_ms: float | None, note: str = "", **more: Any) -> dict[str, Any]:
    """A row that has no peer."""
    nothing = dict.fromkeys(("peer", "peer_ms", "ratio", "equal"))
    return {"what": what, "ours_ms": ours_ms, **nothing, "note": note, **more}


def by_threads(measure: Callable[[], Rows], cpu_time: bool) -> Rows:
    """The rows by one thread, then by all of them, each with its number of ``threads``.

    Time on the CPU is taken by one thread alone: it does not fall where more of them work.
    """
    import torch

    every, rows = torch.get_num_threads(), []
    try:
        for number in (1,) if cpu_time or every == 1 else (1, every):
            torch.set_num_threads(number)
            rows += [{**one, "threads": number} for one in measure()]
    finally:
        torch.set_num_threads(every)
    return rows


def document(
    name: str, rows: Rows, cpu_time: bool = False, missing: list[str] | None = None
) -> dict[str, Any]:
    """What a benchmark gives: its rows, where and when they were taken, and what could not be measured."""
    return {"name": name, "machine": machine(cpu_time), "rows": rows, "missing": missing or []}


def measured(run: Callable[[], dict[str, Any]], command: str) -> dict[str, Any]:
    """The document of a benchmark with what says how good its figures are, as ``mivspool bench NAME --json`` prints it.

    ``others`` is how many cores other processes used in the meantime, on average; None where the benchmark says that it
    cannot be known: a browser does not wait for its processes, whose time then looks like that of others.
    """
    from mivspool.learning.provenance import commit

    start, before = time.perf_counter(), used_by_others()
    made = run()
    took = time.perf_counter() - start
    others = max(0.0, (used_by_others() - before) / took)
    about = {"command": command, "commit": commit(), "took_s": round(took, 1), "others": round(others, 2)}
    return {"name": made["name"], **about, **made}


def keep(made: dict[str, Any], folder: Path) -> None:
    """Write a document where ``python -m tools.performance`` reads it."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(made, ensure_ascii=False, indent=1)
    (folder / f"{made['name']}.json").write_text(text + "\n", encoding="utf-8")


def used_by_others() -> float:
    """Seconds that all cores have worked, less those for this process and for what it has started and waited for."""
    times = psutil.cpu_times()._asdict()
    busy: float = sum(times.get(name, 0.0) for name in ("user", "nice", "system", "irq", "softirq", "steal"))
    return busy - sum(os.times()[:4])


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
