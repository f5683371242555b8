"""What a score is, and the registry of them: ``scores/`` has one file for each.

Every score is positive, since Eq. 12 divides by a sum of scores. A learned one ends in a sigmoid. Its vertices are
ordered by ``meer.learned_key``, by the value before that sigmoid where it may saturate; the others compare exactly.
"""

from __future__ import annotations

from typing import Any, ClassVar

from torch import Tensor, nn

from mivspool import meer
from mivspool.errors import InputError
from mivspool.pooling.parts.directions import share
from mivspool.registry import Registry
from mivspool.sparse import Adjacency


class Score(nn.Module):
    """One score per vertex: ``forward`` gives [N] positive values, ``key`` what the order compares.

    A score of one's own gives ``forward``. A learned one may give ``directions`` and ``raw`` instead, and ``squash``
    where the score is not itself what the vertices are ordered by.

    A module of ``scores/`` holds one class as ``SCORE``, with its words: ``name`` is what the command line, the API and
    links call it; ``title`` stands in tables, ``label`` in menus; ``about`` is a sentence, ``drawn`` says of values on
    the screen where they come from (``{seed}`` is filled in; of learned ones the weights are told instead);
    ``formula`` is LaTeX; ``paper`` is its source. ``takes``: which of "seed" and "level" it is made with.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    label: ClassVar[str] = ""
    about: ClassVar[str] = ""
    drawn: ClassVar[str] = ""
    formula: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    place: ClassVar[int] = 100
    takes: ClassVar[tuple[str, ...]] = ()
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


SCORES: Registry[type[Score]] = Registry("mivspool.pooling.scores", "SCORE", "mivspool.scores")
"""Every score by name; another package adds one by an entry point of the group ``mivspool.scores``."""

DEFAULT = "multiview"
"""The paper's reference."""


def score(name: str) -> type[Score]:
    """The score of that name, or an InputError that lists them."""
    if name not in SCORES:
        raise InputError(f"there is no score {name!r}; there are: {', '.join(SCORES)}")
    return SCORES[name]


def make_score(name: str, in_channels: int, seed: int = 0, level: int = 0) -> Score:
    """A module of the score of that name for features of ``in_channels`` channels; InputError where there is none."""
    kind: Any = score(name)
    given = {"seed": seed, "level": level}
    made: Score = kind(in_channels, **{option: given[option] for option in kind.takes})
    return made
