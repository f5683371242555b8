"""The paper's four tables beside what was measured here: rows of data, and what may be said of them.

Table 1 and Table 3 with uniform scores are computed from the data sets; all else comes from ``results/`` alone,
and a cell without runs is empty.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from mivspool.errors import InputError
from mivspool.learning import paper
from mivspool.learning.paper import Figure
from mivspool.learning.runs import decide
from mivspool.learning.statistics import Cell, Comparison, Place, holm, paired, ranks, sentence, summarise
from mivspool.messages import count

NUMBERS = (1, 2, 3, 4)
FOLDS = 10
# rows that the paper does not have: what a reader needs beside it (ranked apart)
EXTRA = ("none", "structure-blind")

MARK = "†"
EARLIER_ORDER = (
    f"{MARK} made by the order of version 0.1, which compared these scores after their sigmoid, where many are equal; "
    "they are compared before it now, and these runs have not been done again yet."
)


class Run(Protocol):
    """What a table needs of a line of ``results/``."""

    @property
    def dataset(self) -> str: ...  # noqa: D102 - as of ResultLine
    @property
    def method(self) -> str: ...  # noqa: D102 - as of ResultLine
    @property
    def score(self) -> str | None: ...  # noqa: D102 - as of ResultLine
    @property
    def grid(self) -> bool: ...  # noqa: D102 - as of ResultLine
    @property
    def repeat(self) -> int: ...  # noqa: D102 - as of ResultLine
    @property
    def fold(self) -> int: ...  # noqa: D102 - as of ResultLine
    @property
    def val_loss(self) -> float: ...  # noqa: D102 - as of ResultLine
    @property
    def test_accuracy(self) -> float: ...  # noqa: D102 - as of ResultLine
    @property
    def iterations(self) -> Sequence[float] | None: ...  # noqa: D102 - as of ResultLine
    @property
    def earlier_order(self) -> bool: ...  # noqa: D102 - as of ResultLine
    @property
    def numbers(self) -> str | None: ...  # noqa: D102 - as of ResultLine


@dataclass(frozen=True)
class Row:
    """One cell of a table of the paper and what was measured; accuracies in percent.

    ``level`` (from 0), ``method`` and ``score`` are None where the table has no such thing. ``std`` is over the
    graphs in tables 1 and 3, over the repeats' means in 2 and 4. ``grid`` says whether the hyperparameters were
    searched (None without runs); ``rank`` is 1 for the best of the paper's methods, by what was measured on all
    folds that any of them has. ``earlier_order``: there are runs among these that ordered the vertices as version 0.1
    did, by the score after its sigmoid (``ResultLine.earlier_order``). ``digests``: how many different digests of
    numbers its runs name (``ResultLine.numbers``), ``undigested``: how many runs name none.

    ``there``: how many runs there are, those of incomplete repeats too, which ``runs`` and ``measured`` leave out;
    ``due``: how many there will be, where a table has a plan. ``seen``: whether its test folds were seen before the
    network was chosen.
    """

    dataset: str
    level: int | None = None
    method: str | None = None
    score: str | None = None
    statistic: str = "accuracy"
    paper: float | None = None
    paper_std: float | None = None
    measured: float | None = None
    std: float | None = None
    folds: int | None = None
    repeats: int | None = None
    runs: int | None = None
    rank: int | None = None
    grid: bool | None = None
    paper_rank: int | None = None
    earlier_order: bool = False
    digests: int | None = None
    undigested: int | None = None
    there: int | None = None
    due: int | None = None
    seen: bool = False


@dataclass(frozen=True)
class Table:
    """A table: its rows, and sentences on how they were made and what they say.

    ``number``: that of the paper's, or the name of one that the paper does not have.
    """

    number: int | str
    title: str
    rows: list[Row]
    notes: list[str] = field(default_factory=list)

    @property
    def heading(self) -> str:
        """What stands above it."""
        return f"Table {self.number}. {self.title}" if isinstance(self.number, int) else self.title

    def to_json(self) -> dict[str, Any]:
        """The document of ``mivspool tables N --json``."""
        return {"table": self.number, "title": self.title, "rows": [asdict(row) for row in self.rows],
                "notes": self.notes}  # fmt: skip


@dataclass(frozen=True)
class PlainTable:
    """A table whose rows are plain data: ``columns`` are their keys and headings; None: not measured."""

    number: str
    title: str
    columns: Mapping[str, str]
    rows: list[dict[str, Any]]
    notes: list[str]

    @property
    def heading(self) -> str:
        """What stands above it."""
        return self.title

    def to_json(self) -> dict[str, Any]:
        """The document of ``mivspool tables NAME --json``."""
        return {"table": self.number, "title": self.title, "rows": self.rows, "notes": self.notes}


def make_table(number: int, runs: Iterable[Run]) -> Table:
    """Table ``number`` (1 to 4) from the data sets and the runs of the reference configuration or the grid.

    Raises InputError for another number, DatasetError where tables 1 and 3 cannot have their data sets.
    """
    makers = {1: _table_1, 2: _table_2, 3: _table_3, 4: _table_4}
    if number not in makers:
        raise InputError(f"the paper has no table {number}: choose 1, 2, 3 or 4")
    table = makers[number](Runs(runs))
    if any(row.earlier_order for row in table.rows):
        table.notes.append(EARLIER_ORDER)
    table.notes.extend(digest_notes(table.rows))
    return table


class Runs:
    """The runs by (data set, method, score), each place of the protocol once."""

    def __init__(self, runs: Iterable[Run]) -> None:
        groups: dict[tuple[str, str, str | None], list[Run]] = defaultdict(list)
        for run in runs:
            groups[run.dataset, run.method, run.score].append(run)
        self._chosen = {key: _one_a_place(group) for key, group in groups.items()}

    def of(self, dataset: str, method: str, score: str | None) -> list[Run]:
        """One run per place, those of the hyperparameter search where there are any."""
        return self._chosen.get((dataset, method, score), [])

    def accuracies(self, dataset: str, method: str, score: str | None) -> dict[Place, float]:
        """Test accuracy in percent by (repeat, fold)."""
        return {(run.repeat, run.fold): 100 * run.test_accuracy for run in self.of(dataset, method, score)}

    def cell(self, dataset: str, method: str, score: str | None) -> tuple[Cell | None, bool | None]:
        """The cell, and whether its runs come from the grid."""
        chosen = self.of(dataset, method, score)
        cell = summarise(self.accuracies(dataset, method, score), FOLDS)
        return cell, any(run.grid for run in chosen) if chosen else None


def _one_a_place(runs: list[Run]) -> list[Run]:
    """The grid is decided inside each fold by its own validation loss; without one, the first run of a place counts."""
    grid = any(run.grid for run in runs)
    counted = [run for run in runs if run.grid == grid]
    chosen = decide(counted, lambda run: (run.repeat, run.fold), lambda run: run.val_loss if grid else 0.0)
    return [chosen[place] for place in sorted(chosen)]


def _table_1(runs: Runs) -> Table:
    from mivspool.graphs import load_dataset, statistics

    rows = []
    for name in paper.DATASETS:
        own = statistics(load_dataset(name))
        measured = {
            "graphs": Figure(own.graphs),
            "classes": Figure(own.classes),
            "vertices": Figure(own.vertices, own.vertices_std),
            "edges": Figure(own.edges, own.edges_std),
        }
        for statistic in paper.STATISTICS:
            printed, figure = paper.TABLE_1[name][statistic], measured[statistic]
            rows.append(Row(name, statistic=statistic, paper=printed.mean, paper_std=printed.std,
                            measured=figure.mean, std=figure.std))  # fmt: skip
    notes = ["The paper's figures are mostly cut off rather than rounded; each undirected edge counts once."]
    return Table(1, "Statistics of the data sets", rows, notes)


def _table_2(runs: Runs) -> Table:
    rows = []
    for name in paper.DATASETS:
        own = [
            accuracy_row(runs, name, "mivspool", score, paper.TABLE_2[name][score]) for score in paper.SCORES
        ]
        rows += ranked(own)
    return Table(2, "MIVSPool by score: accuracy in percent", rows, _protocol(rows))


def _table_3(runs: Runs) -> Table:
    from mivspool.learning.iterations import SEEDS, uniform_iterations

    rows = []
    for name, printed in paper.TABLE_3.items():
        for level, figure in enumerate(uniform_iterations(name, len(printed))):
            rows.append(Row(name, level, "mivspool", "uniform", "iterations", printed[level].mean,
                            printed[level].std, figure.mean, figure.std))  # fmt: skip
        for score in paper.SCORES[1:]:
            rows += _learned_iterations(runs.of(name, "mivspool", score), name, score)
    seeds = ", ".join(map(str, SEEDS))
    return Table(3, "Iterations of Meer's algorithm by pooling step", rows, [
        "Iterations are counted as in the paper, T + 1, for each graph alone.",
        f"Uniform scores: every graph of the data set, drawn from seeds {seeds}; ± is over the graphs.",
        "Learned scores: the test graphs of the runs in results/, mean over the runs; ± is over the runs.",
    ])  # fmt: skip


def _learned_iterations(runs: list[Run], dataset: str, score: str) -> list[Row]:
    """The rows of one learned score; a level counts where every run has it."""
    counted = [list(run.iterations) for run in runs if run.iterations]
    printed = paper.TABLE_3[dataset]
    rows = []
    for level in range(min(map(len, counted), default=0)):
        counts = np.asarray([one[level] for one in counted])
        figure = printed[level] if level < len(printed) else None
        places = {(run.repeat, run.fold) for run in runs if run.iterations}
        rows.append(Row(
            dataset, level, "mivspool", score, "iterations",
            figure.mean if figure else None, figure.std if figure else None,
            float(counts.mean()), float(counts.std(ddof=1)) if len(counts) > 1 else None,
            len({fold for _, fold in places}), len({repeat for repeat, _ in places}), len(counts),
            grid=any(run.grid for run in runs), **_provenance(runs),
        ))  # fmt: skip
    return rows


def _table_4(runs: Runs) -> Table:
    rows = []
    for name in paper.DATASETS:
        own = [
            accuracy_row(runs, name, method, reference_score(method), paper.TABLE_4[name][method])
            for method in paper.METHODS
        ]
        rows += ranked(own)
        rows += [accuracy_row(runs, name, method, None, None) for method in EXTRA]
    notes = _protocol(rows)
    notes += [text for name in paper.DATASETS for text in comparisons(runs, name)]
    notes.append(
        "structure-blind sums features over the vertices, so it knows their number; all others use "
        "mean ‖ max and do not. How informative the size alone is: docs/reproduction.md."
    )
    notes.append(
        "Published elsewhere (Errica et al., ICLR 2020, another protocol), the structure-blind baseline: "
        "D&D 78.4 ± 4.5, PROTEINS 75.8 ± 3.7, NCI1 69.8 ± 2.2, ENZYMES 65.2 ± 6.4."
    )
    return Table(4, "MIVSPool and other pooling methods: accuracy in percent", rows, notes)


def reference_score(method: str) -> str | None:
    """The score of the paper's reference: multiview for MIVSPool; the others bring their own."""
    return paper.REFERENCE_SCORE if method in paper.SCORED else None


Method = tuple[str, str | None]
"""A method and its score."""

CELLS: dict[int, tuple[Method, ...]] = {
    2: tuple(("mivspool", score) for score in paper.SCORES),
    4: tuple((method, reference_score(method)) for method in (*paper.METHODS, *EXTRA)),
}
"""The methods that tables 2 and 4 compare on each data set."""


COMPARED = tuple(dict.fromkeys((*CELLS[4], *CELLS[2])))


def pairs(runs: Runs, dataset: str) -> dict[tuple[Method, Method], Comparison]:
    """Every two of tables 2 and 4 on the folds that they share, corrected for as many tests as there are."""
    return holm({
        (first, second): paired(runs.accuracies(dataset, *first), runs.accuracies(dataset, *second), FOLDS)
        for first, second in combinations(COMPARED, 2)
    })  # fmt: skip


def comparisons(runs: Runs, dataset: str) -> list[str]:
    """A sentence for each method of Table 4 on how MIVSPool compares with it on the folds they share."""
    compared = with_mivspool(pairs(runs, dataset))
    return [f"{dataset}: {sentence('mivspool', other, one)}" for other, one in compared.items()]


def with_mivspool(compared: Mapping[tuple[Method, Method], Comparison]) -> dict[str, Comparison]:
    """Of the pairs of Table 4 those with MIVSPool, by the other method: MIVSPool minus that."""
    own = ("mivspool", reference_score("mivspool"))
    found = {}
    for other in CELLS[4]:
        if (own, other) in compared:
            found[other[0]] = compared[own, other]
        elif (other, own) in compared:
            found[other[0]] = compared[other, own].turned()
    return found


def digest_notes(rows: Sequence[Row]) -> list[str]:
    """How many runs behind a table do not say which numbers made them."""
    runs, without = (sum(getattr(row, name) or 0 for row in rows) for name in ("there", "undigested"))
    if not without:
        return []
    return [
        f"{without} of the {count(runs, 'run')} behind this table {'names' if without == 1 else 'name'} no digest of "
        "numbers: made before lines recorded one."
    ]


def _provenance(runs: Sequence[Run]) -> dict[str, Any]:
    """What a row says of how its runs were made."""
    known = {run.numbers for run in runs if run.numbers is not None}
    return {
        "earlier_order": any(run.earlier_order for run in runs),
        "there": len(runs),
        "digests": len(known),
        "undigested": sum(run.numbers is None for run in runs),
    }


def accuracy_row(
    runs: Runs, dataset: str, method: str, score: str | None, printed: Figure | None = None
) -> Row:
    """The cell of a method on a data set; ``printed``: the paper's figure."""
    cell, grid = runs.cell(dataset, method, score)
    row = Row(dataset, method=method, score=score, grid=grid)
    if printed is not None:
        row = replace(row, paper=printed.mean, paper_std=printed.std)
    if cell is not None:
        row = replace(row, measured=cell.mean, std=cell.std, folds=cell.folds, repeats=cell.repeats,
                      runs=cell.runs, **_provenance(runs.of(dataset, method, score)))  # fmt: skip
    return row


def ranked(rows: list[Row]) -> list[Row]:
    """The rows with their ranks: best and second are marked in every form of the table.

    A cell that is behind in its folds is not ranked (three easy folds are no best), nor is one that stands alone.
    """
    most = max((row.folds or 0 for row in rows), default=0)
    comparable = [row.measured if row.folds == most else None for row in rows]
    if sum(value is not None for value in comparable) < 2:
        comparable = [None] * len(rows)
    measured, printed = ranks(comparable), ranks([row.paper for row in rows])
    return [replace(row, rank=measured[i], paper_rank=printed[i]) for i, row in enumerate(rows)]


def _protocol(rows: list[Row]) -> list[str]:
    notes = ["± is the sample standard deviation over the repeats' means (none with one repeat)."]
    if any(row.grid is False for row in rows):
        notes.append(
            "No grid: one configuration for all methods, fixed before any test score was seen, where the "
            "paper searched learning rate, weight decay and the number of blocks."
        )
    if any(row.measured is None for row in rows):
        notes.append("An empty cell has no runs in results/.")
    return notes
