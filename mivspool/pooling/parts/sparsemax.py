"""Sparsemax (Martins & Astudillo, ICML 2016) of segments of a vector: a softmax that gives exact zeros."""

from __future__ import annotations

import torch
from torch import Tensor


def sparsemax(value: Tensor, segment: Tensor, num_segments: int) -> Tensor:
    """The point of the simplex nearest to each segment of ``value``: [M], each segment sums to 1.

    ``value`` float [M], ``segment`` int64 [M]. The threshold τ of a segment is the mean of its support less
    1/|support|. The support is found by leaving out what falls under τ until nothing does (Michelot 1986),
    which needs no sorting; the gradient is that of the last formula, with the support fixed.
    """
    support = torch.ones_like(segment, dtype=torch.bool)
    detached = value.detach()
    while True:
        above = support & (detached > _threshold(detached, support, segment, num_segments)[segment])
        if torch.equal(above, support):
            break
        support = above
    tau = _threshold(value, support, segment, num_segments)
    return torch.where(support, value - tau.index_select(0, segment), 0)


def _threshold(value: Tensor, support: Tensor, segment: Tensor, num_segments: int) -> Tensor:
    size = value.new_zeros(num_segments).index_add(0, segment, support.to(value.dtype))
    total = value.new_zeros(num_segments).index_add(0, segment, torch.where(support, value, 0))
    return (total - 1) / size.clamp(min=1)
