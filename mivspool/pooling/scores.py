"""The scores of MIVSPool: uniform, by degree, and the three learned ones (projection, attention, multiview).

Every score is positive, since Eq. 12 divides by a sum of scores. A learned one ends in a sigmoid. Its vertices are
ordered by ``meer.learned_key``, by the value before that sigmoid where it may saturate; the others compare exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import torch
from torch import Tensor, nn

from mivspool import meer
from mivspool.errors import InputError
from mivspool.pooling import views
from mivspool.pooling.directions import share
from mivspool.sparse import Adjacency

# a sigmoid may round to 0; a score may not
SMALLEST = 2.0**-20


class Score(nn.Module):
    """One score per vertex: ``forward`` gives [N] positive values, ``key`` what the order compares.

    A score of one's own gives ``forward``. A learned one may give ``directions`` and ``raw`` instead, and ``squash``
    where the score is not itself what the vertices are ordered by.
    """

    learned: ClassVar[bool] = False

    def forward(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The score of every vertex, [N]."""
        if self.directions() is None:
            raise NotImplementedError
        return self.squash(self.compared(x, adjacency, batch, batch_size))

    def compared(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """What the vertices are ordered by, [N]: the score itself for one that has no ``directions``."""
        directions = self.directions()
        if directions is None:
            score: Tensor = self(x, adjacency, batch, batch_size)
            return score
        return self.raw(share(x, directions)[1], adjacency, batch, batch_size)

    def directions(self) -> Tensor | None:
        """What a learned score looks along, [K, C]: the features enter it through x · directionsᵀ alone."""
        return None

    def raw(self, along: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """What the vertices are ordered by, [N], from the features along ``directions``, [N, K]."""
        raise NotImplementedError

    def squash(self, value: Tensor) -> Tensor:
        """The scores, [N], of the values that the vertices are ordered by: these themselves, or a sigmoid of them."""
        return value

    def key(self, value: Tensor, adjacency: Adjacency) -> Tensor:
        """What the order compares, [N]."""
        return meer.learned_key(value, adjacency) if self.learned else value.detach()


def uniform(seed: int, level: int, batch: Tensor, batch_size: int) -> Tensor:
    """U(0, 1) for each vertex, float64 [N], from (seed, level) and the vertex's place in its graph alone.

    A counter-based generator (splitmix64), so that a graph's scores do not depend on its batch or the device.
    """
    size = torch.bincount(batch, minlength=batch_size)
    place = torch.arange(batch.numel(), device=batch.device) - (torch.cumsum(size, 0) - size)[batch]
    start = _mix(_mix(torch.tensor([seed], dtype=torch.int64)) + level).to(batch.device)
    bits = _shift(_mix(start + place * _GOLDEN), 11)
    return (bits.to(torch.float64) + 0.5) * 2.0**-53


_GOLDEN = 0x9E3779B97F4A7C15 - 2**64


def _shift(value: Tensor, by: int) -> Tensor:
    """A shift to the right that does not keep the sign."""
    shifted: Tensor = (value >> by) & (2 ** (64 - by) - 1)
    return shifted


def _mix(value: Tensor) -> Tensor:
    """splitmix64's finaliser on int64, whose products wrap."""
    value = value + _GOLDEN
    value = (value ^ _shift(value, 30)) * (0xBF58476D1CE4E5B9 - 2**64)
    value = (value ^ _shift(value, 27)) * (0x94D049BB133111EB - 2**64)
    return value ^ _shift(value, 31)


class Uniform(Score):
    """U(0, 1) (MIVSPool_rand): drawn anew at each call in training, from (seed, level) otherwise."""

    def __init__(self, in_channels: int, seed: int = 0, level: int = 0) -> None:
        super().__init__()
        self.seed, self.level = seed, level

    def forward(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """float64 [N]."""
        seed = int(torch.randint(2**62, (1,))) if self.training else self.seed
        return uniform(seed, self.level, batch, batch_size)


class Degree(Score):
    """The number of distinct neighbours; an isolated vertex counts as ½, since a score is positive."""

    def __init__(self, in_channels: int) -> None:
        super().__init__()

    def forward(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """[N], in the type of ``x``."""
        return adjacency.degree.to(x.dtype).clamp(min=0.5)


class Projection(Score):
    """MIVSPool_Top-k: sigmoid(X·p / ‖p‖), the score of gPool."""

    learned: ClassVar[bool] = True

    def __init__(self, in_channels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_channels))
        nn.init.uniform_(self.weight, -(in_channels**-0.5), in_channels**-0.5)

    def directions(self) -> Tensor:
        """p / ‖p‖, [1, C]."""
        return unit(self.weight).unsqueeze(0)

    def raw(self, along: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """X·p / ‖p‖, [N]."""
        return along[:, 0]

    def squash(self, value: Tensor) -> Tensor:
        """[N], in (0, 1)."""
        return positive(value)


class Attention(Score):
    """MIVSPool_SagPool: sigmoid of a GCN with one channel."""

    learned: ClassVar[bool] = True

    def __init__(self, in_channels: int) -> None:
        super().__init__()
        self.linear = nn.Linear(in_channels, 1, bias=False)
        self.bias = nn.Parameter(torch.zeros(1))
        nn.init.xavier_uniform_(self.linear.weight)

    def directions(self) -> Tensor:
        """The GCN's weight, [1, C]."""
        return self.linear.weight

    def raw(self, along: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The GCN before the sigmoid, [N]."""
        matrix = adjacency.normalised(dtype=along.dtype)
        return (matrix @ along).squeeze(1) + self.bias

    def squash(self, value: Tensor) -> Tensor:
        """[N], in (0, 1)."""
        return positive(value)


class MultiView(Score):
    """MIVSPool_MVPool, the paper's reference: degree, features and personalised PageRank, weighed by attention.

    s₁ = sigmoid(α·log(degree + 1e-16) + β), s₂ = sigmoid(X·p / ‖p‖), s₃ = sigmoid of a personalised PageRank of a
    GCN with one channel (no self-loops added); each divided by its maximum **in its graph**; weights
    softmax(sigmoid(s·W + b)) over the three; score = sigmoid(Σ weight·view), in [0.5, 0.731].
    """

    learned: ClassVar[bool] = True
    steps: ClassVar[int] = 10
    restart: ClassVar[float] = 0.1

    def __init__(self, in_channels: int) -> None:
        super().__init__()
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
        if along.device.type == "cpu":
            return self._compiled(along, adjacency, batch, batch_size)
        return self.plain(along, adjacency, batch, batch_size)

    def plain(self, along: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The score in operations of torch, on any device."""
        return views.plain(along, self._small(), adjacency, batch, batch_size, self.steps, self.restart)

    def _compiled(self, along: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The same in one compiled call."""
        score: Tensor = views.MultiViewScore.apply(  # type: ignore[no-untyped-call]
            along, self._small(), adjacency, batch, batch_size, self.steps, self.restart
        )
        return score

    def _small(self) -> Tensor:
        """All parameters beside the directions, [15]."""
        return torch.cat(
            [self.alpha, self.beta, self.bias, self.attention.bias, self.attention.weight.flatten()]
        )


def unit(weight: Tensor) -> Tensor:
    """p / ‖p‖, [C]; 0 where p is 0."""
    norm: Tensor = weight.norm()
    return weight / norm.clamp(min=torch.finfo(weight.dtype).eps)


def project(x: Tensor, weight: Tensor) -> Tensor:
    """X·p / ‖p‖, [N]; 0 where p is 0."""
    return x @ unit(weight)


def positive(logit: Tensor) -> Tensor:
    """sigmoid, kept away from 0; the logits' [N]."""
    return torch.sigmoid(logit).clamp(min=SMALLEST)


def check_given(score: Tensor, nodes: Sequence[str] | None = None) -> Tensor:
    """Scores by hand or from a file, [N]: each finite and positive, or an InputError that names the vertex."""
    wrong = torch.nonzero(~(score.isfinite() & (score > 0))).reshape(-1)
    if wrong.numel():
        vertex = int(wrong[0])
        name = repr(nodes[vertex]) if nodes is not None else vertex
        raise InputError(
            f"the score of vertex {name} is {score[vertex].item()}: a score must be finite and positive"
        )
    return score


SCORES: dict[str, type[Score]] = {
    "uniform": Uniform,
    "degree": Degree,
    "projection": Projection,
    "attention": Attention,
    "multiview": MultiView,
}
"""Every score by the name that the command line, the API and the app use."""
