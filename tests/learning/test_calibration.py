"""Calibration by hand, and renumbering against networks whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivspool.graphs import Dataset, InputSchema, dataset_features
from mivspool.learning.calibration import BINS, calibration, measure, renumbering
from mivspool.learning.network import Classifier, NetworkConfig
from mivspool.learning.runs import RunConfig
from mivspool.learning.training import RunResult


def test_perfect_predictions_are_perfectly_calibrated() -> None:
    measured = calibration(np.eye(3)[[0, 1, 2, 2]], np.array([0, 1, 2, 2]))
    assert (measured.ece, measured.brier, measured.predictions) == (0, 0, 4)


def test_calibration_by_hand() -> None:
    # 0.8, 0.8, 0.8, 0.8 with three right: one bin, |0.75 - 0.8|
    probabilities = np.array([[0.8, 0.2]] * 4)
    measured = calibration(probabilities, np.array([0, 0, 0, 1]))
    assert measured.ece == pytest.approx(0.05)
    assert measured.brier == pytest.approx((3 * (0.04 + 0.04) + 0.64 + 0.64) / 4)
    (one,) = measured.bins
    assert (one.count, one.accuracy) == (4, 0.75)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=50))
def test_every_prediction_is_in_one_bin(drawn: list[tuple[float, bool]]) -> None:
    probabilities = np.array([[p, 1 - p] for p, _ in drawn])
    measured = calibration(probabilities, np.array([int(right) for _, right in drawn]))
    assert sum(one.count for one in measured.bins) == len(drawn)
    assert len(measured.bins) <= BINS
    assert 0 <= measured.ece <= 1
    assert 0 <= measured.brier <= 2


def test_renumbering_changes_nothing_where_the_scores_tell_all_vertices_apart(
    mao: Dataset, schema: InputSchema
) -> None:
    """A network without pooling has no survivors and says the same of any numbering."""
    x, _ = dataset_features(mao)
    network = Classifier(NetworkConfig(schema.num_features, 2, method="none", hidden=8)).eval()
    survivors, predicted = renumbering(network, mao, x, range(20))
    assert survivors.shape == (20, 0)
    assert not predicted.any()


def test_scores_by_place_survive_no_renumbering(mao: Dataset, schema: InputSchema) -> None:
    """Uniform scores follow the place and not the vertex: of 68 molecules nearly all change."""
    x, _ = dataset_features(mao)
    network = Classifier(NetworkConfig(schema.num_features, 2, score="uniform", hidden=8)).eval()
    survivors, _ = renumbering(network, mao, x, range(68))
    assert survivors.shape == (68, 3)
    assert survivors[:, 0].all()


def test_a_structural_score_survives_until_vertices_are_alike(mao: Dataset, network: Classifier) -> None:
    x, _ = dataset_features(mao)
    survivors, predicted = renumbering(network, mao, x, range(68), rounds=2)
    again, _ = renumbering(network, mao, x, range(68), rounds=2)
    assert np.array_equal(survivors, again)
    assert survivors[:, 0].mean() < 0.5
    assert predicted.mean() < 0.5


def test_what_is_measured_is_of_the_test_folds(mao: Dataset) -> None:
    seen: list[RunResult] = []
    measured = measure(
        RunConfig("MAO", hidden=8, blocks=2, max_epochs=2, folds=3), mao, (0, 1, 2), on_run=seen.append
    )
    assert [result.config.fold for result in seen] == [0, 1, 2]
    assert measured["calibration"]["predictions"] == len(mao)
    right = sum(result.confusion[k][k] for result in seen for k in (0, 1) if result.confusion)
    assert sum(one["accuracy"] * one["count"] for one in measured["calibration"]["bins"]) == pytest.approx(
        right
    )
    assert measured["renumbering"]["graphs"] == len(mao)
    assert len(measured["renumbering"]["survivors"]) == 2
