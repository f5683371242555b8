"""Which runs an evaluation has: repeats × methods × folds × grid, in their order, and how the grid is decided."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from mivspool.errors import InputError
from mivspool.learning.runs.config import BASELINES, SETTINGS, RunConfig, architectures
from mivspool.learning.runs.setting import Setting

GRID: dict[str, tuple[Any, ...]] = {name: one.grid for name, one in SETTINGS.items() if one.grid}
"""What the paper searches (its text has K in [3, 5])."""
GRID_POINTS = math.prod(map(len, GRID.values()))
VARIED = ("method", "score", "repeat", "fold", "seed")
"""The settings that an evaluation varies itself."""

# what is asked of an evaluation beside the settings that its runs share
REPEATS = Setting(
    "repeats", int, False, 1, "Repeats",
    "Each repeat splits the graphs anew and trains once per fold; the ± is over the repeats.",
    at_least=1, at_most=100,
)  # fmt: skip
GRID_RUNS = Setting(
    "grid", bool, False, False, "Search the paper's hyperparameters",
    f"Train {GRID_POINTS} combinations of {', '.join(SETTINGS[name].label.lower() for name in GRID)} per fold; the "
    "validation loss chooses.",
)  # fmt: skip

T = TypeVar("T")


@dataclass(frozen=True)
class Task:
    """A run that is due."""

    config: RunConfig
    grid: bool

    def key(self, dataset: str) -> tuple[str, str, bool, int, int]:
        """As :attr:`ResultLine.key`."""
        assert self.config.fold is not None
        return dataset, self.config.config_id, self.grid, self.config.repeat, self.config.fold


def parse_method(text: str) -> tuple[str, str | None]:
    """``METHOD`` or ``METHOD:SCORE``: the score is multiview where none is named and the method takes one."""
    from mivspool.pooling import METHODS, SCORES  # PyTorch: `mivspool evaluate --help` does without

    name, _, score = text.partition(":")
    if name not in architectures():
        raise InputError(f"there is no method {name!r}; there are: {', '.join(architectures())}")
    takes_score = name not in BASELINES and METHODS[name].takes_score
    if score and not takes_score:
        raise InputError(f"{name} has a score of its own: write {name}, not {text}")
    if score and score not in SCORES:
        raise InputError(f"there is no score {score!r}; there are: {', '.join(SCORES)}")
    return name, (score or "multiview") if takes_score else None


def grid_points(grid: Mapping[str, Sequence[Any]], *, visitor: bool = False) -> list[dict[str, Any]]:
    """Every combination of a grid's values, each once. Raises InputError for values that cannot be."""
    values = {}
    for name, given in grid.items():
        values[name] = list(dict.fromkeys(SETTINGS[name].convert(value, visitor=visitor) for value in given))
        if not values[name]:
            raise InputError(f"the grid of {name} has no values")
    return [dict(zip(values, point, strict=True)) for point in itertools.product(*values.values())]


def plan(
    base: RunConfig,
    methods: Sequence[str],
    repeats: Sequence[int],
    folds: Sequence[int] | None = None,
    grid: bool | Mapping[str, Sequence[Any]] = False,
) -> list[Task]:
    """Every run of an evaluation: all methods have one repeat before any has the next.

    ``base``: what all runs share; ``methods``: as :func:`parse_method` reads them; ``folds``: default all; ``grid``:
    the values of each setting that is searched, True for the paper's. Raises InputError for what cannot be.
    """
    chosen = [parse_method(text) for text in methods]
    searched = GRID if grid is True else grid or {}
    points = grid_points(searched)
    return [
        Task(replace(base, method=name, score=score, repeat=repeat, fold=fold, **point), bool(searched))
        for repeat in repeats
        for name, score in chosen
        for fold in (range(base.folds) if folds is None else folds)
        for point in points
    ]


def decide(runs: Iterable[T], place: Callable[[T], Hashable], loss: Callable[[T], float]) -> dict[Any, T]:
    """The run that counts at each place: of several, the first with the lowest validation loss."""
    chosen: dict[Any, T] = {}
    for run in runs:
        here = place(run)
        if here not in chosen or loss(run) < loss(chosen[here]):
            chosen[here] = run
    return chosen
