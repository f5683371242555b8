"""Which implementation of an operation runs: the only place that asks what kind of device an array is on.

An operation is written in torch operations, which run on any device, and a second time for the CPU, where a compiled
pass is faster::

    @operation
    def readout(x, batch, batch_size): ...

    @readout.on_cpu
    def _readout_compiled(x, batch, batch_size): ...

A call takes the implementation for the device of its first argument: a tensor, or anything else with a ``device``. Both
must give the same results and gradients: tests/arrays/test_table.py compares them for every entry of
:func:`operations`, and fails for an operation without a case.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

_tensors_alone: ContextVar[bool] = ContextVar("tensors_alone", default=False)


class Operation(Protocol[P, R_co]):
    """A function that picks its implementation; ``tensors`` is the one for any device."""

    tensors: Callable[..., Any]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """The result of the implementation for the first argument's device."""
        ...

    def on_cpu(self, implementation: Callable[..., Any]) -> Any:
        """Decorator: the implementation for the CPU; takes and returns what ``tensors`` does."""
        ...


_operations: dict[str, Operation[..., Any]] = {}


def operation(tensors: Callable[P, R]) -> Operation[P, R]:
    """Decorator: an operation of this implementation in torch operations, for any device."""
    by_kind: dict[str, Callable[P, R]] = {}
    first = tensors.__code__.co_varnames[0]

    @functools.wraps(tensors)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        given: Any = args[0] if args else kwargs[first]
        if _tensors_alone.get():
            return tensors(*args, **kwargs)
        return by_kind.get(given.device.type, tensors)(*args, **kwargs)

    def on_cpu(implementation: Callable[P, R]) -> Callable[P, R]:
        by_kind["cpu"] = implementation
        return implementation

    made = cast(Any, call)
    made.tensors, made.on_cpu = tensors, on_cpu
    module = tensors.__module__.removeprefix("mivspool.")
    _operations[f"{module}:{tensors.__qualname__}"] = made
    return cast("Operation[P, R]", made)


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
