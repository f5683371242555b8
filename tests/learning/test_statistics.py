"""Means and ± of a cell against arithmetic by hand, the paired test against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from mivspool.errors import InputError
from mivspool.learning.statistics import Comparison, holm, paired, ranks, sentence, summarise

percent = st.floats(0, 100, allow_nan=False)


def runs(*repeats: list[float]) -> dict[tuple[int, int], float]:
    return {(r, f): value for r, values in enumerate(repeats) for f, value in enumerate(values)}


def test_no_runs_make_no_cell() -> None:
    assert summarise({}) is None


def test_a_cell_is_the_mean_of_the_repeats_means() -> None:
    cell = summarise(runs([70.0, 80.0], [74.0, 84.0], [72.0, 79.0]), folds=2)
    assert cell is not None
    means = [75.0, 79.0, 75.5]
    assert cell.mean == pytest.approx(np.mean(means))
    assert cell.std == pytest.approx(np.std(means, ddof=1))
    assert (cell.folds, cell.repeats, cell.runs) == (2, 3, 6)


def test_one_repeat_has_no_spread() -> None:
    cell = summarise(runs([70.0, 80.0]), folds=2)
    assert cell is not None
    assert cell.std is None


def test_an_incomplete_repeat_waits_for_its_folds() -> None:
    whole = summarise(runs([70.0, 80.0]), folds=2)
    assert summarise(runs([70.0, 80.0], [0.0]), folds=2) == whole
    alone = summarise(runs([70.0]), folds=2)
    assert alone is not None
    assert (alone.mean, alone.folds, alone.repeats) == (70.0, 1, 1)


@given(st.lists(st.tuples(percent, percent), min_size=3, max_size=30))
def test_without_its_correction_the_paired_test_is_scipys(pairs: list[tuple[float, float]]) -> None:
    first, second = ({(0, i): pair[k] for i, pair in enumerate(pairs)} for k in (0, 1))
    differences = np.asarray([a - b for a, b in pairs])
    if differences.std() < 1e-6:
        return
    # so many folds that the training sets hardly overlap: nothing is left to correct
    own = paired(first, second, folds=10**12)
    theirs = stats.ttest_rel([a for a, _ in pairs], [b for _, b in pairs])
    assert own is not None
    assert own.p == pytest.approx(theirs.pvalue, rel=1e-5, abs=1e-12)
    interval = theirs.confidence_interval(0.95)
    assert own.low == pytest.approx(interval.low, rel=1e-4, abs=1e-6)
    assert own.high == pytest.approx(interval.high, rel=1e-4, abs=1e-6)


def test_the_correction_by_hand() -> None:
    # differences 1, 2, 3: mean 2, variance 1; standard error √(1/3 + 1/9) with ten folds
    own = paired(runs([71.0, 72.0, 73.0]), runs([70.0, 70.0, 70.0]))
    assert own is not None
    t = 2 / np.sqrt(1 / 3 + 1 / 9)
    assert own.p == pytest.approx(2 * stats.t.sf(t, 2))
    assert (own.difference, own.pairs) == (2.0, 3)


@given(st.lists(st.tuples(percent, percent), min_size=2, max_size=30))
def test_exchanging_the_methods_changes_the_sign_alone(pairs: list[tuple[float, float]]) -> None:
    first, second = ({(0, i): pair[k] for i, pair in enumerate(pairs)} for k in (0, 1))
    one, other = paired(first, second), paired(second, first)
    assert one is not None
    assert other is not None
    assert one.difference == pytest.approx(-other.difference)
    assert one.p == pytest.approx(other.p)
    assert one.low == pytest.approx(-other.high)


def test_only_shared_folds_are_compared() -> None:
    assert paired(runs([70.0, 71.0]), {(0, 1): 70.0, (3, 3): 1.0}) is None
    own = paired(runs([70.0, 71.0, 9.0]), runs([70.0, 71.0]))
    assert own is not None
    assert (own.pairs, own.difference, own.p) == (2, 0.0, 1.0)
    with pytest.raises(InputError, match="at least 2"):
        paired({}, {}, folds=1)


def test_a_difference_within_the_noise_is_called_that() -> None:
    noise = sentence("a", "b", Comparison(0.4, -1.0, 1.8, 0.5, 10, 0.5))
    assert "no significant difference" in noise
    assert "−1.0 to +1.8" in noise
    assert "b" in sentence("a", "b", Comparison(4.0, 3.0, 5.0, 0.001, 10, 0.001))
    assert " more accurate" in sentence("a", "b", Comparison(4.0, 3.0, 5.0, 0.001, 10, 0.001))
    assert " less accurate" in sentence("a", "b", Comparison(-4.0, -5.0, -3.0, 0.001, 10, 0.001))


@given(st.lists(st.floats(0, 1, allow_nan=False), min_size=1, max_size=25))
def test_holms_correction_by_hand_and_by_its_definition(ps: list[float]) -> None:
    family = {k: Comparison(1.0, 0.0, 2.0, p, 10, p) for k, p in enumerate(ps)}
    found = holm({**family, "missing": None})
    assert list(found) == list(family)
    assert {one.tests for one in found.values()} == {len(ps)}
    # a hypothesis is rejected at level a where, in order, each p so far is at most a / (tests left)
    for level in (0.01, 0.05, 0.5):
        rejected, order = set(), sorted(family, key=lambda k: ps[k])
        for done, k in enumerate(order):
            if ps[k] * (len(ps) - done) > level:
                break
            rejected.add(k)
        assert {k for k, one in found.items() if one.corrected <= level} == rejected
    assert all(found[k].p <= found[k].corrected <= min(1.0, len(ps) * ps[k]) for k in family)


def test_what_a_correction_takes_away_is_no_difference() -> None:
    alone = Comparison(4.0, 0.5, 7.5, 0.03, 10, 0.03)
    assert " more accurate" in sentence("a", "b", alone)
    corrected = holm({"this": alone, "other": Comparison(0.0, -1.0, 1.0, 1.0, 10, 1.0)})["this"]
    told = sentence("a", "b", corrected)
    assert told.startswith("no significant difference")
    assert "p = 0.06 after Holm's correction for 2 tests" in told
    assert corrected.turned().turned() == corrected
    assert (corrected.turned().difference, corrected.turned().low) == (-4.0, -7.5)


def test_ranks_skip_what_is_not_there_and_share_ties() -> None:
    assert ranks([3.0, None, 5.0, 3.0]) == [2, None, 1, 2]
