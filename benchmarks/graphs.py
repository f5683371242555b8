"""The graphs of the benchmarks, as int64 [2, M] with both directions."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


def random_graph(num_nodes: int, degree: int = 6, seed: int = 0, shuffled: bool = False) -> Tensor:
    """``degree`` neighbours in the mean; sorted by row as PyTorch Geometric makes it, or in any order."""
    generator = np.random.default_rng(seed)
    once = _drawn(generator, num_nodes, num_nodes * degree // 2)
    both = np.concatenate([once, once % num_nodes * num_nodes + once // num_nodes])
    del once
    if shuffled:
        both = both[generator.permutation(both.size)]
    else:
        both.sort()
    edge_index = np.empty((2, both.size), np.int64)
    np.divmod(both, num_nodes, out=(edge_index[0], edge_index[1]))
    return torch.from_numpy(edge_index)


def _drawn(generator: np.random.Generator, num_nodes: int, number: int) -> NDArray[np.int64]:
    """Each edge as low · N + high, once, sorted; a pair that is drawn twice is one edge, a loop none."""
    ends = generator.integers(0, num_nodes, (2, number))
    low, high = ends.min(axis=0), ends.max(axis=0)
    return np.unique((low * num_nodes + high)[low != high])


def path(num_edges: int) -> Tensor:
    """One path."""
    line = torch.arange(num_edges)
    return _both(line, line + 1)


def star(num_edges: int) -> Tensor:
    """One hub, vertex 0."""
    return _both(torch.zeros(num_edges, dtype=torch.int64), torch.arange(1, num_edges + 1))


def grid(num_edges: int) -> Tensor:
    """A square grid with about so many edges."""
    side = int((num_edges / 2) ** 0.5) + 1
    cell = torch.arange(side * side).reshape(side, side)
    low = torch.cat([cell[:, :-1].reshape(-1), cell[:-1].reshape(-1)])
    high = torch.cat([cell[:, 1:].reshape(-1), cell[1:].reshape(-1)])
    return _both(low, high)


def _both(low: Tensor, high: Tensor) -> Tensor:
    return torch.stack([torch.cat([low, high]), torch.cat([high, low])])


def uniform_score(num_nodes: int, seed: int = 1) -> Tensor:
    """float64 [N] in (0, 1)."""
    return torch.from_numpy(np.random.default_rng(seed).random(num_nodes))
