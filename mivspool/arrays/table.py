"""Which implementation of an operation runs: the only place that asks what kind of device an array is on.

An operation is written in torch operations, which run on any device, and a second time for the CPU, where a compiled
pass is faster::

    @operation
    def readout(x, batch, batch_size): ...

    @readout.on_cpu
    def _readout_compiled(x, batch, batch_size): ...

A call takes the implementation for the device of its first argument: a tensor, or anything else with a ``device``. Both
must give the same results and gradients: tests/arrays/test_table.py compares them for every entry of
:func:`operations`, and fails for an operation without a case. Where both give the same bits, the operation says that it
is ``exact``, and the first calls on small graphs need not wait for the compiler (``compiled.begins``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

from mivspool.arrays import compiled

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

_tensors_alone: ContextVar[bool] = ContextVar("tensors_alone", default=False)


class Operation(Protocol[P, R_co]):
    """A function that picks its implementation; ``tensors`` is the one for any device.

    ``exact``: whether the other gives the same bits for these arguments; it raises what that one raises.
    """

    tensors: Callable[..., Any]
    exact: Callable[..., bool]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """The result of the implementation for the first argument's device."""
        ...

    def on_cpu(self, implementation: Callable[..., Any]) -> Any:
        """Decorator: the implementation for the CPU; takes and returns what ``tensors`` does."""
        ...


_operations: dict[str, Operation[..., Any]] = {}


@overload
def operation(tensors: Callable[P, R]) -> Operation[P, R]: ...


@overload
def operation(*, exact: Callable[..., bool]) -> Callable[[Callable[P, R]], Operation[P, R]]: ...


def operation(tensors: Callable[..., Any] | None = None, *, exact: Callable[..., bool] | None = None) -> Any:
    """Decorator: an operation of this implementation in torch operations, for any device.

    ``exact``: for which arguments the one for the CPU gives the same bits (default: none). It raises InputError for
    what that one refuses and this one would not look at.
    """
    if tensors is None:
        return functools.partial(operation, exact=exact)
    by_kind: dict[str, Callable[..., Any]] = {}
    first = tensors.__code__.co_varnames[0]

    @functools.wraps(tensors)
    def call(*args: Any, **kwargs: Any) -> Any:
        given: Any = args[0] if args else kwargs[first]
        kind = given.device.type
        if _tensors_alone.get():
            return tensors(*args, **kwargs)
        if exact and kind == "cpu" and compiled.begins(_size(given)) and exact(*args, **kwargs):
            return tensors(*args, **kwargs)
        return by_kind.get(kind, tensors)(*args, **kwargs)

    def on_cpu(implementation: Callable[..., Any]) -> Callable[..., Any]:
        by_kind["cpu"] = implementation
        return implementation

    made = cast(Any, call)
    made.tensors, made.on_cpu, made.exact = tensors, on_cpu, exact or never
    module = tensors.__module__.removeprefix("mivspool.")
    _operations[f"{module}:{tensors.__qualname__}"] = made
    return made


def always(*_: Any, **__: Any) -> bool:
    """``exact`` of an operation on whole numbers, or one that only compares, with nothing to be checked."""
    return True


def never(*_: Any, **__: Any) -> bool:
    """``exact`` of an operation whose sums end in other bits."""
    return False


def _size(given: Any) -> int:
    """The entries of a tensor or a graph."""
    size: int = given.num_entries if hasattr(given, "num_entries") else given.numel()
    return size


def operations() -> dict[str, Operation[..., Any]]:
    """Every operation of the modules that are imported, by "module:name"."""
    return dict(_operations)


@contextmanager
def tensors_alone() -> Iterator[None]:
    """While it is open, this thread computes on the CPU as it would on another device, without compiled passes."""
    before = _tensors_alone.set(True)
    try:
        yield
    finally:
        _tensors_alone.reset(before)
