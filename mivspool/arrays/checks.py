"""What is checked of arrays before compiled code gets them: type, shape, and that indices are in range.

Compiled loops check nothing: an array that is too short is read and written beyond its end. So a function that hands
arrays over calls these checks first, and an InputError says what is wrong. Shapes and types cost no pass over the data.
Indices cost one, and are checked where they come in.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from mivspool.arrays import threads
from mivspool.arrays.compiled import compiled, compiled_sums
from mivspool.arrays.table import always, operation
from mivspool.errors import InputError
from mivspool.messages import count

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


def scores(score: Tensor) -> Tensor:
    """Scores, real [N] or [N, 1], as a flat tensor that can be compared; InputError for others, and for NaN."""
    if score.dim() not in (1, 2) or score.numel() != score.size(0):
        raise InputError(f"score must hold one value per vertex, its shape is {list(score.shape)}")
    if score.is_complex():
        raise InputError("score must hold real numbers: complex ones have no order")
    key = score.detach().reshape(-1)
    if key.is_floating_point() and _sum_is_nan(key) and bool(torch.isnan(key).any()):
        vertex = int(torch.nonzero(torch.isnan(key))[0])
        raise InputError(f"the score of vertex {vertex} is not a number")
    return key


@operation(exact=always)
def _sum_is_nan(key: Tensor) -> bool:
    """Whether the sum of a flat tensor is no number, as it is where an entry is none: faster than a search for one."""
    return bool(torch.isnan(key.sum()))


@_sum_is_nan.on_cpu
def _sum_is_nan_compiled(key: Tensor) -> bool:
    if key.dtype not in FLOATS:
        return bool(_sum_is_nan.tensors(key))
    values = key.contiguous().numpy()
    parts = [(values[first:last],) for first, last in threads.slices(values.size, threads.IN_ORDER)]
    return bool(np.isnan(threads.together(_sum, parts)).any())


@compiled_sums
def _sum(values: Any) -> Any:
    total = values.dtype.type(0)
    for v in range(values.size):
        total += values[v]
    return total


def batched(batch: Tensor | None, batch_size: int | None, key: Tensor) -> tuple[Tensor, int]:
    """``batch`` int64 [N] and ``batch_size`` with their defaults, for ``key`` [N]; InputError where they do not fit."""
    if batch is None:
        return torch.zeros(key.numel(), dtype=torch.int64, device=key.device), max(batch_size or 1, 1)
    if batch.shape != key.shape:
        raise InputError(f"batch has {batch.numel()} entries for {count(key.numel(), 'vertex')}")
    if batch.dtype != torch.int64:
        raise InputError(f"batch must be int64, it is {batch.dtype}")
    lowest, highest = torch.stack(torch.aminmax(batch)).tolist() if batch.numel() else (0, -1)
    highest += 1
    if lowest < 0:
        raise InputError(f"batch names graph {lowest}: graphs are counted from 0")
    if batch_size is None:
        return batch, highest
    if batch_size < highest:
        raise InputError(f"batch names graph {highest - 1}, but batch_size is {batch_size}")
    return batch, batch_size


def places(name: str, index: Any, end: int, least: int = 0) -> None:
    """InputError unless each of ``index``, an int64 array [N], is at least ``least`` and below ``end``."""
    low, high = (index.min(), index.max()) if index.size else (least, end - 1)
    if low < least or high >= end:
        at = int(np.flatnonzero((index < least) | (index >= end))[0])
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
def ends(values: Any) -> tuple[Any, Any]:
    """The lowest and the highest of ``values`` [N], which are not none."""
    low, high = values[0], values[0]
    for v in range(values.size):
        low = values[v] if values[v] < low else low
        high = values[v] if values[v] > high else high
    return low, high


@compiled
def _falls(index: Any, end: int) -> int:
    """The first place with a value that is not above the one before it, or not in [0, end); −1: none."""
    before = np.int64(-1)
    for i in range(index.size):
        if index[i] <= before or index[i] >= end:
            return i
        before = index[i]
    return -1
