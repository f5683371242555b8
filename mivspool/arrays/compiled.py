"""How loops are compiled (numba); ``python -m mivspool.warm_up`` compiles them all ahead of the first use.

What is compiled is kept on disk: beside the code, or in the user's cache folder where the code lies in a folder that
cannot be written (``NUMBA_CACHE_DIR`` names another). Where there is no such folder it is compiled in each process.

Whoever has compiled nothing yet waits for it at the first call. docs/decisions.md says what makes that short: for one,
small graphs do without some of it at the beginning (:func:`begins`).
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from numba import njit
from numba.core import event

P = ParamSpec("P")
R = TypeVar("R")

# so many calls on graphs of so many entries at most do without what has never been compiled
CALLS, SMALL = 64, 2**14

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
        kept = njit(cache=True, **options)(function)
        _folders.add(kept.stats.cache_path)
        found: Callable[P, R] = kept
        return found
    except RuntimeError:  # numba found no folder that it can write to
        fresh: Callable[P, R] = njit(**options)(function)
        return fresh


_folders: set[str] = set()
_left: int | None = None  # calls at the beginning; None: before the first


def begins(size: int) -> bool:
    """Whether a call on so many entries takes a way without compiled loops, one of the same numbers.

    So it is where selection has never been compiled on this machine, until a number of calls has been made: each loop
    takes as long to compile as thousands of such calls to compute.
    """
    global _left
    if size > SMALL:
        return False
    if _left is None:
        _left = 0 if any(any(Path(one).glob("greedy._passes-*.nbi")) for one in _folders) else CALLS
    if _left <= 0:
        return False
    _left -= 1
    return True


def end_beginning() -> None:
    """From now on everything is compiled when it is first called."""
    global _left
    _left = 0


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
