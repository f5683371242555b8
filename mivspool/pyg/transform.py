"""The levels of pooling as part of a graph's data: computed once, batched with it, used by any network."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.nn.pool.select import SelectOutput
from torch_geometric.transforms import BaseTransform

from mivspool.errors import InputError
from mivspool.pooling import MIVSPool
from mivspool.pooling.base import inputs

_LEVEL = re.compile(r"(cluster|weight|perm|edge_index|edge_weight|num_nodes)_(\d+)")


class PooledData(Data):
    """A ``Data`` with the levels of its pooling, whose indices are right in any batch.

    For level l = 1, 2, …, of N_l vertices (level 0 is the graph itself): ``cluster_l`` int64 [N_{l−1}], the vertex of
    level l that each vertex goes to; ``weight_l`` [N_{l−1}], its share of its cluster's score (Eq. 12);
    ``perm_l`` int64 [N_l], the survivors, as vertices of level l − 1; ``edge_index_l`` int64 [2, M_l] and
    ``edge_weight_l`` [M_l], SᵀAS without its diagonal; ``num_nodes_l`` int64 [1] (of a
    batch [B]): N_l.
    """

    def __inc__(self, key: str, value: Any, *args: Any, **kwargs: Any) -> Any:
        """By how much the indices of ``key`` rise from one graph of a batch to the next."""
        found = _LEVEL.fullmatch(key)
        if found is None:
            return super().__inc__(key, value, *args, **kwargs)
        name, level = found[1], int(found[2])
        if name in ("cluster", "edge_index"):
            return self.size_of(level)
        return self.size_of(level - 1) if name == "perm" else 0

    def __cat_dim__(self, key: str, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Along which dimension the values of ``key`` are joined."""
        found = _LEVEL.fullmatch(key)
        if found is None:
            return super().__cat_dim__(key, value, *args, **kwargs)
        return 1 if found[1] == "edge_index" else 0

    @property
    def num_levels(self) -> int:
        """How many levels of pooling it has."""
        return sum(key.startswith("num_nodes_") for key in self.keys())

    def size_of(self, level: int) -> int:
        """The number of vertices of a level, N_l, over all graphs of a batch.

        Args:
            level: from 0, the graph itself.

        Raises:
            InputError: for a level that there is not.
        """
        if not 0 <= level <= self.num_levels:
            raise InputError(f"there are levels 0 to {self.num_levels}: there is no level {level}")
        size = self.num_nodes if level == 0 else self[f"num_nodes_{level}"]
        return int(size.sum()) if isinstance(size, Tensor) else int(size or 0)

    def batch_of(self, level: int) -> Tensor:
        """The graph of each vertex of a level.

        Args:
            level: from 0, the graph itself.

        Returns:
            int64 [N_l].

        Raises:
            InputError: for a level that there is not.
        """
        size = self.size_of(level)  # which refuses what there is not
        batch: Tensor | None = self.get("batch")
        if batch is None:
            return torch.zeros(size, dtype=torch.int64, device=self.edge_index.device)
        for below in range(1, level + 1):
            batch = batch[self[f"perm_{below}"]]
        return batch

    def selection(self, level: int) -> SelectOutput:
        """The assignment from level l − 1 to level l, for an aggregation, ``ConnectMIVS`` and ``Unpool``.

        Args:
            level: l, from 1.

        Returns:
            A SelectOutput whose ``node_index`` and ``cluster_index`` are int64 [N_{l−1}].

        Raises:
            InputError: for a level that there is not.
        """
        if level < 1:
            raise InputError(f"levels of pooling are counted from 1: there is no level {level}")
        size, before = self.size_of(level), self.size_of(level - 1)
        cluster = self[f"cluster_{level}"]
        every = torch.arange(before, device=cluster.device)
        return SelectOutput(every, before, cluster, size, self[f"weight_{level}"])


class AddMIVSLevels(BaseTransform):
    """A transform that adds the levels of MIVS pooling to a ``Data``: see :class:`PooledData`.

    What it adds depends on the graph alone. A level of one vertex per component repeats itself, so that all graphs have
    the same levels.

    Args:
        levels: how many, at least 1.
        score: "degree", "uniform" (of ``seed``), or a function or module as of ``mivspool.pooling.Called``; learned
            scores belong into the network, as ``MIVSPooling``.
        complement: keep at least ⌈n/2⌉ vertices per level.
        seed: of the uniform score.

    Raises:
        InputError: for another number of levels and for a learned score.
    """

    def __init__(
        self,
        levels: int = 1,
        score: str | Callable[..., Tensor] = "degree",
        complement: bool = False,
        seed: int = 0,
    ) -> None:
        if levels < 1:
            raise InputError(f"levels must be at least 1, not {levels}")
        self.layers = [
            MIVSPool(1, score, complement, seed=seed, level=level).eval() for level in range(levels)
        ]
        if isinstance(score, str) and self.layers[0].scorer.learned:
            raise InputError(
                f"the score {score!r} is learned: put MIVSPooling into the network, or take degree"
            )

    @torch.no_grad()
    def forward(self, data: Data) -> PooledData:
        """The data with its levels.

        Args:
            data: ``edge_index`` int64 [2, M], both directions of each edge; x [N, C] where the score asks for it.

        Raises:
            InputError: for edges in one direction alone, and what the score cannot be computed of.
        """
        n = int(data.num_nodes or 0)
        device = data.edge_index.device
        x = data.x if data.x is not None and data.x.is_floating_point() else torch.zeros(n, 1, device=device)
        adjacency, batch, size = inputs(x, data.edge_index, None, None, None)
        pooled: PooledData = PooledData.from_dict(data.to_dict())
        for level, layer in enumerate(self.layers, start=1):
            out = layer.pool(x, adjacency, batch, size)
            assert out.survivor is not None
            assert out.cluster is not None
            assert out.adjacency.weight is not None
            pooled[f"cluster_{level}"] = out.cluster
            pooled[f"weight_{level}"] = out.selection.shares().to(x.dtype)
            pooled[f"perm_{level}"] = torch.nonzero(out.survivor).reshape(-1)
            pooled[f"edge_index_{level}"] = out.adjacency.edge_index
            pooled[f"edge_weight_{level}"] = out.adjacency.weight.to(x.dtype)
            pooled[f"num_nodes_{level}"] = torch.tensor([out.x.size(0)], device=device)
            x, adjacency, batch = out.x, out.adjacency, out.batch
        return pooled

    def __repr__(self) -> str:
        first = self.layers[0]
        return (
            f"{type(self).__name__}(levels={len(self.layers)}, score={first.score_name!r}, "
            f"complement={first.complement})"
        )
