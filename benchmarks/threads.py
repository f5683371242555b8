"""What several threads compute of a graph: all threads beside one, and beside pyamg's parallel algorithm.

``ours`` is by all threads (OMP_NUM_THREADS names another number). Always wall time, which only an otherwise idle
machine gives: time on the CPU does not fall when more cores work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from benchmarks.graphs import random_graph, uniform_score
from benchmarks.harness import compare, document
from benchmarks.selection import both_csr, fresh, pyamg_parallel
from mivspool import meer
from mivspool.sparse import Adjacency

LARGE, MIDDLE = (10**6, 10**7 // 3), 10**5
ROUNDS = 9


def run(cpu_time: bool = False, large: tuple[int, ...] = LARGE, middle: int = MIDDLE) -> dict[str, Any]:
    """The rows; ``large`` and ``middle`` are numbers of vertices."""
    every, rows, missing = torch.get_num_threads(), [], []
    try:
        for n in large:
            rows += against_one_thread(n, every)
        try:
            rows += against_pyamg(middle, every)
        except ImportError as error:
            missing.append(f"pyamg ({error})")
    finally:
        torch.set_num_threads(every)
    return document("threads", [{**one, "threads": every} for one in rows], False, missing)


def by(number: int, call: Callable[[], Any]) -> Callable[[], Any]:
    """The call by so many threads."""

    def called() -> Any:
        torch.set_num_threads(number)
        return call()

    return called


def against_one_thread(n: int, every: int) -> list[dict[str, Any]]:
    """Each operation on a random graph of ``n`` vertices."""
    edges, score = random_graph(n), uniform_score(n)
    shuffled = edges[:, torch.randperm(edges.size(1), generator=torch.Generator().manual_seed(0))]
    adjacency = Adjacency.from_edge_index(edges, num_nodes=n)
    rowptr, col = adjacency.rowptr, adjacency.csr[1]
    survivor = meer.select(adjacency, score)
    calls: dict[str, Callable[[], Any]] = {
        "selection from edge_index, sorted by row": lambda: meer.select(edges, score),
        "selection from edge_index, in any order": lambda: meer.select(shuffled, score),
        "selection from CSR": fresh(adjacency, score),
        "CSR from edge_index, sorted by row": lambda: Adjacency.from_edge_index(edges, num_nodes=n),
        "CSR from edge_index, in any order": lambda: Adjacency.from_edge_index(shuffled, num_nodes=n),
        "CSR from its arrays, checked": lambda: Adjacency(rowptr, col),
        "trace from CSR": lambda: meer.trace(adjacency, score),
        "assignment": lambda: meer.assign(adjacency, survivor, score),
        "the learned key": lambda: meer.learned_key(score, adjacency),
    }
    size = f"{n:,} vertices, {adjacency.num_entries // 2:,} edges, {every} threads"
    rows = []
    for what, call in calls.items():
        rows += compare(f"{what}, {size}", by(every, call), {"one thread": by(1, call)}, same, ROUNDS)
    return rows


def against_pyamg(n: int, every: int) -> list[dict[str, Any]]:
    score = uniform_score(n)
    matrix, adjacency = both_csr(random_graph(n), n)
    call = fresh(adjacency, score)
    return compare(
        f"selection from CSR, {n:,} vertices, {every} threads",
        by(every, call),
        {"one thread": by(1, call), "pyamg parallel": lambda: pyamg_parallel(matrix, score)},
        torch.equal,
        31,
    )


def same(one: Any, other: Any) -> bool:
    """Whether all tensors are equal, to the bit."""
    return all(torch.equal(a, b) for a, b in zip(tensors(one), tensors(other), strict=True))


def tensors(found: Any) -> list[Tensor]:
    if isinstance(found, Tensor):
        return [found]
    if isinstance(found, tuple):
        return list(found)
    names = (
        "rowptr", "col", "weight", "loops", "survivor", "settled_at", "cluster", "num_iterations", "ties_broken",
    )  # fmt: skip
    parts = [getattr(found, name, None) for name in names]
    return [part for part in parts if part is not None]
