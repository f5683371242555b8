"""What torch.compile leaves as it is: it cannot look into compiled loops, and fails where it tries."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import torch

P = ParamSpec("P")
R = TypeVar("R")


def eager(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: a network that is compiled calls this function as any other code does, gradients included.

    ``torch.compiler.disable`` says the same, but loads the whole compiler at once (seconds, in every process).
    """
    held: list[Callable[P, R]] = []

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        if not torch.compiler.is_compiling():
            return function(*args, **kwargs)
        if not held:
            held.append(torch.compiler.disable(function))  # type: ignore[no-untyped-call]
        return held[0](*args, **kwargs)

    # the compiler counts how often it looks at a piece of code and gives up after eight: each function has its own
    called.__code__ = called.__code__.replace(co_name=function.__name__)  # type: ignore[attr-defined]
    return called
