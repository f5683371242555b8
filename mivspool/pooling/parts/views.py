"""The multiview score of a batch, on the CPU in one compiled call, forward and backward; see ``scores.multiview``.

``along`` [N, 2] holds X·p / ‖p‖ and the one-channel GCN's product before propagation; ``small`` the seven numbers
α, β, the GCN's bias and, with the three biases and nine weights of the attention, all parameters beside p and W.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mivspool.arrays import double_backward
from mivspool.arrays.checks import FLOATS, expect, features
from mivspool.arrays.compiled import begins, compiled, compiled_part
from mivspool.arrays.segments import maximum, pointers
from mivspool.arrays.table import operation
from mivspool.sparse import Adjacency

_LOGS = np.log(np.arange(4096) + 1e-16)
_TINY = {dtype: np.finfo(str(dtype).removeprefix("torch.")).tiny for dtype in FLOATS}
_MOST = 32
# the values of 2¹⁸ vertices fit into the cache: those of a larger graph are looked up block by block
_block_bits = 18


@compiled
def _by_degree(rowptr: Any, col: Any, start: Any, free: Any, order: Any, place: Any, entries: Any) -> None:
    """The graph with its vertices in the order of their degrees: fills ``order``, ``start`` and ``entries``.

    ``order`` int64 [N] are the vertices, ``start`` int64 [_MOST + 2], zeroed by the caller, says where those of each
    degree begin (the last: of _MOST and more). ``entries`` uint32 [M] are the neighbours' places in that order, one
    vertex after the other. So the loops over neighbours have a fixed length, which is worth a factor of three.
    ``free`` int64 [_MOST + 2] and ``place`` uint32 [N] are buffers.
    """
    for v in range(order.size):
        degree = rowptr[v + 1] - rowptr[v]
        start[(degree if degree < _MOST else _MOST) + 1] += 1
    for d in range(_MOST + 1):
        start[d + 1] += start[d]
        free[d] = start[d]
    for v in range(order.size):
        degree = rowptr[v + 1] - rowptr[v]
        d = degree if degree < _MOST else _MOST
        order[free[d]] = v
        place[v] = free[d]
        free[d] += 1
    filled = 0
    for i in range(order.size):
        v = order[i]
        for e in range(rowptr[v], rowptr[v + 1]):
            entries[filled] = place[col[e]]
            filled += 1


@compiled
def _by_block(rowptr: Any, col: Any, bits: int, free: Any, entries: Any) -> None:
    """The entries ordered by the block of 2^``bits`` vertices that the neighbour is in; those of a block as they were.

    Fills ``entries`` uint32 [2M] with vertex, neighbour, vertex, …; ``free`` int64 [number of blocks + 1], zeroed by
    the caller, is a buffer.
    """
    for e in range(col.size):
        free[(col[e] >> bits) + 1] += 2
    for b in range(free.size - 1):
        free[b + 1] += free[b]
    for v in range(rowptr.size - 1):
        for e in range(rowptr[v], rowptr[v + 1]):
            b = col[e] >> bits
            f = free[b]
            entries[f] = v
            entries[f + 1] = col[e]
            free[b] = f + 2


@contextmanager
def blocks(bits: int) -> Iterator[None]:
    """Inside, a block has 2^``bits`` vertices: to compile what only large graphs need, and for tests."""
    global _block_bits
    before, _block_bits = _block_bits, bits
    try:
        yield
    finally:
        _block_bits = before


def _ordered(rowptr: Any, col: Any) -> tuple[Any, Any, Any]:
    """(order, start, entries) as ``_by_degree`` fills them.

    A graph of several blocks keeps its vertices' order; ``start`` is empty, and ``entries`` are those of ``_by_block``.
    """
    n = rowptr.size - 1
    if n >> _block_bits:
        start, entries = np.zeros((n >> _block_bits) + 2, np.int64), np.empty(2 * col.size, np.uint32)
        _by_block(rowptr, col, _block_bits, start, entries)
        return np.arange(n), start[:0], entries
    if begins(col.size):
        degree = np.diff(rowptr)
        capped = np.minimum(degree, _MOST)
        order = np.argsort(capped, kind="stable")
        start = np.searchsorted(capped[order], np.arange(_MOST + 2))
        place = np.empty(n, np.uint32)
        place[order] = np.arange(n, dtype=np.uint32)
        # the places of a vertex's entries, those of the vertices before it taken off
        first = np.cumsum(degree[order]) - degree[order]
        entry = np.arange(col.size) + np.repeat(rowptr[order] - first, degree[order])
        return order, start, place[col[entry]]
    start, free = np.zeros((2, _MOST + 2), np.int64)
    order, place, entries = np.empty(n, np.int64), np.empty(n, np.uint32), np.empty(col.size, np.uint32)
    _by_degree(rowptr, col, start, free, order, place, entries)
    return order, start, entries


@compiled_part
def _around(rowptr: Any, order: Any, start: Any, entries: Any, values: Any, out: Any) -> None:
    """The sum of each vertex's neighbours; everything in the order that ``_ordered`` gives.

    The neighbours of one vertex are added up in the same order either way: the sums are the same, to the bit.
    """
    if start.size == 0:
        for i in range(out.size):
            out[i] = 0
        for e in range(0, entries.size, 2):
            out[entries[e]] += values[entries[e + 1]]
        return
    at = 0
    for i in range(start[1]):
        out[i] = 0
    for i in range(start[1], start[2]):
        out[i] = values[entries[at]]
        at += 1
    for i in range(start[2], start[3]):
        out[i] = values[entries[at]] + values[entries[at + 1]]
        at += 2
    for i in range(start[3], start[4]):
        out[i] = values[entries[at]] + values[entries[at + 1]] + values[entries[at + 2]]
        at += 3
    for i in range(start[4], start[5]):
        out[i] = (
            values[entries[at]] + values[entries[at + 1]] + values[entries[at + 2]] + values[entries[at + 3]]
        )
        at += 4
    for d in range(5, _MOST + 1):
        for i in range(start[d], start[d + 1]):
            length = d if d < _MOST else rowptr[order[i] + 1] - rowptr[order[i]]
            total = values[entries[at]]
            for e in range(at + 1, at + length):
                total += values[entries[e]]
            out[i] = total
            at += length


@compiled_part
def _scales(order: Any, rowptr: Any, scale: Any) -> None:
    """Fills ``scale`` [N] with D^(-1/2) in that order, 0 for an isolated vertex."""
    for i in range(scale.size):
        degree = rowptr[order[i] + 1] - rowptr[order[i]]
        scale[i] = 1 / math.sqrt(degree) if degree > 0 else 0.0


@compiled_part
def _log_degree(logs: Any, degree: int) -> float:
    return logs[degree] if degree < logs.size else math.log(degree)


@compiled
def _ranks(
    rowptr: Any, order: Any, begin: Any, entries: Any, along: Any, small: Any, logs: Any, steps: int, restart: Any,
    scale: Any, start: Any, spread: Any, y: Any, logits: Any,
) -> None:  # fmt: skip
    """logits [N, 3]: what the sigmoids of the three views are taken of; ``scale`` to ``y`` [N] are buffers.

    A step of the PageRank, r ← restart·start + (1 − restart)·D^(-1/2) A D^(-1/2) r, is one sum over the neighbours of
    y = D^(-1/2) r.
    """
    n = logits.shape[0]
    _scales(order, rowptr, scale)
    alpha, beta, bias, keep = small[0], small[1], small[2], 1 - restart
    for i in range(n):
        v = order[i]
        logits[v, 0] = alpha * _log_degree(logs, rowptr[v + 1] - rowptr[v]) + beta
        logits[v, 1] = along[v, 0]
        y[i] = scale[i] * along[v, 1]
    _around(rowptr, order, begin, entries, y, spread)
    for i in range(n):
        start[i] = scale[i] * spread[i] + bias
        y[i] = scale[i] * start[i]
    for _ in range(steps):
        _around(rowptr, order, begin, entries, y, spread)
        for i in range(n):
            y[i] = scale[i] * (restart * start[i] + keep * scale[i] * spread[i])
    for i in range(n):
        logits[order[i], 2] = restart * start[i] + keep * scale[i] * spread[i]


@compiled
def _gates(views: Any, ptr: Any, small: Any, tiny: Any, top: Any, scaled: Any, logits: Any) -> None:
    """scaled [N, 3]: the views by their maximum in the graph, top [B, 3]; logits [N, 3] of the attention's gates.

    ``tiny`` is the least that a maximum may be.
    """
    for b in range(ptr.size - 1):
        first, last = ptr[b], ptr[b + 1]
        for k in range(3):
            largest = tiny
            for v in range(first, last):
                largest = views[v, k] if views[v, k] > largest else largest
            top[b, k] = largest
        x, y, z = 1 / top[b, 0], 1 / top[b, 1], 1 / top[b, 2]
        for v in range(first, last):
            a, c, d = views[v, 0] * x, views[v, 1] * y, views[v, 2] * z
            scaled[v, 0], scaled[v, 1], scaled[v, 2] = a, c, d
            for k in range(3):
                logits[v, k] = (
                    small[3 + k] + small[6 + 3 * k] * a + small[7 + 3 * k] * c + small[8 + 3 * k] * d
                )


@compiled
def _weigh(scaled: Any, weights: Any, out: Any) -> None:
    """weights [N, 3] become shares of their sum; out [N] is the weighted sum of the views."""
    for v in range(out.size):
        total = 1 / (weights[v, 0] + weights[v, 1] + weights[v, 2])
        for k in range(3):
            weights[v, k] *= total
        out[v] = weights[v, 0] * scaled[v, 0] + weights[v, 1] * scaled[v, 1] + weights[v, 2] * scaled[v, 2]


@compiled
def _weigh_backward(
    grad: Any, score: Any, ptr: Any, views: Any, top: Any, scaled: Any, gates: Any, weights: Any, small: Any,
    of_views: Any, of_small: Any,
) -> None:  # fmt: skip
    """of_views [N, 3], before their sigmoids; equal maxima share their gradient evenly, as torch's amax does."""
    zero = views.dtype.type(0)
    for b in range(ptr.size - 1):
        top_0, top_1, top_2 = zero, zero, zero
        ties_0, ties_1, ties_2 = 0, 0, 0
        for v in range(ptr[b], ptr[b + 1]):
            x, y, z = scaled[v, 0], scaled[v, 1], scaled[v, 2]
            slope = grad[v] * score[v] * (1 - score[v])
            mean = weights[v, 0] * x + weights[v, 1] * y + weights[v, 2] * z
            s = slope * weights[v, 0] * (x - mean) * gates[v, 0] * (1 - gates[v, 0])
            t = slope * weights[v, 1] * (y - mean) * gates[v, 1] * (1 - gates[v, 1])
            u = slope * weights[v, 2] * (z - mean) * gates[v, 2] * (1 - gates[v, 2])
            of_small[3] += s
            of_small[4] += t
            of_small[5] += u
            of_small[6] += s * x
            of_small[7] += s * y
            of_small[8] += s * z
            of_small[9] += t * x
            of_small[10] += t * y
            of_small[11] += t * z
            of_small[12] += u * x
            of_small[13] += u * y
            of_small[14] += u * z
            of_0 = (slope * weights[v, 0] + s * small[6] + t * small[9] + u * small[12]) / top[b, 0]
            of_1 = (slope * weights[v, 1] + s * small[7] + t * small[10] + u * small[13]) / top[b, 1]
            of_2 = (slope * weights[v, 2] + s * small[8] + t * small[11] + u * small[14]) / top[b, 2]
            top_0 -= of_0 * x
            top_1 -= of_1 * y
            top_2 -= of_2 * z
            ties_0 += views[v, 0] == top[b, 0]
            ties_1 += views[v, 1] == top[b, 1]
            ties_2 += views[v, 2] == top[b, 2]
            of_views[v, 0], of_views[v, 1], of_views[v, 2] = of_0, of_1, of_2
        top_0 /= ties_0 if ties_0 > 1 else 1
        top_1 /= ties_1 if ties_1 > 1 else 1
        top_2 /= ties_2 if ties_2 > 1 else 1
        for v in range(ptr[b], ptr[b + 1]):
            x, y, z = views[v, 0], views[v, 1], views[v, 2]
            of_views[v, 0] = (of_views[v, 0] + (top_0 if x == top[b, 0] else zero)) * x * (1 - x)
            of_views[v, 1] = (of_views[v, 1] + (top_1 if y == top[b, 1] else zero)) * y * (1 - y)
            of_views[v, 2] = (of_views[v, 2] + (top_2 if z == top[b, 2] else zero)) * z * (1 - z)


@compiled
def _ranks_backward(
    rowptr: Any, order: Any, begin: Any, entries: Any, of_views: Any, logs: Any, steps: int, restart: Any,
    scale: Any, start: Any, spread: Any, y: Any, of_along: Any, of_small: Any,
) -> None:  # fmt: skip
    """The gradient through the PageRank, whose matrix is symmetric, and the degree view; buffers as of ``_ranks``."""
    n = of_views.shape[0]
    _scales(order, rowptr, scale)
    keep = 1 - restart
    for i in range(n):
        v = order[i]
        of_small[0] += of_views[v, 0] * _log_degree(logs, rowptr[v + 1] - rowptr[v])
        of_small[1] += of_views[v, 0]
        of_along[v, 0] = of_views[v, 1]
        start[i] = restart * of_views[v, 2]
        y[i] = scale[i] * of_views[v, 2]
    for step in range(steps):
        _around(rowptr, order, begin, entries, y, spread)
        share = restart if step < steps - 1 else restart / restart
        for i in range(n):
            value = keep * scale[i] * spread[i]
            start[i] += share * value
            y[i] = scale[i] * value
    for i in range(n):
        of_small[2] += start[i]
        y[i] = scale[i] * start[i]
    _around(rowptr, order, begin, entries, y, spread)
    for i in range(n):
        of_along[order[i], 1] = scale[i] * spread[i]


@operation
def multiview(
    along: Tensor,
    small: Tensor,
    adjacency: Adjacency,
    batch: Tensor,
    batch_size: int,
    steps: int,
    restart: float,
    use_weights: bool = False,
) -> Tensor:
    """The score [N]; ``along`` [N, 2], ``small`` [15], ``batch`` int64 [N] sorted: the graphs.

    ``use_weights``: the GCN and the PageRank see the weights of A.
    """
    made = in_parts(along, small, adjacency, batch, batch_size, steps, restart, use_weights)
    return torch.sigmoid((made.weights * made.scaled).sum(1))


@dataclass(frozen=True, eq=False)
class Views:
    """The three views of each vertex, all [N, 3]: score = σ(Σ ``weights`` · ``scaled``).

    ``views``: degree, features, PageRank; ``largest``: of their graph; ``scaled``: the first divided by the second;
    ``gates``: the attention's sigmoids, whose softmax the ``weights`` are.
    """

    views: Tensor
    largest: Tensor
    scaled: Tensor
    gates: Tensor
    weights: Tensor


def in_parts(
    along: Tensor,
    small: Tensor,
    adjacency: Adjacency,
    batch: Tensor,
    batch_size: int,
    steps: int,
    restart: float,
    use_weights: bool = False,
) -> Views:
    """What :func:`multiview` makes its score of, in torch operations; arguments as there."""
    alpha, beta, bias = small[0], small[1], small[2]
    degree = torch.sigmoid(alpha * torch.log(adjacency.degree.to(along.dtype) + 1e-16) + beta)
    matrix = adjacency.normalised(self_loops=False, use_weights=use_weights, dtype=along.dtype)
    start = matrix @ along[:, 1:] + bias
    rank = start
    for _ in range(steps):
        rank = torch.add(restart * start, matrix @ rank, alpha=1 - restart)
    views = torch.stack([degree, torch.sigmoid(along[:, 0]), torch.sigmoid(rank[:, 0])], 1)
    largest = maximum(views, batch, batch_size)[batch].clamp(min=torch.finfo(views.dtype).tiny)
    scaled = views / largest
    gates = torch.sigmoid(scaled @ small[6:].reshape(3, 3).T + small[3:6])
    return Views(views, largest, scaled, gates, torch.softmax(gates, dim=1))


@multiview.on_cpu
def _multiview_compiled(
    along: Tensor,
    small: Tensor,
    adjacency: Adjacency,
    batch: Tensor,
    batch_size: int,
    steps: int,
    restart: float,
    use_weights: bool = False,
) -> Tensor:
    given = (along, small, adjacency, batch, batch_size, steps, restart)
    score: Tensor = multiview.tensors(*given, True) if use_weights else MultiViewScore.apply(*given)
    return score


class MultiViewScore(torch.autograd.Function):
    """:func:`multiview` on the CPU."""

    @staticmethod
    def forward(
        ctx: Any,
        along: Tensor,
        small: Tensor,
        adjacency: Adjacency,
        batch: Tensor,
        batch_size: int,
        steps: int,
        restart: float,
    ) -> Tensor:
        """The scores."""
        features("along", along)
        expect("along", along, along.dtype, adjacency.num_nodes, 2)
        expect("small", small, along.dtype, 15)
        expect("batch", batch, torch.int64, adjacency.num_nodes)
        ptr = pointers(batch, batch_size)
        rowptr, col = adjacency.rowptr.numpy(), adjacency.csr[1]
        given = along, small
        along, small = along.detach().contiguous(), small.detach().contiguous()
        n, ctx.steps, ctx.restart = along.size(0), steps, _like(restart, along)
        views, scaled, gates = along.new_empty(n, 3), along.new_empty(n, 3), along.new_empty(n, 3)
        top, score = along.new_empty(ptr.numel() - 1, 3), along.new_empty(n)
        order, begin, entries = _ordered(rowptr, col)
        ctx.graph = rowptr, order, begin, entries
        held, ranks = small.numpy(), views.numpy()
        scale, start, spread, y = np.empty((4, n), held.dtype)
        _ranks(
            rowptr, order, begin, entries, along.numpy(), held, _LOGS, steps, ctx.restart, scale, start, spread, y,
            ranks,
        )  # fmt: skip
        views.sigmoid_()
        _gates(ranks, ptr.numpy(), held, _TINY[views.dtype], top.numpy(), scaled.numpy(), gates.numpy())
        weights = gates.sigmoid_().exp()
        _weigh(scaled.numpy(), weights.numpy(), score.numpy())
        score.sigmoid_()
        ctx.save_for_backward(*given, batch, ptr, views, top, scaled, gates, weights, score)
        ctx.adjacency, ctx.batch_size = adjacency, batch_size
        return score

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients in ``along`` and ``small``."""
        along, small, batch, *saved = ctx.saved_tensors
        expect("grad", grads[0], along.dtype, along.size(0))
        if double_backward.wanted():

            def scores(along: Tensor, small: Tensor) -> tuple[Tensor]:
                graphs = ctx.adjacency, batch, ctx.batch_size
                return (multiview.tensors(along, small, *graphs, ctx.steps, float(ctx.restart)),)

            found = double_backward.gradients(scores, (along, small), ctx.needs_input_grad[:2], grads)
            return *found, None, None, None, None, None
        small = small.detach().contiguous()
        ptr, views, top, scaled, gates, weights, score = (t.detach() for t in saved)
        of_views, of_small = torch.empty_like(views), torch.zeros_like(small)
        of_along = views.new_empty(score.numel(), 2)
        _weigh_backward(
            grads[0].contiguous().numpy(), score.numpy(), ptr.numpy(), views.numpy(), top.numpy(), scaled.numpy(),
            gates.numpy(), weights.numpy(), small.numpy(), of_views.numpy(), of_small.numpy(),
        )  # fmt: skip
        slopes = of_views.numpy()
        scale, start, spread, y = np.empty((4, score.numel()), slopes.dtype)
        rowptr, order, begin, entries = ctx.graph
        _ranks_backward(
            rowptr, order, begin, entries, slopes, _LOGS, ctx.steps, ctx.restart, scale, start, spread, y,
            of_along.numpy(), of_small.numpy(),
        )  # fmt: skip
        return of_along, of_small, None, None, None, None, None


def _like(value: float, x: Tensor) -> Any:
    """A number in the precision of x, so that compiled loops stay in it."""
    return np.float32(value) if x.dtype == torch.float32 else np.float64(value)
