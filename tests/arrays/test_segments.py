"""Readout and Eq. 12 against dense products, and their gradients against finite differences."""

from __future__ import annotations

import pytest
import torch

from mivspool.arrays.segments import gated, pointers, readout, spread, weighted_mean, weighted_sum

BATCH = torch.tensor([0, 0, 0, 2, 2, 3])  # graph 1 is empty


def test_pointers_say_where_each_graph_starts_and_ends():
    assert pointers(BATCH, 5).tolist() == [0, 3, 3, 5, 6, 6]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_readout_is_mean_and_max_of_each_graph(dtype):
    x = torch.randn(6, 4, dtype=dtype)
    out = readout(x, BATCH, 5)
    for graph in (0, 2, 3):
        own = x[graph == BATCH]
        torch.testing.assert_close(out[graph], torch.cat([own.mean(0), own.amax(0)]))
    assert not out[[1, 4]].any()


def test_readout_gradient_against_finite_differences():
    x = torch.randn(6, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: readout(x, BATCH, 5), x)


def test_weighted_mean_is_the_dense_product_of_equation_12():
    x, score = torch.randn(6, 5, dtype=torch.float64), torch.rand(6, dtype=torch.float64) + 0.1
    cluster = torch.tensor([0, 1, 0, 2, 1, 1])
    assignment = torch.nn.functional.one_hot(cluster, 3).double()
    weighted = score.unsqueeze(1) * assignment
    torch.testing.assert_close(weighted_mean(x, score, cluster, 3), (weighted / weighted.sum(0)).T @ x)


def test_weighted_mean_gradient_against_finite_differences():
    x = torch.randn(6, 3, dtype=torch.float64, requires_grad=True)
    score = (torch.rand(6, dtype=torch.float64) + 0.1).requires_grad_()
    cluster = torch.tensor([0, 1, 0, 2, 1, 1])
    assert torch.autograd.gradcheck(lambda x, score: weighted_mean(x, score, cluster, 3), (x, score))


def test_weighted_sum_is_equation_12_without_its_denominator():
    x, score = torch.randn(6, 5, dtype=torch.float64), torch.rand(6, dtype=torch.float64) + 0.1
    cluster = torch.tensor([0, 1, 0, 2, 1, 1])
    kind = torch.tensor([3, 0, 0, 1, 3, 0])

    def plain(x, score):
        return torch.zeros(3, x.size(1), dtype=x.dtype).index_add(0, cluster, score.unsqueeze(1) * x)

    torch.testing.assert_close(weighted_sum(x, score, cluster, 3), plain(x, score))
    torch.testing.assert_close(weighted_sum(x[:4], score, cluster, 3, kind), plain(x[kind], score))
    single = weighted_sum(x.float(), score, cluster, 3)
    torch.testing.assert_close(single, plain(x.float(), score.float()))


@pytest.mark.parametrize("kind", [None, torch.tensor([3, 0, 0, 1, 3, 0])])
def test_weighted_sum_has_both_derivatives(kind):
    x = torch.randn(6 if kind is None else 4, 3, dtype=torch.float64, requires_grad=True)
    score = (torch.rand(6, dtype=torch.float64) + 0.1).requires_grad_()
    cluster = torch.tensor([0, 1, 0, 2, 1, 1])

    def summed(x, score):
        return weighted_sum(x, score, cluster, 3, kind)

    assert torch.autograd.gradcheck(summed, (x, score))
    assert torch.autograd.gradgradcheck(summed, (x, score))


def test_rows_by_kind_are_the_features_they_stand_for():
    rows = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    score = (torch.rand(6, dtype=torch.float64) + 0.1).requires_grad_()
    kind, cluster = torch.tensor([3, 0, 0, 1, 3, 0]), torch.tensor([0, 1, 0, 2, 1, 1])
    assert torch.equal(spread(rows, kind), rows[kind])
    torch.testing.assert_close(
        weighted_mean(rows, score, cluster, 3, kind), weighted_mean(rows[kind], score, cluster, 3)
    )
    assert torch.autograd.gradcheck(lambda rows: spread(rows, kind), rows)
    assert torch.autograd.gradcheck(
        lambda rows, score: weighted_mean(rows, score, cluster, 3, kind), (rows, score)
    )


@pytest.mark.parametrize("kept", [[0, 2, 5], [4], [], [0, 1, 2, 3, 4, 5]])
def test_what_is_kept_is_taken_and_weighted(kept):
    x = torch.randn(6, 3, dtype=torch.float64, requires_grad=True)
    gate = torch.randn(len(kept), dtype=torch.float64, requires_grad=True)
    index = torch.tensor(kept, dtype=torch.int64)
    torch.testing.assert_close(gated(x, index, gate), x[index] * gate.unsqueeze(1))
    if kept:
        assert torch.autograd.gradcheck(lambda x, gate: gated(x, index, gate), (x, gate))
