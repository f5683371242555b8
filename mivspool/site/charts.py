"""Charts of the static site as SVG, coloured for both themes by the style sheet; they need no script."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

import numpy as np

from mivspool.content import shared
from mivspool.content.results.points import Column

_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 12, 34  # pixels around what is drawn
_TICKS = 6
_PARTS = 4  # of a pixel, in which a line is drawn


class _Plane:
    """A plane of ``width`` × ``height`` pixels with its axes; ``parts`` are the elements drawn on it."""

    def __init__(
        self, width: int, height: int, x: tuple[float, float], y: tuple[float, float], label: str
    ) -> None:
        self.width, self.height, self.x, self.y = width, height, x, y
        self.parts: list[str] = []
        for value in ticks(*y):
            at = self.down(value)
            self.parts.append(f'<path class="grid" d="M{_LEFT} {at}H{width - _RIGHT}"/>')
            self.text(_LEFT - 6, at, f"{value:g}", "end", "middle")
        middle = (_TOP + height - _BOTTOM) / 2
        upright = f'transform="rotate(-90 12 {middle:g})"'
        self.parts.append(
            f'<text x="12" y="{middle:g}" text-anchor="middle" {upright}>{escape(label)}</text>'
        )

    def across(self, value: float) -> float:
        """Where a value of x is."""
        low, high = self.x
        return round(_LEFT + (value - low) / (high - low) * (self.width - _LEFT - _RIGHT), 1)

    def down(self, value: float) -> float:
        """Where a value of y is."""
        low, high = self.y
        return round(self.height - _BOTTOM - (value - low) / (high - low) * (self.height - _TOP - _BOTTOM), 1)

    def text(self, x: float, y: float, text: str, anchor: str, baseline: str = "auto") -> None:
        """A word of an axis."""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" dominant-baseline="{baseline}">{escape(text)}</text>'
        )

    def svg(self, alt: str) -> str:
        """The whole; ``alt`` says what it shows to those who do not see it."""
        return (
            f'<svg class="chart" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'height="{self.height}" role="img" aria-label="{escape(alt, quote=True)}">{"".join(self.parts)}</svg>'
        )


def ticks(low: float, high: float) -> list[float]:
    """Round numbers from ``low`` to ``high``, about six of them.

    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    rough = (high - low) / (_TICKS - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 12) for k in range(first, math.floor(high / step + 1e-9) + 1)]


def points(columns: Sequence[Column], alt: str) -> str:
    """Every run of each cell as a point, their mean as a line, the paper's mean ± std as a diamond."""
    seen = [value for column in columns for value in column.accuracies.values()]
    for column in columns:
        if column.printed is not None:
            seen += [column.printed.mean + sign * (column.printed.std or 0.0) for sign in (-1, 1)]
    low, high = (min(seen), max(seen)) if seen else (0.0, 100.0)
    margin = 0.05 * (high - low or 1.0)
    plane = _Plane(920, 340, (-0.6, len(columns) - 0.4), (low - margin, high + margin), shared.POINTS_AXIS)
    shift = np.random.default_rng(0)
    for k, column in enumerate(columns):
        plane.text(plane.across(k), plane.height - 12, column.title, "middle")
        values = list(column.accuracies.values())
        aside = shift.uniform(-0.22, 0.06, len(values)).tolist()
        if values:  # dots are strokes without length, with round ends
            dots = "".join(
                f"M{plane.across(k + s):g} {plane.down(v):g}h0" for v, s in zip(values, aside, strict=True)
            )
            plane.parts.append(f'<path class="run" d="{dots}"/>')
            mean, (left, right) = (
                plane.down(float(np.mean(values))),
                (plane.across(k - 0.28), plane.across(k + 0.12)),
            )
            plane.parts.append(f'<path class="mean" d="M{left} {mean}H{right}"/>')
        if column.printed is not None:
            x, y, std = plane.across(k + 0.3), plane.down(column.printed.mean), column.printed.std or 0.0
            ends = [plane.down(column.printed.mean + sign * std) for sign in (1, -1)]
            whisker = f"M{x} {ends[0]}V{ends[1]}M{x - 3:g} {ends[0]}h6M{x - 3:g} {ends[1]}h6"
            plane.parts.append(f'<path class="bar" d="{whisker}"/>')
            plane.parts.append(f'<path class="paper" d="M{x} {y - 6:g}l6 6-6 6-6-6z"/>')
    return plane.svg(alt)


def curve(columns: Mapping[str, Sequence[float]], what: str, best: int | None, alt: str) -> str:
    """``what`` ("loss" or "accuracy") of the training and the validation graphs, epoch by epoch.

    ``columns``: as of a run's learning curve; ``best``: the epoch whose weights were kept, marked with a line.
    """
    scale, label = (100.0, shared.CURVE_ACCURACY) if what == "accuracy" else (1.0, shared.CURVE_LOSS)
    lines = {part: [scale * v for v in columns[f"{part}_{what}"]] for part in ("train", "val")}
    seen = [value for values in lines.values() for value in values]
    low, high = min(seen), max(seen)
    if low == high:
        low, high = low - 0.5, high + 0.5
    epochs = max(map(len, lines.values()))
    plane = _Plane(440, 240, (0.0, float(max(epochs, 2))), (low, high), label)
    for value in ticks(*plane.x):
        if value:
            plane.text(plane.across(value), plane.height - 18, f"{value:g}", "middle")
    plane.text(plane.across(plane.x[1] / 2), plane.height - 3, shared.CURVE_EPOCH, "middle")
    if best:
        plane.parts.append(f'<path class="best" d="M{plane.across(best)} {_TOP}V{plane.height - _BOTTOM}"/>')
    for part, values in lines.items():
        plane.parts.append(
            f'<path class="{part}" transform="scale({1 / _PARTS:g})" d="{_line(plane, values)}"/>'
        )
    return plane.svg(alt)


def _line(plane: _Plane, values: Sequence[float]) -> str:
    """A line through a value per epoch, in parts of a pixel and each step by itself: that makes it small."""
    at = [(round(_PARTS * plane.across(k)), round(_PARTS * plane.down(v))) for k, v in enumerate(values, 1)]
    steps = "".join(
        f"l{x - u}{y - v:+d}" if y < v else f"l{x - u} {y - v}" for (u, v), (x, y) in pairwise(at)
    )
    return f"M{at[0][0]} {at[0][1]}{steps}"
