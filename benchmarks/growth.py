"""How the time of a selection grows from 10⁴ to 10⁷ edges: the exponent of a straight line through the logarithms.

A walk that is quadratic on one shape would show an exponent of 2 there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from benchmarks.graphs import grid, path, random_graph, star, uniform_score
from benchmarks.harness import document
from mivspool import meer
from mivspool.sparse import Adjacency

EDGES = (10**4, 10**5, 10**6, 10**7)
SHAPES = {"random": lambda edges: random_graph(edges // 3), "path": path, "grid": grid, "star": star}
SCORES = ("rising", "falling", "equal")
_READ = "nothing but two bytes of each neighbour read"


def run(cpu_time: bool = True, edges: tuple[int, ...] = EDGES) -> dict[str, Any]:
    """A row for each shape and kind of score; always time on the CPU, so that exponents are of the work done."""
    torch.set_num_threads(1)
    taken: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for shape, make in SHAPES.items():
        for wanted in edges:
            edge_index = make(wanted)
            n = int(edge_index.max()) + 1
            adjacency = Adjacency.from_edge_index(edge_index, num_nodes=n)
            meer.select(adjacency, torch.ones(n))
            for kind in (*SCORES, "uniform") if shape == "random" else SCORES:
                score = scores(kind, n)
                ms = _milliseconds(lambda a=adjacency, s=score: meer.select(a, s), edge_index.size(1))
                taken.setdefault((shape, kind), []).append((edge_index.size(1) // 2, ms))
            # what the machine alone adds: its caches serve a larger graph more slowly
            lead, col = np.zeros(n, np.uint16), adjacency.csr[1]
            ms = _milliseconds(lambda lead=lead, col=col: lead.take(col), edge_index.size(1))
            taken.setdefault((shape, _READ), []).append((edge_index.size(1) // 2, ms))
    rows = []
    for (shape, kind), points in taken.items():
        size, ms = np.log(np.array(points)).T
        line = ", ".join(f"{edges:.0e}: {ms:.3g} ms" for edges, ms in points)
        rows.append(
            {
                "what": f"selection from CSR, {shape}, {kind} scores"
                if kind != _READ
                else f"{_READ}, {shape}",
                "exponent": float(np.polyfit(size, ms, 1)[0]),
                "ours_ms": points[-1][1],
                "peer": None,
                "peer_ms": None,
                "ratio": None,
                "equal": None,
                "note": f"exponent {np.polyfit(size, ms, 1)[0]:.2f} ({line})",
            }
        )
    return document("growth", rows, True)


def scores(kind: str, n: int) -> Tensor:
    """Scores by index: rising, falling, equal, or uniform."""
    if kind == "uniform":
        return uniform_score(n)
    rising = torch.arange(1, n + 1, dtype=torch.float64)
    return {"rising": rising, "falling": rising.flip(0), "equal": torch.ones(n)}[kind]


def _milliseconds(call: Callable[[], Any], entries: int) -> float:
    """The median; small graphs are measured many at a time."""
    times = []
    repeats = max(1, 10**5 // entries)
    for _ in range(5):
        start = time.process_time()
        for _ in range(repeats):
            call()
        times.append(1000 * (time.process_time() - start) / repeats)
    return float(np.median(times))
