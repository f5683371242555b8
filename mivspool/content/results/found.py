"""The evaluated runs as the Results pages show them: the tables made of them, and what each run is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mivspool.content import shared
from mivspool.learning.recommended_table import RecommendedTable, recommended_table
from mivspool.learning.results import Evaluation, evaluations
from mivspool.learning.runs import GRID, SETTINGS, ResultLine
from mivspool.learning.tables import Runs
from mivspool.messages import fill

Signature = tuple[tuple[str, int, int], ...]


@dataclass(eq=False)
class Found:
    """Every run there is; ``signature`` says which files they come from."""

    signature: Signature
    every: list[ResultLine]

    @cached_property
    def lines(self) -> list[ResultLine]:
        """The runs that tables use: of the reference configuration or the grid."""
        return [line for line in self.every if line.is_reference]

    @cached_property
    def evaluations(self) -> list[Evaluation]:
        """Every run by evaluation, whatever its data set and settings."""
        return evaluations(self.every)

    @cached_property
    def runs(self) -> Runs:
        """The same by cell."""
        return Runs(self.lines)

    @cached_property
    def recommended(self) -> RecommendedTable:
        """The recommended network beside its twins."""
        return recommended_table(self.every)

    @cached_property
    def summary(self) -> str:
        """How much stands behind the tables, in a sentence."""
        if not self.lines:
            return shared.NO_RESULTS
        return fill(
            shared.RESULTS_SUMMARY,
            runs=len(self.lines),
            methods=len({line.method for line in self.lines}),
            datasets=", ".join(sorted({shared.dataset_title(line.dataset) for line in self.lines})),
        )

    @cached_property
    def with_curves(self) -> list[ResultLine]:
        """The runs that have kept their learning curve, in the order of the tables."""
        kept = [line for line in self.every if line.curve is not None]
        return sorted(kept, key=_curve_order)


def _curve_order(line: ResultLine) -> tuple[object, ...]:
    return line.dataset, line.method, line.score or "", not line.is_reference, line.repeat, line.fold


def cell_of(line: ResultLine) -> str:
    """Method and score of a run in one word, for a link."""
    return f"{line.method}:{line.score}" if line.score else line.method


def cell_title(cell: str) -> str:
    """The same for people."""
    method, _, score = cell.partition(":")
    return (
        f"{shared.method_title(method)}, {shared.score_title(score)}"
        if score
        else shared.method_title(method)
    )


def place_of(line: ResultLine) -> str:
    """Repeat and fold of a run, for a link; a grid has several runs a place."""
    return f"{line.repeat}.{line.fold}.{line.config_id}"


def place_title(line: ResultLine) -> str:
    """The same for people."""
    title = fill(shared.CURVE_RUN_TITLE, repeat=line.repeat, fold=line.fold)
    own = {name: getattr(line.config, name) for name in GRID} if line.grid else line.config.changed()
    return ", ".join(filter(None, (title, settings_in_words(own))))


def settings_in_words(changed: Mapping[str, Any]) -> str:
    """Settings with their values."""
    return ", ".join(
        f"{SETTINGS[name].label}: {SETTINGS[name].show(value)}" for name, value in changed.items()
    )
