"""The survivors of large graphs, against pyamg's maximal independent set and networkx's, by one thread and by all.

pyamg walks in index order: to walk by score its matrix is permuted first, which is part of what it is asked to do.
Its parallel algorithm takes the scores themselves. networkx draws its own order: only its cost can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from benchmarks.graphs import random_graph, uniform_score
from benchmarks.harness import by_threads, compare, document
from mivspool import meer
from mivspool.arrays.compiled import compiled
from mivspool.sparse import Adjacency

LARGE, MIDDLE = 10**6, 10**5


def run(cpu_time: bool = False, large: int = LARGE, middle: int = MIDDLE) -> dict[str, Any]:
    """The rows; ``large`` and ``middle`` are numbers of vertices."""
    missing, rows = [], []
    try:
        rows += by_threads(
            lambda: against_pyamg(large, cpu_time) + against_pyamg_parallel(middle, cpu_time), cpu_time
        )
    except ImportError as error:
        missing.append(f"pyamg ({error})")
    torch.set_num_threads(1)
    rows += against_networkx(middle, cpu_time)
    rows += checks(large, cpu_time)
    return document("selection", rows, cpu_time, missing)


def against_pyamg(n: int, cpu_time: bool) -> list[dict[str, Any]]:
    score = uniform_score(n)
    rows = []
    for shuffled, order in ((True, "edges in any order"), (False, "edges sorted by row")):
        edges = random_graph(n, shuffled=shuffled)
        pairs = edges.numpy()

        def theirs(pairs: np.ndarray = pairs) -> Tensor:
            rank = ranks(score)
            ones = np.ones(pairs.shape[1], np.int8)
            permuted = sparse.coo_matrix((ones, (rank[pairs[0]], rank[pairs[1]])), shape=(n, n)).tocsr()
            return torch.from_numpy(pyamg_serial(permuted)[rank] == 1)

        rows += compare(
            f"selection from edge_index, {n:,} vertices, {order}",
            lambda edges=edges: meer.select(edges, score),
            {"pyamg serial, permuted": theirs},
            torch.equal,
            cpu_time=cpu_time,
        )
    matrix, adjacency = both_csr(edges, n)
    rows += compare(
        f"selection from CSR, {n:,} vertices",
        fresh(adjacency, score),
        {"pyamg serial, permuted": lambda: pyamg_by_score(matrix, score)},
        torch.equal,
        cpu_time=cpu_time,
    )
    rows += compare(
        f"selection from CSR in index order (equal scores), {n:,} vertices",
        fresh(adjacency, torch.ones(n)),
        {"pyamg serial, its bare walk": lambda: torch.from_numpy(pyamg_serial(matrix) == 1)},
        torch.equal,
        cpu_time=cpu_time,
    )
    return rows


def checks(n: int, cpu_time: bool) -> list[dict[str, Any]]:
    """What is looked at before and after: symmetry beside a whole selection, values beside a layer on a small graph."""
    from mivspool.arrays import edges as lists
    from mivspool.pooling import MIVSPool
    from mivspool.pooling.base import check_values

    score, rows = uniform_score(n), []
    for shuffled, order in ((True, "edges in any order"), (False, "edges sorted by row")):
        edges = random_graph(n, shuffled=shuffled)
        row, col = (end.contiguous().numpy() for end in edges)
        rows += compare(
            f"the look whether edges are symmetric, {n:,} vertices, {order}",
            lambda row=row, col=col: lists.balanced(row, col),
            {"the whole selection": lambda edges=edges: meer.select(edges, score)},
            cpu_time=cpu_time,
        )
    edges, x = random_graph(30), torch.randn(30, 64)
    layer = MIVSPool(64).eval()
    selection = layer(x, edges).selection
    rows += compare(
        "the look at features and scores, 30 vertices of 64 features",
        lambda: check_values(x, selection, positive=True),
        {"the whole layer": lambda: layer(x, edges)},
        rounds=101,
        cpu_time=cpu_time,
    )
    return rows


def against_pyamg_parallel(n: int, cpu_time: bool) -> list[dict[str, Any]]:
    score = uniform_score(n)
    edges = random_graph(n)
    pairs = edges.numpy()
    matrix, adjacency = both_csr(edges, n)

    def theirs(matrix: Any) -> Tensor:
        return pyamg_parallel(matrix, score)

    def built() -> Any:
        ones = np.ones(pairs.shape[1], np.int8)
        return sparse.coo_matrix((ones, pairs.astype(np.int32)), shape=(n, n)).tocsr()

    rows = []
    for what, ours, peer in (
        ("CSR", fresh(adjacency, score), lambda: theirs(matrix)),
        ("edge_index", lambda: meer.select(edges, score), lambda: theirs(built())),
    ):
        what = f"selection from {what}, {n:,} vertices"
        rows += compare(what, ours, {"pyamg parallel": peer}, torch.equal, 31, cpu_time)
    # what no selection can do without, and far less than it: each edge once, no branch, two bytes per vertex
    low, high = (end.astype(np.uint32) for end in pairs[:, pairs[0] < pairs[1]])
    leading = (score * 2**16).to(torch.int32).numpy().astype(np.uint16)
    rows += compare(
        f"the limit: the scores at both ends of each edge compared once, nothing else, {n:,} vertices",
        lambda: torch.from_numpy(_compared(low, high, leading)),
        {"pyamg parallel": lambda: theirs(matrix)},
        None,
        31,
        cpu_time,
    )
    return rows


@compiled
def _compared(low: Any, high: Any, leading: Any) -> Any:
    beaten = np.zeros(leading.size, np.bool_)
    for e in range(low.size):
        u, v = low[e], high[e]
        worse = leading[u] < leading[v]
        beaten[u] |= worse
        beaten[v] |= not worse
    return beaten


def against_networkx(n: int, cpu_time: bool) -> list[dict[str, Any]]:
    import networkx as nx

    score = uniform_score(n)
    edges = random_graph(n)
    adjacency = both_csr(edges, n)[1]
    graph = nx.empty_graph(n)
    graph.add_edges_from(edges.t().tolist())
    # networkx needs minutes: one round of it, after one of each to warm up on a small graph
    nx.maximal_independent_set(nx.path_graph(10), seed=0)
    ours = fresh(adjacency, score)
    ours()

    def theirs() -> Tensor:
        kept = torch.zeros(n, dtype=torch.bool)
        kept[nx.maximal_independent_set(graph, seed=0)] = True
        return kept

    (row,) = _once(f"selection from CSR, {n:,} vertices", ours, "networkx (its own order)", theirs, cpu_time)
    kept = theirs_kept(row.pop("theirs"), adjacency)
    row["note"] = f"one run; networkx's set is independent and maximal too: {kept}"
    return [row]


def theirs_kept(survivor: Tensor, adjacency: Adjacency) -> bool:
    return meer.independent(adjacency, survivor) and meer.maximal(adjacency, survivor)


def _once(
    what: str, ours: Callable[[], Tensor], peer: str, theirs: Callable[[], Tensor], cpu_time: bool
) -> list[dict[str, Any]]:
    from benchmarks.harness import clock, in_turn

    now = clock(cpu_time)
    start = now()
    found = theirs()
    peer_ms = 1000 * (now() - start)
    ours_ms = in_turn({"ours": ours}, 15, cpu_time)[0]["ours"]
    row = {"what": what, "ours_ms": ours_ms, "peer": peer, "peer_ms": peer_ms, "ratio": peer_ms / ours_ms}
    return [{**row, "equal": None, "theirs": found}]


def fresh(adjacency: Adjacency, score: Tensor) -> Callable[[], Tensor]:
    """Selection from a CSR that nothing is cached for, with indices of 32 bits as pyamg's has."""
    return lambda: meer.select(Adjacency.known(adjacency.rowptr, adjacency.csr[1]), score)


def both_csr(edges: Tensor, n: int) -> tuple[Any, Adjacency]:
    """The graph as scipy's CSR with int32 (pyamg's best case), and as ours."""
    adjacency = Adjacency.from_edge_index(edges, num_nodes=n)
    rowptr, col = (part.astype(np.int32) for part in adjacency.csr)
    return sparse.csr_matrix((np.ones(col.size, np.int8), col, rowptr), shape=(n, n)), adjacency


def ranks(score: Tensor) -> np.ndarray:
    """int32 [N], 0 for the best."""
    order = np.argsort(-score.numpy(), kind="stable")
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size, dtype=np.int32)
    return rank


def pyamg_serial(matrix: Any) -> np.ndarray:
    """pyamg's walk in index order: 1 for a survivor, 0 otherwise."""
    from pyamg import amg_core

    state = np.full(matrix.shape[0], -1, np.int32)
    amg_core.maximal_independent_set_serial(matrix.shape[0], matrix.indptr, matrix.indices, -1, 1, 0, state)
    return state


def pyamg_by_score(matrix: Any, score: Tensor) -> Tensor:
    """bool [N]: what pyamg's walk selects in the order of the scores, of which a matrix in that order is made first."""
    rank, entries = ranks(score), matrix.tocoo()
    permuted = sparse.csr_matrix((entries.data, (rank[entries.row], rank[entries.col])), shape=matrix.shape)
    return torch.from_numpy(pyamg_serial(permuted)[rank] == 1)


def pyamg_parallel(matrix: Any, score: Tensor) -> Tensor:
    """bool [N]: what pyamg's parallel algorithm selects by the scores themselves."""
    from pyamg import amg_core

    n = matrix.shape[0]
    state = np.full(n, -1, np.int32)
    amg_core.maximal_independent_set_parallel(
        n, matrix.indptr, matrix.indices, -1, 1, 0, state, score.numpy(), -1
    )
    return torch.from_numpy(state == 1)
