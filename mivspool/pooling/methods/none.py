"""No pooling: every vertex is its own cluster. The baseline for the other methods."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor

from mivspool.pooling.base import Kind, Pooling, Selection
from mivspool.pooling.method import Method
from mivspool.sparse import Adjacency


class NoPooling(Pooling):
    """S = I: X' = X, A' = A. ``in_channels`` is part of the common interface."""

    kind: ClassVar[Kind] = "hard"  # type: ignore[misc]

    def __init__(self, in_channels: int) -> None:
        super().__init__()

    def select(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Selection:
        """Every vertex."""
        own = torch.arange(batch.numel(), device=batch.device)
        return Selection(batch, batch_size, cluster=own, survivor=torch.ones_like(own, dtype=torch.bool))

    def reduce(self, x: Tensor, selection: Selection) -> Tensor:
        """X."""
        return x

    def connect(self, adjacency: Adjacency, selection: Selection) -> Adjacency:
        """A."""
        return adjacency


METHOD = Method(
    name="none",
    title="no pooling",
    about="Every vertex stays: the baseline for the other methods.",
    formula=r"X' = X",
    paper="—",
    layer=NoPooling,
    place=120,
)
