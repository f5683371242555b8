"""gPool (Gao & Ji, *Graph U-Nets*, ICML 2019): Top-k by a learned projection of the features."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from mivspool.errors import InputError
from mivspool.pooling.base import Selection
from mivspool.pooling.method import Method
from mivspool.pooling.parts.hops import within
from mivspool.pooling.parts.topk import TopK
from mivspool.pooling.parts.values import project
from mivspool.sparse import Adjacency


class GPool(TopK):
    """y = X·p / ‖p‖, idx = the ⌈ratio·n⌉ best y, X' = X_idx ⊙ sigmoid(y_idx), A' = A_{idx, idx}.

    ``hops`` (default: 1) is 2 for the connectivity augmentation of Graph U-Nets, A' = (A²)_{idx, idx}: here
    survivors within ``hops`` edges of each other. The MIVSPool paper compares with 1.
    """

    def __init__(self, in_channels: int, ratio: float = 0.5, hops: int = 1) -> None:
        super().__init__(in_channels, ratio)
        if hops < 1:
            raise InputError(f"hops must be at least 1, not {hops}")
        self.hops = hops
        self.weight = nn.Parameter(torch.empty(in_channels))
        nn.init.uniform_(self.weight, -(in_channels**-0.5), in_channels**-0.5)

    def score(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """X·p / ‖p‖, [N]; 0 where p is 0."""
        return project(x, self.weight)

    def gate(self, score: Tensor) -> Tensor:
        """sigmoid, as in the paper (PyTorch Geometric's TopKPooling takes tanh, after Cangea et al. 2018)."""
        return torch.sigmoid(score)

    def connect(self, adjacency: Adjacency, selection: Selection) -> Adjacency:
        """A_{idx, idx}, or the survivors within ``hops`` edges of each other."""
        if self.hops == 1:
            return super().connect(adjacency, selection)
        return within(adjacency, selection, self.hops)


def by_first_feature(in_channels: int) -> GPool:
    """The layer whose scores are the first of the features: its projection is that axis."""
    layer = GPool(in_channels)
    with torch.no_grad():
        layer.weight.zero_()
        layer.weight[0] = 1.0
    return layer


METHOD = Method(
    name="gpool",
    title="gPool",
    about="Top-k pooling: keeps the half of the vertices with the highest learned projections and drops the others.",
    formula=r"X' = X_{idx} \odot \sigma(y_{idx})",
    paper="Gao & Ji 2019",
    layer=GPool,
    given=by_first_feature,
    place=30,
)
