"""The laws of the folds: stratified, disjoint, from the data set and the repeat alone; and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mivspool.errors import InputError
from mivspool.learning.folds import assign_folds, split
from tests.learning.conftest import cycles_and_stars


@pytest.mark.parametrize("graphs", [40, 41, 67, 113])
def test_every_class_and_the_whole_are_dealt_out_evenly(graphs):
    dataset = cycles_and_stars(graphs)
    fold = assign_folds(dataset, repeat=0)
    assert np.ptp(np.bincount(fold, minlength=10)) <= 1
    for label in (0, 1):
        assert np.ptp(np.bincount(fold[dataset.target == label], minlength=10)) <= 1


def test_a_fold_tests_the_next_validates_and_the_rest_trains(toy):
    fold = assign_folds(toy, 3)
    for i in range(10):
        parts = split(toy, 3, i)
        assert (fold[parts.test] == i).all()
        assert (fold[parts.validation] == (i + 1) % 10).all()
        everything = np.concatenate([parts.train, parts.validation, parts.test])
        assert sorted(everything.tolist()) == list(range(len(toy)))


def test_without_a_fold_nothing_is_held_out_for_a_test(toy):
    parts = split(toy, 0, None)
    assert len(parts.test) == 0
    assert len(parts.train) + len(parts.validation) == len(toy)


def test_folds_depend_on_the_name_and_the_repeat_alone(toy):
    assert (assign_folds(toy, 1) == assign_folds(cycles_and_stars(seed=0), 1)).all()
    assert (assign_folds(toy, 1) == assign_folds(replace(toy, node_attributes=None), 1)).all()
    assert (assign_folds(toy, 1) != assign_folds(toy, 2)).any()
    assert (assign_folds(toy, 1) != assign_folds(replace(toy, name="OTHER"), 1)).any()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"target": np.zeros(40, dtype=np.int64)}, "at least two classes"),
        ({"target": np.full(40, -1)}, "no classes"),
        ({"target": np.r_[-1, np.arange(39) % 2]}, "graph 0 of TOY has no class"),
        ({"target": np.r_[np.ones(5, np.int64), np.zeros(35, np.int64)]}, "use 5 folds or fewer"),
        ({"target": np.r_[np.ones(1, np.int64), np.zeros(39, np.int64)]}, "add graphs of that class"),
    ],
)
def test_what_cannot_be_cut_into_folds_is_refused_with_a_sentence(toy, change, says):
    with pytest.raises(InputError, match=says):
        split(replace(toy, **change), 0, 0)


@pytest.mark.parametrize(("fold", "folds"), [(10, 10), (-1, 10), (0, 2), (0, 1)])
def test_impossible_folds_are_refused(toy, fold, folds):
    with pytest.raises(InputError):
        split(toy, 0, fold, folds)
