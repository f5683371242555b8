"""NDP: cuts and reductions worked out by hand, and the law of Kron reduction, that resistances stay."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from scipy.sparse.csgraph import connected_components

from mivspool.errors import InputError
from mivspool.pooling.methods import ndp
from mivspool.pooling.methods.ndp import NDP, kron, spectral_cut
from mivspool.pooling.parts import memory
from mivspool.pooling.parts.measure import structure
from tests.pooling.drawn import CHANNELS, awkward, dense, features, graphs, of_edges, single


def pool(adjacency, **options):
    layer = NDP(CHANNELS, **options)
    return layer.pool(features(adjacency.num_nodes), adjacency, *single(adjacency.num_nodes))


def test_a_cycle_of_four_by_hand():
    """v = (1, −1, 1, −1)/2 keeps 0 and 2; L' = 2I − J·½·J restricted = [[1, −1], [−1, 1]]."""
    pooled = pool(of_edges([(0, 1), (1, 2), (2, 3), (3, 0)], 4))
    assert pooled.survivor.tolist() == [True, False, True, False]
    torch.testing.assert_close(dense(pooled.adjacency), torch.tensor([[0.0, 1.0], [1.0, 0.0]]).double())


def test_a_star_keeps_its_middle():
    """v is positive in the middle alone (Σ v³ decides its sign): nothing is left to connect."""
    pooled = pool(of_edges([(0, i) for i in range(1, 6)], 6))
    assert pooled.survivor.tolist() == [True] + [False] * 5
    assert pooled.adjacency.col.numel() == 0


def resistance(matrix):
    """Between every two vertices of a connected graph, by the pseudo-inverse of its Laplacian."""
    inverse = np.linalg.pinv(np.diag(matrix.sum(1)) - matrix)
    own = np.diag(inverse)
    return own[:, None] + own[None, :] - 2 * inverse


@given(graphs(least=2, most=10))
@settings(max_examples=40)
def test_kron_keeps_the_resistance_between_the_vertices_it_keeps(adjacency):
    pooled = pool(adjacency, threshold=0.0)
    assert structure(pooled.adjacency).components == structure(adjacency).components
    before, after = dense(adjacency).numpy(), dense(pooled.adjacency).numpy()
    kept = np.flatnonzero(pooled.survivor.numpy())
    _, label = connected_components(before)
    for component in np.unique(label):
        own = np.flatnonzero(label == component)
        chosen = np.isin(kept, own)
        place = np.searchsorted(own, kept[chosen])
        expected = resistance(before[np.ix_(own, own)])[np.ix_(place, place)]
        np.testing.assert_allclose(resistance(after[np.ix_(chosen, chosen)]), expected, atol=1e-8)


@given(graphs(least=2, most=10))
@settings(max_examples=40)
def test_a_spectral_cut_is_the_sign_of_the_top_eigenvector_and_large(adjacency):
    if structure(adjacency).components > 1:
        return
    a = dense(adjacency).numpy()
    side = spectral_cut(ndp._scipy(adjacency))
    degree = a.sum(1)
    values, vectors = np.linalg.eigh(np.eye(len(a)) - a / np.sqrt(np.outer(degree, degree)))
    sign = np.where(side, 1, -1) if side is not None else None
    if sign is not None:
        crossing = a[side][:, ~side].sum() / (a.sum() / 2)
        assert crossing >= 0.5
    if values[-1] - values[-2] > 1e-6 and np.abs(vectors[:, -1]).min() > 1e-6:
        top = np.sign(vectors[:, -1])
        crossing = a[top > 0][:, top < 0].sum() / (a.sum() / 2)
        assert (side is None) == (crossing < 0.5 - 1e-12)
        if side is not None:
            assert abs(top @ sign) == len(a)


def long_tail():
    """A clique of 12 with a path of 6: the top eigenvector lives on the path's end and cuts little of the clique."""
    clique = [(u, v) for u in range(12) for v in range(u)]
    return of_edges([*clique, *((i, i + 1) for i in range(11, 17))], 18)


def test_a_random_cut_takes_the_place_of_one_that_is_too_small():
    adjacency = long_tail()
    assert spectral_cut(ndp._scipy(adjacency)) is None
    first, again, other = pool(adjacency), pool(adjacency), pool(adjacency, seed=1)
    assert torch.equal(first.survivor, again.survivor)
    assert not torch.equal(first.survivor, other.survivor)
    kept = [int(pool(adjacency, seed=seed).survivor.sum()) for seed in range(50)]
    assert min(kept) >= 1
    assert 7.5 < np.mean(kept) < 10.5


def test_sparsification_drops_up_to_the_threshold_and_the_next_level_does_not_see_it():
    adjacency = long_tail()
    full, sparse = pool(adjacency, threshold=0.0), pool(adjacency, threshold=0.2)
    a = dense(full.adjacency)
    torch.testing.assert_close(dense(sparse.adjacency), torch.where(a > 0.2, a, 0))
    assert full.adjacency.col.numel() > sparse.adjacency.col.numel()
    layer = NDP(CHANNELS, threshold=0.0, level=1)
    two = [layer.pool(one.x, one.adjacency, *single(one.x.size(0))) for one in (full, sparse)]
    torch.testing.assert_close(dense(two[0].adjacency), dense(two[1].adjacency))


def test_the_published_threshold_takes_a_path_apart_at_the_seventh_level():
    """Each reduction halves the weights: 2⁻⁶ = 0.016 is above 0.01, 2⁻⁷ = 0.008 is not."""
    n = 2**9 + 1
    adjacency, x = of_edges([(i, i + 1) for i in range(n - 1)], n), features(n)
    parts = []
    for level in range(7):
        pooled = NDP(CHANNELS, level=level).pool(x, adjacency, *single(x.size(0)))
        x, adjacency = pooled.x, pooled.adjacency
        parts.append(structure(adjacency).components)
    assert parts[:6] == [1] * 6
    assert parts[6] == x.size(0) > 1


def test_what_is_known_is_not_computed_again(monkeypatch):
    adjacency, batch, size = awkward()
    layer = NDP(CHANNELS)
    first = layer.pool(features(adjacency.num_nodes), adjacency, batch, size)
    monkeypatch.setattr(ndp, "spectral_cut", lambda matrix: pytest.fail("computed again"))
    again = layer.pool(features(adjacency.num_nodes), adjacency, batch, size)
    assert torch.equal(first.edge_weight, again.edge_weight)


def test_large_components_use_the_sparse_eigenvector():
    """A path is bipartite: the largest eigenvalue is 2 and its vector alternates."""
    n = ndp._DENSE + 101
    pooled = pool(of_edges([(i, i + 1) for i in range(n - 1)], n))
    kept = torch.nonzero(pooled.survivor).reshape(-1)
    assert kept.numel() in (n // 2, n - n // 2)
    assert bool((kept[1:] - kept[:-1] == 2).all())
    torch.testing.assert_close(pooled.edge_weight, torch.full_like(pooled.edge_weight, 0.5))


def test_it_says_how_much_it_would_need_before_it_allocates(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda device: 1000)
    with pytest.raises(InputError, match=r"NDP needs about .* for the Kron reduction of 18 vertices"):
        pool(long_tail())


def test_kron_with_nothing_removed_is_the_graph():
    adjacency = long_tail()
    reduced = kron(ndp._scipy(adjacency), np.arange(18))
    np.testing.assert_allclose(reduced, dense(adjacency).numpy())
