"""What the Top-k methods share: keep the ⌈ratio·n⌉ best vertices of each graph, drop the others (Eq. 5)."""

from __future__ import annotations

import itertools
from typing import ClassVar

import torch
from torch import Tensor

from mivspool import meer
from mivspool.arrays.segments import gated
from mivspool.errors import InputError
from mivspool.pooling.base import Kind, Pooling, Selection
from mivspool.pooling.parts.directions import fits
from mivspool.sparse import Adjacency


class TopK(Pooling):
    """S = [I]_{:, idx} (Eq. 5): X' = X_idx ⊙ gate(score_idx), A' = A_{idx, idx}.

    ``ratio`` in (0, 1]: ⌈ratio·n⌉ vertices of each graph are kept (default: 0.5). A subclass gives ``score``,
    which may be of any size and sign, and ``gate``. The order is ``meer.learned_key``'s.
    """

    kind: ClassVar[Kind] = "selective"  # type: ignore[misc]

    def __init__(self, in_channels: int, ratio: float = 0.5) -> None:
        super().__init__()
        self.in_channels, self.ratio = in_channels, checked_ratio(ratio)

    def score(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """What the vertices are ordered by, [N]."""
        raise NotImplementedError

    def gate(self, score: Tensor) -> Tensor:
        """What the features of a survivor are multiplied by, so that the score learns."""
        raise NotImplementedError

    def select(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Selection:
        """The best vertices of each graph. Raises InputError where x has another width or type than the layer."""
        for weight in itertools.islice(self.parameters(), 1):
            fits(x, self.in_channels, weight.dtype)
        score = self.score(x, adjacency, batch, batch_size)
        key = meer.learned_key(score, adjacency)
        return keep(top(meer.rank(key), self.ratio, batch, batch_size), batch, batch_size, score)

    def reduce(self, x: Tensor, selection: Selection) -> Tensor:
        """X_idx ⊙ gate(score_idx), [N', C]. Raises InputError for another method's selection."""
        if selection.survivor is None or selection.score is None:
            raise InputError("this selection has no survivors or no scores")
        kept = torch.nonzero(selection.survivor).reshape(-1)
        return gated(x, kept, self.gate(selection.score.index_select(0, kept)))

    def extra_repr(self) -> str:
        """What distinguishes this layer."""
        return f"{self.in_channels}, ratio={self.ratio}"


def checked_ratio(ratio: float) -> float:
    """``ratio``, or an InputError where it is not in (0, 1]."""
    if not 0 < ratio <= 1:
        raise InputError(f"ratio is the share of vertices to keep, in (0, 1]: {ratio} is not")
    return float(ratio)


def top(position: Tensor, ratio: float, batch: Tensor, batch_size: int) -> Tensor:
    """bool [N]: the ⌈ratio·n⌉ vertices of each graph that come first in the order ``position`` int64 [N]."""
    size = torch.bincount(batch, minlength=batch_size)
    # 0.7·10 is a little above 7 in floating point, and must not keep an eighth vertex
    kept = torch.ceil(size.to(torch.float64) * ratio - 1e-9).to(torch.int64)
    order = torch.argsort(batch * position.numel() + position)
    place = torch.arange(order.numel(), device=order.device) - (torch.cumsum(size, 0) - size)[batch]
    survivor = torch.zeros(order.numel(), dtype=torch.bool, device=order.device)
    survivor[order] = place < kept[batch]
    return survivor


def keep(survivor: Tensor, batch: Tensor, batch_size: int, score: Tensor | None = None) -> Selection:
    """The selection that keeps the vertices of ``survivor`` bool [N] in their order and drops the others."""
    reduced = torch.cumsum(survivor, 0) - 1
    return Selection(
        batch=batch[survivor],
        batch_size=batch_size,
        cluster=torch.where(survivor, reduced, -1),
        survivor=survivor,
        score=score,
    )
