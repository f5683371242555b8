"""What a score is, and the registry of them: ``scores/`` has one file for each.

Every score is positive, since Eq. 12 divides by a sum of scores. A learned one ends in a sigmoid. Its vertices are
ordered by ``meer.learned_key``, by the value before that sigmoid where it may saturate; the others compare exactly.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ClassVar

from torch import Tensor, nn

from mivspool import meer
from mivspool.errors import InputError
from mivspool.pooling.parts.directions import share
from mivspool.pooling.parts.made import Made
from mivspool.pooling.parts.values import positive
from mivspool.registry import Registry
from mivspool.sparse import Adjacency


class Score(Made):
    """One score per vertex: ``forward`` gives [N] positive values, ``key`` what the order compares.

    A score of one's own gives ``forward``. A learned one may give ``directions`` and ``raw`` instead, and ``squash``
    where the score is not itself what the vertices are ordered by.

    A module of ``scores/`` holds one class as ``SCORE``, with its words: ``name`` is what the command line, the API
    and links call it; ``title`` stands in tables, ``label`` in menus; ``about`` is a sentence, ``drawn`` says of
    values on the screen where they come from (``{seed}`` is filled in; of learned ones the weights are told instead);
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


class FirstFeature(Score):
    """Scores that are given: the first of the features, compared exactly."""

    def forward(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The first column of x, positive [N, C]."""
        return x[:, 0]


GIVEN = ("x", "edge_index", "edge_weight", "batch", "batch_size", "adjacency")
"""What a score that is a module or a function may ask for by the names of its parameters; x always comes first."""


class Called(Score):
    """A plain ``nn.Module`` or function as the score of a layer.

    It is called with x [N, C], and with those of ``edge_index`` int64 [2, M], ``edge_weight`` [M] (of SᵀAS; None where
    every entry is 1), ``batch`` int64 [N], ``batch_size`` and ``adjacency`` that its parameters name:
    ``nn.Linear(C, 1)``, ``GCNConv(C, 1)`` and ``lambda x, edge_index: …`` will do. It gives one finite real value per
    vertex, [N] or [N, 1], of any size and sign. Vertices are ordered by these values, rounded as those of all learned
    scores (``meer.learned_key``); the weights of Eq. 12 are their sigmoids, and carry the gradient. A ``Score`` of
    one's own gives positive weights instead, which are used as they are.
    """

    learned: ClassVar[bool] = True

    def __init__(self, function: Callable[..., Tensor]) -> None:
        super().__init__()
        self.function = function
        inside = function.forward if isinstance(function, nn.Module) else function
        parameters = list(inspect.signature(inside).parameters.values())
        if not parameters or parameters[0].kind is inspect.Parameter.VAR_KEYWORD:
            raise InputError("a score is called with x: give a module or a function that takes it first")
        if parameters[0].kind is inspect.Parameter.VAR_POSITIONAL:
            raise InputError(
                "a score must name what it takes: put it in a function such as "
                "lambda x, edge_index: module(x, edge_index)"
            )
        self.asked = tuple(one.name for one in parameters[1:] if one.name in GIVEN)
        single = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        needed = {one.name for one in parameters[1:] if one.default is one.empty and one.kind in single}
        if needed - set(GIVEN):
            raise InputError(
                f"a score may ask for {', '.join(GIVEN)}: what it needs beside them must have a default"
            )

    @property
    def about_itself(self) -> str:
        """What a layer's repr calls it."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def compared(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The values that it gives, [N]."""
        given: dict[str, Callable[[], Any]] = {
            "edge_index": lambda: adjacency.edge_index,
            "edge_weight": lambda: None if adjacency.weight is None else adjacency.weight.to(x.dtype),
            "batch": lambda: batch,
            "batch_size": lambda: batch_size,
            "adjacency": lambda: adjacency,
        }
        value = self.function(x, **{name: given[name]() for name in self.asked})
        return value.squeeze(1) if value.dim() == 2 and value.size(1) == 1 else value

    def forward(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The sigmoid of the values, [N]."""
        return self.squash(self.compared(x, adjacency, batch, batch_size))

    def squash(self, value: Tensor) -> Tensor:
        """[N], in (0, 1)."""
        return positive(value)


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
