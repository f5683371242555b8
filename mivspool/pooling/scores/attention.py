"""The attention score, of SagPool."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from mivspool.pooling.parts.values import positive
from mivspool.pooling.score import Score
from mivspool.sparse import Adjacency


class Attention(Score):
    """MIVSPool_SagPool: sigmoid of a GCN with one channel.

    ``use_weights``: above level 0, the GCN sees the weights of A' and not its pattern alone (default: False, as all
    published runs have it).
    """

    name: ClassVar[str] = "attention"
    title: ClassVar[str] = "Attention (SagPool)"
    label: ClassVar[str] = "attention (learned)"
    about: ClassVar[str] = "A one-channel graph convolution (SagPool)."
    formula: ClassVar[str] = r"s = \sigma(\tilde D^{-1/2} \tilde A \tilde D^{-1/2} X \Theta + b)"
    paper: ClassVar[str] = "Lee, Lee and Kang, Self-Attention Graph Pooling, ICML 2019"
    place: ClassVar[int] = 40
    learned: ClassVar[bool] = True

    def __init__(self, in_channels: int, use_weights: bool = False) -> None:
        super().__init__()
        self.use_weights = use_weights
        self.linear = nn.Linear(in_channels, 1, bias=False)
        self.bias = nn.Parameter(torch.zeros(1))
        nn.init.xavier_uniform_(self.linear.weight)

    def directions(self) -> Tensor:
        """The GCN's weight, [1, C]."""
        return self.linear.weight

    def raw(self, along: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The GCN before the sigmoid, [N]."""
        matrix = adjacency.normalised(use_weights=self.use_weights, dtype=along.dtype)
        return (matrix @ along).squeeze(1) + self.bias

    def squash(self, value: Tensor) -> Tensor:
        """[N], in (0, 1)."""
        return positive(value)


SCORE = Attention
