"""Colour and size of a network's vertices by what is known of them: an attribute, a cluster, a degree.

The shape and the border go on telling a vertex's state.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeGuard

from mivspool.colours import CATEGORIES, GREY, SCALE, rgb

if TYPE_CHECKING:
    from mivspool.pyvis import Network

OTHERS = "other"
_GREY = GREY["light"]
_SMALLEST, _LARGEST = 7, 30  # pixels of a radius

Value = str | float | None


def colour_by(
    network: Network, values: Sequence[Value], order: Sequence[str] | None = None
) -> list[tuple[str, str]]:
    """Fill each vertex by its value, and say what the colours mean: (meaning, colour) each.

    Few different values, and all that are text, have a colour each as long as there are any: those of ``order`` first,
    by default the most frequent. What is left is grey, and so is None. More numbers are a scale, of which both ends
    are said.
    """
    numbers = [float(value) if is_number(value) else None for value in values]
    known = [number for number in numbers if number is not None]
    given = sum(value is not None for value in values)
    if len(known) == given and len(set(known)) > len(CATEGORIES):
        low, high = min(known), max(known)
        fills = [_GREY if number is None else _between((number - low) / (high - low)) for number in numbers]
        meaning = [(f"{low:.6g}", SCALE[0]), (f"{high:.6g}", SCALE[1])]
    else:
        texts = [None if value is None else _text(value) for value in values]
        counted = Counter(text for text in texts if text is not None)
        order = sorted(counted, key=lambda text: (-counted[text], text)) if order is None else order
        colours = dict(zip(order, CATEGORIES, strict=False))
        fills = [_GREY if text is None else colours.get(text, _GREY) for text in texts]
        meaning = [(text, colour) for text, colour in colours.items() if text in counted]
    if _GREY in fills:
        meaning.append((OTHERS, _GREY))
    for node, fill in zip(network.nodes, fills, strict=True):
        both = {"background": fill, "border": node["color"]["border"]}
        node["color"] = {**both, "highlight": both, "hover": both}
    return meaning


def size_by(network: Network, values: Sequence[float | None]) -> None:
    """Make each vertex's area grow with its value, from the smallest to the largest; None is the smallest."""
    known = [value for value in values if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    for node, value in zip(network.nodes, values, strict=True):
        share = 0.0 if value is None or high == low else (value - low) / (high - low)
        node["size"] = round(math.sqrt(_SMALLEST**2 + share * (_LARGEST**2 - _SMALLEST**2)), 2)


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a finite number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _text(value: Value) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _between(share: float) -> str:
    low, high = map(rgb, SCALE)
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(low, high, strict=True))
