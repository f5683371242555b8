"""Graphs for the tests of pooling: drawn by hypothesis, or one fixed batch with every awkward case in it."""

from __future__ import annotations

import torch
from hypothesis import strategies as st

from mivspool.sparse import Adjacency

CHANNELS = 6


@st.composite
def graphs(draw, least=1, most=12):
    """A symmetric graph without loops as an Adjacency."""
    n = draw(st.integers(least, most))
    pairs = [(u, v) for u in range(n) for v in range(u)]
    return of_edges(draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2 * n)) if pairs else [], n)


def of_edges(pairs, n):
    """The graph with these edges, each given once."""
    once = torch.tensor(list(pairs), dtype=torch.int64).reshape(-1, 2).t()
    return Adjacency.from_edge_index(torch.cat([once, once.flip(0)], dim=1), num_nodes=n)


def features(n, seed=0, dtype=torch.float64):
    return torch.randn(n, CHANNELS, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def dense(adjacency):
    """A with its weights and diagonal, float64 [n, n]."""
    n = adjacency.num_nodes
    matrix = torch.zeros(n, n, dtype=torch.float64)
    index, weight = adjacency.with_diagonal()
    return matrix.index_put((index[0], index[1]), weight.to(torch.float64))


def awkward():
    """A batch of 6 graphs: connected, one vertex, two components, empty, only isolated vertices, a clique."""
    generator = torch.Generator().manual_seed(5)
    tree = [(v, int(torch.randint(v, (1,), generator=generator))) for v in range(1, 17)] + [(3, 9), (2, 14)]
    two = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6)]
    clique = [(u, v) for u in range(5) for v in range(u)]
    parts = [(tree, 17), ([], 1), (two, 8), ([], 0), ([], 3), (clique, 5)]
    return union([of_edges(pairs, n) for pairs, n in parts])


def union(parts):
    """(adjacency, batch, batch_size) of graphs side by side."""
    sizes = [part.num_nodes for part in parts]
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    index = torch.cat([part.edge_index + start for part, start in zip(parts, starts, strict=True)], dim=1)
    batch = torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes))
    return Adjacency.from_edge_index(index, num_nodes=sum(sizes)), batch, len(sizes)


def single(n):
    """The batch of one graph with n vertices."""
    return torch.zeros(n, dtype=torch.int64), 1


def part_of(adjacency, batch, graph):
    """One graph of a batch alone: (its vertices as bool [N], its Adjacency)."""
    own = batch == graph
    first = int(torch.nonzero(own)[0]) if bool(own.any()) else 0
    inside = own[adjacency.row]
    index = adjacency.edge_index[:, inside] - first
    return own, Adjacency.from_edge_index(index, num_nodes=int(own.sum()))
