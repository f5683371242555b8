"""DiffPool against PyTorch Geometric's dense function, and its refusal before it allocates."""

from __future__ import annotations

import pytest
import torch
from torch_geometric.nn import dense_diff_pool

from mivspool.errors import InputError
from mivspool.pooling.methods.diffpool import DiffPool, block_products
from mivspool.pooling.parts import memory
from tests.pooling.drawn import CHANNELS, awkward, dense, features, part_of, single


def test_it_is_pygs_dense_function():
    """X', A', and for one graph both losses."""
    adjacency, batch, size = awkward()
    x, layer = features(adjacency.num_nodes), DiffPool(CHANNELS, clusters=4).double()
    pooled = layer.pool(x, adjacency, batch, size)
    for graph in (0, 1, 2, 4, 5):
        own, alone = part_of(adjacency, batch, graph)
        a = dense(alone)
        with_loops = a + torch.eye(len(a))
        scale = with_loops.sum(1).rsqrt()
        matrix = scale[:, None] * with_loops * scale[None, :]
        z, s = torch.relu(matrix @ layer.embed(x[own])), matrix @ layer.assign(x[own])
        out, out_adj, link, entropy = dense_diff_pool(z, a, s)
        reduced = pooled.batch == graph
        torch.testing.assert_close(pooled.x[reduced], out[0])
        torch.testing.assert_close(dense(pooled.adjacency)[reduced][:, reduced], out_adj[0])
        loss = layer.pool(x[own], alone, *single(len(a))).auxiliary_loss
        torch.testing.assert_close(loss, link + entropy, atol=1e-6, rtol=1e-6)


def test_the_loss_of_a_batch_is_the_mean_of_its_graphs():
    adjacency, batch, size = awkward()
    x, layer = features(adjacency.num_nodes), DiffPool(CHANNELS, clusters=3).double()
    links, entropies = [], []
    for graph in (0, 1, 2, 4, 5):
        own, alone = part_of(adjacency, batch, graph)
        selection = layer.select(x[own], alone, *single(alone.num_nodes))
        soft = selection.assignment
        links.append((dense(alone) - soft @ soft.t()).norm() / alone.num_nodes**2)
        entropies.append(-(soft * soft.log()).sum(1))
    expected = torch.stack(links).mean() + torch.cat(entropies).mean()
    torch.testing.assert_close(
        layer.pool(x, adjacency, batch, size).auxiliary_loss, expected, atol=1e-6, rtol=1e-6
    )


def test_levels_have_fixed_numbers_of_clusters():
    assert [DiffPool(3, clusters=25, level=level).clusters for level in range(4)] == [25, 7, 2, 1]
    with pytest.raises(InputError, match="clusters"):
        DiffPool(3, clusters=0)


def test_weights_of_the_level_before_are_used_and_learned():
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes)
    first, second = DiffPool(CHANNELS, clusters=5).double(), DiffPool(CHANNELS, clusters=2).double()
    one = first.pool(x, adjacency, batch, size)
    two = second.pool(one.x, one.adjacency, one.batch, size)
    soft = two.selection.assignment
    a = dense(one.adjacency)
    for graph in range(size):
        own, reduced = one.batch == graph, two.batch == graph
        expected = soft[own].t() @ a[own][:, own] @ soft[own]
        torch.testing.assert_close(dense(two.adjacency)[reduced][:, reduced], expected)
    two.x.sum().backward()
    assert float(first.assign.weight.grad.abs().sum()) > 0


def test_it_says_how_much_it_would_need_before_it_allocates(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda device: 10**9)
    layer = DiffPool(CHANNELS, clusters=20_000)
    adjacency, batch, size = awkward()
    with pytest.raises(
        InputError, match=r"DiffPool needs about 153\.\d GB for 20,000 clusters.*1\.0 GB are free"
    ):
        layer.pool(features(adjacency.num_nodes, dtype=torch.float32), adjacency, batch, size)


def test_products_of_blocks():
    size = torch.tensor([3, 0, 1, 9, 4])
    left, right = torch.randn(17, 2, dtype=torch.float64), torch.randn(17, 3, dtype=torch.float64)
    parts = zip(left.split(size.tolist()), right.split(size.tolist()), strict=True)
    expected = torch.stack([a.t() @ b for a, b in parts])
    torch.testing.assert_close(block_products(left, right, size), expected)


@pytest.mark.parametrize(
    ("number", "text"), [(12, "12 bytes"), (2500, "2 kB"), (3.2e6, "3 MB"), (1.5e12, "1,500.0 GB")]
)
def test_sizes_for_a_person(number, text):
    assert memory.size(number) == text


def test_there_is_memory_here():
    assert 0 < memory.available(torch.device("cpu")) < 2**60
