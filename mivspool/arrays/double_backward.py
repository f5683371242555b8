"""Gradients of gradients: a backward pass that is to be differentiated itself is made of torch operations.

A compiled pass records no graph for autograd. Where torch differentiates a backward pass (``create_graph``), each
function therefore takes its gradients from here: from the same formula in torch operations, slower and seldom needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor


def wanted() -> bool:
    """Whether the backward pass that runs is to be differentiated."""
    return torch.is_grad_enabled()


def gradients(
    formula: Callable[..., tuple[Tensor, ...]],
    inputs: Sequence[Tensor],
    needed: Sequence[bool],
    grads: Sequence[Tensor],
) -> list[Tensor | None]:
    """The gradients, themselves differentiable, of those ``inputs`` that are ``needed``; None for the others.

    ``formula(*inputs)`` returns what the function returns, ``grads`` are the gradients of that.
    """
    # views: one input may have been computed from another, and that path is not this function's
    same = [given.view_as(given) for given in inputs]
    made = [(out, grad) for out, grad in zip(formula(*same), grads, strict=True) if out.requires_grad]
    outs, slopes = zip(*made, strict=True)
    asked = [given for given, need in zip(same, needed, strict=True) if need]
    found = iter(torch.autograd.grad(outs, asked, slopes, create_graph=True, allow_unused=True))
    return [next(found) if need else None for need in needed]
