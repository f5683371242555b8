"""The scores of MIVSPool: their formulas dense in double precision, and what holds for each."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.nn import GCNConv

from mivspool.errors import InputError
from mivspool.pooling import method
from mivspool.pooling.methods.mewispool import MEWISPool
from mivspool.pooling.parts.values import check_given, unit
from mivspool.pooling.score import SCORES
from mivspool.pooling.scores.attention import Attention
from mivspool.pooling.scores.multiview import MultiView
from mivspool.pooling.scores.projection import Projection
from mivspool.pooling.scores.uniform import uniform
from mivspool.sparse import Adjacency
from tests.pooling.drawn import CHANNELS, awkward, dense, features, of_edges, part_of, single


@pytest.mark.parametrize("name", SCORES)
def test_a_score_is_positive_finite_and_has_a_finite_gradient(name):
    adjacency, batch, size = awkward()
    score = SCORES[name](CHANNELS).double()
    x = features(adjacency.num_nodes).requires_grad_()
    value = score(x, adjacency, batch, size)
    assert value.shape == (adjacency.num_nodes,)
    assert bool((value.isfinite() & (value > 0)).all())
    if score.learned:
        assert bool((value < 1).all())
        value.sum().backward()
        assert bool(x.grad.isfinite().all())
        assert all(bool(p.grad.isfinite().all()) for p in score.parameters())


@pytest.mark.parametrize("name", SCORES)
def test_a_score_does_not_depend_on_the_batch(name):
    adjacency, batch, size = awkward()
    score = SCORES[name](CHANNELS).double().eval()
    x = features(adjacency.num_nodes)
    together = score(x, adjacency, batch, size)
    for graph in range(size):
        own, alone = part_of(adjacency, batch, graph)
        torch.testing.assert_close(score(x[own], alone, *single(alone.num_nodes)), together[own])


def test_projection_is_its_formula():
    adjacency, batch, size = awkward()
    x, score = features(adjacency.num_nodes), Projection(CHANNELS).double()
    expected = torch.sigmoid(x @ score.weight / score.weight.norm())
    torch.testing.assert_close(score(x, adjacency, batch, size), expected)
    score.weight.data.zero_()
    assert score(x, adjacency, batch, size).tolist() == [0.5] * adjacency.num_nodes


def test_attention_is_a_sigmoid_of_pygs_gcn():
    adjacency, batch, size = awkward()
    x, score, gcn = features(adjacency.num_nodes), Attention(CHANNELS).double(), GCNConv(CHANNELS, 1).double()
    gcn.lin.weight.data, gcn.bias.data = score.linear.weight.data, score.bias.data + 0.5
    score.bias.data += 0.5
    expected = torch.sigmoid(gcn(x, adjacency.edge_index)).squeeze(1)
    torch.testing.assert_close(score(x, adjacency, batch, size), expected)


def test_multiview_is_its_formula_dense():
    """DESIGN's steps one by one with dense matrices, the maximum taken in each graph."""
    adjacency, batch, size = awkward()
    x, score = features(adjacency.num_nodes), MultiView(CHANNELS).double()
    a = dense(adjacency)
    degree = a.sum(1)
    scale = torch.where(degree > 0, degree, 1).rsqrt()
    matrix = scale[:, None] * a * scale[None, :]
    start = matrix @ (x @ score.linear.weight.t()) + score.bias
    rank = start
    for _ in range(10):
        rank = 0.1 * start + 0.9 * (matrix @ rank)
    views = torch.sigmoid(
        torch.stack(
            [
                score.alpha * torch.log(degree + 1e-16) + score.beta,
                x @ score.projection / score.projection.norm(),
                rank[:, 0],
            ],
            dim=1,
        )
    )
    for graph in range(size):
        own = batch == graph
        if bool(own.any()):
            views = torch.where(own[:, None], views / views[own].max(0).values, views)
    weights = torch.softmax(torch.sigmoid(score.attention(views)), dim=1)
    expected = torch.sigmoid((weights * views).sum(1))
    value = score(x, adjacency, batch, size)
    torch.testing.assert_close(value, expected)
    assert bool(((value >= 0.5) & (value <= 0.7311)).all())


def test_uniform_is_uniform_and_belongs_to_seed_level_and_place():
    batch = torch.zeros(20_000, dtype=torch.int64)
    value = uniform(0, 0, batch, 1)
    quantiles = torch.quantile(value, torch.linspace(0.1, 0.9, 9, dtype=torch.float64))
    torch.testing.assert_close(quantiles, torch.linspace(0.1, 0.9, 9, dtype=torch.float64), atol=0.02, rtol=0)
    assert value.unique().numel() == 20_000
    assert torch.equal(value[:5], uniform(0, 0, batch[:5], 1))
    for seed, level in ((1, 0), (0, 1)):
        assert not torch.equal(value, uniform(seed, level, batch, 1))


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("nan"), float("inf")])
def test_a_given_score_that_is_not_positive_names_its_vertex(wrong):
    with pytest.raises(InputError, match="vertex 2"):
        check_given(torch.tensor([1.0, 2.0, wrong]))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("mivspool", {"score": "projection"}),
        ("mivspool", {"score": "attention"}),
        ("mivspool-comp", {"score": "attention"}),
        ("kmis-1", {"heuristic": "none"}),
        ("kmis-2", {"heuristic": "none"}),
    ],
)
def test_the_order_does_not_saturate_with_the_sigmoid(name, options):
    """Features a thousand times as large have the same order, and so the same survivors and clusters."""
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes)
    layer = method(name).make(CHANNELS, **options).double()
    for parameter_name, parameter in layer.named_parameters():
        if parameter_name.endswith("bias"):
            parameter.data.zero_()
    pooled, larger = (layer.pool(scale * x, adjacency, batch, size) for scale in (1.0, 1000.0))
    assert torch.equal(pooled.survivor, larger.survivor)
    assert torch.equal(pooled.cluster, larger.cluster)


def test_mewispools_order_does_not_saturate_with_the_sigmoid():
    """Of a pair, the vertex with the higher logit is decided first, and is kept, though both probabilities are 1."""
    adjacency, (batch, size) = of_edges([(0, 1), (2, 3)], 4), single(4)
    layer = MEWISPool(CHANNELS).double()
    for logits, kept in (
        ([40.0, 50.0, 51.0, 41.0], [False, True, True, False]),
        ([50.0, 40.0, 41.0, 51.0], [True, False, False, True]),
    ):
        layer.logit = lambda entropy, adjacency, logits=logits: torch.tensor(logits, dtype=torch.float64)
        selection = layer.select(torch.ones(4, CHANNELS, dtype=torch.float64), adjacency, batch, size)
        assert selection.score.tolist() == [1.0] * 4
        assert selection.survivor.tolist() == kept


def _weighted(seed: int) -> tuple[Adjacency, torch.Tensor]:
    """A graph of 12 vertices with weights, and the dense matrix of them."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(1, 6, (12, 12)) * (rng.random((12, 12)) < 0.35), 1)
    dense = torch.from_numpy(upper + upper.T).double()
    index = dense.nonzero().T
    return Adjacency.from_edge_index(index, dense[tuple(index)], num_nodes=12), dense


def _normalised(dense: torch.Tensor) -> torch.Tensor:
    scale = dense.sum(1).rsqrt()
    scale = torch.where(scale.isinf(), 0.0, scale)
    return scale[:, None] * dense * scale


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["multiview", "attention"])
def test_weights_above_level_0_are_seen_where_that_is_asked_for(name, seed):
    adjacency, dense = _weighted(seed)
    torch.manual_seed(seed)
    plain = SCORES[name](3).double()
    torch.manual_seed(seed)
    weighted = SCORES[name](3, use_weights=True).double()
    x, batch = torch.randn(12, 3, dtype=torch.float64), torch.zeros(12, dtype=torch.int64)
    pattern = Adjacency.from_edge_index(adjacency.edge_index, None, num_nodes=12)
    # on A in {0, 1}, and by default on any A', it is the same score
    torch.testing.assert_close(weighted(x, pattern, batch, 1), plain(x, pattern, batch, 1))
    torch.testing.assert_close(plain(x, adjacency, batch, 1), plain(x, pattern, batch, 1))
    found = weighted(x, adjacency, batch, 1)
    if name == "attention":
        expected = torch.sigmoid(
            (_normalised(dense + torch.eye(12)) @ weighted.linear(x)).squeeze(1) + weighted.bias
        )
    else:
        matrix = _normalised(dense)
        start = matrix @ weighted.linear(x) + weighted.bias
        rank = start
        for _ in range(weighted.steps):
            rank = weighted.restart * start + (1 - weighted.restart) * matrix @ rank
        degree = torch.sigmoid(weighted.alpha * torch.log((dense > 0).sum(1) + 1e-16) + weighted.beta)
        views = torch.stack(
            [degree, torch.sigmoid(x @ unit(weighted.projection)), torch.sigmoid(rank[:, 0])], 1
        )
        views = views / views.max(0).values
        shares = torch.softmax(torch.sigmoid(weighted.attention(views)), dim=1)
        expected = torch.sigmoid((shares * views).sum(1))
    torch.testing.assert_close(found, expected)
    assert not torch.allclose(found, plain(x, adjacency, batch, 1))
    found.sum().backward()
    assert all(bool(p.grad.isfinite().all()) for p in weighted.parameters())
