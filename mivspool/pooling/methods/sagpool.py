"""SagPool (Lee, Lee & Kang, *Self-Attention Graph Pooling*, ICML 2019): Top-k by a one-channel GCN."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from mivspool.pooling.method import Method
from mivspool.pooling.parts.topk import TopK
from mivspool.sparse import Adjacency


class SagPool(TopK):
    """Z = tanh(D̃⁻½ÃD̃⁻½XΘ + b), idx = the ⌈ratio·n⌉ best, X' = X_idx ⊙ Z_idx, A' = A_{idx, idx}.

    The order is that of the raw score, before tanh: a saturated tanh makes ties of scores that differ. There
    is no second learned factor before the order (PyTorch Geometric's SAGPooling has one, and a negative one
    turns the order round).
    """

    def __init__(self, in_channels: int, ratio: float = 0.5) -> None:
        super().__init__(in_channels, ratio)
        self.linear = nn.Linear(in_channels, 1, bias=False)
        self.bias = nn.Parameter(torch.zeros(1))
        nn.init.xavier_uniform_(self.linear.weight)

    def score(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The GCN before its tanh, [N]."""
        matrix = adjacency.normalised(dtype=x.dtype)
        score: Tensor = (matrix @ self.linear(x)).squeeze(1) + self.bias
        return score

    def gate(self, score: Tensor) -> Tensor:
        """tanh."""
        return torch.tanh(score)


METHOD = Method(
    name="sagpool",
    title="SagPool",
    about="Keeps the half of the vertices that a one-channel convolution scores highest and drops the others.",
    formula=r"X' = X_{idx} \odot \tanh(z_{idx})",
    paper="Lee et al. 2019",
    layer=SagPool,
    place=40,
)
