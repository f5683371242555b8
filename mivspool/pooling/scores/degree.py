"""The degree as a score."""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor

from mivspool.pooling.score import Score
from mivspool.sparse import Adjacency


class Degree(Score):
    """The number of distinct neighbours; an isolated vertex counts as ½, since a score is positive."""

    name: ClassVar[str] = "degree"
    title: ClassVar[str] = "Degree"
    label: ClassVar[str] = "degree"
    about: ClassVar[str] = "The number of neighbours."
    drawn: ClassVar[str] = "the degree (number of neighbours)"
    formula: ClassVar[str] = r"s_i = |N(i)|"
    place: ClassVar[int] = 20

    def __init__(self, in_channels: int) -> None:
        super().__init__()

    def forward(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """[N], in the type of ``x``."""
        return adjacency.degree.to(x.dtype).clamp(min=0.5)


SCORE = Degree
