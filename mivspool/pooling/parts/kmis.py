"""k-MIS pooling (Bacciu, Conte & Landolfi, *Generalizing Downsampling … to Graphs*, AAAI 2023)."""

from __future__ import annotations

import functools
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from mivspool import meer
from mivspool.arrays.segments import weighted_sum
from mivspool.errors import InputError
from mivspool.pooling.base import Kind, Pooling, Selection
from mivspool.pooling.parts.directions import fits
from mivspool.pooling.parts.hops import power
from mivspool.pooling.parts.values import positive
from mivspool.pooling.scores.uniform import uniform
from mivspool.sparse import Adjacency

SCORERS = ("linear", "uniform", "degree", "constant", "given")
HEURISTICS = ("greedy", "weighted-greedy", "none")


class KMIS(Pooling):
    """Survivors are a maximal k-independent set: no two within k edges, every vertex within k edges of one.

    It is the greedy maximal independent set of the graph that joins all vertices within k edges, in the
    order of s / (A + I)ᵏ1 (``heuristic`` "greedy", the default), s / (A + I)ᵏs ("weighted-greedy") or s
    ("none"). Every other vertex joins the survivor within k edges that comes first in that order.
    X'ᵢ = Σ sⱼXⱼ over cluster i (``aggregate`` "sum", the default), their mean ("mean"), or sᵢXᵢ of the
    survivor alone ("survivor"); A' = SᵀAS.

    ``scorer``: "linear" (sigmoid(X·w + b), the default), "uniform", "degree", "constant" or "given" (the first feature,
    which must be positive).
    """

    kind: ClassVar[Kind] = "hard"  # type: ignore[misc]
    positive: ClassVar[bool] = True

    def __init__(
        self,
        in_channels: int,
        k: int = 1,
        scorer: str = "linear",
        heuristic: str = "greedy",
        aggregate: Literal["sum", "mean", "survivor"] = "sum",
        seed: int = 0,
        level: int = 0,
    ) -> None:
        super().__init__()
        if k < 1:
            raise InputError(f"k is at least 1: {k} is not")
        for value, choices, name in (
            (scorer, SCORERS, "scorer"),
            (heuristic, HEURISTICS, "heuristic"),
            (aggregate, ("sum", "mean", "survivor"), "aggregate"),
        ):
            if value not in choices:
                raise InputError(f"{name} is one of {', '.join(choices)}: {value!r} is not")
        self.k, self.scorer, self.heuristic, self.aggregate = k, scorer, heuristic, aggregate
        self.seed, self.level = seed, level
        self.linear = nn.Linear(in_channels, 1) if scorer == "linear" else None

    def score(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The score before the heuristic, [N], positive."""
        if self.linear is not None:
            return positive(self.linear(x).squeeze(1))
        if self.scorer == "given":
            return x[:, 0]
        if self.scorer == "uniform":
            return uniform(self.seed, self.level, batch, batch_size)
        if self.scorer == "degree":
            return adjacency.degree.to(torch.float64).clamp(min=0.5)
        return torch.ones(x.size(0), dtype=torch.float64, device=x.device)

    def select(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Selection:
        """The maximal k-independent set, and the survivor of every other vertex."""
        logit = None
        if self.linear is None:
            score = self.score(x, adjacency, batch, batch_size)
            key = score.to(torch.float64) / self.around(score.to(torch.float64), adjacency)
        else:
            fits(x, self.in_channels, self.linear.weight.dtype)
            logit = self.linear(x).squeeze(1)
            score, key = positive(logit), self.key(logit, adjacency)
        near = power(adjacency, self.k, batch)
        found = meer.clusters(near, key, batch, batch_size)
        return Selection(
            batch=batch.index_select(0, found.members),
            batch_size=batch_size,
            cluster=found.cluster,
            survivor=found.survivor,
            score=score,
            value=None if logit is None else logit.detach(),
            make_trace=functools.partial(meer.trace, near, key, batch, batch_size),
        )

    def key(self, logit: Tensor, adjacency: Adjacency) -> Tensor:
        """What the order compares of learned scores, int64 [N]; ``logit`` [N]: X·w + b.

        The quotient, rounded; where that is equal the logit, which tells scores apart that the sigmoid does not.
        """
        own = meer.learned_key(logit, adjacency)
        if self.heuristic == "none":
            return own
        logit = logit.detach().to(torch.float64)
        around = self.around(positive(logit), adjacency)
        return _both(meer.rounded(nn.functional.logsigmoid(logit) - torch.log(around)), own)

    def around(self, score: Tensor, adjacency: Adjacency) -> Tensor:
        """What the heuristic divides by, [N]: (A + I)ᵏ1, (A + I)ᵏs or 1."""
        if self.heuristic == "none":
            return torch.ones_like(score)
        total = torch.ones_like(score) if self.heuristic == "greedy" else score.clone()
        for _ in range(self.k):
            total = total + adjacency.sum_around(total)
        return total

    def reduce(self, x: Tensor, selection: Selection) -> Tensor:
        """The sum (or mean) of each cluster's features times their scores, [N', C].

        Raises InputError for another method's selection.
        """
        if selection.cluster is None or selection.score is None or selection.survivor is None:
            raise InputError("this selection has no clusters or no scores")
        score, cluster = selection.score.to(x.dtype), selection.cluster
        if self.aggregate == "survivor":
            kept = torch.nonzero(selection.survivor).reshape(-1)
            return x.index_select(0, kept) * score[kept].unsqueeze(1)
        summed = weighted_sum(x, score, cluster, selection.num_nodes)
        if self.aggregate == "sum":
            return summed
        return summed / torch.bincount(cluster, minlength=selection.num_nodes).unsqueeze(1)

    def extra_repr(self) -> str:
        """What distinguishes this layer."""
        return (
            f"k={self.k}, scorer={self.scorer!r}, heuristic={self.heuristic!r}, aggregate={self.aggregate!r}"
        )


def _both(first: Tensor, second: Tensor) -> Tensor:
    """int64 [N] that compares as the pairs of two int64 [N] do, equal where both are."""
    order = torch.argsort(second)
    order = order[torch.argsort(first[order], stable=True)]
    first, second = first[order], second[order]
    key = torch.zeros_like(order)
    key[order[1:]] = torch.cumsum((first[1:] != first[:-1]) | (second[1:] != second[:-1]), 0)
    return key
