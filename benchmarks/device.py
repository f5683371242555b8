"""Selection on a GPU: the time of 10⁷ edges against one read of them at the memory's measured bandwidth."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from benchmarks.graphs import random_graph, uniform_score
from benchmarks.harness import document
from mivspool import meer


def run(cpu_time: bool = False, vertices: int = 10**7 // 3) -> dict[str, Any]:
    """The rows; none, and the reason, where there is no GPU."""
    if not torch.cuda.is_available():
        return document("device", [], False, ["there is no GPU here"])
    edges, score = random_graph(vertices), uniform_score(vertices)
    expected = meer.select(edges, score)
    edge_index, key = edges.cuda(), score.cuda()
    source = torch.empty(2**28, dtype=torch.int64, device="cuda")
    target = torch.empty_like(source)
    copy = _median(lambda: target.copy_(source))
    bandwidth = 2 * source.nbytes / copy
    found = meer.select(edge_index, key)
    ms = _median(lambda: meer.select(edge_index, key))
    limit = edge_index.nbytes / bandwidth
    row = {
        "what": f"selection on the GPU, {vertices:,} vertices, {edges.size(1) // 2:,} edges",
        "ours_ms": ms,
        "peer": "one read of edge_index at the bandwidth of a copy",
        "peer_ms": limit,
        "ratio": limit / ms,
        "equal": torch.equal(found.cpu(), expected),
        "note": f"{ms / limit:.1f} times the limit; {bandwidth / 1e6:.0f} GB/s",
    }
    return document("device", [row], False)


def _median(call: Callable[[], Any], rounds: int = 11) -> float:
    call()
    times = []
    for _ in range(rounds):
        torch.cuda.synchronize()
        start = time.perf_counter()
        call()
        torch.cuda.synchronize()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)
