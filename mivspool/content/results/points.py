"""What stands below tables 2 and 4: every run behind a cell as a point, and every pair of methods with its test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mivspool.content import shared
from mivspool.content.results import words
from mivspool.content.results.found import cell_title
from mivspool.learning import paper, recommended_table, statistics
from mivspool.learning.recommended_table import RecommendedTable
from mivspool.learning.runs import ResultLine
from mivspool.learning.statistics import Comparison, Place
from mivspool.learning.tables import CELLS, COMPARED, Method, Runs, with_mivspool
from mivspool.messages import fill, sentence


@dataclass(frozen=True)
class Column:
    """One cell of a table as a column of points: accuracies in percent by (repeat, fold), and the paper's figure."""

    title: str
    accuracies: Mapping[Place, float]
    printed: paper.Figure | None


def pair_row(dataset: str, first: str, second: str, c: Comparison) -> dict[str, Any]:
    """A row of the table of pairs."""
    values = {
        "dataset": shared.dataset_title(dataset), "first": first, "second": second,
        "difference": c.difference, "low": c.low, "high": c.high, "folds": c.pairs,
        "p": c.p, "corrected": c.corrected, "tests": c.tests,
    }  # fmt: skip
    return {words.PAIR_COLUMNS[name]: value for name, value in values.items()}


def columns(runs: Runs, number: int, dataset: str) -> list[Column]:
    """The cells of table 2 or 4 on one data set, in the table's order."""
    printed: Mapping[str, paper.Figure] = (paper.TABLE_2 if number == 2 else paper.TABLE_4)[dataset]
    return [
        Column(
            shared.score_title(score or "") if number == 2 else shared.method_title(method),
            runs.accuracies(dataset, method, score),
            printed.get((score or "") if number == 2 else method),
        )
        for method, score in CELLS[number]
    ]


def heading(found: Sequence[Column], dataset: str) -> str:
    """What stands above the points."""
    title = words.POINTS_TITLE if any(column.accuracies for column in found) else words.POINTS_NONE
    return fill(title, dataset=shared.dataset_title(dataset))


Compared = Mapping[tuple[Method, Method], Comparison]
"""What ``tables.pairs`` gives for one data set."""


def sentences(compared: Compared) -> list[str]:
    """What may be said of MIVSPool and each other method that has runs on the same folds."""
    own = shared.method_title("mivspool")
    return [
        sentence(statistics.sentence(own, shared.method_title(other), one))
        for other, one in with_mivspool(compared).items()
    ]


def pair_rows(compared: Compared, number: int, dataset: str) -> list[dict[str, Any]]:
    """Every two methods of table 4, or scores of table 2, as rows of the table of pairs."""
    titles = {
        (method, score): shared.score_title(score or "")
        if number == 2
        else cell_title(f"{method}:{score or ''}")
        for method, score in (CELLS[2] if number == 2 else COMPARED)
    }
    return [
        pair_row(dataset, titles[first], titles[second], one)
        for (first, second), one in compared.items()
        if first in titles and second in titles
    ]


CURVES = (("loss", shared.CURVE_LOSS), ("accuracy", shared.CURVE_ACCURACY))
"""The two charts of a learning curve: what each shows, and its title."""


def curve_title(line: ResultLine) -> str:
    """What stands above the learning curve of a run."""
    return fill(
        words.CURVE_TITLE, epochs=line.epochs, best=line.best_epoch, accuracy=100 * line.test_accuracy
    )


def recommended_rows(table: RecommendedTable) -> list[dict[str, Any]]:
    """The recommended network and each of its twins, as rows of the table of pairs."""
    own = shared.method_title(recommended_table.OWN[0])
    return [
        pair_row(one.dataset, own, shared.method_title(one.twin[0]), one.comparison) for one in table.pairs
    ]
