"""The uniform score: random numbers, from the seed."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor

from mivspool.pooling.score import Score
from mivspool.sparse import Adjacency


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
    """U(0, 1) (MIVSPool_rand): drawn again at each call in training, from (seed, level) otherwise."""

    name: ClassVar[str] = "uniform"
    title: ClassVar[str] = "Uniform (rand)"
    label: ClassVar[str] = "uniform (random)"
    about: ClassVar[str] = "A random number per vertex, drawn from the seed (as in Meer's algorithm)."
    drawn: ClassVar[str] = "random numbers, drawn with seed {seed}"
    formula: ClassVar[str] = r"s_i \sim U(0, 1)"
    paper: ClassVar[str] = "Meer, Stochastic image pyramids, CVGIP 1989"
    place: ClassVar[int] = 10
    takes: ClassVar[tuple[str, ...]] = ("seed", "level")

    def __init__(self, in_channels: int, seed: int = 0, level: int = 0) -> None:
        super().__init__()
        self.seed, self.level = seed, level

    def forward(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """float64 [N]."""
        seed = int(torch.randint(2**62, (1,))) if self.training else self.seed
        return uniform(seed, self.level, batch, batch_size)


SCORE = Uniform
