"""MEWISPool against its equations and Algorithm 1, dense, vertex by vertex, in double precision."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mivspool import meer
from mivspool.pooling.methods.mewispool import MEWISPool, entropies, losses
from mivspool.pooling.parts import loops
from tests.pooling.drawn import CHANNELS, awkward, dense, features, graphs, of_edges, part_of, single


def by_the_paper(layer, x, a):
    """H, p, L and the decoded set of one graph with dense matrices."""
    n = len(a)
    local = torch.stack([(a[i][:, None] * (x[i] - x) ** 2).sum(0).norm() for i in range(n)])
    share = torch.softmax(local, 0)
    entropy = -share * share.log() if bool(a.any()) else torch.ones(n, dtype=torch.float64)
    hidden = entropy.unsqueeze(1)
    for mlp in layer.layers:
        hidden = mlp(hidden + a @ hidden)
    p = torch.sigmoid(hidden[:, 0])

    def loss(s):
        return entropy.sum() - entropy @ s + s @ a @ s

    bound, s = loss(p), p.clone()
    selected, rejected = set(), set()
    for v in sorted(range(n), key=lambda v: -p[v].item()):
        near = torch.nonzero(a[v]).reshape(-1).tolist()
        if not near:
            selected.add(v)
        elif v not in rejected:
            tried = s.clone()
            tried[near], tried[v] = 0, 1
            if loss(tried) <= bound:
                selected.add(v)
                rejected.update(near)
                s = tried
    return entropy, p, bound, [v in selected for v in range(n)]


def test_it_is_the_paper_in_every_graph_of_a_batch():
    adjacency, batch, size = awkward()
    torch.manual_seed(0)
    x, layer = features(adjacency.num_nodes), MEWISPool(CHANNELS).double()
    pooled = layer.pool(x, adjacency, batch, size)
    entropy = entropies(x, adjacency, batch, size)
    loss = losses(entropy, pooled.score, adjacency, batch, size)
    for graph in (0, 1, 2, 4, 5):
        own, alone = part_of(adjacency, batch, graph)
        expected = by_the_paper(layer, x[own], dense(alone))
        torch.testing.assert_close(entropy[own], expected[0])
        torch.testing.assert_close(pooled.score[own], expected[1])
        torch.testing.assert_close(loss[graph], expected[2])
        assert pooled.survivor[own].tolist() == expected[3]
    torch.testing.assert_close(pooled.auxiliary_loss, 0.01 * loss.sum() / size)


@given(graphs(least=2, most=9), st.integers(0, 1000))
@settings(max_examples=40)
def test_it_is_the_paper_and_independent(adjacency, seed):
    torch.manual_seed(seed)
    layer = MEWISPool(CHANNELS, hidden=4).double()
    for parameter in layer.parameters():  # far from 1/2, so that all of the decoding's cases come up
        parameter.data *= 4
    x = features(adjacency.num_nodes, seed)
    pooled = layer.pool(x, adjacency, *single(adjacency.num_nodes))
    _, p, _, kept = by_the_paper(layer, x, dense(adjacency))
    if bool(
        (p.sort().values.diff() > 1e-4).all()
    ):  # nearer ones are ties to us, and the order is then the index
        assert pooled.survivor.tolist() == kept
    assert meer.independent(adjacency, pooled.survivor)


def test_the_set_need_not_be_maximal():
    """The paper's objection, by hand on the path 0 – 1 – 2.

    0 is tried first and refused: it brings no entropy and costs that of 1 (change 0.05·0.36 − 2·0.05·0.1 = 0.008).
    2 is accepted and strikes 1 out; 0 has no survivor beside it and is not tried again.
    """
    adjacency = of_edges([(0, 1), (1, 2)], 3)
    entropy, p = np.array([0.0, 0.36, 0.36]), np.array([0.05, 0.05, 0.05])
    bound = np.array([entropy.sum() - entropy @ p + 2 * 2 * 0.05**2])
    order, batch = np.array([0, 2, 1]), np.zeros(3, np.int64)
    kept = loops.greedy(adjacency.rowptr.numpy(), adjacency.col.numpy(), order, batch, entropy, p, bound)
    assert kept.tolist() == [False, False, True]
    assert meer.independent(adjacency, torch.from_numpy(kept))
    assert not meer.maximal(adjacency, torch.from_numpy(kept))


def test_survivors_two_or_three_edges_apart_are_joined():
    adjacency, batch, size = awkward()
    layer = MEWISPool(CHANNELS).double()
    pooled = layer.pool(features(adjacency.num_nodes), adjacency, batch, size)
    a = dense(adjacency)
    kept = torch.nonzero(pooled.survivor).reshape(-1)
    powers = (a @ a + a @ a @ a).clamp(max=1)[kept][:, kept]
    torch.testing.assert_close(dense(pooled.adjacency), powers * (1 - torch.eye(len(kept))))
