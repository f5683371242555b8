"""What torch.compile leaves as it is: it cannot look into compiled loops, and fails where it tries.

What records a network as a fixed sequence of operations is refused: how many vertices survive depends on the values,
and a recording would keep those of its example without a word.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import torch

from mivspool.errors import InputError

RECORDED = (
    "pooling cannot be {}: how many vertices survive depends on the values; keep the network in Python, where "
    "torch.compile works, or export the parts before and after the pooling"
)
F = TypeVar("F", bound=Callable[..., Any])


def eager(function: F) -> F:
    """Decorator: a network that is compiled calls this function as any other code does, gradients included.

    ``torch.compiler.disable`` says the same, but loads the whole compiler at once (seconds, in every process).
    """
    held: list[Callable[..., Any]] = []

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not torch.compiler.is_compiling():
            if torch.jit.is_tracing():  # type: ignore[attr-defined]  # public, and not among torch.jit's types
                raise InputError(RECORDED.format("traced, for TorchScript or ONNX"))
            return function(*args, **kwargs)
        if torch.compiler.is_exporting():
            raise InputError(RECORDED.format("exported with torch.export"))
        if not held:
            held.append(torch.compiler.disable(function))
        return held[0](*args, **kwargs)

    # the compiler counts how often it looks at a piece of code and gives up after eight: each function has its own
    called.__code__ = called.__code__.replace(co_name=function.__name__)  # type: ignore[attr-defined]
    return cast(F, called)
