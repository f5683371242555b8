"""The graphs of the benchmarks, as int64 [2, M] with both directions."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def random_graph(num_nodes: int, degree: int = 6, seed: int = 0, shuffled: bool = False) -> Tensor:
    """``degree`` neighbours in the mean; sorted by row as PyTorch Geometric makes it, or in any order."""
    generator = np.random.default_rng(seed)
    ends = generator.integers(0, num_nodes, (2, num_nodes * degree // 2))
    low, high = ends.min(axis=0), ends.max(axis=0)
    once = np.unique((low * num_nodes + high)[low != high])
    row = np.concatenate([once // num_nodes, once % num_nodes])
    col = np.concatenate([once % num_nodes, once // num_nodes])
    order = generator.permutation(row.size) if shuffled else np.lexsort((col, row))
    return torch.from_numpy(np.stack([row[order], col[order]]))


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
