"""The fast solvers against the greedy walk in plain Python and against Eq. 10, word by word."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mivspool import meer
from mivspool.arrays import edges, greedy, parallel
from mivspool.errors import InputError
from mivspool.sparse import Adjacency

INTS = st.sampled_from([0, 1, 2, 3, -(2**63), 2**63 - 1, 2**45, 2**45 + 1])
FLOATS = st.sampled_from(
    [0.0, -0.0, 0.25, 0.5, 0.5 + 2**-50, -1.5, 1e-310, -float("inf"), float("inf"), 1e300]
)


@st.composite
def scored_graphs(draw, most=14):
    """(edge_index with loops and repeats in any order, score) of a symmetric graph."""
    n = draw(st.integers(1, most))
    vertex = st.integers(0, n - 1)
    pairs = draw(st.lists(st.tuples(vertex, vertex), max_size=3 * n))
    directed = draw(st.permutations([*pairs, *((v, u) for u, v in pairs)]))
    edge_index = torch.tensor(directed, dtype=torch.int64).reshape(-1, 2).t().contiguous()
    kind = draw(st.sampled_from([torch.int64, torch.float64, torch.float32]))
    values = draw(st.lists(INTS if kind == torch.int64 else FLOATS, min_size=n, max_size=n))
    return edge_index, torch.tensor(values, dtype=kind)


def neighbours(edge_index, n):
    beside = [set() for _ in range(n)]
    for u, v in edge_index.t().tolist():
        if u != v:
            beside[u].add(v)
    return beside


def walk(edge_index, score):
    """From best to worst, each that has no kept neighbour."""
    beside = neighbours(edge_index, score.numel())
    kept = set()
    for v in sorted(range(score.numel()), key=lambda v: (-score[v].item(), v)):
        if not beside[v] & kept:
            kept.add(v)
    return [v in kept for v in range(score.numel())]


@given(scored_graphs())
def test_select_is_the_greedy_walk(graph):
    edge_index, score = graph
    expected = walk(edge_index, score)
    assert meer.select(edge_index, score).tolist() == expected
    assert (
        meer.select(Adjacency.from_edge_index(edge_index, num_nodes=score.numel()), score).tolist()
        == expected
    )


@given(scored_graphs())
def test_the_updates_alone_settle_the_same(graph):
    edge_index, score = graph
    rowptr, col, _ = edges.csr(
        edge_index[0].contiguous().numpy(), edge_index[1].contiguous().numpy(), score.numel()
    )
    key = greedy.comparable(score.numpy())
    assert greedy.trace(rowptr, col, key)[0].tolist() == greedy.survivors(rowptr, col, key).tolist()


@given(scored_graphs())
def test_the_trace_is_equation_10_and_11(graph):
    edge_index, score = graph
    position = meer.rank(score)
    survivor, settled_at = meer.iterate(edge_index, position)
    trace = meer.trace(edge_index, score)
    assert trace.survivor.tolist() == survivor.tolist()
    assert trace.settled_at.tolist() == settled_at.tolist()
    assert trace.num_iterations.tolist() == [int(settled_at.max())]
    beside = neighbours(edge_index, score.numel())
    for v, cluster in enumerate(trace.cluster.tolist()):
        kept = [u for u in beside[v] if survivor[u]]
        assert cluster == (v if survivor[v] else min(kept, key=lambda u: int(position[u])))


@given(scored_graphs(), st.booleans())
def test_ties_by_definition(graph, complement):
    edge_index, score = graph
    trace = meer.trace(edge_index, score, complement=complement)
    beside, kept = neighbours(edge_index, score.numel()), trace.survivor.tolist()
    values, at = score.tolist(), trace.settled_at.tolist()
    tied = 0
    for v in range(score.numel()):
        if trace.added[v]:
            tied += any(not kept[u] and values[u] == values[v] for u in range(score.numel()))
        elif kept[v]:
            tied += any(values[u] == values[v] and at[u] >= at[v] for u in beside[v])
        else:
            best = int(trace.cluster[v])
            tied += any(u != best and kept[u] and values[u] == values[best] for u in beside[v])
    assert trace.ties_broken.tolist() == [tied]


@given(scored_graphs(), st.integers(1, 4))
def test_the_device_path_is_the_same(graph, most):
    edge_index, score = graph
    survivor, settled_at = meer.iterate(edge_index, meer.rank(score))
    kept = parallel.MOST
    try:
        for parallel.MOST in (kept, most):
            found = parallel.settle(edge_index, score)
            assert found[0].tolist() == survivor.tolist()
            assert found[1].tolist() == settled_at.tolist()
    finally:
        parallel.MOST = kept


def test_every_graph_of_four_vertices_with_every_tie():
    pairs = list(combinations(range(4), 2))
    for chosen in product((False, True), repeat=len(pairs)):
        once = (
            torch.tensor([p for p, c in zip(pairs, chosen, strict=True) if c], dtype=torch.int64)
            .reshape(-1, 2)
            .t()
        )
        edge_index = torch.cat([once, once.flip(0)], dim=1)
        for score in map(torch.tensor, product((1, 2), repeat=4)):
            assert meer.select(edge_index, score).tolist() == walk(edge_index, score)


@given(st.lists(scored_graphs(most=6), min_size=1, max_size=5))
def test_a_graph_in_a_batch_is_the_graph_alone(graphs):
    graphs = [(edge_index, score.to(torch.float64)) for edge_index, score in graphs]
    sizes = [score.numel() for _, score in graphs]
    starts = np.cumsum([0, *sizes]).tolist()
    batched = torch.cat([e + s for (e, _), s in zip(graphs, starts, strict=False)], dim=1)
    scores = torch.cat([score for _, score in graphs])
    batch = torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes))
    together = meer.trace(batched, scores, batch, complement=True)
    alone = [meer.trace(edge_index, score, complement=True) for edge_index, score in graphs]
    assert together.survivor.tolist() == torch.cat([one.survivor for one in alone]).tolist()
    assert together.settled_at.tolist() == torch.cat([one.settled_at for one in alone]).tolist()
    assert together.num_iterations.tolist() == [int(one.num_iterations) for one in alone]
    assert together.ties_broken.tolist() == [int(one.ties_broken) for one in alone]
    assert torch.equal(meer.select(batched, scores, batch, complement=True), together.survivor)


@pytest.mark.parametrize("dtype", [torch.int32, torch.bool, torch.uint8, torch.float16, torch.bfloat16])
def test_every_real_type_has_its_order(dtype):
    edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    assert meer.select(edge_index, torch.tensor([0, 1, 0]).to(dtype)).tolist() == [False, True, False]


@given(st.lists(st.one_of(st.floats(allow_nan=False), FLOATS), min_size=1))
def test_comparable_keeps_order_and_equality(values):
    score = np.array(values)
    key = greedy.comparable(score)
    assert ((key[:, None] < key) == (score[:, None] < score)).all()
    assert ((key[:, None] == key) == (score[:, None] == score)).all()


@given(scored_graphs())
def test_csr_is_the_edge_list(graph):
    edge_index, score = graph
    n = score.numel()
    rowptr, col, _ = edges.csr(edge_index[0].contiguous().numpy(), edge_index[1].contiguous().numpy(), n)
    rows = [[int(c) for r, c in edge_index.t() if r == v] for v in range(n)]
    assert [col[rowptr[v] : rowptr[v + 1]].tolist() for v in range(n)] == rows


def test_csr_of_a_list_that_is_dealt_into_ranges():
    generator = np.random.default_rng(0)
    row, col = generator.integers(0, 5000, (2, 20000))
    rowptr, out, _ = edges.csr(row, col, 5000)
    assert out.tolist() == col[np.argsort(row, kind="stable")].tolist()
    assert rowptr.tolist() == np.searchsorted(np.sort(row), np.arange(5001)).tolist()


@given(scored_graphs())
def test_adjacency_is_the_dense_matrix(graph):
    edge_index, score = graph
    n = score.numel()
    dense = torch.zeros(n, n).index_put_(tuple(edge_index), torch.tensor(1.0), accumulate=True)
    adjacency = Adjacency.from_edge_index(edge_index, num_nodes=n)
    pairs = torch.nonzero((dense > 0) & ~torch.eye(n, dtype=torch.bool)).t()
    assert torch.equal(adjacency.edge_index, pairs)
    loops = torch.zeros(n, dtype=torch.float64) if adjacency.loops is None else adjacency.loops
    assert loops.tolist() == dense.diag().tolist()
    assert adjacency.csr[1].tolist() == adjacency.col.tolist()


@given(scored_graphs(), st.randoms())
def test_one_direction_missing_is_refused(graph, random):
    edge_index, score = graph
    once = sorted({(u, v) for u, v in edge_index.t().tolist() if u != v})
    if not once:
        return
    once.remove(random.choice(once))
    lacking = torch.tensor(once).t().contiguous()
    with pytest.raises(InputError, match="not symmetric"):
        meer.trace(lacking, score)


def shapes(n):
    """Paths, a grid, a star and a random graph, as edges given once."""
    line = torch.arange(n - 1)
    side = int(n**0.5)
    cell = torch.arange(side * side).reshape(side, side)
    across = [torch.stack([cell[:, :-1].reshape(-1), cell[:, 1:].reshape(-1)])]
    down = [torch.stack([cell[:-1].reshape(-1), cell[1:].reshape(-1)])]
    generator = torch.Generator().manual_seed(0)
    return {
        "path": torch.stack([line, line + 1]),
        "grid": torch.cat(across + down, dim=1),
        "star": torch.stack([torch.zeros(n - 1, dtype=torch.int64), line + 1]),
        "random": torch.randint(n, (2, 3 * n), generator=generator),
    }


@pytest.mark.parametrize("shape", ["path", "grid", "star", "random"])
@pytest.mark.parametrize("scores", ["rising", "falling", "equal"])
def test_large_graphs_of_every_shape_are_settled(shape, scores):
    """A quadratic walk would run into the suite's timeout here; the linear one takes milliseconds."""
    once = shapes(200_000)[shape]
    n = int(once.max()) + 1
    edge_index = torch.cat([once, once.flip(0)], dim=1)
    rising = torch.arange(n, dtype=torch.float64) + 1
    score = {"rising": rising, "falling": -rising, "equal": torch.ones(n)}[scores]
    adjacency = Adjacency.from_edge_index(edge_index, num_nodes=n)
    survivor = meer.select(edge_index, score)
    trace = meer.trace(adjacency, score)
    assert torch.equal(survivor, trace.survivor)
    assert meer.independent(adjacency, survivor)
    assert meer.maximal(adjacency, survivor)
    if shape == "path":
        assert trace.num_iterations.tolist() == [n // 2]


def test_a_path_is_left_to_the_cpu_by_the_device_path():
    once = shapes(2000)["path"]
    edge_index = torch.cat([once, once.flip(0)], dim=1)
    score = torch.arange(2000)
    survivor, settled_at = parallel.settle(edge_index, score)
    trace = meer.trace(edge_index, score)
    assert torch.equal(survivor, trace.survivor)
    assert torch.equal(settled_at, trace.settled_at)


def test_no_vertices():
    nothing = torch.empty(2, 0, dtype=torch.int64)
    assert meer.select(nothing, torch.empty(0)).tolist() == []
    assert meer.trace(nothing, torch.empty(0)).num_iterations.tolist() == [0]


@given(scored_graphs())
def test_components_are_counted(graph):
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    edge_index, score = graph
    n = score.numel()
    adjacency = Adjacency.from_edge_index(edge_index, num_nodes=n)
    rowptr, col = adjacency.csr
    matrix = csr_array((np.ones(col.size), col.astype(np.int64), rowptr.astype(np.int64)), shape=(n, n))
    assert edges.components(rowptr, col) == connected_components(matrix, directed=False)[0]
