"""What is asked of arrays before compiled code gets them: type, shape, and that indices stay inside.

Compiled loops look at nothing: an array that is too short is read and written beyond its end. So whoever hands arrays
over asks here first, in the function that hands them over, and an InputError says what is wrong. Shapes and types cost
no pass over the data. Indices cost one, and are asked for where they come in.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from mivspool.arrays.compiled import compiled
from mivspool.errors import InputError

FLOATS = (torch.float32, torch.float64)
I64, U64, U32, F64, BOOL = (np.dtype(t) for t in (np.int64, np.uint64, np.uint32, np.float64, np.bool_))


def expect(name: str, given: Any, dtype: Any, *shape: int) -> None:
    """InputError unless ``given``, a tensor or an array, has this type and shape."""
    if given.dtype != dtype or given.shape != shape:
        raise InputError(
            f"{name} must be {_word(dtype)} of shape {list(shape)}: "
            f"it is {_word(given.dtype)} of shape {list(given.shape)}"
        )


def features(name: str, x: Tensor) -> None:
    """InputError unless ``x`` is [N, C] in single or double precision."""
    if x.dim() != 2 or x.dtype not in FLOATS:
        raise InputError(
            f"{name} must be float32 or float64 of shape [N, C]: it is {_word(x.dtype)} of shape {list(x.shape)}"
        )


def graph(rowptr: Any, col: Any) -> int:
    """N of a CSR (rowptr uint64 [N + 1], col uint32 [M]); InputError where the two do not fit.

    That the entries are vertices is known of what ``edges`` makes and of an ``Adjacency``: nobody else has such arrays.
    """
    n: int = rowptr.size - 1
    if rowptr.dtype != U64 or col.dtype != U32 or rowptr.ndim != 1 or col.ndim != 1 or rowptr[n] != col.size:
        raise InputError(
            "a graph for compiled code is rowptr uint64 [N + 1] and col uint32 [M]: take Adjacency.csr"
        )
    return n


def places(name: str, index: Any, end: int, least: int = 0) -> None:
    """InputError unless each of ``index``, an int64 array [N], is at least ``least`` and below ``end``."""
    at = _outside(index, least, end)
    if at >= 0:
        raise InputError(
            f"{name} has {index[at]} at place {at}: its values must be at least {least} and below {end}"
        )


def rising(name: str, index: Any, end: int) -> None:
    """InputError unless ``index``, an int64 array [K], rises from 0 or more to below ``end``."""
    at = _falls(index, end)
    if at >= 0:
        raise InputError(f"{name} has {index[at]} at place {at}: its values must rise and stay below {end}")


def _word(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")


@compiled
def _outside(index: Any, least: int, end: int) -> int:
    """The first place with a value that is not in [least, end); −1: none."""
    low, high = np.int64(least), np.int64(least)
    for i in range(index.size):
        low, high = min(low, index[i]), max(high, index[i])
    if low >= least and (high < end or index.size == 0):
        return -1
    for i in range(index.size):
        if index[i] < least or index[i] >= end:
            return i
    return -1


@compiled
def _falls(index: Any, end: int) -> int:
    """The first place with a value that is not above the one before it, or not in [0, end); −1: none."""
    before = np.int64(-1)
    for i in range(index.size):
        if index[i] <= before or index[i] >= end:
            return i
        before = index[i]
    return -1
