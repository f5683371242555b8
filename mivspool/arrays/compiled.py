"""How loops are compiled (numba); ``python -m mivspool.warm_up`` compiles them all ahead of the first use.

What is compiled is kept on disk: beside the code, or in the user's cache folder where the code lies in a folder that
cannot be written (``NUMBA_CACHE_DIR`` names another). Where there is no such folder it is compiled in each process.

Whoever has compiled nothing yet waits for it at the first call. docs/decisions.md says what makes that short.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from numba import njit
from numba.core import event, types
from numba.core.types.functions import BaseFunction

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


_OPERATORS = {function for function in vars(operator).values() if callable(function)}
# numba has what operators do with these: nobody's options change it, as they do what is compiled for strings or lists
_PLAIN = (types.Number, types.Boolean, types.Array)


_resolve = BaseFunction.get_call_type
_resolved: dict[Any, Any] = {}


def _resolve_once(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """``BaseFunction.get_call_type``, asked once for each operator on numbers or arrays and the same types.

    Numba asks again for every use, and again until all types of a function are known; each time it tries what is
    registered for the operator one by one, and words why it does not fit: a sixth of the time.
    """
    if kws or self.typing_key not in _OPERATORS or not isinstance(args[0], _PLAIN):
        return _resolve(self, context, args, kws)
    # what is registered later makes another ``self``
    key = self, context, args
    if key not in _resolved:
        _resolved[key] = _resolve(self, context, args, kws)
    return _resolved[key]


BaseFunction.get_call_type = _resolve_once  # type: ignore[method-assign]
