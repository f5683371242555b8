"""What torch.compile leaves as it is: it cannot look into compiled loops, and fails where it tries."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import torch

F = TypeVar("F", bound=Callable[..., Any])


def eager(function: F) -> F:
    """Decorator: a network that is compiled calls this function as any other code does, gradients included.

    ``torch.compiler.disable`` says the same, but loads the whole compiler at once (seconds, in every process).
    """
    held: list[Callable[..., Any]] = []

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not torch.compiler.is_compiling():
            return function(*args, **kwargs)
        if not held:
            held.append(torch.compiler.disable(function))  # type: ignore[no-untyped-call]
        return held[0](*args, **kwargs)

    # the compiler counts how often it looks at a piece of code and gives up after eight: each function has its own
    called.__code__ = called.__code__.replace(co_name=function.__name__)  # type: ignore[attr-defined]
    return cast(F, called)
