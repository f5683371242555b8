"""The recommended network: the candidates, the runs that compare them and the rule that chooses (docs/recommended.md).

What is here was written down before the first run. Validation loss on repeat 9, which no table uses, chooses; test
scores choose nothing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mivspool.learning import paper
from mivspool.learning.runs import BASELINES, ResultLine, RunConfig, Task, plan

DATASETS = ("ENZYMES", "PROTEINS", "NCI1", "DD")
REPEAT = 9
FOLDS = {"ENZYMES": (0, 1, 2, 3), "PROTEINS": (0, 1, 2, 3), "NCI1": (0, 1), "DD": (0, 1)}

_BASE = RunConfig("", network="multilevel", batch_size=64, patience=30, threads=1)
CANDIDATES = {
    "A": _BASE,
    "B": replace(_BASE, readout_at="first-and-pooled"),
    "C": replace(_BASE, reduction="mean"),
    "D": replace(_BASE, convolution="gcn"),
    "E": replace(_BASE, use_weights=False),
    "F": replace(_BASE, blocks=2),
    "G": replace(_BASE, hidden=64),
    "H": replace(_BASE, weight_decay=1e-3),
    "I": replace(_BASE, lr=3e-4),
    "J": replace(_BASE, lr=3e-4, hidden=64, weight_decay=1e-3),
    "K": replace(_BASE, lr=3e-4, hidden=64, weight_decay=1e-3, readout_at="first-and-pooled"),
    "L": replace(_BASE, batch_size=128),
}
"""By letter; the data set, fold and repeat are the run's."""

CHOSEN = "I"
"""What :func:`chosen` says of the search (a test compares the two)."""
RECOMMENDED = CANDIDATES[CHOSEN]

METHODS = tuple(
    f"{name}:{paper.REFERENCE_SCORE}" if name in paper.SCORED else name
    for name in ("mivspool", *(name for name in paper.METHODS if name != "mivspool"), *BASELINES)
)
"""The recommended network and its twins: each pooling of the paper in the same place, none, and structure-blind."""
REPEATS = {"ENZYMES": (1, 2, 3), "PROTEINS": (1, 2, 3), "NCI1": (1,), "DD": (1,)}
"""What the table is made of. Repeat 0, whose test folds suggested the candidates, is shown apart."""
SEEN = 0
AIMS = {"ENZYMES": 60.0, "PROTEINS": 76.0, "NCI1": 80.0, "DD": 78.4}
"""The accuracy in percent that was aimed at, by data set, before the first run."""
AHEAD_ON = 2
"""On how many data sets it should be ahead of its twin without pooling beyond the noise."""


def search() -> Iterator[list[Task]]:
    """The runs that compare the candidates, those of a data set together."""
    for dataset in DATASETS:
        yield [
            task
            for config in CANDIDATES.values()
            for task in plan(replace(config, dataset=dataset), METHODS[:1], [REPEAT], FOLDS[dataset])
        ]


def evaluation(config: RunConfig) -> Iterator[list[Task]]:
    """The runs of a configuration and its twins: the repeats of the table, then repeat 0, a data set at a time."""
    for repeats in (REPEATS, dict.fromkeys(DATASETS, (SEEN,))):
        for dataset in DATASETS:
            yield plan(replace(config, dataset=dataset), METHODS, repeats[dataset])


def losses(lines: Iterable[ResultLine]) -> dict[str, dict[str, float]]:
    """The mean validation loss by data set and candidate, where all of its folds are there."""
    names = {config.config_id: name for name, config in CANDIDATES.items()}
    found: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for line in lines:
        if line.repeat == REPEAT and line.config_id in names:
            found[line.dataset, names[line.config_id]][line.fold] = line.val_loss
    return {
        dataset: {
            name: sum(found[dataset, name][fold] for fold in folds) / len(folds)
            for name in CANDIDATES
            if found[dataset, name].keys() >= set(folds)
        }
        for dataset, folds in FOLDS.items()
    }


def standing(lines: Iterable[ResultLine]) -> dict[str, float]:
    """Each candidate's geometric mean, over the data sets, of its loss ÷ the lowest there; the best first.

    Candidates whose runs are not all there are left out.
    """
    by_dataset = losses(lines)
    whole = [name for name in CANDIDATES if all(name in known for known in by_dataset.values())]
    ratios = {
        name: math.prod(known[name] / min(known[one] for one in whole) for known in by_dataset.values())
        for name in whole
    }
    return dict(
        sorted(((name, ratio ** (1 / len(FOLDS))) for name, ratio in ratios.items()), key=lambda x: x[1])
    )


def chosen(lines: Sequence[ResultLine]) -> str | None:
    """The candidate of the lowest :func:`standing`, the earlier letter of equals; None before all runs are there."""
    found = standing(lines)
    return next(iter(found)) if len(found) == len(CANDIDATES) else None
