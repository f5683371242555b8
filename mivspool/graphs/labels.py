"""The labels of vertices, read the same way everywhere: which are missing, how one is written, which differ.

A label is missing where it is None, NaN, or a text of nothing but spaces. A vertex whose label is missing has zeros in
every column of a one-hot code; "missing" is no class of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# of a one-hot code: labels that differ in more ways are names and no classes, and a matrix of vertices times names is
# quadratic (JavaScript has it too: canvas/js/model/levels.js)
MOST_COLUMNS = 256


def label_text(value: Any) -> str:
    """A label as text, "" where it is missing: 6.0 is "6"; "6.0" stays as it is written in the file's own text."""
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value).strip()


def label_texts(values: Sequence[Any] | None) -> list[str] | None:
    """The labels of n vertices as text, "" where one is missing; None where there are none at all."""
    texts = [label_text(value) for value in values or ()]
    return texts if any(texts) else None


def classes_of(values: Sequence[Any] | None) -> tuple[str, ...]:
    """The labels that occur, sorted; none where all are missing or more than ``MOST_COLUMNS`` differ."""
    different = set(label_texts(values) or ()) - {""}
    return tuple(sorted(different)) if len(different) <= MOST_COLUMNS else ()


def one_hot(values: Sequence[Any], classes: Sequence[str]) -> NDArray[np.float32]:
    """float32 [n, C]: a 1 in the column of each vertex's label; zeros where it is missing or is no class."""
    place = {label: k for k, label in enumerate(classes)}
    code = np.array([place.get(label_text(value), -1) for value in values], dtype=np.int64)
    return one_hot_codes(code, len(classes))


def one_hot_codes(code: NDArray[np.int64], columns: int) -> NDArray[np.float32]:
    """float32 [n, columns]: a 1 in column ``code`` int64 [n]; zeros where that is -1."""
    x = np.zeros((len(code), columns), dtype=np.float32)
    known = np.flatnonzero(code >= 0)
    x[known, code[known]] = 1
    return x
