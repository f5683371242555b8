"""How far an answer can be believed: a model's accuracy on n graphs with its interval, and calibrated probabilities.

Both come from config.json alone: from the confusion matrix and the bins that ``calibration`` measured on test graphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import ModelError
from mivspool.learning.statistics import wilson

_LEAST = 1e-6  # a confidence is kept this far from 0 and 1 before its logarithm is taken
_STEPS = 100
_TOLERANCE = 1e-12  # of the loss: what a further step could lower it by


@dataclass(frozen=True)
class Bin:
    """Predictions of similar confidence: their mean confidence, the share that is right, how many there are."""

    confidence: float
    accuracy: float
    count: int


@dataclass(frozen=True)
class Assessment:
    """What a model's accuracy was measured on; shares from 0 to 1.

    ``graphs``: different test graphs; ``repeats``: how often each was predicted, by networks trained on others.
    ``low`` and ``high``: Wilson's 95 % interval of ``accuracy`` on that many graphs. ``majority``: the accuracy of
    always predicting ``majority_class``, the most frequent class.
    """

    accuracy: float
    graphs: int
    repeats: int
    low: float
    high: float
    majority: float
    majority_class: str

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Assessment | None:
        """From a model's config.json: its cross-validation, else the test graphs of its run; None without either."""
        evaluation, run = config.get("evaluation", {}), config.get("run", {})
        accuracy, repeats = None, 1
        confusion = run.get("confusion")
        if "confusion" in evaluation:
            confusion = evaluation["confusion"]
            accuracy, repeats = evaluation["accuracy"]["mean"] / 100, int(evaluation["accuracy"]["repeats"])
        if not confusion:
            return None
        table = np.asarray(confusion, dtype=np.int64)
        predictions = int(table.sum())
        graphs = max(1, round(predictions / repeats))
        if accuracy is None:
            accuracy = float(np.trace(table)) / predictions
        of_class = table.sum(1)
        largest = int(of_class.argmax())
        return cls(
            accuracy, graphs, repeats, *wilson(accuracy * graphs, graphs),
            float(of_class[largest] / predictions), str(config["classes"][largest]),
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Calibrator:
    """Platt scaling of the largest probability (Platt 1999): how often a prediction of confidence c is correct.

    calibrated = σ(``slope`` · log(c / (1 − c)) + ``shift``), fitted to ``bins`` by maximum likelihood. The penalty
    ½ (slope − 1)² + ½ shift² keeps few predictions from deciding much; the slope is not negative. No confidence is
    above (n + 1) / (n + 2): n predictions, were they all correct, tell no more.
    """

    bins: tuple[Bin, ...]

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Calibrator | None:
        """From a model's config.json; None where its calibration was not measured."""
        measured = config.get("evaluation", {}).get("calibration")
        return None if measured is None else cls(tuple(Bin(**one) for one in measured["bins"]))

    @property
    def predictions(self) -> int:
        """How many predictions it was fitted to."""
        return sum(one.count for one in self.bins)

    @cached_property
    def line(self) -> tuple[float, float]:
        """(slope, shift)."""
        x = _logit(np.array([one.confidence for one in self.bins]))
        count = np.array([one.count for one in self.bins], dtype=np.float64)
        correct = count * np.array([one.accuracy for one in self.bins])
        both = _fit(np.stack([x, np.ones_like(x)], 1), count, correct, np.array([1.0, 0.0]))
        if both[0] >= 0:
            return float(both[0]), float(both[1])
        return 0.0, float(_fit(np.ones((len(x), 1)), count, correct, np.zeros(1))[0])

    def confidence(self, value: float) -> float:
        """The share of predictions of this confidence that are correct."""
        slope, shift = self.line
        most = (self.predictions + 1) / (self.predictions + 2)
        return min(most, float(_sigmoid(slope * _logit(np.array([value])) + shift)[0]))

    def probabilities(self, raw: Sequence[float]) -> tuple[float, ...]:
        """Calibrated class probabilities: the largest by ``confidence``, the others share the rest as before.

        The predicted class stays the most probable one.
        """
        values = np.asarray(raw, dtype=np.float64)
        best = int(values.argmax())
        others = np.delete(values, best)
        rest = float(others.sum())
        if rest <= 0:
            share = np.full(len(others), 1 / max(len(others), 1))
        else:
            share = others / rest
        top = self.confidence(float(values[best])) if len(others) else 1.0
        if len(others):  # not below the second, which has share.max() · (1 − top)
            second = float(share.max())
            top = max(top, second / (1 + second))
        return tuple(np.insert((1 - top) * share, best, top).tolist())


def _fit(
    x: NDArray[np.float64],
    count: NDArray[np.float64],
    correct: NDArray[np.float64],
    start: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Logistic regression with the penalty ½ ‖w − start‖², by Newton's method with backtracking.

    The loss is strictly convex, so that each step can be shortened until the loss falls. Full steps alone need not
    converge: where a few bins are far off, they jump between both ends of the sigmoid.
    """

    def loss(weights: NDArray[np.float64]) -> float:
        z = x @ weights
        missed = correct @ np.logaddexp(0, -z) + (count - correct) @ np.logaddexp(0, z)
        return float(missed + ((weights - start) ** 2).sum() / 2)

    weights = start.copy()
    for _ in range(_STEPS):
        share = _sigmoid(x @ weights)
        gradient = x.T @ (count * share - correct) + weights - start
        curvature = (x * (count * share * (1 - share))[:, None]).T @ x + np.eye(len(start))
        step = np.linalg.solve(curvature, gradient)
        now, fall = loss(weights), float(gradient @ step)
        if not np.isfinite(now):
            break
        if fall <= _TOLERANCE * (1 + now):
            return np.asarray(weights - step)
        length = 1.0
        while loss(weights - length * step) > now - length * fall / 4:
            length /= 2
        weights -= length * step
    raise ModelError("the calibration of this model cannot be fitted: its bins are not numbers")


def _sigmoid(value: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((1 + np.tanh(value / 2)) / 2)


def _logit(value: NDArray[np.float64]) -> NDArray[np.float64]:
    kept = np.clip(value, _LEAST, 1 - _LEAST)
    return np.asarray(np.log(kept / (1 - kept)))
