"""MIVSPool in PyTorch Geometric's conventions: TopKPooling's contract, and the parts that it is made of."""

from __future__ import annotations

import copy
import inspect
import pickle

import pytest
import torch
from torch_geometric.nn import GCNConv, SumAggregation, TopKPooling
from torch_geometric.nn.pool.connect import Connect, FilterEdges
from torch_geometric.nn.pool.select import Select, SelectTopK

from mivspool.errors import InputError
from mivspool.pooling import SCORES, MIVSPool
from mivspool.pyg import ConnectMIVS, MIVSPooling, SelectMIVS, Unpool
from tests.pooling.drawn import CHANNELS, awkward, features

ADJACENCY, BATCH, SIZE = awkward()
EDGES = ADJACENCY.edge_index
X = features(ADJACENCY.num_nodes, dtype=torch.float32)
WIDE = torch.arange(EDGES.size(1) * 3, dtype=torch.float32).reshape(-1, 3)


def layer_of(**options):
    torch.manual_seed(3)
    return MIVSPooling(CHANNELS, **options)


def test_the_call_is_that_of_topkpooling():
    ours, theirs = (inspect.signature(kind.forward).parameters for kind in (MIVSPooling, TopKPooling))
    assert list(ours) == list(theirs)
    assert [one.default for one in ours.values()] == [one.default for one in theirs.values()]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
@pytest.mark.parametrize(
    "edge_attr", [None, WIDE[:, 0], WIDE[:, :1], WIDE], ids=["none", "M", "M × 1", "M × 3"]
)
@pytest.mark.parametrize("batch", [None, BATCH], ids=["one graph", "a batch"])
def test_the_six_results_are_those_of_topkpooling(dtype, edge_attr, batch):
    """In order, type and shape; where TopKPooling has no edge_attr to give, the weights of SᵀAS stand."""
    x, attr = X.to(dtype), None if edge_attr is None else edge_attr.to(dtype)
    ours = layer_of().to(dtype)(x, EDGES, attr, batch)
    theirs = TopKPooling(CHANNELS).to(dtype)(x, EDGES, attr, batch)
    assert isinstance(ours, tuple)
    assert len(ours) == len(theirs) == 6
    for mine, other in zip(ours, theirs, strict=True):
        if other is not None:
            assert mine.dtype == other.dtype
            assert mine.dim() == other.dim()
            assert mine.device == other.device
            assert mine.shape[1:] == other.shape[1:] or mine.dtype == torch.int64
    reduced, index, weight, reduced_batch, perm, score = ours
    assert weight.dtype == dtype
    assert reduced.size(0) == reduced_batch.numel() == perm.numel() == score.numel()
    assert weight.size(0) == index.size(1)
    assert int(index.max()) < reduced.size(0)
    assert torch.equal(reduced_batch, (torch.zeros_like(BATCH) if batch is None else batch)[perm])
    assert not bool((index[0] == index[1]).any())


def test_a_network_goes_on_with_the_weights():
    x, index, weight, batch, _, _ = layer_of()(X, EDGES, None, BATCH)
    x = GCNConv(CHANNELS, CHANNELS)(x, index, weight)
    x, index, weight, batch, _, _ = layer_of()(x, index, weight, batch)
    GCNConv(CHANNELS, 8)(x, index, weight).sum().backward()


def test_it_is_the_layer_of_this_project():
    ours, expected = layer_of(), None
    expected = ours.pool(X, EDGES, None, BATCH)
    x, index, weight, batch, perm, score = ours(X, EDGES, None, BATCH)
    assert torch.equal(x, expected.x)
    assert torch.equal(index, expected.adjacency.edge_index)
    assert torch.equal(weight.double(), expected.adjacency.weight)
    assert torch.equal(batch, expected.batch)
    assert torch.equal(score, expected.score[expected.survivor])
    assert torch.equal(perm, torch.nonzero(expected.survivor).reshape(-1))


@pytest.mark.parametrize("loops", [False, True])
def test_edges_without_features_count_as_one_each(loops):
    one = torch.ones(EDGES.size(1))
    for mine, other in zip(
        layer_of(loops=loops)(X, EDGES, None, BATCH), layer_of(loops=loops)(X, EDGES, one, BATCH), strict=True
    ):
        assert torch.equal(mine, other)


def test_loops_are_the_diagonal_of_the_reduced_graph():
    layer = layer_of(loops=True)
    _, index, weight, *_ = layer(X, EDGES, None, BATCH)
    found = layer.pool(X, EDGES, None, BATCH)
    assert torch.equal(index, found.edge_index)
    assert torch.equal(weight.double(), found.edge_weight)
    assert float(weight.sum()) == EDGES.size(1)


@pytest.mark.parametrize("reduction", ["sum", "mean", "min", "max", "mul"])
@pytest.mark.parametrize("loops", [False, True])
def test_features_of_edges_are_reduced_edge_by_edge(reduction, loops):
    layer = layer_of(edge_reduction=reduction, loops=loops)
    cluster = layer.pool(X, EDGES, None, BATCH).cluster
    attr = (WIDE % 5 - 1).requires_grad_()
    _, index, found, *_ = layer(X, EDGES, attr, BATCH)
    for (u, v), value in zip(index.t().tolist(), found, strict=True):
        between = attr[(cluster[EDGES[0]] == u) & (cluster[EDGES[1]] == v)]
        expected = {
            "sum": between.sum(0), "mean": between.mean(0), "min": between.min(0).values,
            "max": between.max(0).values, "mul": between.prod(0),
        }[reduction]  # fmt: skip
        torch.testing.assert_close(value, expected)
    found.sum().backward()
    assert bool(attr.grad.isfinite().all())
    assert float(attr.grad.abs().sum()) > 0


def test_features_of_edges_play_no_part_in_the_selection():
    plain, given = layer_of()(X, EDGES, None, BATCH), layer_of()(X, EDGES, -WIDE, BATCH)
    assert torch.equal(plain[4], given[4])
    assert torch.equal(plain[1], given[1])


def test_attn_is_scored_in_the_place_of_x():
    attn = features(X.size(0), seed=9, dtype=torch.float32)
    layer = layer_of(score="projection")
    x, _, _, _, perm, score = layer(X, EDGES, None, BATCH, attn)
    by_attn = layer(attn, EDGES, None, BATCH)
    assert torch.equal(perm, by_attn[4])
    assert torch.equal(score, by_attn[5])
    for one, other in zip(layer(X, EDGES, None, BATCH, X), layer(X, EDGES, None, BATCH), strict=True):
        torch.testing.assert_close(one, other)
    wider = layer(torch.cat([X, X], 1), EDGES, None, BATCH, attn)[0]
    torch.testing.assert_close(wider, torch.cat([x, x], 1))
    with pytest.raises(InputError, match="attn has 2 rows"):
        layer(X, EDGES, None, BATCH, attn[:2])


def test_the_layer_is_kept_in_one_line_reset_and_pickled():
    layer = layer_of(score="attention", complement=True)
    assert repr(layer) == f"MIVSPooling({CHANNELS}, score='attention', complement=True)"
    assert layer.in_channels == CHANNELS
    for other in (pickle.loads(pickle.dumps(layer)), copy.deepcopy(layer)):
        assert torch.equal(other(X, EDGES)[0], layer(X, EDGES)[0])
    before = copy.deepcopy(layer.state_dict())
    layer.reset_parameters()
    assert any(not torch.equal(value, before[name]) for name, value in layer.state_dict().items())
    open_layer = MIVSPooling(-1)
    open_layer(X, EDGES)
    assert open_layer.in_channels == CHANNELS


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"edge_index": torch.tensor([[0], [1]])}, "both directions"),
        ({"edge_attr": torch.ones(3)}, "3 rows for"),
        ({"batch": BATCH.flip(0)}, "sorted"),
        ({"x": torch.full_like(X, torch.nan)}, "finite"),
    ],
)
def test_bad_input_is_refused_in_words(change, message):
    with pytest.raises(InputError, match=message):
        layer_of()(**{"x": X, "edge_index": EDGES, "batch": BATCH, **change})


def test_an_edge_reduction_that_there_is_not_is_refused_with_those_that_there_are():
    with pytest.raises(InputError, match="mean"):
        MIVSPooling(CHANNELS, edge_reduction="median")


@pytest.mark.parametrize("score", SCORES)
def test_select_reduce_and_connect_of_ones_own_make_the_layer(score):
    """Eq. 12 is the sum of the features times the weights of the selection."""
    torch.manual_seed(3)
    select = SelectMIVS(CHANNELS, score).eval()
    assert isinstance(select, Select)
    assert isinstance(ConnectMIVS(), Connect)
    chosen = select(X, EDGES, BATCH)
    reduced = SumAggregation()(
        X[chosen.node_index] * chosen.weight.unsqueeze(1), chosen.cluster_index, dim_size=chosen.num_clusters
    )
    connected = ConnectMIVS()(chosen, EDGES, None, BATCH)
    expected = select.pool(X, EDGES, None, BATCH)
    torch.testing.assert_close(reduced, expected.x)
    assert torch.equal(connected.edge_index, expected.adjacency.edge_index)
    assert torch.equal(connected.edge_attr.double(), expected.adjacency.weight)
    assert torch.equal(connected.batch, expected.batch)
    torch.testing.assert_close(Unpool()(reduced, chosen), expected.unpool())
    assert "\n" not in f"{select}{ConnectMIVS()}{Unpool()}"


def test_the_parts_go_with_pygs_own():
    """Connect and un-pooling take a selection that drops vertices; PyG's FilterEdges gives the same edges."""
    torch.manual_seed(3)
    chosen = SelectTopK(CHANNELS)(X, BATCH)
    ours, theirs = ConnectMIVS()(chosen, EDGES, None, BATCH), FilterEdges()(chosen, EDGES, None, BATCH)
    assert set(map(tuple, ours.edge_index.t().tolist())) == set(map(tuple, theirs.edge_index.t().tolist()))
    assert torch.equal(ours.batch, theirs.batch)
    back = Unpool()(torch.ones(chosen.num_clusters, 2), chosen)
    assert back.sum(0).tolist() == [chosen.num_clusters] * 2


def test_the_gradient_reaches_the_score_through_the_weights_of_a_selection():
    torch.manual_seed(3)
    select = SelectMIVS(CHANNELS, "attention")
    (select(X, EDGES, BATCH).weight * X[:, 0]).sum().backward()
    assert all(float(p.grad.abs().sum()) > 0 for p in select.parameters())


def test_the_old_name_still_gives_the_layer_and_says_the_new_one():
    import mivspool.pooling

    with pytest.warns(DeprecationWarning, match="MIVSPooling"):
        assert mivspool.pooling.PyGPooling is MIVSPooling
    with pytest.raises(AttributeError):
        mivspool.pooling.PyGPool  # noqa: B018
    assert MIVSPool is mivspool.pooling.MIVSPool
