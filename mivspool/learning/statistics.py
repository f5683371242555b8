"""What a table says of runs: one mean and ± a cell, and whether two methods differ on the same folds."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TypeVar

import numpy as np

from mivspool.errors import InputError
from mivspool.messages import count, number

# a run's place in the protocol: (repeat, fold); folds depend on (data set, repeat) alone
Place = tuple[int, int]

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class Cell:
    """One cell of a table: ``mean`` over the repeats' means, ``std`` their sample standard deviation.

    ``std`` is None with fewer than two repeats. ``folds`` are those behind each repeat.
    """

    mean: float
    std: float | None
    folds: int
    repeats: int
    runs: int


@dataclass(frozen=True)
class Comparison:
    """A paired test of two methods on the folds they share: first minus second, in percentage points.

    ``low`` and ``high`` bound the 95 % confidence interval of ``difference``, which no correction widens. ``p`` is that
    of this test alone, ``corrected`` what Holm's correction makes of it as one of ``tests`` (:func:`holm`).
    """

    difference: float
    low: float
    high: float
    p: float
    pairs: int
    corrected: float
    tests: int = 1

    def turned(self) -> Comparison:
        """The same, second minus first."""
        return replace(self, difference=-self.difference, low=-self.high, high=-self.low)

    @property
    def distinct(self) -> bool:
        """Whether the difference is larger than the noise (corrected p < 0.05)."""
        return self.corrected < 0.05


def summarise(values: Mapping[Place, float], folds: int = 10) -> Cell | None:
    """The cell of ``values`` by (repeat, fold), or None without any.

    A repeat counts when all its ``folds`` are there; only while none is complete do the incomplete ones count,
    as one mean over all their runs.
    """
    if not values:
        return None
    repeats = sorted({repeat for repeat, _ in values})
    by_repeat = [[value for (r, _), value in sorted(values.items()) if r == repeat] for repeat in repeats]
    complete = [one for one in by_repeat if len(one) == folds]
    if not complete:
        return Cell(
            mean=float(np.mean(list(values.values()))),
            std=None,
            folds=max(len(one) for one in by_repeat),
            repeats=len(by_repeat),
            runs=len(values),
        )
    means = np.asarray([np.mean(one) for one in complete])
    std = float(means.std(ddof=1)) if len(means) > 1 else None
    return Cell(float(means.mean()), std, folds, len(complete), folds * len(complete))


def paired(first: Mapping[Place, float], second: Mapping[Place, float], folds: int = 10) -> Comparison | None:
    """The corrected resampled t-test (Nadeau and Bengio 2003) on the folds both have; None with fewer than 2.

    Folds share most of their training graphs, so the plain paired t-test finds differences that are not
    there. The correction widens the variance of the mean from s²/n to s²·(1/n + 1/(folds − 1)).
    Raises InputError for fewer than two folds.
    """
    if folds < 2:
        raise InputError("a paired test needs at least 2 folds")
    shared = sorted(first.keys() & second.keys())
    if len(shared) < 2:
        return None
    differences = np.asarray([first[place] - second[place] for place in shared])
    mean, variance = float(differences.mean()), float(differences.var(ddof=1))
    error = float(np.sqrt(variance * (1 / len(shared) + 1 / (folds - 1))))
    freedom = len(shared) - 1
    if error == 0:
        p = 1.0 if mean == 0 else 0.0
        return Comparison(mean, mean, mean, p, len(shared), p)
    half = _t_quantile(freedom) * error
    p = 2 * _t_tail(abs(mean) / error, freedom)
    return Comparison(mean, mean - half, mean + half, p, len(shared), p)


def holm(family: Mapping[K, Comparison | None]) -> dict[K, Comparison]:
    """The comparisons of a family, each with its p corrected for all of them (Holm 1979); those that are None left out.

    The k-th smallest of m is multiplied by m + 1 − k, and none becomes smaller than the one before.
    """
    known = {name: one for name, one in family.items() if one is not None}
    corrected: dict[K, Comparison] = {}
    least = 0.0
    for k, name in enumerate(sorted(known, key=lambda name: known[name].p)):
        least = max(least, min(1.0, (len(known) - k) * known[name].p))
        corrected[name] = replace(known[name], corrected=least, tests=len(known))
    return {name: corrected[name] for name in known}


def tested(comparison: Comparison) -> str:
    """The interval of a difference and the test behind it, in words."""
    c = comparison
    by = "" if c.tests == 1 else f" after Holm's correction for {c.tests} tests"
    paired_over = f"paired over {count(c.pairs, 'fold')}"
    low, high = number(c.low, "+.1f"), number(c.high, "+.1f")
    return f"95 % interval {low} to {high}; {paired_over}, p = {c.corrected:.2g}{by}"


def sentence(first: str, second: str, comparison: Comparison) -> str:
    """What a comparison says and does not say, in one sentence."""
    c = comparison
    evidence = f"{number(c.difference, '+.1f')} percentage points, {tested(c)}"
    if c.distinct:
        more = "more" if c.difference > 0 else "less"
        return f"{first} is {more} accurate than {second} ({evidence})."
    return f"no significant difference between {first} and {second} ({evidence})."


def interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Mean of independent values and its 95 % interval (Student's t); two values at least."""
    table = np.asarray(values, dtype=np.float64)
    mean = float(table.mean())
    half = _t_quantile(len(table) - 1) * float(table.std(ddof=1)) / float(np.sqrt(len(table)))
    return mean, mean - half, mean + half


def wilson(correct: float, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, ``correct`` of ``of``; from 0 to 1.

    Raises InputError where there is nothing to count.
    """
    if of < 1 or not 0 <= correct <= of:
        raise InputError(f"{correct} of {of} is no share")
    z = NormalDist().inv_cdf(0.975)
    share = correct / of
    middle = share + z * z / (2 * of)
    half = z * float(np.sqrt(share * (1 - share) / of + z * z / (4 * of * of)))
    scale = 1 + z * z / of
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def ranks(means: Sequence[float | None]) -> list[int | None]:
    """1 for the best, 2 for the second, … (equal values share a rank); None where there is no value."""
    known = [value for value in means if value is not None]
    return [None if value is None else 1 + sum(other > value for other in known) for value in means]


# scipy.special is imported where it is used: a model is loaded without it


def _t_quantile(freedom: int) -> float:
    """Student's t that 2.5 % lie above."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))


def _t_tail(value: float, freedom: int) -> float:
    """The share above a value of Student's t."""
    from scipy.special import stdtr

    return float(stdtr(freedom, -value))
