"""Features along a few directions, X·Dᵀ, which is all that a learned score takes from them.

A layer needs X twice, for its scores and for Eq. 12. ``share`` hands X on beside the product, so that both
gradients meet in one pass over the vertices.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mivspool.arrays import double_backward
from mivspool.arrays.checks import expect, features
from mivspool.arrays.compiled import compiled, compiled_sums
from mivspool.arrays.table import operation
from mivspool.errors import InputError


@operation
def share(x: Tensor, directions: Tensor) -> tuple[Tensor, Tensor]:
    """x [N, C] itself, to be used from here on, and x · directionsᵀ [N, K] for ``directions`` [K, C].

    Raises InputError where their widths or types differ.
    """
    _fit(x, directions)
    return x, x @ directions.T


@share.on_cpu
def _share_compiled(x: Tensor, directions: Tensor) -> tuple[Tensor, Tensor]:
    shared: tuple[Tensor, Tensor] = _Share.apply(x, directions)
    return shared


def fits(x: Tensor, channels: int, dtype: torch.dtype) -> None:
    """InputError where x [N, C] has another width than a layer, or another type than its weights, with what to do."""
    features("x", x)
    if x.size(1) != channels:
        raise InputError(
            f"x has {x.size(1)} channels, but the layer was made for {channels}: "
            f"make it with in_channels={x.size(1)}"
        )
    if x.dtype != dtype:
        raise InputError(f"x is {x.dtype}, but the layer {dtype}: give x.to({dtype})")


def _fit(x: Tensor, directions: Tensor) -> None:
    """InputError where x and the directions differ in width or type."""
    fits(x, directions.size(-1), directions.dtype)
    if not x.size(1):
        raise InputError("x has no channels: a learned score needs one at least")
    expect("directions", directions, x.dtype, directions.size(0), x.size(1))


@compiled_sums
def _products(x: Any, directions: Any, out: Any) -> None:
    for v in range(x.shape[0]):
        row = x[v]
        for j in range(directions.shape[0]):
            direction = directions[j]
            dot = row[0] * direction[0]
            for k in range(1, row.size):
                dot += row[k] * direction[k]
            out[v, j] = dot


@compiled
def _gradients(of_shared: Any, of_along: Any, x: Any, directions: Any, of_x: Any, of_directions: Any) -> None:
    """of_x = of_shared + of_along · directions, of_directions += of_alongᵀ · x."""
    width, number = x.shape[1], directions.shape[0]
    for v in range(x.shape[0]):
        row, slope, sums = x[v], of_shared[v], of_x[v]
        for k in range(width):
            sums[k] = slope[k]
        for j in range(number):
            along, direction, total = of_along[v, j], directions[j], of_directions[j]
            for k in range(width):
                sums[k] += along * direction[k]
                total[k] += along * row[k]


@compiled
def _gradients_of_two(
    of_shared: Any, of_along: Any, x: Any, directions: Any, of_x: Any, of_directions: Any
) -> None:
    """``_gradients`` for two directions."""
    first, second, of_first, of_second = directions[0], directions[1], of_directions[0], of_directions[1]
    for v in range(x.shape[0]):
        row, slope, sums, a, b = x[v], of_shared[v], of_x[v], of_along[v, 0], of_along[v, 1]
        for k in range(row.size):
            sums[k] = slope[k] + a * first[k] + b * second[k]
        for k in range(row.size):
            of_first[k] += a * row[k]
            of_second[k] += b * row[k]


class _Share(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, directions: Tensor) -> tuple[Tensor, Tensor]:
        _fit(x, directions)
        ctx.save_for_backward(x, directions)
        held, directions = x.detach().contiguous(), directions.detach().contiguous()
        along = x.new_empty(x.size(0), directions.size(0))
        _products(held.numpy(), directions.numpy(), along.numpy())
        return x.view_as(x), along

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor]:
        x, directions = ctx.saved_tensors
        expect("grad", grads[0], x.dtype, *x.shape)
        expect("grad", grads[1], x.dtype, x.size(0), directions.size(0))
        if double_backward.wanted():
            return grads[0] + grads[1] @ directions, grads[1].T @ x
        x, directions = x.detach().contiguous(), directions.detach().contiguous()
        of_x, of_directions = torch.empty_like(x), torch.zeros_like(directions)
        compute = _gradients_of_two if directions.size(0) == 2 else _gradients
        compute(
            grads[0].contiguous().numpy(), grads[1].contiguous().numpy(), x.numpy(), directions.numpy(),
            of_x.numpy(), of_directions.numpy(),
        )  # fmt: skip
        return of_x, of_directions
