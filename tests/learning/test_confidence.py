"""Confidence: Wilson's interval by hand, and calibrated probabilities that keep the predicted class."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mivspool.errors import InputError, ModelError
from mivspool.learning.confidence import Assessment, Bin, Calibrator
from mivspool.learning.models import list_models
from mivspool.learning.statistics import wilson

BINS = st.lists(
    st.builds(Bin, st.floats(0.2, 1), st.floats(0, 1), st.integers(1, 500)), min_size=1, max_size=10
).map(tuple)
SEPARABLE = st.lists(
    st.builds(Bin, st.floats(0.2, 1), st.sampled_from([0.0, 1.0]), st.integers(1, 100_000)),
    min_size=1,
    max_size=4,
).map(tuple)


def test_wilsons_interval_by_hand() -> None:
    assert wilson(8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert wilson(0, 10) == pytest.approx((0, 0.2775328), abs=1e-6)
    assert wilson(10, 10) == pytest.approx((0.7224672, 1), abs=1e-6)
    for correct, of in ((1, 0), (3, 2), (-1, 4)):
        with pytest.raises(InputError):
            wilson(correct, of)


@given(BINS, st.lists(st.floats(0, 1), min_size=2, max_size=6).filter(lambda values: sum(values) > 0.1))
def test_calibration_keeps_the_prediction_and_gives_probabilities(
    bins: tuple[Bin, ...], values: list[float]
) -> None:
    raw = np.array(values) / sum(values)
    calibrated = np.array(Calibrator(bins).probabilities(raw.tolist()))
    assert calibrated.sum() == pytest.approx(1)
    assert calibrated.min() >= 0
    assert calibrated[raw.argmax()] == pytest.approx(calibrated.max())
    others = np.delete(raw, raw.argmax())  # among themselves, the others stay as they were
    assert np.delete(calibrated, raw.argmax()) * others.sum() == pytest.approx(
        others * np.delete(calibrated, raw.argmax()).sum(), abs=1e-9
    )


def test_few_predictions_are_never_sure() -> None:
    assert Calibrator((Bin(0.9, 1.0, 8),)).confidence(1.0) == 9 / 10


@given(BINS, st.floats(0, 1), st.floats(0, 1))
def test_more_confidence_is_never_less(bins: tuple[Bin, ...], one: float, other: float) -> None:
    calibrator = Calibrator(bins)
    assert calibrator.confidence(min(one, other)) <= calibrator.confidence(max(one, other)) + 1e-12


@given(SEPARABLE | BINS)
@example((Bin(1.0, 0.0, 500),))
@example((Bin(0.2, 1.0, 500), Bin(1.0, 0.0, 500)))
@example((Bin(0.9998, 1.0, 100_000), Bin(0.99981, 0.0, 1)))
def test_the_fit_is_the_most_likely_one(bins: tuple[Bin, ...]) -> None:
    """No gradient of the penalised likelihood is left, also where the bins separate; at slope 0, none towards more."""
    slope, shift = Calibrator(bins).line
    x = [math.log(c / (1 - c)) for c in (min(max(one.confidence, 1e-6), 1 - 1e-6) for one in bins)]
    off = [
        one.count * ((1 + math.tanh((slope * value + shift) / 2)) / 2 - one.accuracy)
        for one, value in zip(bins, x, strict=True)
    ]
    by_slope = sum(value * miss for value, miss in zip(x, off, strict=True)) + slope - 1
    by_shift = sum(off) + shift
    noise = 1e-6 * sum(one.count * (1 + abs(value)) for one, value in zip(bins, x, strict=True))
    assert slope >= 0
    assert by_shift == pytest.approx(0, abs=noise)
    assert by_slope == pytest.approx(0, abs=noise) if slope else by_slope > -noise


def test_bins_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ModelError, match="not numbers"):
        Calibrator((Bin(0.9, math.nan, 8),)).confidence(0.9)


def test_what_is_calibrated_stays_and_what_is_overconfident_falls() -> None:
    confidences = (0.55, 0.65, 0.75, 0.85, 0.95)
    honest = Calibrator(tuple(Bin(c, c, 10_000) for c in confidences))
    proud = Calibrator(tuple(Bin(c, (c + 0.5) / 2, 10_000) for c in confidences))
    for c in confidences:
        assert honest.confidence(c) == pytest.approx(c, abs=1e-3)
        assert proud.confidence(c) == pytest.approx((c + 0.5) / 2, abs=0.03)


def test_released_models_say_how_sure_they_are() -> None:
    for model in list_models(kept=False):
        if not model.released:
            continue
        found = model.assessment
        assert found is not None
        assert 0 < found.low < found.accuracy < found.high < 1
        assert 1 / len(model.classes) <= found.majority < 1
        assert found.majority_class in model.classes


def test_calibration_brings_the_released_models_nearer_to_what_was_measured() -> None:
    from mivspool.learning.hub import read_config

    for model in list_models(kept=False):
        calibrator = Calibrator.of(read_config(model.folder))
        assert calibrator is not None
        raw = [one.confidence for one in calibrator.bins]
        made = [calibrator.confidence(value) for value in raw]
        errors = [
            sum(one.count * abs(one.accuracy - c) for one, c in zip(calibrator.bins, values, strict=True))
            for values in (raw, made)
        ]
        assert errors[1] <= errors[0] + 0.005 * calibrator.predictions


def test_an_assessment_counts_graphs_and_not_predictions() -> None:
    confusion = [[30, 6], [8, 16]]  # 20 graphs, predicted three times each
    evaluation = {"confusion": confusion, "accuracy": {"mean": 76.0, "repeats": 3}}
    config = {"classes": ["no", "yes"], "evaluation": evaluation}
    found = Assessment.of(config)
    assert found is not None
    assert (found.graphs, found.repeats, found.accuracy) == (20, 3, 0.76)
    assert (found.low, found.high) == wilson(0.76 * 20, 20)
    assert (found.majority, found.majority_class) == (0.6, "no")
    single = Assessment.of({"classes": ["no", "yes"], "run": {"confusion": [[3, 1], [0, 2]]}})
    assert single is not None
    assert (single.graphs, single.repeats, single.accuracy) == (6, 1, pytest.approx(5 / 6))
    assert Assessment.of({"classes": ["no", "yes"], "run": {"confusion": None}}) is None
    assert Assessment.of({"classes": ["no", "yes"]}) is None
