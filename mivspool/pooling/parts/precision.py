"""Half precision: a layer given float16 or bfloat16, or called under autocast, computes in float32.

Scores in half precision would tie where they differ, and the sums of Eq. 12 would lose what they add up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

HALF = (torch.float16, torch.bfloat16)
R = TypeVar("R")


class _Call(nn.Module):
    """One call of a layer's function, so that the layer's weights can be replaced for it."""

    def __init__(self, layer: nn.Module, function: Callable[..., Any]) -> None:
        super().__init__()
        self.layer, self.function = layer, function

    def forward(self, *args: Any) -> Any:
        """What the function gives."""
        return self.function(*args)


def in_float32(layer: nn.Module, function: Callable[..., R], x: Tensor, *rest: Any) -> R:
    """``function(x, *rest)``, a function of ``layer``; x [N, C] and weights in half precision are taken as float32.

    Gradients come back in the types of x and the weights. Other types are computed in themselves.
    """
    kind = x.device.type
    if x.dtype not in HALF and not torch.is_autocast_enabled(kind):
        return function(x, *rest)
    weights = {f"layer.{name}": one.float() for name, one in layer.named_parameters() if one.dtype in HALF}
    with torch.autocast(kind, enabled=False):
        given = (x.float() if x.dtype in HALF else x, *rest)
        if not weights:
            return function(*given)
        found: R = torch.func.functional_call(_Call(layer, function), weights, given)
        return found
