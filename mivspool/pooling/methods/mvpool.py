"""MVPool (Zhang et al., *Hierarchical Multi-View Graph Pooling With Structure Learning*, IEEE TKDE 2021)."""

from __future__ import annotations

from torch import Tensor

from mivspool.errors import InputError
from mivspool.pooling.base import Selection
from mivspool.pooling.method import Method
from mivspool.pooling.parts.hops import within
from mivspool.pooling.parts.topk import TopK
from mivspool.pooling.scores.multiview import MultiView
from mivspool.sparse import Adjacency


class MVPool(TopK):
    """Top-k by the multiview score: X' = X_idx ⊙ score_idx; survivors within ``hops`` edges are joined.

    ``ratio``: ⌈ratio·n⌉ vertices of each graph are kept (default: 0.5). ``hops``: 1 for A_{idx, idx}, 2 or 3
    for the powers of A (default: 2). The score is ``MultiView``, with its maximum taken in each graph.
    """

    def __init__(self, in_channels: int, ratio: float = 0.5, hops: int = 2) -> None:
        super().__init__(in_channels, ratio)
        if hops < 1:
            raise InputError(f"hops must be at least 1, not {hops}")
        self.hops = hops
        self.scorer = MultiView(in_channels)

    def score(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The multiview score, [N], in [0.5, 0.731]."""
        score: Tensor = self.scorer(x, adjacency, batch, batch_size)
        return score

    def gate(self, score: Tensor) -> Tensor:
        """The score itself."""
        return score

    def connect(self, adjacency: Adjacency, selection: Selection) -> Adjacency:
        """The survivors within ``hops`` edges of each other, every weight 1."""
        if self.hops == 1:
            return super().connect(adjacency, selection)
        return within(adjacency, selection, self.hops)

    def extra_repr(self) -> str:
        """What distinguishes this layer."""
        return f"{super().extra_repr()}, hops={self.hops}"


METHOD = Method(
    name="mvpool",
    title="MVPool",
    about="Keeps the half of the vertices with the highest multiview scores and joins survivors within two edges.",
    formula=r"X' = X_{idx} \odot s_{idx}",
    paper="Zhang et al. 2021",
    layer=MVPool,
    place=50,
)
