"""Batch normalisation that gives the same by any number of threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


class Normalisation(nn.BatchNorm1d):
    """Batch normalisation; one row alone, which has no variance, goes by the running statistics in training too."""

    def forward(self, input: Tensor) -> Tensor:
        """[N, C] → [N, C]."""
        if not self.training or input.size(0) < 2:
            return functional.batch_norm(
                input, self.running_mean, self.running_var, self.weight, self.bias, eps=self.eps
            )
        if self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
        running = self.running_mean, self.running_var, self.momentum, self.eps
        out: Tensor = _ByOneThread.apply(input, self.weight, self.bias, *running)
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
