"""The multiview score compiled and in torch operations, and its gradient against finite differences."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mivspool.arrays.table import tensors_alone
from mivspool.pooling.parts import views
from mivspool.pooling.scores.multiview import MultiView
from mivspool.sparse import Adjacency
from tests.pooling.drawn import graphs, of_edges

STAR = of_edges([(0, leaf) for leaf in range(1, 41)], 41)


def batch_of_graphs(dtype):
    """A path, a triangle with a tail, an isolated vertex; graph 2 of 4 is empty."""
    pairs = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (4, 6), (6, 7)]
    edge_index = torch.tensor(pairs + [(v, u) for u, v in pairs]).T
    batch = torch.tensor([0] * 4 + [1] * 4 + [3])
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(9, 5, dtype=dtype, generator=generator)
    return x, Adjacency.from_edge_index(edge_index, num_nodes=9), batch


@pytest.mark.parametrize(("dtype", "close"), [(torch.float32, 1e-6), (torch.float64, 1e-13)])
def test_compiled_scores_and_gradients_are_those_of_torch_operations(dtype, close):
    torch.manual_seed(1)
    score = MultiView(5).to(dtype)
    x, adjacency, batch = batch_of_graphs(dtype)
    wanted = torch.randn(9, dtype=dtype)
    results = []
    for way in (nullcontext, tensors_alone):
        leaf = x.clone().requires_grad_()
        score.zero_grad()
        with way():
            value = score(leaf, adjacency, batch, 4)
            (value * wanted).sum().backward()
        results.append([value.detach(), leaf.grad, *(p.grad for p in score.parameters())])
    for ours, theirs in zip(*results, strict=True):
        torch.testing.assert_close(ours, theirs, atol=close, rtol=close)


@settings(max_examples=50, deadline=None)
@given(
    adjacency=st.one_of(graphs(most=20), st.just(STAR)),
    bits=st.integers(0, 3),
    dtype=st.sampled_from([torch.float32, torch.float64]),
)
def test_a_large_graph_whose_neighbours_are_looked_up_block_by_block_has_the_same_bits(
    adjacency, bits, dtype
):
    n = adjacency.num_nodes
    torch.manual_seed(4)
    score, batch = MultiView(3).to(dtype), torch.zeros(n, dtype=torch.int64)
    x, wanted = torch.randn(n, 3, dtype=dtype), torch.randn(n, dtype=dtype)
    results = []
    for way in (nullcontext(), views.blocks(bits)):
        leaf = x.clone().requires_grad_()
        score.zero_grad()
        with way:
            value = score(leaf, adjacency, batch, 1)
            (value * wanted).sum().backward()
        results.append((value.detach(), [leaf.grad, *(p.grad for p in score.parameters())]))
    (whole, gradients), (dealt, of_dealt) = results
    assert torch.equal(whole, dealt)
    # a parameter's gradient is a sum over the vertices, which are in another order
    for ours, theirs in zip(gradients, of_dealt, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_gradient_against_finite_differences():
    torch.manual_seed(2)
    score = MultiView(5).double()
    x, adjacency, batch = batch_of_graphs(torch.float64)
    names = [name for name, _ in score.named_parameters()]

    def compute(x, *values):
        parameters = dict(zip(names, values, strict=True))
        return torch.func.functional_call(score, parameters, (x, adjacency, batch, 4))

    # the degree view's maximum is tied within a graph, whatever α and β: both ties have the same slope
    inputs = [x.requires_grad_(), *(p.detach().clone().requires_grad_() for p in score.parameters())]
    assert torch.autograd.gradcheck(compute, inputs)


def test_a_score_does_not_depend_on_what_else_is_in_the_batch():
    torch.manual_seed(3)
    score = MultiView(5)
    x, adjacency, batch = batch_of_graphs(torch.float32)
    whole = score(x, adjacency, batch, 4)
    row, col = adjacency.edge_index
    for graph in (0, 1, 3):
        own = graph == batch
        first = int(torch.nonzero(own)[0])
        inside = own[row]
        alone = Adjacency.from_edge_index(
            torch.stack([row[inside], col[inside]]) - first, num_nodes=int(own.sum())
        )
        zeros = torch.zeros(int(own.sum()), dtype=torch.int64)
        torch.testing.assert_close(score(x[own], alone, zeros, 1), whole[own], atol=1e-6, rtol=0)


def test_an_isolated_vertex_has_a_finite_score_and_gradient():
    score = MultiView(5)
    x, adjacency, batch = batch_of_graphs(torch.float32)
    x.requires_grad_()
    value = score(x, adjacency, batch, 4)
    value.sum().backward()
    assert torch.isfinite(value).all()
    assert torch.isfinite(x.grad).all()
