"""Batch normalisation that gives the same by any number of threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from mivspool.arrays.table import operation

_BUFFERS = ("running_mean", "running_var", "num_batches_tracked")


class Normalisation(nn.BatchNorm1d):
    """Batch normalisation; one row alone, which has no variance, goes by the running statistics in training too."""

    def forward(self, input: Tensor) -> Tensor:
        """[N, C] → [N, C]."""
        mean, variance, tracked = (self.get_buffer(name) for name in _BUFFERS)
        if not self.training or input.size(0) < 2:
            return functional.batch_norm(input, mean, variance, self.weight, self.bias, eps=self.eps)
        tracked.add_(1)
        return trained(input, self.weight, self.bias, mean, variance, self.momentum or 0.0, self.eps)


@operation
def trained(
    x: Tensor, weight: Tensor, bias: Tensor, mean: Tensor, variance: Tensor, momentum: float, eps: float
) -> Tensor:
    """x [N, C] normalised by its own mean and variance, which the running ones [C] take up by ``momentum``."""
    return functional.batch_norm(x, mean, variance, weight, bias, True, momentum, eps)


@trained.on_cpu
def _trained_on_cpu(x: Tensor, *given: Any) -> Tensor:
    out: Tensor = _ByOneThread.apply(x, *given)
    return out


class _ByOneThread(torch.autograd.Function):
    """torch adds up what each of its threads has summed: the sums depend on how many there are."""

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        weight: Tensor,
        bias: Tensor,
        mean: Any,
        variance: Any,
        momentum: float,
        eps: float,
    ) -> Tensor:
        with _one_thread():
            out, *saved = torch.native_batch_norm(x, weight, bias, mean, variance, True, momentum, eps)
        ctx.save_for_backward(x, weight, *saved)
        ctx.eps = eps
        made: Tensor = out
        return made

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        x, weight, mean, scale = ctx.saved_tensors
        with _one_thread():
            found = torch.ops.aten.native_batch_norm_backward(
                grads[0], x, weight, None, None, mean, scale, True, ctx.eps, list(ctx.needs_input_grad[:3])
            )
        return (*found, None, None, None, None)


@contextmanager
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
