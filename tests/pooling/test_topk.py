"""gPool, SagPool and MVPool against PyTorch Geometric's layers and the papers' formulas in double precision."""

from __future__ import annotations

import math
from contextlib import nullcontext

import networkx as nx
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch_geometric.nn import GCNConv, SAGPooling, TopKPooling

from mivspool import meer
from mivspool.arrays.table import tensors_alone
from mivspool.errors import InputError
from mivspool.pooling.methods.gpool import GPool
from mivspool.pooling.methods.mvpool import MVPool
from mivspool.pooling.methods.mvpool_sl import MVPoolSL
from mivspool.pooling.methods.sagpool import SagPool
from mivspool.pooling.parts.hops import hop_pattern, power
from mivspool.pooling.parts.sparsemax import sparsemax
from mivspool.pooling.parts.topk import keep, top
from tests.pooling.drawn import CHANNELS, awkward, dense, features, graphs, of_edges, part_of, single, union


def without_ties():
    """Four graphs without the clique, whose vertices have one score after a GCN, and without an empty one."""
    adjacency, batch, _ = awkward()
    parts = [part_of(adjacency, batch, graph)[1] for graph in (0, 1, 2, 4)]
    return union(parts)


def same_as_pyg(ours, theirs):
    """The same vertices, features and edges, whatever the order PyG lists them in."""
    x, edge_index, _, batch, perm, _ = theirs
    place = torch.argsort(perm)
    assert torch.equal(torch.nonzero(ours.survivor).reshape(-1), perm[place])
    torch.testing.assert_close(ours.x, x[place])
    assert torch.equal(ours.batch, batch[place])
    back = torch.argsort(place)
    assert {tuple(pair) for pair in back[edge_index].t().tolist()} == set(
        map(tuple, ours.edge_index.t().tolist())
    )


def test_gpool_is_pygs_topk_with_the_papers_gate():
    adjacency, batch, size = without_ties()
    x = features(adjacency.num_nodes)
    theirs = TopKPooling(CHANNELS, ratio=0.5, nonlinearity=torch.sigmoid).double()
    ours = GPool(CHANNELS).double()
    ours.weight.data = theirs.select.weight.data[0]
    same_as_pyg(ours.pool(x, adjacency, batch, size), theirs(x, adjacency.edge_index, None, batch))


def test_gpool_score_does_not_change_with_the_length_of_p():
    adjacency, batch, size = without_ties()
    x = features(adjacency.num_nodes)
    layer = GPool(CHANNELS).double()
    first = layer.pool(x, adjacency, batch, size)
    layer.weight.data *= 17
    torch.testing.assert_close(layer.pool(x, adjacency, batch, size).x, first.x)
    layer.weight.data.zero_()
    assert bool(layer.pool(x, adjacency, batch, size).x.isfinite().all())


def test_sagpool_is_pygs_with_a_gcn_and_without_its_second_factor():
    adjacency, batch, size = without_ties()
    x = features(adjacency.num_nodes)
    theirs = SAGPooling(CHANNELS, ratio=0.5, GNN=GCNConv).double()
    ours = SagPool(CHANNELS).double()
    ours.linear.weight.data = theirs.gnn.lin.weight.data
    ours.bias.data = theirs.gnn.bias.data = torch.tensor([0.3], dtype=torch.float64)
    theirs.select.weight.data.fill_(1)
    pooled = ours.pool(x, adjacency, batch, size)
    same_as_pyg(pooled, theirs(x, adjacency.edge_index, None, batch))
    theirs.select.weight.data.fill_(
        -1
    )  # PyG's factor turns the order round: that is why ours is not a wrapper
    assert not torch.equal(
        torch.sort(theirs(x, adjacency.edge_index, None, batch)[4]).values,
        torch.nonzero(pooled.survivor).reshape(-1),
    )


def test_sagpool_orders_what_a_saturated_tanh_ties():
    score = torch.tensor([30.0, 31.0, 32.0, 33.0])
    assert torch.tanh(score).unique().numel() == 1
    adjacency = awkward()[0]
    key = meer.learned_key(torch.cat([score, torch.zeros(adjacency.num_nodes - 4)]), adjacency)
    assert top(meer.rank(key[:4]), 0.5, *single(4)).tolist() == [False, False, True, True]


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=30), st.floats(0.05, 1))
def test_top_keeps_the_ceiling_and_the_best(values, ratio):
    score = torch.tensor(values)
    kept = top(meer.rank(score), ratio, *single(len(values)))
    assert int(kept.sum()) == math.ceil(len(values) * ratio - 1e-9)
    assert not bool((~kept).any()) or float(score[kept].min()) >= float(score[~kept].max())


@pytest.mark.parametrize(
    ("n", "ratio", "kept"), [(10, 0.7, 7), (5, 0.5, 3), (1, 0.01, 1), (3, 1.0, 3), (20, 0.15, 3)]
)
def test_the_ceiling_is_exact(n, ratio, kept):
    assert int(top(torch.arange(n), ratio, *single(n)).sum()) == kept


@pytest.mark.parametrize("ratio", [0, -0.5, 1.5, float("nan")])
def test_a_ratio_that_is_none_is_refused(ratio):
    with pytest.raises(InputError, match="ratio"):
        GPool(3, ratio=ratio)


def networkx(adjacency):
    graph = nx.Graph()
    graph.add_nodes_from(range(adjacency.num_nodes))
    graph.add_edges_from(adjacency.edge_index.t().tolist())
    return graph


@given(graphs(), st.integers(1, 4), st.data())
@settings(max_examples=50)
def test_hops_are_the_distances_of_networkx(adjacency, hops, data):
    n = adjacency.num_nodes
    survivor = torch.tensor(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    selection = keep(survivor, *single(n))
    far = dict(nx.all_pairs_shortest_path_length(networkx(adjacency)))
    kept = torch.nonzero(survivor).reshape(-1).tolist()
    rows = [[j for j, v in enumerate(kept) if v != u and far[u].get(v, math.inf) <= hops] for u in kept]
    for own in (False, True):
        expected = [sorted([*row, i]) for i, row in enumerate(rows)] if own else rows
        for way in (nullcontext, tensors_alone):
            with way():
                rowptr, col = hop_pattern(adjacency, selection, hops, own)
            assert [col[rowptr[i] : rowptr[i + 1]].tolist() for i in range(len(kept))] == expected
    assert [power(adjacency, hops, single(n)[0]).degree.tolist()[v] for v in range(n)] == [
        sum(0 < distance <= hops for distance in far[v].values()) for v in range(n)
    ]


def test_mvpool_joins_survivors_two_edges_apart():
    """On a path of five whose ends and middle survive, A² joins them and A alone does not."""
    adjacency, x = path(5), features(5)
    layer = MVPool(CHANNELS, ratio=0.6).double()
    selection = keep(
        torch.tensor([True, False, True, False, True]), *single(5), layer.score(x, adjacency, *single(5))
    )
    assert layer.connect(adjacency, selection).edge_index.tolist() == [[0, 1, 1, 2], [1, 0, 2, 1]]
    layer.hops = 1
    assert layer.connect(adjacency, selection).col.numel() == 0


def path(n):
    return of_edges([(i, i + 1) for i in range(n - 1)], n)


def dense_sparsemax(row):
    """Martins & Astudillo's Algorithm 1, by sorting."""
    ordered = row.sort(descending=True).values
    summed = ordered.cumsum(0)
    size = torch.arange(1, row.numel() + 1)
    support = int((1 + size * ordered > summed).sum())
    return (row - (summed[support - 1] - 1) / support).clamp(min=0)


@given(st.lists(st.lists(st.floats(-5, 5), min_size=1, max_size=8), min_size=1, max_size=5))
def test_sparsemax_of_segments_is_that_of_each_row(rows):
    value = torch.tensor([v for row in rows for v in row], dtype=torch.float64)
    segment = torch.repeat_interleave(torch.arange(len(rows)), torch.tensor([len(row) for row in rows]))
    expected = torch.cat([dense_sparsemax(torch.tensor(row, dtype=torch.float64)) for row in rows])
    torch.testing.assert_close(sparsemax(value, segment, len(rows)), expected, atol=1e-12, rtol=0)


def test_sparsemax_gradient_against_finite_differences():
    value = torch.tensor([0.3, 0.1, -2.0, 1.0, 0.9, 0.2], dtype=torch.float64, requires_grad=True)
    segment = torch.tensor([0, 0, 0, 1, 1, 1])
    assert torch.autograd.gradcheck(lambda v: sparsemax(v, segment, 2), value)


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_structure_learning_is_the_dense_formula(hops):
    """E over the candidates, sparsemax of each row, (P + Pᵀ)/2, everything dense and in double precision."""
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes)
    layer = MVPoolSL(CHANNELS, hops=hops).double()
    pooled = layer.pool(x, adjacency, batch, size)
    kept = torch.nonzero(pooled.survivor).reshape(-1)
    a, k = dense(adjacency), kept.numel()
    reach = sum(torch.linalg.matrix_power(a, h) for h in range(1, hops + 1)) + torch.eye(len(a))
    reduced = x[kept] * pooled.score[kept].unsqueeze(1)
    p = torch.zeros(k, k, dtype=torch.float64)
    for i in range(k):
        near = [j for j in range(k) if reach[kept[i], kept[j]] > 0]
        logits = [layer.attention[0] @ torch.cat([reduced[i], reduced[j]]) for j in near]
        row = torch.nn.functional.leaky_relu(torch.stack(logits), 0.2) + 2.0 * a[kept[i], kept[near]]
        p[i, near] = dense_sparsemax(row.detach())
    torch.testing.assert_close(dense(pooled.adjacency).detach(), (p + p.t()) / 2)
    assert dense(pooled.adjacency).sum().item() == pytest.approx(k)  # each row of P sums to 1


def test_structure_learning_has_its_gradient():
    """Through sparsemax, the symmetric half and a propagation by the learned weights, against finite differences."""
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes)
    layer = MVPoolSL(CHANNELS).double()

    def compute(attention):
        pooled = torch.func.functional_call(
            layer, {"attention": attention}, (x, adjacency.edge_index, None, batch, size)
        )
        matrix = pooled.adjacency.normalised(use_weights=True, use_diagonal=True, dtype=torch.float64)
        return (matrix @ pooled.x).sin().sum()

    assert torch.autograd.gradcheck(compute, layer.attention.detach().clone().requires_grad_())
