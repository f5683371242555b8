"""The projection score, of gPool."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from mivspool.pooling.parts.values import positive, unit
from mivspool.pooling.score import Score
from mivspool.sparse import Adjacency


class Projection(Score):
    """MIVSPool_Top-k: sigmoid(X·p / ‖p‖), the score of gPool."""

    name: ClassVar[str] = "projection"
    title: ClassVar[str] = "Projection (Top-k)"
    label: ClassVar[str] = "projection (learned)"
    about: ClassVar[str] = "Features projected onto a learned vector (Top-k)."
    formula: ClassVar[str] = r"s = \sigma(X p / \lVert p \rVert)"
    paper: ClassVar[str] = "Gao and Ji, Graph U-Nets, ICML 2019"
    place: ClassVar[int] = 30
    learned: ClassVar[bool] = True

    def __init__(self, in_channels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_channels))
        nn.init.uniform_(self.weight, -(in_channels**-0.5), in_channels**-0.5)

    def directions(self) -> Tensor:
        """p / ‖p‖, [1, C]."""
        return unit(self.weight).unsqueeze(0)

    def raw(self, along: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """X·p / ‖p‖, [N]."""
        return along[:, 0]

    def squash(self, value: Tensor) -> Tensor:
        """[N], in (0, 1)."""
        return positive(value)


SCORE = Projection
