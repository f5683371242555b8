"""The convolutions with their ReLU, and one fused pass backward through the ReLU and the bias."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from mivspool.arrays import double_backward, passes
from mivspool.arrays.checks import expect, features
from mivspool.arrays.eager import eager
from mivspool.arrays.table import operation
from mivspool.sparse import Propagation


class GCN(nn.Module):
    """ReLU of Kipf and Welling's convolution: D^(-1/2) (A + I) D^(-1/2) X W + b, aggregated where it is narrower."""

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_channels, out_channels))
        self.bias = nn.Parameter(torch.zeros(out_channels))
        nn.init.xavier_uniform_(self.weight)

    @eager
    def forward(self, x: Tensor, matrix: Propagation | None) -> Tensor:
        """[N, in_channels] → [N, out_channels]; without a matrix, x is taken as propagated already."""
        if matrix is not None and self.weight.size(0) > self.weight.size(1):
            return (matrix @ (x @ self.weight) + self.bias).relu()
        propagated = x if matrix is None else matrix @ x
        return linear_relu(propagated, self.weight, self.bias)


@operation
def linear_relu(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """ReLU(X W + b): ``x`` [N, C], ``weight`` [C, C'], ``bias`` [C'] → [N, C']."""
    return torch.addmm(bias, x, weight).relu()


@linear_relu.on_cpu
def _linear_relu_compiled(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    out: Tensor = _LinearReLU.apply(x, weight, bias)
    return out


class GIN(nn.Module):
    """Xu et al.'s convolution with ε = 0: an MLP of two layers on (A + I) X, plus X where the widths agree."""

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.first = GCN(in_channels, out_channels)
        self.second = GCN(out_channels, out_channels)

    def forward(self, x: Tensor, matrix: Propagation | None) -> Tensor:
        """[N, in_channels] → [N, out_channels]; ``matrix``: A + I, None for a graph without edges."""
        out: Tensor = self.second(self.first(x, matrix), None)
        return out + x if out.shape == x.shape else out


class _LinearReLU(torch.autograd.Function):
    """:func:`linear_relu` on the CPU."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        features("x", x)
        expect("weight", weight, x.dtype, x.size(1), bias.numel())
        expect("bias", bias, x.dtype, bias.numel())
        # the bias in the pass of the ReLU: addmm would write it into the result first
        out = x.detach() @ weight.detach()
        passes.bias_relu(out.numpy(), bias.detach().numpy())
        ctx.save_for_backward(x, weight, out)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, Tensor, Tensor]:
        x, weight, out = ctx.saved_tensors
        expect("grad", grads[0], out.dtype, *out.shape)
        if double_backward.wanted():
            slope = torch.where(out.detach() > 0, grads[0], 0)
            return slope @ weight.T, x.T @ slope, slope.sum(0)
        x, weight, out = x.detach(), weight.detach(), out.detach()
        slope, of_bias = torch.empty_like(out), out.new_zeros(out.size(1))
        passes.relu_backward(grads[0].contiguous().numpy(), out.numpy(), slope.numpy(), of_bias.numpy())
        of_x = slope @ weight.T if ctx.needs_input_grad[0] else None
        return of_x, x.T @ slope, of_bias
