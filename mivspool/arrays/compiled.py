"""How loops are compiled (numba); ``python -m mivspool.warm_up`` compiles them all ahead of the first use.

What is compiled is kept on disk: beside the code, or in the user's cache folder where the code lies in a folder that
cannot be written (``NUMBA_CACHE_DIR`` names another). Where there is no such folder it is compiled in each process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: compiled at the first call, or read from disk; others may run while it does."""
    return _compile(function, frozenset({"contract", "nsz"}))


def compiled_sums(function: Callable[P, R]) -> Callable[P, R]:
    """The same for loops whose sums may be added up in any order, and so in vectors."""
    return _compile(function, frozenset({"contract", "nsz", "reassoc"}))


def _compile(function: Callable[P, R], fastmath: frozenset[str]) -> Callable[P, R]:
    try:
        kept: Callable[P, R] = njit(cache=True, nogil=True, fastmath=set(fastmath))(function)
        return kept
    except RuntimeError:  # numba found no folder that it can write to
        fresh: Callable[P, R] = njit(nogil=True, fastmath=set(fastmath))(function)
        return fresh
