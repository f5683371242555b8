"""What the paper says of the cost: an iteration takes about |V|·d_max operations and fewer than 5 are needed, which
makes 5·|V|·d_max, less than Kron reduction. Both are looked at: on its four data sets, and as graphs grow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from benchmarks.graphs import path, random_graph
from benchmarks.harness import clock, document, row
from mivspool import meer
from mivspool.errors import MIVSPoolError
from mivspool.pooling import METHODS
from mivspool.pooling.scores.uniform import uniform
from mivspool.sparse import Adjacency

DATASETS = ("DD", "PROTEINS", "NCI1", "ENZYMES")
KRON_SIZES = (100, 200, 400, 800, 1600, 3200)


def run(cpu_time: bool = False) -> dict[str, Any]:
    """A row for each data set, one for a path, one for each size against our Kron reduction."""
    torch.set_num_threads(1)
    rows, missing = [], []
    for name in DATASETS:
        try:
            rows.append(on_dataset(name))
        except MIVSPoolError as error:
            missing.append(f"{name}: {error}")
    rows.append(on_path(1000))
    rows += against_kron(cpu_time)
    return document("bound", rows, cpu_time, missing)


def on_dataset(name: str, seeds: int = 10) -> dict[str, Any]:
    """Uniform scores. Operations: each of T iterations looks at every vertex and all its neighbours, |V| + 2|E|."""
    from mivspool.graphs import load_dataset

    dataset = load_dataset(name)
    size = torch.from_numpy(np.diff(dataset.ptr))
    batch = torch.repeat_interleave(torch.arange(len(size)), size)
    once = torch.from_numpy(dataset.edges)
    adjacency = Adjacency.from_edge_index(torch.cat([once, once.flip(0)], dim=1), num_nodes=len(batch))
    entries = torch.zeros(len(size), dtype=torch.int64).index_add_(0, batch, adjacency.degree)
    highest = torch.zeros(len(size), dtype=torch.int64).scatter_reduce_(0, batch, adjacency.degree, "amax")
    counts, shares = [], []
    for seed in range(seeds):
        iterations = meer.trace(
            adjacency, uniform(seed, 0, batch, len(size)), batch, len(size)
        ).num_iterations
        counts.append(iterations + 1)
        shares.append(iterations * (size + entries) / (5 * size * highest).clamp(min=1))
    count, share = torch.stack(counts), torch.stack(shares)
    seed, graph = divmod(int(count.argmax()), len(size))
    of, over = int(share.argmax()) % len(size), int((share > 1).sum())
    often = 100 * (count > 5).double().mean()
    note = (
        f"level 0, {seeds} seeds: T + 1 = {count.double().mean():.2f} in the mean, {int(count.max())} at most "
        f"({name}:{graph}, seed {seed}, {int(size[graph])} vertices), over 5 in {often:.2f} % of the runs; "
        f"operations are {share.median():.2f} of 5·V·d_max at the median, {share.max():.2f} at most "
        f"({name}:{of}), over it in {over} of {share.numel()} runs"
    )
    return row(f"5·V·d_max on {name}", None, note)


def on_path(n: int) -> dict[str, Any]:
    """No constant holds for every graph: a path whose scores rise."""
    edge_index = path(n - 1)
    course = meer.trace(edge_index, torch.arange(1, n + 1))
    iterations = int(course.num_iterations)
    operations = iterations * (n + edge_index.size(1))
    return row(
        f"5·V·d_max on a path of {n} vertices with rising scores",
        None,
        f"T = {iterations}: {operations:,} operations if every vertex is looked at in every iteration, "
        f"{operations / (5 * n * 2):.0f} times 5·V·d_max; the walk looks at each entry a few times whatever T is",
    )


def against_kron(cpu_time: bool) -> list[dict[str, Any]]:
    """One pooling step of MIVSPool and of NDP (which reconnects by Kron reduction) on the same graphs."""
    rows = []
    for n in KRON_SIZES:
        adjacency = Adjacency.from_edge_index(random_graph(n), num_nodes=n)
        x, batch = torch.randn(n, 8), torch.zeros(n, dtype=torch.int64)
        times = {}
        for name, options in (("mivspool", {"score": "uniform"}), ("ndp", {})):
            times[name] = _median(name, options, adjacency, x, batch, cpu_time)
        kron = {"peer": "our Kron reduction (NDP)", "peer_ms": times["ndp"], "equal": None}
        rows.append(
            {
                "what": f"one pooling step, random graph of {n:,} vertices, mean degree 6",
                "ours_ms": times["mivspool"],
                **kron,
                "ratio": times["ndp"] / times["mivspool"],
            }
        )
    size = np.log(KRON_SIZES[-3:])
    ours, theirs = (
        np.polyfit(size, np.log([one[key] for one in rows[-3:]]), 1)[0] for key in ("ours_ms", "peer_ms")
    )
    rows[-1]["note"] = (
        f"exponents over the last three sizes: MIVSPool {ours:.2f}, Kron reduction {theirs:.2f}"
    )
    return rows


def _median(
    name: str, options: dict[str, Any], adjacency: Adjacency, x: Tensor, batch: Tensor, cpu_time: bool
) -> float:
    now = clock(cpu_time)
    times = []
    with torch.no_grad():
        for _ in range(6):
            layer = METHODS[name].make(x.size(1), **options).eval()
            fresh = Adjacency.known(adjacency.rowptr, adjacency.col)
            start = now()
            layer.pool(x, fresh, batch, 1)
            times.append(1000 * (now() - start))
    return float(np.median(times[1:]))
