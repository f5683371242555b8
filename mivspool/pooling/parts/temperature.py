"""A temperature for the scores in Eq. 12: how much the better members of a cluster count beside the others."""

from __future__ import annotations

import torch
from torch import Tensor


def tempered(score: Tensor, cluster: Tensor, num_clusters: int, temperature: float) -> Tensor:
    """Scores [N] > 0 whose shares within a cluster are those of ``score`` ** (1 / temperature), [N].

    The sum over each cluster stays what it is; ``cluster`` int64 [N]. At 1 they are the scores; near 0 the best of a
    cluster has all of its sum.
    """
    power = score.log() / temperature
    most = power.new_full((num_clusters,), -torch.inf).scatter_reduce(0, cluster, power.detach(), "amax")
    raised = (power - most[cluster]).exp()
    total, sums = (score.new_zeros(num_clusters).index_add(0, cluster, one) for one in (raised, score))
    return (sums[cluster] * raised / total[cluster]).clamp(min=torch.finfo(score.dtype).tiny)
