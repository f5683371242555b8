"""Structure learning: the weights of A' by sparsemax over each survivor's candidates, one pass each way on the CPU."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from mivspool.arrays import double_backward, edges
from mivspool.arrays.checks import FLOATS, expect
from mivspool.arrays.table import operation
from mivspool.errors import InputError
from mivspool.pooling.parts import loops
from mivspool.pooling.parts.sparsemax import sparsemax
from mivspool.sparse import Adjacency


@operation
def learned(
    rowptr: Tensor, col: Tensor, of_row: Tensor, of_col: Tensor, bonus: Tensor, slope: float
) -> Adjacency:
    """A' = (P + Pᵀ)/2, where row p of P is sparsemax of LeakyReLU(of_row[p] + of_col[q]) + bonus[p, q].

    ``rowptr`` int64 [N' + 1], ``col`` int64 [M]: the candidates q of each p, sorted, symmetric, p itself among them.
    ``of_row``, ``of_col`` float [N'], ``bonus`` float [M]; ``slope``: of the LeakyReLU. Entries of 0 are no edges.
    Weights and diagonal carry a gradient.
    """
    n = of_row.numel()
    row = torch.repeat_interleave(rowptr[1:] - rowptr[:-1])
    similar = of_row.index_select(0, row) + of_col.index_select(0, col)
    p = sparsemax(nn.functional.leaky_relu(similar, slope) + bonus, row, n)
    # by column, and in each column by row: the k-th entry of the transpose is entry transposed[k]
    transposed = torch.argsort(col, stable=True)
    value = (p + p.index_select(0, transposed)) / 2
    off = torch.nonzero((row != col) & (value.detach() > 0)).reshape(-1)
    own = torch.nonzero(row == col).reshape(-1)
    out = torch.zeros(n + 1, dtype=torch.int64, device=col.device)
    torch.cumsum(torch.bincount(row[off], minlength=n), 0, out=out[1:])
    weight, loops = (value.index_select(0, part).to(torch.float64) for part in (off, own))
    return Adjacency(out, col[off], weight, loops)


@learned.on_cpu
def _learned_compiled(
    rowptr: Tensor, col: Tensor, of_row: Tensor, of_col: Tensor, bonus: Tensor, slope: float
) -> Adjacency:
    out = _Learned.apply(rowptr, col, of_row, of_col, bonus, slope)
    return Adjacency(*out)


class _Learned(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, rowptr: Tensor, col: Tensor, of_row: Tensor, of_col: Tensor, bonus: Tensor, slope: float
    ) -> tuple[Tensor, ...]:
        n, m = of_row.numel(), col.numel()
        if of_row.dtype not in FLOATS:
            raise InputError(f"a structure is learned from float32 or float64, not {of_row.dtype}")
        for name, values, size in (("of_row", of_row, n), ("of_col", of_col, n), ("bonus", bonus, m)):
            expect(name, values, of_row.dtype, size)
        expect("rowptr", rowptr, torch.int64, n + 1)
        expect("col", col, torch.int64, m)
        fault = edges.fault(rowptr.numpy(), col.numpy(), diagonal=True)
        if fault is not None:
            raise InputError(f"these are no candidates for a structure: {fault}")
        given = rowptr, col, of_row.contiguous(), of_col.contiguous()
        read = [t.numpy() for t in (*given, bonus.contiguous())]
        arrays = loops.learn_structure(read[0], read[1], read[2], read[3], read[4], slope)
        out_ptr, out_col, weight, own, p, transposed, place = map(torch.from_numpy, arrays)
        ctx.save_for_backward(rowptr, col, of_row, of_col, bonus, p, transposed, place)
        ctx.slope = slope
        ctx.mark_non_differentiable(out_ptr, out_col)
        return out_ptr, out_col, weight, own

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        if double_backward.wanted():
            return _gradients(ctx, grads)
        saved = (t.detach().contiguous().numpy() for t in ctx.saved_tensors)
        rowptr, col, of_row, of_col, _, p, transposed, place = saved
        expect("grad", grads[2], torch.float64, place.size)
        expect("grad", grads[3], torch.float64, of_row.size)
        of_weight, of_loops = (grad.contiguous().numpy() for grad in grads[2:])
        arrays = loops.learn_structure_backward(
            of_weight, of_loops, rowptr, col, of_row, of_col, ctx.slope, p, transposed, place
        )
        return None, None, *map(torch.from_numpy, arrays), None


def _gradients(ctx: Any, grads: tuple[Tensor, ...]) -> tuple[Tensor | None, ...]:
    """The gradients with their history: sparsemax with the support that it had."""
    rowptr, col, of_row, of_col, bonus, p, transposed, place = ctx.saved_tensors
    n = of_row.numel()
    row = torch.repeat_interleave(rowptr[1:] - rowptr[:-1])
    support, own = p > 0, torch.nonzero(row == col).reshape(-1)
    size = torch.bincount(row[support], minlength=n)

    def weights(of_row: Tensor, of_col: Tensor, bonus: Tensor) -> tuple[Tensor, Tensor]:
        value = (
            nn.functional.leaky_relu(of_row.index_select(0, row) + of_col.index_select(0, col), ctx.slope)
            + bonus
        )
        value = torch.where(support, value, 0)
        tau = (value.new_zeros(n).index_add(0, row, value) - 1) / size
        value = torch.where(support, value - tau.index_select(0, row), 0)
        value = ((value + value.index_select(0, transposed)) / 2).to(torch.float64)
        return value.index_select(0, place), value.index_select(0, own)

    found = double_backward.gradients(weights, (of_row, of_col, bonus), ctx.needs_input_grad[2:5], grads[2:])
    return None, None, *found, None
