"""Buffers that are kept from call to call: the page faults of fresh memory cost as much as the work does."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

# a thread keeps so many bytes at most; more is given back after use
KEPT = 2**26
_ALIGNED = 64


class _Buffer(threading.local):
    def __init__(self) -> None:
        self.bytes = np.empty(0, np.uint8)


_buffer = _Buffer()


def borrow(*wanted: tuple[int, DTypeLike]) -> list[NDArray[Any]]:
    """Arrays of these lengths and types, not filled, valid until this thread borrows again: never return one."""
    sizes = [-(-length * np.dtype(dtype).itemsize // _ALIGNED) * _ALIGNED for length, dtype in wanted]
    held = _buffer.bytes
    if held.size < sum(sizes):
        held = np.empty(sum(sizes), np.uint8)
        if held.size <= KEPT:
            _buffer.bytes = held
    return _split(held, sizes, wanted)


def allocate(*wanted: tuple[int, DTypeLike]) -> list[NDArray[Any]]:
    """New arrays, not filled, in one piece of memory: numpy asks for large pages where a piece is large."""
    sizes = [-(-length * np.dtype(dtype).itemsize // _ALIGNED) * _ALIGNED for length, dtype in wanted]
    return _split(np.empty(sum(sizes), np.uint8), sizes, wanted)


def _split(
    held: NDArray[np.uint8], sizes: list[int], wanted: tuple[tuple[int, DTypeLike], ...]
) -> list[NDArray[Any]]:
    parts, at = [], 0
    for size, (length, dtype) in zip(sizes, wanted, strict=True):
        parts.append(held[at : at + length * np.dtype(dtype).itemsize].view(dtype))
        at += size
    return parts
