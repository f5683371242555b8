"""The graph as CSR: SᵀAS against dense double precision, the GCN's matrix against PyTorch Geometric's."""

from __future__ import annotations

from unittest.mock import patch

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch_geometric.nn.conv.gcn_conv import gcn_norm

from mivspool.arrays import kernels
from mivspool.errors import InputError
from mivspool.sparse import Adjacency
from tests.pooling.drawn import dense, features, graphs, of_edges


def weighted(adjacency, seed=0):
    """The same graph with symmetric weights and a diagonal."""
    n = adjacency.num_nodes
    draw = torch.rand(n, n, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) + 0.1
    draw = draw + draw.t()
    index = adjacency.edge_index
    own = torch.arange(0, n, 2)
    index = torch.cat([index, torch.stack([own, own])], dim=1)
    return Adjacency.from_edge_index(index, draw[index[0], index[1]], n)


def clustered(adjacency, weights, data):
    """The graph, with weights if asked for, and a drawn S: the clusters (−1: dropped), and how many there are."""
    n = adjacency.num_nodes
    number = data.draw(st.integers(1, n))
    cluster = data.draw(st.lists(st.integers(-1, number - 1), min_size=n, max_size=n))
    return weighted(adjacency) if weights else adjacency, torch.tensor(cluster), number


@given(graphs(), st.booleans(), st.data())
@settings(max_examples=40)
def test_contraction_is_the_dense_product(adjacency, weights, data):
    """For hard and for selective S (−1: dropped)."""
    adjacency, cluster, number = clustered(adjacency, weights, data)
    s = torch.nn.functional.one_hot(cluster + 1, number + 1)[:, 1:].double()
    reduced = adjacency.contract(cluster, number)
    torch.testing.assert_close(dense(reduced), s.t() @ dense(adjacency) @ s)
    assert bool((reduced.col != reduced.row).all())
    for v in range(number):
        row = reduced.col[reduced.rowptr[v] : reduced.rowptr[v + 1]].tolist()
        assert row == sorted(set(row))


@given(graphs(most=40), st.booleans(), st.data())
@settings(max_examples=60)
def test_a_large_graph_that_is_contracted_by_way_of_lists_has_the_same_bits(adjacency, weights, data):
    adjacency, cluster, number = clustered(adjacency, weights, data)
    reduced = []
    for large in (kernels.LARGE, 0):
        with patch.object(kernels, "LARGE", large), patch.object(kernels, "_LISTS", 8):
            reduced.append(adjacency.contract(cluster, number))
    for ours, theirs in zip(*map(tensors, reduced), strict=True):
        assert torch.equal(ours, theirs)


def tensors(adjacency):
    """All that it holds."""
    return [adjacency.rowptr, adjacency.col, *adjacency.with_diagonal()]


@given(st.data(), st.booleans())
def test_an_edge_list_is_taken_if_it_is_symmetric_and_only_then(data, sort):
    """Sorted lists without repetitions have a way of their own."""
    n = data.draw(st.integers(1, 6))
    pairs = data.draw(st.lists(st.tuples(*[st.integers(0, n - 1)] * 2), max_size=12, unique=sort))
    if data.draw(st.booleans()):
        pairs = [*pairs, *((v, u) for u, v in pairs)]
    pairs = sorted(set(pairs)) if sort else pairs
    edge_index = torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2).t()
    if {(v, u) for u, v in pairs} != set(pairs):
        with pytest.raises(InputError, match="not symmetric"):
            Adjacency.from_edge_index(edge_index, num_nodes=n)
        return
    expected = torch.zeros(n, n, dtype=torch.float64)
    for u, v in pairs:
        expected[u, v] = pairs.count((u, v)) if u == v else 1
    torch.testing.assert_close(dense(Adjacency.from_edge_index(edge_index, num_nodes=n)), expected)


def matrix_of(propagation, n):
    return propagation @ torch.eye(n, dtype=torch.float64)


@given(graphs(), st.booleans(), st.booleans())
@settings(max_examples=40)
def test_normalised_is_pygs_gcn_norm(adjacency, weights, self_loops):
    n = adjacency.num_nodes
    adjacency = weighted(adjacency) if weights else adjacency
    values = adjacency.weight if weights else None
    index, value = gcn_norm(adjacency.edge_index, values, n, add_self_loops=self_loops, dtype=torch.float64)
    expected = torch.zeros(n, n, dtype=torch.float64).index_put(tuple(index), value, accumulate=True)
    ours = adjacency.normalised(self_loops=self_loops, use_weights=weights, dtype=torch.float64)
    torch.testing.assert_close(matrix_of(ours, n), expected)


@given(graphs(), st.booleans())
@settings(max_examples=40)
def test_the_diagonal_counts_where_it_is_asked_for(adjacency, self_loops):
    adjacency = weighted(adjacency)
    n = adjacency.num_nodes
    a = dense(adjacency) + (torch.eye(n) if self_loops else 0)
    total = a.sum(1)
    scale = torch.where(total > 0, total, 1).rsqrt()
    options = {"self_loops": self_loops, "use_weights": True, "use_diagonal": True, "dtype": torch.float64}
    torch.testing.assert_close(
        matrix_of(adjacency.normalised(**options), n), scale[:, None] * a * scale[None, :]
    )


@pytest.mark.parametrize("learned", [False, True])
def test_the_gradient_of_a_propagation(learned):
    """In x always; in the weights and the diagonal where they are learned."""
    adjacency = weighted(of_edges([(0, 1), (1, 2), (2, 0), (2, 3), (4, 5)], 7))
    x = features(7).requires_grad_()
    once = adjacency.row < adjacency.col
    transposed = torch.argsort(adjacency.col * adjacency.num_nodes + adjacency.row)

    def compute(x, half=adjacency.weight[once], loops=adjacency.loops):
        weight = torch.zeros_like(adjacency.weight).masked_scatter(once, half)
        weight = weight + weight.index_select(0, transposed)
        graph = Adjacency(adjacency.rowptr, adjacency.col, weight, loops)
        return graph.normalised(use_weights=True, use_diagonal=True, dtype=torch.float64) @ x

    leaves = [x]
    if learned:
        leaves += [adjacency.weight[once].requires_grad_(), adjacency.loops.clone().requires_grad_()]
    assert torch.autograd.gradcheck(compute, leaves)


@given(graphs())
@settings(max_examples=40)
def test_an_adjacency_survives_the_way_out_and_in(adjacency):
    heavy = weighted(adjacency)
    again = Adjacency.from_edge_index(*heavy.with_diagonal(), heavy.num_nodes)
    assert torch.equal(again.rowptr, heavy.rowptr)
    assert torch.equal(again.col, heavy.col)
    assert torch.equal(again.weight, heavy.weight)
    torch.testing.assert_close(dense(again), dense(heavy))
    assert torch.equal(heavy.to("cpu").col, heavy.col)


def test_parallel_entries_are_added_up():
    index = torch.tensor([[0, 1, 0, 1, 1], [1, 0, 1, 0, 1]])
    adjacency = Adjacency.from_edge_index(index, torch.tensor([1.0, 1.0, 2.0, 2.0, 5.0]), 3)
    assert dense(adjacency).tolist() == [[0, 3, 0], [3, 5, 0], [0, 0, 0]]
    assert adjacency.degree.tolist() == [1, 1, 0]
