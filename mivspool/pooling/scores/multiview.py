"""The multiview score, of MVPool: the paper's reference."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from mivspool.pooling.parts import views
from mivspool.pooling.parts.directions import share
from mivspool.pooling.parts.values import unit
from mivspool.pooling.score import Score
from mivspool.sparse import Adjacency


class MultiView(Score):
    """MIVSPool_MVPool, the paper's reference: degree, features and personalised PageRank, weighed by attention.

    s₁ = sigmoid(α·log(degree + 1e-16) + β), s₂ = sigmoid(X·p / ‖p‖), s₃ = sigmoid of a personalised PageRank of a
    GCN with one channel (no self-loops added); each divided by its maximum **in its graph**; weights
    softmax(sigmoid(s·W + b)) over the three; score = sigmoid(Σ weight·view), in [0.5, 0.731].

    ``use_weights``: above level 0, the GCN and the PageRank see the weights of A' and not its pattern alone (default:
    False, as all published runs have it; in torch operations, which take longer).
    """

    name: ClassVar[str] = "multiview"
    title: ClassVar[str] = "Multiview (MVPool)"
    label: ClassVar[str] = "multiview (learned)"
    about: ClassVar[str] = (
        "The paper's reference (MVPool): degree, features and neighbourhood, weighted by attention."
    )
    formula: ClassVar[str] = r"s = \sigma\bigl(\textstyle\sum_v w_v s_v\bigr)"
    paper: ClassVar[str] = (
        "Zhang et al., Hierarchical Multi-View Graph Pooling With Structure Learning, IEEE TKDE 2021"
    )
    place: ClassVar[int] = 50
    learned: ClassVar[bool] = True

    steps: ClassVar[int] = 10
    restart: ClassVar[float] = 0.1

    def __init__(self, in_channels: int, use_weights: bool = False) -> None:
        super().__init__()
        self.use_weights = use_weights
        self.alpha = nn.Parameter(torch.ones(1))
        self.beta = nn.Parameter(torch.ones(1))
        self.projection = nn.Parameter(torch.empty(in_channels))
        nn.init.uniform_(self.projection, -(in_channels**-0.5), in_channels**-0.5)
        self.linear = nn.Linear(in_channels, 1, bias=False)
        self.bias = nn.Parameter(torch.zeros(1))
        nn.init.xavier_uniform_(self.linear.weight)
        self.attention = nn.Linear(3, 3)

    def directions(self) -> Tensor:
        """p / ‖p‖ and the GCN's weight, [2, C]."""
        return torch.stack([unit(self.projection), self.linear.weight[0]])

    def raw(self, along: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """[N], in [0.5, 0.731]: its sigmoid does not saturate, so that the score itself is the order."""
        given = (along, self._small(), adjacency, batch, batch_size, self.steps, self.restart)
        return views.multiview(*given, self.use_weights)

    def in_parts(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> views.Views:
        """What the score is made of, for x [N, C]: the three views, and the weights they get."""
        along = share(x, self.directions())[1]
        given = (along, self._small(), adjacency, batch, batch_size, self.steps, self.restart)
        return views.in_parts(*given, self.use_weights)

    def _small(self) -> Tensor:
        """All parameters beside the directions, [15]."""
        return torch.cat(
            [self.alpha, self.beta, self.bias, self.attention.bias, self.attention.weight.flatten()]
        )


SCORE = MultiView
