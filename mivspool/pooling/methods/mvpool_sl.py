"""MVPool-SL: MVPool with structure learning (Zhang et al., IEEE TKDE 2021)."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from mivspool.errors import InputError
from mivspool.pooling.base import Pooled, Selection
from mivspool.pooling.method import Method
from mivspool.pooling.methods.mvpool import MVPool
from mivspool.pooling.parts.hops import hop_pattern
from mivspool.pooling.parts.structure import learned
from mivspool.sparse import Adjacency


class MVPoolSL(MVPool):
    """MVPool-SL: the weights of A' are learned, by sparsemax over each survivor's candidates.

    For survivors p and q within ``hops`` edges of each other, or p = q:
    E_pq = LeakyReLU(a·[x'_p ‖ x'_q]) + λ·A_pq, and P = sparsemax of each row of E. P is not symmetric and a
    graph here is: A' = (P + Pᵀ)/2. Pairs with A'_pq = 0 are no edges. The weights carry a gradient: the next
    convolution must use them (``weighted``).

    ``trade_off``: λ (default: 2, as published). ``slope``: of the LeakyReLU (default: 0.2).
    """

    weighted: ClassVar[bool] = True

    def __init__(
        self, in_channels: int, ratio: float = 0.5, hops: int = 2, trade_off: float = 2.0, slope: float = 0.2
    ) -> None:
        super().__init__(in_channels, ratio, hops)
        self.trade_off, self.slope = trade_off, slope
        self.attention = nn.Parameter(torch.empty(1, 2 * in_channels))
        nn.init.xavier_uniform_(self.attention)

    def pool(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Pooled:
        """One pooling step; the structure is learned from the reduced features."""
        selection = self.select(x, adjacency, batch, batch_size)
        reduced = self.reduce(x, selection)
        return Pooled(reduced, self.learn(reduced, adjacency, selection), selection)

    def learn(self, x: Tensor, adjacency: Adjacency, selection: Selection) -> Adjacency:
        """A' from the reduced features ``x`` [N', C]: its weights and diagonal carry a gradient."""
        n = x.size(0)
        rowptr, col = hop_pattern(adjacency, selection, self.hops, own=True)
        of_row, of_col = (x @ half for half in self.attention[0].chunk(2))
        place, weight = self.induced(adjacency, selection, x.dtype)
        candidate = torch.repeat_interleave(rowptr[1:] - rowptr[:-1]) * n + col
        entry = torch.searchsorted(candidate, place)
        bonus = x.new_zeros(col.numel()).index_add(0, entry, weight * self.trade_off)
        return learned(rowptr, col, of_row, of_col, bonus, self.slope)

    @staticmethod
    def induced(adjacency: Adjacency, selection: Selection, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """The entries of A_{idx, idx}, its diagonal included: place p·N' + q int64 [M] and weight [M].

        Raises InputError for a selection without survivors.
        """
        cluster = selection.cluster
        if cluster is None:
            raise InputError("this selection has no survivors")
        n = selection.num_nodes
        row, col = cluster[adjacency.row], cluster[adjacency.col]
        kept = (row >= 0) & (col >= 0)
        place = row[kept] * n + col[kept]
        weight = torch.ones(place.numel(), dtype=dtype, device=place.device)
        if adjacency.weight is not None:
            weight = adjacency.weight[kept].to(dtype)
        if adjacency.loops is not None:
            own = cluster[cluster >= 0]
            place = torch.cat([place, own * n + own])
            weight = torch.cat([weight, adjacency.loops[cluster >= 0].to(dtype)])
        return place, weight


METHOD = Method(
    name="mvpool-sl",
    title="MVPool-SL",
    about="MVPool, with learned edge weights in the reduced graph.",
    formula=r"A' = (P + P^\top) / 2",
    paper="Zhang et al. 2021",
    layer=MVPoolSL,
    page="mvpool",
    place=60,
)
