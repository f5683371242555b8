"""What the recommended network owes to its parts: the plan, what was measured, and the table (docs/recommended.md).

The plan was written down before its first run. It uses repeat 8 of ENZYMES, which no other table and no search uses.
``ablation_runs.py`` measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from mivspool.learning.recommended import DATASETS, RECOMMENDED
from mivspool.learning.results import Results, documents, results_folders
from mivspool.learning.runs import ResultLine, RunConfig, Task
from mivspool.learning.statistics import holm, paired, sentence
from mivspool.learning.tables import PlainTable

NAME = "ablation"
FOLDER = "ablation"
DATASET, REPEAT, FOLDS = "ENZYMES", 8, (0, 1, 2, 3)
REFERENCE, WITHOUT = "as recommended", "no pooling"
VARIANTS: Mapping[str, RunConfig] = {
    REFERENCE: RECOMMENDED,
    "uniform scores": replace(RECOMMENDED, score="uniform"),
    "degree as the score": replace(RECOMMENDED, score="degree"),
    "temperature 0.1": replace(RECOMMENDED, options={"temperature": 0.1}),
    "temperature 0.02": replace(RECOMMENDED, options={"temperature": 0.02}),
    "mean instead of sum": replace(RECOMMENDED, reduction="mean"),
    WITHOUT: replace(RECOMMENDED, method="none"),
}
"""What is compared, by name: the recommended network with one thing changed."""
COSTS = (REFERENCE, WITHOUT)
"""The variants whose cost is measured, on every data set."""


@dataclass(frozen=True)
class Renumbered:
    """How a trained network takes another numbering of the vertices, over the ``graphs`` of its test fold.

    ``survivors`` and ``predicted``: in how many of them other vertices survive, or the class changes, in any of
    ``rounds`` numberings; ``survivors`` is None without survivors.
    """

    config_id: str
    fold: int
    graphs: int
    rounds: int
    survivors: int | None
    predicted: int


@dataclass(frozen=True)
class Cost:
    """One epoch of a network on all graphs of a data set, by one thread: ``seconds`` of processor time, peak memory.

    ``mib``: what the process held at most beyond the data, in MiB; None where the system does not tell.
    """

    dataset: str
    config_id: str
    seconds: float
    mib: float | None
    epochs: int
    processor: str
    commit: str | None
    date: str


class Ablation:
    """A folder with the runs (as ``Results``), and what was measured beside them in ``measured/``."""

    def __init__(self, folder: Path) -> None:
        self.results = Results(folder)
        self.renumbered_file, self.cost_file = (
            folder / "measured" / f"{name}.jsonl" for name in ("renumbered", "cost")
        )

    def renumbered(self) -> list[Renumbered]:
        """What was measured of each network, the last where a run was interrupted and done again."""
        found = [Renumbered(**one) for one in _documents(self.renumbered_file)]
        return list({(one.config_id, one.fold): one for one in found}.values())

    def costs(self) -> list[Cost]:
        """Every cost that was measured."""
        return [Cost(**one) for one in _documents(self.cost_file)]


def tasks() -> list[Task]:
    """The runs, a fold of all variants before the next fold."""
    return [
        Task(replace(config, dataset=DATASET, repeat=REPEAT, fold=fold), False)
        for fold in FOLDS
        for config in VARIANTS.values()
    ]


def costs() -> list[RunConfig]:
    """The networks whose cost is measured."""
    return [replace(VARIANTS[name], dataset=dataset) for dataset in DATASETS for name in COSTS]


COLUMNS = {
    "dataset": "Data set",
    "variant": "Variant",
    "accuracy": "Accuracy (%)",
    "val_loss": "Validation loss",
    "folds": "Folds",
    "survivors": "Other survivors (%)",
    "predicted": "Other class (%)",
    "seconds": "Epoch (s)",
    "mib": "Memory (MiB)",
}


def ablation_table(
    lines: Iterable[ResultLine], renumbered: Iterable[Renumbered], costs: Iterable[Cost]
) -> PlainTable:
    """The table of what is there: a row per variant and data set; a cell that was not measured is None."""
    keys = {task.key(DATASET) for task in tasks()}
    runs = {(line.config_id, line.fold): line for line in lines if line.key in keys}
    moved = {(one.config_id, one.fold): one for one in renumbered if (one.config_id, one.fold) in runs}
    spent = {(one.dataset, one.config_id): one for one in costs}
    rows = [
        _row(dataset, name, config.config_id, runs, moved, spent)
        for dataset in DATASETS
        for name, config in VARIANTS.items()
        if dataset == DATASET or name in COSTS
    ]
    notes = [
        f"{len(runs)} of {len(keys)} planned runs are there: {DATASET}, repeat {REPEAT}, folds "
        f"{', '.join(map(str, FOLDS))}.",
        "Other survivors, other class: in how many of the test graphs they differ in any of several random numberings.",
        "Epoch: median processor time of one thread for all graphs. Memory: the most that was held beyond the data.",
    ]
    return PlainTable(
        NAME,
        "The recommended network with one thing changed",
        COLUMNS,
        rows,
        [*notes, *_differences(runs), *_ratios(spent)],
    )


def _row(
    dataset: str,
    name: str,
    config_id: str,
    runs: Mapping[tuple[str, int], ResultLine],
    moved: Mapping[tuple[str, int], Renumbered],
    spent: Mapping[tuple[str, str], Cost],
) -> dict[str, Any]:
    planned = [(config_id, fold) for fold in FOLDS] if dataset == DATASET else []
    own = [runs[key] for key in planned if key in runs]
    changed = [moved[key] for key in planned if key in moved]
    graphs = sum(one.graphs for one in changed)
    paid = spent.get((dataset, config_id))

    def mean(values: Sequence[float]) -> float | None:
        return float(np.mean(values)) if values else None

    def share(counts: Sequence[int | None]) -> float | None:
        known = [count for count in counts if count is not None]
        return 100 * sum(known) / graphs if known and graphs else None

    return {
        "dataset": dataset,
        "variant": name,
        "accuracy": mean([100 * line.test_accuracy for line in own]),
        "val_loss": mean([line.val_loss for line in own]),
        "folds": f"{len(own)} of {len(planned)}" if planned else None,
        "survivors": share([one.survivors for one in changed]),
        "predicted": share([one.predicted for one in changed]),
        "seconds": None if paid is None else paid.seconds,
        "mib": None if paid is None else paid.mib,
    }


def _differences(runs: Mapping[tuple[str, int], ResultLine]) -> list[str]:
    """How each variant differs from the recommended network on the folds that both have."""

    def accuracies(name: str) -> dict[tuple[int, int], float]:
        own = VARIANTS[name].config_id
        return {
            (REPEAT, fold): 100 * line.test_accuracy for (known, fold), line in runs.items() if known == own
        }

    compared = holm({
        name: paired(accuracies(REFERENCE), accuracies(name), RECOMMENDED.folds)
        for name in VARIANTS
        if name != REFERENCE
    })  # fmt: skip
    return [f"{DATASET}: {sentence(REFERENCE, name, one)}" for name, one in compared.items()]


def _ratios(spent: Mapping[tuple[str, str], Cost]) -> list[str]:
    """What pooling costs or saves against the twin without it."""
    said = []
    for dataset in DATASETS:
        pooled, without = (spent.get((dataset, VARIANTS[name].config_id)) for name in COSTS)
        if pooled is None or without is None:
            continue
        text = f"{dataset}: an epoch takes {pooled.seconds / without.seconds:.2f} times the processor time"
        if pooled.mib is not None and without.mib:
            text += f" and {pooled.mib / without.mib:.2f} times the memory"
        said.append(f"{text} of one without pooling.")
    return said


def read_ablation() -> PlainTable:
    """The table of all folders of results."""
    found = [Ablation(folder / FOLDER) for folder in results_folders()]
    return ablation_table(
        [line for one in found for line in one.results.lines()],
        [measured for one in found for measured in one.renumbered()],
        [paid for one in found for paid in one.costs()],
    )


def _documents(path: Path) -> list[dict[str, Any]]:
    return list(documents(path)) if path.exists() else []
