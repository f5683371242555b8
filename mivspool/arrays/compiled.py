"""How loops are compiled (numba); ``python -m mivspool.warm_up`` compiles them all ahead of the first use.

What is compiled is kept on disk: beside the code, or in the user's cache folder where the code lies in a folder that
cannot be written (``NUMBA_CACHE_DIR`` names another). Where there is no such folder it is compiled in each process.

Whoever has compiled nothing yet waits for it at the first call. docs/decisions.md says what makes that short.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from numba import njit
from numba.core import event

P = ParamSpec("P")
R = TypeVar("R")

_EXACT, _ANY_ORDER = ("contract", "nsz"), ("contract", "nsz", "reassoc")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: compiled at the first call, or read from disk; others may run while it does."""
    return _compile(function, _EXACT)


def compiled_sums(function: Callable[P, R]) -> Callable[P, R]:
    """The same for loops whose sums may be added up in any order, and so in vectors."""
    return _compile(function, _ANY_ORDER)


def compiled_part(function: Callable[P, R]) -> Callable[P, R]:
    """The same for what only compiled loops of its own file call: compiled and kept with them, not for Python."""
    part: Callable[P, R] = njit(
        nogil=True, fastmath=set(_EXACT), no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)
    return part


def _compile(function: Callable[P, R], fastmath: tuple[str, ...]) -> Callable[P, R]:
    # nobody calls them from C
    options = {"nogil": True, "fastmath": set(fastmath), "no_cfunc_wrapper": True}
    try:
        kept: Callable[P, R] = njit(cache=True, **options)(function)
        return kept
    except RuntimeError:  # numba found no folder that it can write to
        fresh: Callable[P, R] = njit(**options)(function)
        return fresh


class _Collecting(event.Listener):  # type: ignore[misc]  # numba has no types
    """While numba compiles, garbage is not collected: that took a fifth of the time, for next to nothing.

    Numba makes so many objects that all those of PyTorch are looked through again and again. It compiles one function
    at a time, and others inside it.
    """

    def __init__(self) -> None:
        self.depth, self.collects = 0, False

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self.collects = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0 and self.collects:
            gc.enable()


event.register("numba:compile", _Collecting())
