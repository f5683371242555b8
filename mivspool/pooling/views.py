"""The multiview score of a batch in one compiled call, forward and backward (CPU); see ``scores.MultiView``.

``along`` [N, 2] holds X·p / ‖p‖ and the one-channel GCN's product before propagation; ``small`` the seven numbers
α, β, the GCN's bias and, with the three biases and nine weights of the attention, all parameters beside p and W.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mivspool.compiled import compiled


@compiled
def _sigmoid(value: Any) -> Any:
    """Without overflow on either side."""
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    grown = math.exp(value)
    return grown / (1 + grown)


@compiled
def _spread(rowptr: Any, col: Any, scale: Any, x: Any, scaled: Any, out: Any) -> None:
    """out = D^(-1/2) A D^(-1/2) x for one channel; ``scaled`` is room for D^(-1/2) x."""
    for v in range(x.size):
        scaled[v] = scale[v] * x[v]
    for v in range(x.size):
        total = scaled.dtype.type(0)
        for e in range(rowptr[v], rowptr[v + 1]):
            total += scaled[col[e]]
        out[v] = scale[v] * total


@compiled
def _scales(rowptr: Any, scale: Any, log_degree: Any) -> None:
    for v in range(scale.size):
        degree = rowptr[v + 1] - rowptr[v]
        scale[v] = 1 / math.sqrt(degree) if degree > 0 else 0.0
        log_degree[v] = math.log(degree + 1e-16)


@compiled
def _forward(
    rowptr: Any,
    col: Any,
    ptr: Any,
    along: Any,
    small: Any,
    steps: int,
    restart: Any,
    views: Any,
    top: Any,
    score: Any,
) -> None:
    """Fills views [N, 3] before the maximum is taken out, top [B, 3] and score [N]."""
    n = score.size
    scale, log_degree, scaled = np.empty_like(score), np.empty_like(score), np.empty_like(score)
    _scales(rowptr, scale, log_degree)
    start, rank = np.empty_like(score), np.empty_like(score)
    rank[:] = along[:, 1]
    _spread(rowptr, col, scale, rank, scaled, start)
    for v in range(n):
        start[v] += small[2]
        rank[v] = start[v]
    spread = np.empty_like(score)
    keep = 1 - restart
    for _ in range(steps):
        _spread(rowptr, col, scale, rank, scaled, spread)
        for v in range(n):
            rank[v] = restart * start[v] + keep * spread[v]
    for b in range(ptr.size - 1):
        top[b] = 0
        for v in range(ptr[b], ptr[b + 1]):
            views[v, 0] = _sigmoid(small[0] * log_degree[v] + small[1])
            views[v, 1] = _sigmoid(along[v, 0])
            views[v, 2] = _sigmoid(rank[v])
            for k in range(3):
                top[b, k] = max(top[b, k], views[v, k])
        for v in range(ptr[b], ptr[b + 1]):
            score[v] = _weigh(views[v], top[b], small)[0]


@compiled
def _weigh(views: Any, top: Any, small: Any) -> Any:
    """One vertex: its score, its three views divided by their maximum, their gates and weights."""
    tiny = np.finfo(views.dtype).tiny
    a, b, c = (views[0] / max(top[0], tiny), views[1] / max(top[1], tiny), views[2] / max(top[2], tiny))
    s = _sigmoid(small[3] + small[6] * a + small[7] * b + small[8] * c)
    t = _sigmoid(small[4] + small[9] * a + small[10] * b + small[11] * c)
    u = _sigmoid(small[5] + small[12] * a + small[13] * b + small[14] * c)
    es, et, eu = math.exp(s), math.exp(t), math.exp(u)
    total = es + et + eu
    es, et, eu = es / total, et / total, eu / total
    score = _sigmoid(es * a + et * b + eu * c)
    return score, (a, b, c), (s, t, u), (es, et, eu)


@compiled
def _backward(
    rowptr: Any, col: Any, ptr: Any, views: Any, top: Any, small: Any, steps: int, restart: Any, grad: Any, score: Any,
    of_along: Any, of_small: Any,
) -> None:  # fmt: skip
    """Fills of_along [N, 2] and adds to of_small; equal maxima share their gradient evenly, as torch's amax does."""
    n = score.size
    scale, log_degree, scaled = np.empty_like(score), np.empty_like(score), np.empty_like(score)
    _scales(rowptr, scale, log_degree)
    rank = np.empty_like(score)
    of_view = np.empty_like(views)
    of_gate, of_top, ties = np.empty(3, views.dtype), np.empty(3, views.dtype), np.empty(3, np.int64)
    tiny = np.finfo(views.dtype).tiny
    for b in range(ptr.size - 1):
        of_top[:] = 0
        ties[:] = 0
        for v in range(ptr[b], ptr[b + 1]):
            value, view, gate, weight = _weigh(views[v], top[b], small)
            slope = grad[v] * value * (1 - value)
            mean = weight[0] * view[0] + weight[1] * view[1] + weight[2] * view[2]
            for k in range(3):
                of_gate[k] = slope * weight[k] * (view[k] - mean) * gate[k] * (1 - gate[k])
                of_small[3 + k] += of_gate[k]
                for j in range(3):
                    of_small[6 + 3 * k + j] += of_gate[k] * view[j]
            for j in range(3):
                largest = max(top[b, j], tiny)
                of_scaled = slope * weight[j]
                for k in range(3):
                    of_scaled += of_gate[k] * small[6 + 3 * k + j]
                of_view[v, j] = of_scaled / largest
                of_top[j] -= of_scaled * view[j] / largest
                ties[j] += views[v, j] == top[b, j]
        for v in range(ptr[b], ptr[b + 1]):
            for j in range(3):
                u = views[v, j]
                if u == top[b, j]:
                    of_view[v, j] += of_top[j] / ties[j]
                of_view[v, j] *= u * (1 - u)
    start, spread = np.zeros_like(score), np.empty_like(score)
    for v in range(n):
        of_small[0] += of_view[v, 0] * log_degree[v]
        of_small[1] += of_view[v, 0]
        of_along[v, 0] = of_view[v, 1]
        rank[v] = of_view[v, 2]
    keep = 1 - restart
    for _ in range(steps):
        _spread(rowptr, col, scale, rank, scaled, spread)
        for v in range(n):
            start[v] += restart * rank[v]
            rank[v] = keep * spread[v]
    for v in range(n):
        start[v] += rank[v]
        of_small[2] += start[v]
    _spread(rowptr, col, scale, start, scaled, spread)
    for v in range(n):
        of_along[v, 1] = spread[v]


class MultiViewScore(torch.autograd.Function):
    """along [N, 2], small [15] → score [N], on the CPU; ``ptr`` int64 [B + 1] are the graphs."""

    @staticmethod
    def forward(
        ctx: Any,
        along: Tensor,
        small: Tensor,
        rowptr: Tensor,
        col: Tensor,
        ptr: Tensor,
        steps: int,
        restart: float,
    ) -> Tensor:
        """The scores."""
        along, small = along.contiguous(), small.contiguous()
        n = along.size(0)
        views, top, score = along.new_empty(n, 3), along.new_empty(ptr.numel() - 1, 3), along.new_empty(n)
        ctx.steps, ctx.restart = steps, _like(restart, along)
        _forward(
            rowptr.numpy(), col.numpy(), ptr.numpy(), along.detach().numpy(), small.detach().numpy(),
            steps, ctx.restart, views.numpy(), top.numpy(), score.numpy(),
        )  # fmt: skip
        ctx.save_for_backward(small, rowptr, col, ptr, views, top, score)
        return score

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients in ``along`` and ``small``."""
        small, rowptr, col, ptr, views, top, score = ctx.saved_tensors
        of_along, of_small = views.new_empty(score.numel(), 2), torch.zeros_like(small)
        _backward(
            rowptr.numpy(), col.numpy(), ptr.numpy(), views.numpy(), top.numpy(), small.detach().numpy(), ctx.steps,
            ctx.restart, grads[0].contiguous().numpy(), score.detach().numpy(), of_along.numpy(), of_small.numpy(),
        )  # fmt: skip
        return of_along, of_small, None, None, None, None, None


def _like(value: float, x: Tensor) -> Any:
    """A number in the precision of x, so that compiled loops stay in it."""
    return np.float32(value) if x.dtype == torch.float32 else np.float64(value)
