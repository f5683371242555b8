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

_LOGS = np.log(np.arange(4096) + 1e-16)


@compiled
def _ranks(rowptr: Any, col: Any, along: Any, small: Any, steps: int, restart: Any, logits: Any) -> None:
    """logits [N, 3]: what the sigmoids of the three views are taken of.

    A step of the PageRank, r ← restart·start + (1 − restart)·D^(-1/2) A D^(-1/2) r, is one sum over the neighbours of
    y = D^(-1/2) r.
    """
    n = logits.shape[0]
    alpha, beta, bias = small[0], small[1], small[2]
    start, first, second = np.empty_like(along[:, 0]), np.empty_like(along[:, 0]), np.empty_like(along[:, 0])
    scale, order = _scales(rowptr, first), _by_degree(rowptr)
    keep = 1 - restart
    for v in range(n):
        logits[v, 0] = alpha * _log_degree(rowptr[v + 1] - rowptr[v]) + beta
        logits[v, 1] = along[v, 0]
        first[v] = scale[v] * along[v, 1]
    for v in order:
        start[v] = scale[v] * _around(rowptr, col, first, v) + bias
    for v in range(n):
        first[v] = scale[v] * start[v]
    for step in range(steps):
        for v in order:
            value = restart * start[v] + keep * scale[v] * _around(rowptr, col, first, v)
            if step == steps - 1:
                logits[v, 2] = value
            second[v] = scale[v] * value
        first, second = second, first


@compiled
def _around(rowptr: Any, col: Any, values: Any, v: int) -> Any:
    """The sum of a vertex's neighbours."""
    total = values.dtype.type(0)
    for e in range(rowptr[v], rowptr[v + 1]):
        total += values[col[e]]
    return total


@compiled
def _by_degree(rowptr: Any) -> Any:
    """int64 [N]: the vertices by degree, so that the loops over their neighbours do not surprise the processor."""
    n = rowptr.size - 1
    most = 32
    start = np.zeros(most + 2, np.int64)
    for v in range(n):
        start[min(rowptr[v + 1] - rowptr[v], most) + 1] += 1
    for d in range(most + 1):
        start[d + 1] += start[d]
    order = np.empty(n, np.int64)
    for v in range(n):
        d = min(rowptr[v + 1] - rowptr[v], most)
        order[start[d]] = v
        start[d] += 1
    return order


@compiled
def _scales(rowptr: Any, like: Any) -> Any:
    """D^(-1/2), 0 for an isolated vertex."""
    scale = np.empty_like(like)
    for v in range(scale.size):
        degree = rowptr[v + 1] - rowptr[v]
        scale[v] = 1 / math.sqrt(degree) if degree > 0 else 0.0
    return scale


@compiled
def _log_degree(degree: int) -> float:
    return _LOGS[degree] if degree < 4096 else math.log(degree)


@compiled
def _gates(views: Any, ptr: Any, small: Any, top: Any, scaled: Any, logits: Any) -> None:
    """scaled [N, 3]: the views by their maximum in the graph, top [B, 3]; logits [N, 3] of the attention's gates."""
    tiny = np.finfo(views.dtype).tiny
    for b in range(ptr.size - 1):
        first, last = ptr[b], ptr[b + 1]
        for k in range(3):
            largest = tiny
            for v in range(first, last):
                largest = max(largest, views[v, k])
            top[b, k] = largest
        x, y, z = 1 / top[b, 0], 1 / top[b, 1], 1 / top[b, 2]
        for v in range(first, last):
            a, c, d = views[v, 0] * x, views[v, 1] * y, views[v, 2] * z
            scaled[v, 0], scaled[v, 1], scaled[v, 2] = a, c, d
            logits[v, 0] = small[3] + small[6] * a + small[7] * c + small[8] * d
            logits[v, 1] = small[4] + small[9] * a + small[10] * c + small[11] * d
            logits[v, 2] = small[5] + small[12] * a + small[13] * c + small[14] * d


@compiled
def _weigh(scaled: Any, weights: Any, out: Any) -> None:
    """weights [N, 3] become shares of their sum; out [N] is the weighted sum of the views."""
    for v in range(out.size):
        total = 1 / (weights[v, 0] + weights[v, 1] + weights[v, 2])
        weights[v, 0] *= total
        weights[v, 1] *= total
        weights[v, 2] *= total
        out[v] = weights[v, 0] * scaled[v, 0] + weights[v, 1] * scaled[v, 1] + weights[v, 2] * scaled[v, 2]


@compiled
def _weigh_backward(
    grad: Any, score: Any, ptr: Any, views: Any, top: Any, scaled: Any, gates: Any, weights: Any, small: Any,
    of_views: Any, of_small: Any,
) -> None:  # fmt: skip
    """of_views [N, 3], before their sigmoids; equal maxima share their gradient evenly, as torch's amax does."""
    of_gate, of_top, ties = np.empty(3, views.dtype), np.empty(3, views.dtype), np.empty(3, np.int64)
    for b in range(ptr.size - 1):
        of_top[:] = 0
        ties[:] = 0
        for v in range(ptr[b], ptr[b + 1]):
            view, gate, weight = scaled[v], gates[v], weights[v]
            slope = grad[v] * score[v] * (1 - score[v])
            mean = weight[0] * view[0] + weight[1] * view[1] + weight[2] * view[2]
            for k in range(3):
                of_gate[k] = slope * weight[k] * (view[k] - mean) * gate[k] * (1 - gate[k])
                of_small[3 + k] += of_gate[k]
                for j in range(3):
                    of_small[6 + 3 * k + j] += of_gate[k] * view[j]
            for j in range(3):
                of_scaled = slope * weight[j]
                for k in range(3):
                    of_scaled += of_gate[k] * small[6 + 3 * k + j]
                of_views[v, j] = of_scaled / top[b, j]
                of_top[j] -= of_views[v, j] * view[j]
                ties[j] += views[v, j] == top[b, j]
        for v in range(ptr[b], ptr[b + 1]):
            for j in range(3):
                value = views[v, j]
                if value == top[b, j]:
                    of_views[v, j] += of_top[j] / ties[j]
                of_views[v, j] *= value * (1 - value)


@compiled
def _ranks_backward(
    rowptr: Any, col: Any, of_views: Any, steps: int, restart: Any, of_along: Any, of_small: Any
) -> None:
    """The gradient through the PageRank, whose matrix is symmetric, and the degree view."""
    n = of_views.shape[0]
    start, first, second = (
        np.zeros_like(of_views[:, 0]),
        np.empty_like(of_views[:, 0]),
        np.empty_like(of_views[:, 0]),
    )
    scale, order = _scales(rowptr, first), _by_degree(rowptr)
    keep = 1 - restart
    for v in range(n):
        of_small[0] += of_views[v, 0] * _log_degree(rowptr[v + 1] - rowptr[v])
        of_small[1] += of_views[v, 0]
        of_along[v, 0] = of_views[v, 1]
        start[v] = restart * of_views[v, 2]
        first[v] = scale[v] * of_views[v, 2]
    for step in range(steps):
        for v in order:
            value = keep * scale[v] * _around(rowptr, col, first, v)
            start[v] += value if step == steps - 1 else restart * value
            second[v] = scale[v] * value
        first, second = second, first
    for v in range(n):
        of_small[2] += start[v]
        first[v] = scale[v] * start[v]
    for v in order:
        of_along[v, 1] = scale[v] * _around(rowptr, col, first, v)


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
        along, small = along.detach().contiguous(), small.detach().contiguous()
        n, ctx.steps, ctx.restart = along.size(0), steps, _like(restart, along)
        views, scaled, gates = along.new_empty(n, 3), along.new_empty(n, 3), along.new_empty(n, 3)
        top, score = along.new_empty(ptr.numel() - 1, 3), along.new_empty(n)
        _ranks(rowptr.numpy(), col.numpy(), along.numpy(), small.numpy(), steps, ctx.restart, views.numpy())
        views.sigmoid_()
        _gates(views.numpy(), ptr.numpy(), small.numpy(), top.numpy(), scaled.numpy(), gates.numpy())
        weights = gates.sigmoid_().exp()
        _weigh(scaled.numpy(), weights.numpy(), score.numpy())
        score.sigmoid_()
        ctx.save_for_backward(small, rowptr, col, ptr, views, top, scaled, gates, weights, score)
        return score

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients in ``along`` and ``small``."""
        small, rowptr, col, ptr, views, top, scaled, gates, weights, score = (
            t.detach() for t in ctx.saved_tensors
        )
        of_views, of_small = torch.empty_like(views), torch.zeros_like(small)
        of_along = views.new_empty(score.numel(), 2)
        _weigh_backward(
            grads[0].contiguous().numpy(), score.numpy(), ptr.numpy(), views.numpy(), top.numpy(), scaled.numpy(),
            gates.numpy(), weights.numpy(), small.numpy(), of_views.numpy(), of_small.numpy(),
        )  # fmt: skip
        _ranks_backward(
            rowptr.numpy(),
            col.numpy(),
            of_views.numpy(),
            ctx.steps,
            ctx.restart,
            of_along.numpy(),
            of_small.numpy(),
        )
        return of_along, of_small, None, None, None, None, None


def _like(value: float, x: Tensor) -> Any:
    """A number in the precision of x, so that compiled loops stay in it."""
    return np.float32(value) if x.dtype == torch.float32 else np.float64(value)
