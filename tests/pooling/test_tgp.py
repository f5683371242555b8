"""Against torch-geometric-pool, where it is installed (it cannot be a dependency: it needs torch-scatter).

    pip install --no-deps torch-geometric-pool && pip install scikit-learn

torch-scatter is replaced by a stand-in made of torch's own scatter.
"""

from __future__ import annotations

import importlib.util

import pytest
import torch

from mivspool.pooling.methods.ndp import _scipy, kron
from mivspool.pooling.parts.kmis import KMIS
from tests.pooling.drawn import CHANNELS, dense, features, of_edges, single

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tgp") is None, reason="torch-geometric-pool is not installed"
)


def pooler(name, **options):
    from benchmarks.scatter import stand_in

    stand_in()
    from tgp.poolers import get_pooler

    return get_pooler(name, **options).double().eval()


def connected(seed, n=40):
    generator = torch.Generator().manual_seed(seed)
    tree = [(v, int(torch.randint(v, (1,), generator=generator))) for v in range(1, n)]
    return of_edges(
        {*tree, *(tuple(sorted(p, reverse=True)) for p in ((5, 17), (3, 30), (8, 21), (11, 39)))}, n
    )


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize(
    ("ours", "theirs"), [("greedy", "greedy"), ("weighted-greedy", "w-greedy"), ("none", None)]
)
def test_kmis(k, ours, theirs):
    for seed in range(10):
        adjacency, x = connected(seed), features(40, seed)
        ones = torch.ones(adjacency.col.numel(), dtype=torch.float64)
        peer = pooler("kmis", in_channels=CHANNELS, order_k=k, scorer="linear", score_heuristic=theirs)
        layer = KMIS(CHANNELS, k=k, heuristic=ours).double()
        layer.linear.weight.data, layer.linear.bias.data = (
            peer.selector.lin.weight.data,
            peer.selector.lin.bias.data,
        )
        pooled, out = (
            layer.pool(x, adjacency, *single(40)),
            peer(x, adj=adjacency.edge_index, edge_weight=ones),
        )
        assert torch.equal(torch.nonzero(pooled.survivor).reshape(-1), out.so.mis)
        assert torch.equal(pooled.cluster, out.so.cluster_index)
        torch.testing.assert_close(pooled.x, out.x)
        expected = dense(pooled.adjacency)
        torch.testing.assert_close(dense_of(out), expected - torch.diag(expected.diag()))


def dense_of(out):
    """Their reduced graph, without a diagonal."""
    matrix = torch.zeros(out.x.size(0), out.x.size(0), dtype=torch.float64)
    return matrix.index_put(tuple(out.edge_index), out.edge_weight.reshape(-1).double())


def test_kron_reduction():
    """On the vertices that theirs keeps: it takes the eigenvector from an iteration that may not have converged."""
    for seed in range(10):
        adjacency, x = connected(seed), features(40, seed)
        out = pooler("ndp")(x, adj=adjacency.edge_index, edge_weight=torch.ones(adjacency.col.numel()))
        kept = out.so.s.indices()[0].sort().values.numpy()
        ours = torch.from_numpy(kron(_scipy(adjacency), kept))
        torch.testing.assert_close(dense_of(out), torch.where(ours > 0.01, ours, 0), atol=1e-5, rtol=1e-4)
