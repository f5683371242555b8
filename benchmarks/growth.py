"""How the time of a selection grows from 10⁴ to 10⁷ edges: the exponent of a straight line through the logarithms.

A walk that is quadratic on one shape would show an exponent of 2 there. A random graph with drawn scores is another one
at each call: a small graph that is walked again and again is learned by heart by the processor's branch prediction
(10⁴ edges then take a third of the time that they take at the first look), and a large one is not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from benchmarks.graphs import grid, path, random_graph, star, uniform_score
from benchmarks.harness import document, row
from mivspool import meer
from mivspool.sparse import Adjacency

EDGES = (10**4, 10**5, 10**6, 10**7)
# small graphs are measured so many edges at a time
ENTRIES = 3 * 10**5
SHAPES: dict[str, Callable[..., Tensor]] = {
    "random": lambda edges, seed: random_graph(edges // 3, seed=seed),
    "path": path,
    "grid": grid,
    "star": star,
}
SCORES = ("rising", "falling", "equal")
_READ = "nothing but two bytes of each neighbour read"


def run(cpu_time: bool = True, edges: tuple[int, ...] = EDGES) -> dict[str, Any]:
    """A row for each shape and kind of score; always time on the CPU, so that exponents are of the work done."""
    torch.set_num_threads(1)
    taken: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for shape, make in SHAPES.items():
        for wanted in edges:
            drawn = max(1, ENTRIES // wanted) if shape == "random" else 1
            graphs = [
                _csr(make(wanted, seed) if shape == "random" else make(wanted)) for seed in range(drawn)
            ]
            meer.select(graphs[0], torch.ones(graphs[0].num_nodes))
            entries = graphs[0].num_entries
            for kind in (*SCORES, "uniform") if shape == "random" else SCORES:
                calls = [
                    partial(meer.select, graph, scores(kind, graph.num_nodes, seed))
                    for seed, graph in enumerate(graphs)
                ]
                taken.setdefault((shape, kind), []).append((entries // 2, milliseconds(calls, entries)))
            # what the machine alone adds: its caches serve a larger graph more slowly
            calls = [partial(np.zeros(graph.num_nodes, np.uint16).take, graph.csr[1]) for graph in graphs]
            taken.setdefault((shape, _READ), []).append((entries // 2, milliseconds(calls, entries)))
    rows = []
    for (shape, kind), points in taken.items():
        slope = exponent(points)
        line = ", ".join(f"{edges:.0e}: {ms:.3g} ms" for edges, ms in points)
        what = f"{_READ}, {shape}" if kind == _READ else f"selection from CSR, {shape}, {kind} scores"
        rows.append(row(what, points[-1][1], f"exponent {slope:.2f} ({line})", exponent=slope))
    return document("growth", rows, True)


def _csr(edge_index: Tensor) -> Adjacency:
    return Adjacency.from_edge_index(edge_index, num_nodes=int(edge_index.max()) + 1)


def scores(kind: str, n: int, seed: int = 0) -> Tensor:
    """Scores by index: rising, falling, equal, or uniform."""
    if kind == "uniform":
        return uniform_score(n, seed + 1)
    rising = torch.arange(1, n + 1, dtype=torch.float64)
    return {"rising": rising, "falling": rising.flip(0), "equal": torch.ones(n)}[kind]


def milliseconds(
    calls: Sequence[Callable[[], Any]],
    entries: int,
    now: Callable[[], float] = time.process_time,
    rounds: int = 5,
) -> float:
    """The median milliseconds per call; small graphs are measured many at a time."""
    times = []
    turns = calls * max(1, ENTRIES // entries // len(calls))
    for _ in range(rounds):
        start = now()
        for call in turns:
            call()
        times.append(1000 * (now() - start) / len(turns))
    return float(np.median(times))


def exponent(points: Sequence[tuple[int, float]]) -> float:
    """The slope of a straight line through the logarithms of sizes and times."""
    size, taken = np.log(np.array(points)).T
    return float(np.polyfit(size, taken, 1)[0])
