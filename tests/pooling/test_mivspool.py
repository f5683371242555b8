"""MIVSPool's laws: Eq. 8, 9, 11, 12 and 3 against dense double precision, whatever the graph and the scores."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mivspool import meer
from mivspool.errors import InputError
from mivspool.pooling import MIVSPool
from mivspool.pooling.parts.measure import structure
from mivspool.pooling.score import Score
from tests.pooling.drawn import CHANNELS, awkward, dense, features, graphs, of_edges, single

SCORES = st.lists(st.sampled_from([0.25, 0.5, 0.75, 1.0]), min_size=12, max_size=12)


@given(graphs(), SCORES, st.booleans())
@settings(max_examples=40)
def test_the_reduced_graph_is_the_paper_s(adjacency, values, complement):
    """S has one 1 per row; A' = SᵀAS; X' is the weighted mean; nothing is lost and no component splits or joins."""
    n = adjacency.num_nodes
    score = torch.tensor(values[:n], dtype=torch.float64)
    layer, x = MIVSPool(CHANNELS, "uniform", complement), features(n)
    selection = layer.select_by(score, score, adjacency, *single(n))
    reduced = layer.connect(adjacency, selection)
    s = torch.nn.functional.one_hot(selection.cluster, selection.num_nodes).double()
    assert bool((s.sum(1) == 1).all())
    assert bool((s.sum(0) >= 1).all())
    torch.testing.assert_close(dense(reduced), s.t() @ dense(adjacency) @ s)
    weighted = s * score.unsqueeze(1)
    torch.testing.assert_close(layer.reduce(x, selection), (weighted / weighted.sum(0)).t() @ x)
    assert meer.maximal(adjacency, selection.survivor)
    if complement:
        assert int(selection.survivor.sum()) >= (n + 1) // 2
    else:
        assert meer.independent(adjacency, selection.survivor)
    assert structure(reduced).components == structure(adjacency).components
    # a survivor stays itself, and any other vertex goes to a neighbour
    for v, c in enumerate(selection.cluster.tolist()):
        leader = int(torch.nonzero(selection.survivor)[c])
        assert leader == v or (dense(adjacency)[v, leader] == 1 and not selection.survivor[v])


@given(graphs(), SCORES, st.booleans())
@settings(max_examples=40)
def test_what_is_pooled_is_the_end_of_the_trace_that_is_made_when_asked_for(adjacency, values, complement):
    n = adjacency.num_nodes
    score = torch.tensor(values[:n], dtype=torch.float64)
    selection = MIVSPool(CHANNELS, "uniform", complement).select_by(score, score, adjacency, *single(n))
    trace = meer.trace(adjacency, score, complement=complement)
    assert torch.equal(selection.survivor, trace.survivor)
    assert torch.equal(selection.added, trace.added)
    leaders = torch.nonzero(selection.survivor).reshape(-1)
    assert torch.equal(leaders[selection.cluster], trace.cluster)
    assert torch.equal(selection.num_iterations, trace.num_iterations)
    assert torch.equal(selection.ties_broken, trace.ties_broken)


@given(
    graphs(), st.sampled_from(["multiview", "degree", "uniform"]), st.sampled_from([1.0, 0.5]), st.booleans()
)
@settings(max_examples=40)
def test_a_selection_that_is_held_keeps_its_clusters_and_takes_the_scores_of_other_features(
    adjacency, score, temperature, complement
):
    n = adjacency.num_nodes
    layer = MIVSPool(CHANNELS, score, complement, temperature=temperature).eval()
    x, other = features(n).float(), features(n).flip(0).float()
    own = layer.pool(x, adjacency, *single(n))
    again = layer.hold(own.selection, x, adjacency, *single(n))
    torch.testing.assert_close(again.x, own.x)
    torch.testing.assert_close(again.score, own.score)
    assert torch.equal(dense(again.adjacency), dense(own.adjacency))
    moved = layer.hold(own.selection, other, adjacency, *single(n))
    assert torch.equal(moved.cluster, own.cluster)
    torch.testing.assert_close(moved.x, layer.reduce(other, moved.selection))
    if temperature == 1:
        torch.testing.assert_close(moved.score, layer.scorer(other, adjacency, *single(n)))


@given(graphs(), SCORES)
@settings(max_examples=40)
def test_the_sum_of_all_entries_never_changes(adjacency, values):
    layer = MIVSPool(CHANNELS, "degree")
    total = dense(adjacency).sum()
    for level in range(4):
        n = adjacency.num_nodes
        score = torch.tensor((values * 2)[level : level + n], dtype=torch.float64)
        selection = layer.select_by(score, score, adjacency, *single(n))
        adjacency = layer.connect(adjacency, selection)
        assert dense(adjacency).sum() == total
        assert bool((dense(adjacency) == dense(adjacency).t()).all())


def test_a_path_by_hand():
    """1 and 3 are best of their neighbours; 2 goes to 3 (0.8 against 0.7), 0 to 1, 4 to 3."""
    adjacency = of_edges([(0, 1), (1, 2), (2, 3), (3, 4)], 5)
    score = torch.tensor([0.2, 0.7, 0.3, 0.8, 0.1], dtype=torch.float64)
    layer, x = MIVSPool(1, "uniform"), torch.tensor([[1.0], [2.0], [3.0], [4.0], [5.0]], dtype=torch.float64)
    selection = layer.select_by(score, score, adjacency, *single(5))
    assert selection.survivor.tolist() == [False, True, False, True, False]
    assert selection.cluster.tolist() == [0, 0, 1, 1, 1]
    means = [(0.2 * 1 + 0.7 * 2) / 0.9, (0.3 * 3 + 0.8 * 4 + 0.1 * 5) / 1.2]
    torch.testing.assert_close(layer.reduce(x, selection)[:, 0], torch.tensor(means, dtype=torch.float64))
    assert dense(layer.connect(adjacency, selection)).tolist() == [[2.0, 1.0], [1.0, 4.0]]


def test_the_gradient_of_the_scores_is_that_of_equation_12():
    adjacency, batch, size = awkward()
    layer = MIVSPool(CHANNELS, "attention").double()
    names = [name for name, _ in layer.named_parameters()]

    def compute(x, *values):
        parameters = dict(zip(names, values, strict=True))
        return torch.func.functional_call(layer, parameters, (x, adjacency.edge_index, None, batch, size)).x

    inputs = [features(adjacency.num_nodes).requires_grad_()]
    inputs += [p.detach().clone().requires_grad_() for p in layer.parameters()]
    assert torch.autograd.gradcheck(compute, inputs)


def test_pooling_ends_with_one_vertex_a_component():
    adjacency, batch, size = awkward()
    x, parts = features(adjacency.num_nodes), structure(adjacency).components
    for level in range(20):
        pooled = MIVSPool(CHANNELS, "uniform", level=level).eval().pool(x, adjacency, batch, size)
        if pooled.x.size(0) == x.size(0):
            break
        x, adjacency, batch = pooled.x, pooled.adjacency, pooled.batch
    assert adjacency.num_nodes == parts
    assert adjacency.col.numel() == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": torch.zeros(3)}, "shape"),
        ({"edge_index": torch.tensor([[0], [1]])}, "not symmetric"),
        ({"edge_index": torch.tensor([[0, 9], [9, 0]])}, "vertex 9"),
        ({"edge_index": torch.zeros(2, 2)}, "int64"),
        ({"edge_weight": torch.tensor([1.0, float("nan")])}, "finite"),
        ({"edge_weight": torch.tensor([-1.0, -1.0])}, "not negative"),
        ({"edge_weight": torch.tensor([1.0])}, "1 values for 2 edges"),
        ({"edge_weight": torch.tensor([1.0, 2.0])}, "not symmetric"),
        ({"batch": torch.tensor([1, 0, 0])}, "sorted"),
        ({"batch": torch.tensor([0, 0])}, "2 entries for 3 vertices"),
        ({"batch": torch.tensor([0, 0, 3]), "batch_size": 2}, "graph 3"),
    ],
)
def test_bad_input_is_refused_in_words(change, message):
    good = {"x": torch.zeros(3, CHANNELS), "edge_index": torch.tensor([[0, 1], [1, 0]])}
    with pytest.raises(InputError, match=message):
        MIVSPool(CHANNELS)(**{**good, **change})


class Constant(Score):
    """Values that are no scores."""

    def __init__(self, values):
        super().__init__()
        self.values = values

    def forward(self, x, adjacency, batch, batch_size):
        return self.values


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.0, 0.0, 0.0], "vertex 0 is 0.0"),
        ([1.0, -0.5, 1.0], "vertex 1 is -0.5"),
        ([1.0, 2.0, math.nan], "vertex 2"),
        ([1.0, math.inf, 1.0], "vertex 1 is inf"),
        ([[1.0], [1.0], [1.0]], r"\[3, 1\]"),
        ([1.0, 1.0], r"\[2\]"),
        ([1, 2, 0], "vertex 2 is 0"),
    ],
)
def test_scores_of_one_s_own_that_cannot_be_used_are_refused_in_words(values, message):
    layer = MIVSPool(CHANNELS, Constant(torch.tensor(values)))
    with pytest.raises(InputError, match=message):
        layer(features(3), torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]))


def test_unknown_scores_are_refused_with_the_known_ones():
    with pytest.raises(InputError, match="multiview"):
        MIVSPool(CHANNELS, "pagerank")
