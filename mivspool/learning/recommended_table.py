"""The recommended network beside its twins: the table, and what became of each aim (docs/recommended.md).

Everything is made of the lines of ``results/``, and is right while runs are missing: a cell says how many of its folds
there are, and an aim is reached or failed only by cells that are complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from mivspool.learning.recommended import (
    AHEAD_ON,
    AIMS,
    DATASETS,
    METHODS,
    RECOMMENDED,
    REPEATS,
    SEEN,
    evaluation,
)
from mivspool.learning.runs import BASELINES, ResultLine, parse_method
from mivspool.learning.statistics import Comparison, holm, paired, tested
from mivspool.learning.tables import FOLDS, Method, Row, Runs, Table, accuracy_row, digest_notes, ranked
from mivspool.messages import count, number

NAME = "recommended"
TITLE = "The recommended network beside its twins: accuracy in percent"

State = Literal["reached", "failed", "open"]
STATES: Mapping[State, str] = {"reached": "reached", "failed": "failed", "open": "not yet measured"}

OWN, *_TWINS = map(parse_method, METHODS)
TWINS: tuple[Method, ...] = tuple(_TWINS)
WITHOUT: Method = ("none", None)
OTHERS = tuple(twin for twin in TWINS if twin[0] not in BASELINES)
"""The other poolings."""
FAMILIES = ((WITHOUT,), (("structure-blind", None),), OTHERS)
"""The twins whose comparisons answer one question, and are corrected together."""


@dataclass(frozen=True)
class Evidence:
    """What the runs say of an aim on one data set."""

    dataset: str
    state: State
    sentence: str


@dataclass(frozen=True)
class Aim:
    """One of the aims that were written down before the first run."""

    title: str
    state: State
    evidence: list[Evidence]


@dataclass(frozen=True)
class Pair:
    """The recommended network minus one twin on the folds that both have; ``complete``: on all that were planned."""

    dataset: str
    twin: Method
    comparison: Comparison
    complete: bool


@dataclass(frozen=True)
class RecommendedTable(Table):
    """The table with its aims and comparisons; ``about``: those of the notes that are neither."""

    aims: list[Aim] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    about: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The document of ``mivspool tables recommended --json``."""
        compared = [
            {"dataset": one.dataset, "method": one.twin[0], "score": one.twin[1], "complete": one.complete}
            | asdict(one.comparison)
            for one in self.pairs
        ]
        return super().to_json() | {"aims": [asdict(aim) for aim in self.aims], "comparisons": compared}


def recommended_table(lines: Iterable[ResultLine]) -> RecommendedTable:
    """The table of all lines: those of the recommended network and its twins count, each place of the plan once."""
    due = {task.key(task.config.dataset) for part in evaluation(RECOMMENDED) for task in part}
    own = [line for line in lines if line.key in due]
    new, seen = (Runs(line for line in own if (line.repeat == SEEN) is known) for known in (False, True))
    rows = [row for name in DATASETS for row in _rows(new, name, REPEATS[name])]
    apart = [replace(row, seen=True) for name in DATASETS for row in _rows(seen, name, (SEEN,))]
    compared = _pairs(new, rows)
    found = aims(rows, compared)
    about = _about([*rows, *apart])
    notes = [
        *about,
        *(text for aim in found for text in told(aim)),
        *(f"{_title(one.dataset)}, {OWN[0]} − {one.twin[0]}{_test(one)}." for one in compared),
    ]
    return RecommendedTable(NAME, TITLE, [*rows, *apart], notes, found, compared, about)


def _rows(runs: Runs, dataset: str, repeats: Sequence[int]) -> list[Row]:
    """A row per method; best and second are marked once all of them are complete."""
    due = FOLDS * len(repeats)
    rows = [
        replace(accuracy_row(runs, dataset, *method), due=due, there=len(runs.of(dataset, *method)))
        for method in (OWN, *TWINS)
    ]
    return ranked(rows) if all(map(complete, rows)) else rows


def complete(row: Row) -> bool:
    """Whether all folds that were planned for a cell are there."""
    return row.there == row.due


def _pairs(runs: Runs, rows: Sequence[Row]) -> list[Pair]:
    whole = {(row.dataset, row.method): complete(row) for row in rows}
    found: dict[tuple[str, Method], Comparison] = {}
    for family in FAMILIES:
        found |= holm({
            (name, twin): paired(runs.accuracies(name, *OWN), runs.accuracies(name, *twin), FOLDS)
            for name in DATASETS
            for twin in family
        })  # fmt: skip
    return [
        Pair(name, twin, found[name, twin], whole[name, OWN[0]] and whole[name, twin[0]])
        for name in DATASETS
        for twin in TWINS
        if (name, twin) in found
    ]


def aims(rows: Sequence[Row], pairs: Sequence[Pair]) -> list[Aim]:
    """What became of each aim. ``rows``: those of the repeats that count."""
    cell = {(row.dataset, row.method): row for row in rows}
    against = {(one.dataset, one.twin): one for one in pairs}
    own = {name: cell[name, OWN[0]] for name in DATASETS}
    without = {name: cell[name, WITHOUT[0]] for name in DATASETS}
    found = [
        _aim(f"{_title(name)}: at least {least:g} %", [_at_least(own[name], least)])
        for name, least in AIMS.items()
    ]
    at_or_above = [_beside(own[name], without[name], against.get((name, WITHOUT))) for name in DATASETS]
    found.append(_aim("At or above its twin without pooling on all four data sets", at_or_above))
    ahead = [_ahead(own[name], without[name], against.get((name, WITHOUT))) for name in DATASETS]
    state: State = "open"
    if all(one.state != "open" for one in at_or_above):  # the correction is for all four
        state = "reached" if sum(one.state == "reached" for one in ahead) >= AHEAD_ON else "failed"
    else:
        ahead = [replace(one, state="open") for one in ahead]
    found.append(Aim("Above its twin without pooling beyond the noise on two data sets", state, ahead))
    others = [_best(own[name], [cell[name, other[0]] for other in OTHERS]) for name in DATASETS]
    found.append(_aim("At or above every other pooling on all four data sets", others))
    return found


def _aim(title: str, evidence: list[Evidence]) -> Aim:
    """An aim that must hold on every data set."""
    states = {one.state for one in evidence}
    return Aim(title, next(state for state in ("failed", "open", "reached") if state in states), evidence)


def _at_least(own: Row, least: float) -> Evidence:
    if not complete(own):
        return Evidence(own.dataset, "open", f"{_missing([own])}{_so_far(own)}.")
    state: State = "reached" if _not_below(own.measured, least) else "failed"
    return Evidence(own.dataset, state, f"{figure(own)} over {count(own.there or 0, 'fold')}.")


def _beside(own: Row, other: Row, pair: Pair | None) -> Evidence:
    if pair is None or not pair.complete:
        return _waiting(own, other, pair)
    state: State = "reached" if _not_below(own.measured, other.measured) else "failed"
    return Evidence(own.dataset, state, f"{figure(own)} and {figure(other)} without pooling{_test(pair)}.")


def _ahead(own: Row, other: Row, pair: Pair | None) -> Evidence:
    if pair is None or not pair.complete:
        return _waiting(own, other, pair)
    c = pair.comparison
    state: State = "reached" if c.distinct and c.difference > 0 else "failed"
    said = ("ahead" if c.difference > 0 else "behind") if c.distinct else "no significant difference"
    return Evidence(own.dataset, state, f"{said}{_test(pair)}.")


def _best(own: Row, others: Sequence[Row]) -> Evidence:
    whole = [row for row in others if complete(row)]
    above = [row for row in whole if complete(own) and not _not_below(own.measured, row.measured)]
    told = ", ".join(f"{row.method} {figure(row)}" for row in above)
    waiting = [row for row in (own, *others) if not complete(row)]
    if above:
        return Evidence(own.dataset, "failed", f"{figure(own)}, and above it {told}.")
    if waiting:
        return Evidence(own.dataset, "open", f"{_missing(waiting)}.")
    best = max(others, key=lambda row: row.measured or 0.0)
    return Evidence(
        own.dataset, "reached", f"{figure(own)}; the best other pooling is {best.method} with {figure(best)}."
    )


def told(aim: Aim) -> list[str]:
    """An aim and what became of it, and on which data sets: a sentence each."""
    said = f"Aim {STATES[aim.state]}: {aim.title}"
    if len(aim.evidence) == 1:
        return [f"{said} ({aim.evidence[0].sentence.removesuffix('.')})."]
    return [
        f"{said}.",
        *(f"{_title(one.dataset)}, {STATES[one.state]}: {one.sentence}" for one in aim.evidence),
    ]


def _waiting(own: Row, other: Row, pair: Pair | None) -> Evidence:
    so_far = "" if pair is None else f"; so far{_test(pair).removeprefix(':')}"
    return Evidence(
        own.dataset, "open", f"{_missing([row for row in (own, other) if not complete(row)])}{so_far}."
    )


def _missing(rows: Sequence[Row]) -> str:
    return ", ".join(f"{row.method}: {row.there} of {count(row.due or 0, 'fold')}" for row in rows)


def _so_far(row: Row) -> str:
    return "" if row.measured is None else f"; so far {figure(row)} over {count(row.runs or 0, 'fold')}"


def _not_below(first: float | None, second: float | None) -> bool:
    """Whether a mean is at or above another, compared as they are shown."""
    assert first is not None
    assert second is not None
    return round(first, 2) >= round(second, 2)


def figure(row: Row) -> str:
    """The mean of a cell, with its ± where it has one."""
    return f"{row.measured:.2f}" + (" %" if row.std is None else f" ± {row.std:.2f} %")


def _test(pair: Pair) -> str:
    c = pair.comparison
    return f": {number(c.difference, '+.1f')} percentage points, {tested(c)}"


def _title(dataset: str) -> str:
    return "D&D" if dataset == "DD" else dataset


def _about(rows: Sequence[Row]) -> list[str]:
    repeats = "; ".join(
        f"{', '.join(_title(name) for name in DATASETS if REPEATS[name] == own)}: "
        f"repeat{'s' if len(own) > 1 else ''} {', '.join(map(str, own))}"
        for own in dict.fromkeys(REPEATS.values())
    )
    there, due = (sum(getattr(row, name) for row in rows) for name in ("there", "due"))
    notes = [
        f"{there} of {due} planned runs are there.",
        f"{repeats}. Repeat {SEEN} is shown apart: its test folds suggested what to try, so it shows nothing new.",
        "± is the sample standard deviation over the repeats' means (none with one repeat).",
    ]
    if there < due:
        notes.append(
            "While folds are missing, a cell is the mean over its complete repeats, or over all its folds where no "
            "repeat is complete."
        )
    return [*notes, *digest_notes(rows)]
