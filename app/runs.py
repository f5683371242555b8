"""The evaluated runs, read once as long as no file of them changes, and the tables made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import streamlit as st

from app.ui import common
from mivspool.learning.recommended_table import RecommendedTable, recommended_table
from mivspool.learning.results import Evaluation, evaluations, read_curve, read_results, results_folders
from mivspool.learning.runs import GRID, SETTINGS, ResultLine
from mivspool.learning.tables import Runs, Table, make_table
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
            return common.NO_RESULTS
        return fill(
            common.RESULTS_SUMMARY,
            runs=len(self.lines),
            methods=len({line.method for line in self.lines}),
            datasets=", ".join(sorted({common.dataset_title(line.dataset) for line in self.lines})),
        )

    @cached_property
    def with_curves(self) -> list[ResultLine]:
        """The runs that have kept their learning curve, in the order of the tables."""
        kept = [line for line in self.every if line.curve is not None]
        return sorted(kept, key=_curve_order)


def _curve_order(line: ResultLine) -> tuple[object, ...]:
    return line.dataset, line.method, line.score or "", not line.is_reference, line.repeat, line.fold


def read() -> Found:
    """Every run there is."""
    files = sorted(path for folder in results_folders() for path in folder.glob("*.jsonl"))
    stats = [(path, path.stat()) for path in files]
    return _read(tuple((str(path), stat.st_mtime_ns, stat.st_size) for path, stat in stats))


@st.cache_resource(max_entries=2, show_spinner=False)
def _read(signature: Signature) -> Found:
    return Found(signature, read_results())


def table(number: int, found: Found) -> Table:
    """A table of the paper. Raises DatasetError where tables 1 and 3 cannot have their data sets."""
    return _table(number, found.signature if number != 1 else (), found)


@st.cache_resource(max_entries=16, show_spinner=False)
def _table(number: int, signature: Signature, _found: Found) -> Table:
    return make_table(number, _found.lines)


@st.cache_data(max_entries=64, show_spinner=False)
def _curve(_line: ResultLine, key: tuple[object, ...]) -> dict[str, list[float]] | None:
    return read_curve(_line)


def curve(line: ResultLine) -> Mapping[str, Sequence[float]] | None:
    """The learning curve of a run: a list, epoch by epoch, for each name; None where it is gone."""
    return _curve(line, (line.key, read().signature))


def cell_of(line: ResultLine) -> str:
    """Method and score of a run in one word, for a link."""
    return f"{line.method}:{line.score}" if line.score else line.method


def cell_title(cell: str) -> str:
    """The same for people."""
    method, _, score = cell.partition(":")
    return (
        f"{common.method_title(method)}, {common.score_title(score)}"
        if score
        else common.method_title(method)
    )


def place_of(line: ResultLine) -> str:
    """Repeat and fold of a run, for a link; a grid has several runs a place."""
    return f"{line.repeat}.{line.fold}.{line.config_id}"


def place_title(line: ResultLine) -> str:
    """The same for people."""
    title = fill(common.CURVE_RUN_TITLE, repeat=line.repeat, fold=line.fold)
    own = {name: getattr(line.config, name) for name in GRID} if line.grid else line.config.changed()
    return ", ".join(filter(None, (title, settings_in_words(own))))


def settings_in_words(changed: Mapping[str, Any]) -> str:
    """Settings with their values."""
    return ", ".join(
        f"{SETTINGS[name].label}: {SETTINGS[name].show(value)}" for name, value in changed.items()
    )
