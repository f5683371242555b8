"""What is measured of a model before it is released: accuracy, calibration, and what renumbering changes.

Everything is measured on graphs that the network at hand has not seen: the test folds of a cross-validation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from mivspool.graphs import dataset_features
from mivspool.graphs.dataset import Dataset
from mivspool.learning.confidence import Bin
from mivspool.learning.inference import Inputs, Passed, portions
from mivspool.learning.network import Classifier
from mivspool.learning.runs import RunConfig
from mivspool.learning.training import RunResult, train

BINS = 10
ROUNDS = 5

OnRun = Callable[[RunResult], None]


@dataclass(frozen=True)
class Calibration:
    """How far probabilities can be believed.

    ``ece``: expected calibration error, Σ (count / n) · \\|accuracy − confidence\\| over bins of equal width.
    ``brier``: mean over the graphs of Σ (probability − truth)² over the classes, from 0 to 2.
    """

    ece: float
    brier: float
    predictions: int
    bins: tuple[Bin, ...]


@dataclass(frozen=True)
class Renumbering:
    """What changes when the vertices of a graph are numbered otherwise.

    Shares of the graphs for which, in at least one of ``rounds`` random numberings, other vertices survive at a
    block (``survivors``, one per block), at any of them (``any_survivors``), or the predicted class is another.
    """

    graphs: int
    rounds: int
    survivors: tuple[float, ...]
    any_survivors: float
    predicted: float


def calibration(
    probabilities: NDArray[np.float64], target: NDArray[np.int64], bins: int = BINS
) -> Calibration:
    """Calibration of ``probabilities`` [n, classes] of graphs whose classes are ``target`` int64 [n]."""
    confidence, predicted = probabilities.max(1), probabilities.argmax(1)
    right = predicted == target
    place = np.minimum((confidence * bins).astype(np.int64), bins - 1)
    filled = []
    for k in range(bins):
        inside = place == k
        if inside.any():
            filled.append(
                Bin(float(confidence[inside].mean()), float(right[inside].mean()), int(inside.sum()))
            )
    truth = np.eye(probabilities.shape[1])[target]
    return Calibration(
        ece=sum(one.count * abs(one.accuracy - one.confidence) for one in filled) / len(target),
        brier=float(((probabilities - truth) ** 2).sum(1).mean()),
        predictions=len(target),
        bins=tuple(filled),
    )


def renumbering(
    network: Classifier,
    dataset: Dataset,
    x: NDArray[np.float32],
    graphs: Sequence[int] | NDArray[np.int64],
    rounds: int = ROUNDS,
    seed: int = 0,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether each graph's survivors, bool [graphs, blocks], and class, bool [graphs], change in any round.

    ``x`` float32 [N, d]: the features of the whole data set. A method without survivors has no columns.
    """
    index = np.asarray(graphs, dtype=np.int64)
    rng = np.random.default_rng(seed)
    survivors: list[NDArray[np.bool_]] = []
    predicted: list[NDArray[np.bool_]] = []
    for portion in portions(dataset.num_nodes[index].tolist()):
        parts = [_cut(dataset, x, int(i)) for i in index[portion]]
        sizes = [len(features) for features, _ in parts]
        before = Inputs.join(parts).forward(network)
        kept = _survivors(before, np.arange(sum(sizes)))
        moved = np.zeros((len(parts), len(kept)), dtype=bool)
        other = np.zeros(len(parts), dtype=bool)
        graph = np.repeat(np.arange(len(parts)), sizes)
        for _ in range(rounds):
            orders = [rng.permutation(size) for size in sizes]  # order[new] = old
            after = Inputs.join(
                [_renumbered(*part, order) for part, order in zip(parts, orders, strict=True)]
            ).forward(network)
            shift = np.cumsum([0, *sizes[:-1]])
            old = np.concatenate([order + start for order, start in zip(orders, shift, strict=True)])
            for block, (one, two) in enumerate(zip(kept, _survivors(after, old), strict=True)):
                moved[:, block] |= np.bincount(graph[one != two], minlength=len(parts)) > 0
            other |= (before.probabilities.argmax(1) != after.probabilities.argmax(1)).numpy()
        survivors.append(moved)
        predicted.append(other)
    return np.concatenate(survivors), np.concatenate(predicted)


def measure(
    config: RunConfig, dataset: Dataset, folds: Sequence[int], *, on_run: OnRun | None = None
) -> dict[str, Any]:
    """Train these folds of ``config.repeat`` and measure what their test predictions are worth; plain data.

    ``on_run`` gets each result. Calibration and renumbering are a part of the ``evaluation`` of a model's
    config.json; its accuracy is over all runs (see ``release``).
    """
    probabilities, targets = [], []
    moved: list[NDArray[np.bool_]] = []
    other: list[NDArray[np.bool_]] = []
    for fold in folds:
        result = train(replace(config, fold=fold, seed=None), dataset=dataset)
        if on_run is not None:
            on_run(result)
        logits = torch.from_numpy(result.logits["test"]).to(torch.float64)
        probabilities.append(torch.softmax(logits, 1).numpy())
        targets.append(result.target["test"])
        x, _ = dataset_features(dataset, result.split.train, config.features)
        changes = renumbering(result.network, dataset, x, result.split.test, seed=fold)
        moved.append(changes[0])
        other.append(changes[1])
    return {
        "measured_folds": len(folds),
        "calibration": asdict(calibration(np.concatenate(probabilities), np.concatenate(targets))),
        "renumbering": asdict(_shares(np.concatenate(moved), np.concatenate(other))),
    }


def _shares(moved: NDArray[np.bool_], other: NDArray[np.bool_]) -> Renumbering:
    return Renumbering(
        graphs=len(other),
        rounds=ROUNDS,
        survivors=tuple(moved.mean(0).tolist()),
        any_survivors=float(moved.any(1).mean()) if moved.size else 0.0,
        predicted=float(other.mean()),
    )


def _cut(
    dataset: Dataset, x: NDArray[np.float32], graph: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    start, end = dataset.ptr[graph : graph + 2]
    first, last = dataset.edge_ptr[graph : graph + 2]
    return x[start:end], dataset.edges[:, first:last] - start


def _renumbered(
    x: NDArray[np.float32], edges: NDArray[np.int64], order: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The graph whose vertex ``i`` is what was vertex ``order[i]``."""
    number = np.argsort(order)
    return x[order], number[edges]


def _survivors(passed: Passed, old: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
    """For each block, which vertices survive so far: bool [N] in the numbering that ``old`` int64 [N] leads to."""
    masks = []
    for pooled in passed.out.levels:
        if pooled.survivor is None:
            break
        mask = np.zeros(len(passed.batch), dtype=bool)
        old = old[pooled.survivor.numpy()]
        mask[old] = True
        masks.append(mask)
    return masks
