"""Structure learning: the weights of A' by sparsemax over each survivor's candidates, one pass each way on the CPU."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from mivspool.pooling.sparsemax import sparsemax
from mivspool.sparse import Adjacency


def learned(
    rowptr: Tensor, col: Tensor, of_row: Tensor, of_col: Tensor, bonus: Tensor, slope: float
) -> Adjacency:
    """A' = (P + Pᵀ)/2, where row p of P is sparsemax of LeakyReLU(of_row[p] + of_col[q]) + bonus[p, q].

    ``rowptr`` int64 [N' + 1], ``col`` int64 [M]: the candidates q of each p, sorted, symmetric, p itself among them.
    ``of_row``, ``of_col`` float [N'], ``bonus`` float [M]; ``slope``: of the LeakyReLU. Entries of 0 are no edges.
    Weights and diagonal carry a gradient.
    """
    if of_row.device.type == "cpu":
        out = _Learned.apply(rowptr, col, of_row, of_col, bonus, slope)  # type: ignore[no-untyped-call]
        return Adjacency(*out)
    return learn(rowptr, col, of_row, of_col, bonus, slope)


def learn(
    rowptr: Tensor, col: Tensor, of_row: Tensor, of_col: Tensor, bonus: Tensor, slope: float
) -> Adjacency:
    """:func:`learned` with tensors alone, for any device."""
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


class _Learned(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, rowptr: Tensor, col: Tensor, of_row: Tensor, of_col: Tensor, bonus: Tensor, slope: float
    ) -> tuple[Tensor, ...]:
        from mivspool.pooling import loops

        given = rowptr, col, of_row.contiguous(), of_col.contiguous()
        read = [t.numpy() for t in (*given, bonus.contiguous())]
        arrays = loops.learn_structure(read[0], read[1], read[2], read[3], read[4], slope)
        out_ptr, out_col, weight, own, p, transposed, place = map(torch.from_numpy, arrays)
        ctx.save_for_backward(*given, p, transposed, place)
        ctx.slope = slope
        ctx.mark_non_differentiable(out_ptr, out_col)
        return out_ptr, out_col, weight, own

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        from mivspool.pooling import loops

        rowptr, col, of_row, of_col, p, transposed, place = (t.detach().numpy() for t in ctx.saved_tensors)
        of_weight, of_loops = (grad.contiguous().numpy() for grad in grads[2:])
        arrays = loops.learn_structure_backward(
            of_weight, of_loops, rowptr, col, of_row, of_col, ctx.slope, p, transposed, place
        )
        return None, None, *map(torch.from_numpy, arrays), None
