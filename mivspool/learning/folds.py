"""Which graphs train, validate and test: stratified folds that depend on the data set and the repeat alone."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import InputError
from mivspool.graphs.dataset import Dataset
from mivspool.messages import count


@dataclass(frozen=True, eq=False)
class Split:
    """int64 indices of graphs; ``test`` is empty where no fold is held out."""

    train: NDArray[np.int64]
    validation: NDArray[np.int64]
    test: NDArray[np.int64]


def assign_folds(dataset: Dataset, repeat: int, folds: int = 10) -> NDArray[np.int64]:
    """The fold of each graph, int64 [G]: each class is dealt out evenly, and so are the graphs in all.

    Raises InputError where the graphs cannot be told apart (one class) or a class has fewer graphs than folds.
    """
    check_classes(dataset, folds)
    rng = np.random.default_rng(_seed(dataset.name, repeat))
    fold = np.empty(len(dataset), dtype=np.int64)
    dealt = 0
    for label in range(len(dataset.classes)):
        members = rng.permutation(np.flatnonzero(dataset.target == label))
        fold[members] = (dealt + np.arange(len(members))) % folds
        dealt += len(members)
    return fold


def split(dataset: Dataset, repeat: int, fold: int | None, folds: int = 10) -> Split:
    """Fold i tests, fold i + 1 validates, the rest trains; without a fold, fold 0 validates and none tests."""
    if fold is not None and not 0 <= fold < folds:
        raise InputError(f"there is no fold {fold}: they are numbered 0 to {folds - 1}")
    if folds < 3 and fold is not None:
        raise InputError(f"nothing is left to train on with {count(folds, 'fold')}: use at least 3")
    of = assign_folds(dataset, repeat, folds)
    validation = 0 if fold is None else (fold + 1) % folds
    test = of == fold if fold is not None else np.zeros(len(dataset), dtype=bool)
    train = (of != validation) & ~test
    return Split(np.flatnonzero(train), np.flatnonzero(of == validation), np.flatnonzero(test))


def check_classes(dataset: Dataset, folds: int) -> None:
    """Refuse a data set that cannot be learned or cannot be cut into this many folds."""
    if folds < 2:
        raise InputError(f"nothing is left to train on with {count(folds, 'fold')}: use at least 3")
    unlabelled = np.flatnonzero(dataset.target < 0)
    if not dataset.classes or len(unlabelled) == len(dataset):
        raise InputError(f"the graphs of {dataset.name} have no classes: there is nothing to learn")
    if len(unlabelled):
        raise InputError(
            f"graph {unlabelled[0]} of {dataset.name} has no class ({len(unlabelled)} have none): "
            "give each graph a class, or leave those out"
        )
    members = np.bincount(dataset.target, minlength=len(dataset.classes))
    if (members > 0).sum() < 2:
        only = dataset.classes[int(members.argmax())]
        raise InputError(
            f"all graphs of {dataset.name} have the class {only!r}: a classifier needs at least two classes"
        )
    smallest = int(members.argmin())
    if members[smallest] < folds:
        at_most = (
            f"use {count(members[smallest], 'fold')} or fewer"
            if members[smallest] >= 3
            else "add graphs of that class"
        )
        raise InputError(
            f"the class {dataset.classes[smallest]!r} of {dataset.name} has {count(members[smallest], 'graph')}, fewer "
            f"than the {count(folds, 'fold')}: {at_most}, or leave that class out"
        )


def _seed(name: str, repeat: int) -> int:
    return int.from_bytes(hashlib.sha256(f"folds of {name}, repeat {repeat}".encode()).digest()[:8], "big")
