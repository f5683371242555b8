"""What is summed over vertices or taken from them: readout, Eq. 12, what Top-k keeps.

Features may come as rows [U, C], all different, and ``kind`` int64 [N], the row of each vertex: molecules have few
different atoms with few different neighbourhoods, and what is computed per row need not be computed per vertex.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mivspool.arrays import double_backward, passes
from mivspool.arrays.checks import expect, features, places, rising
from mivspool.arrays.eager import eager
from mivspool.arrays.table import operation
from mivspool.errors import InputError


def _sorted(batch: Tensor, batch_size: int) -> bool:
    """True; InputError unless ``batch`` is sorted and each graph is in [0, ``batch_size``)."""
    expect("batch", batch, torch.int64, batch.numel())
    before = torch.cat([batch.new_zeros(1), batch])[:-1]
    wrong = torch.nonzero((batch < before) | (batch >= batch_size))
    if wrong.numel():
        raise _unsorted(batch, batch_size, int(wrong[0]))
    return True


def _unsorted(batch: Tensor, batch_size: int, vertex: int) -> InputError:
    return InputError(
        f"batch must be sorted and name graphs from 0 to {batch_size - 1}: "
        f"vertex {vertex} is in graph {int(batch[vertex])}"
    )


@eager
@operation(exact=_sorted)
def pointers(batch: Tensor, batch_size: int) -> Tensor:
    """int64 [B + 1]: where each graph's vertices start and end; ``batch`` int64 [N] sorted.

    Raises InputError on the CPU where it is not, or names a graph that is not in [0, ``batch_size``).
    """
    ptr = torch.zeros(batch_size + 1, dtype=torch.int64, device=batch.device)
    torch.cumsum(torch.bincount(batch, minlength=batch_size), 0, out=ptr[1:])
    return ptr


@pointers.on_cpu
def _pointers_compiled(batch: Tensor, batch_size: int) -> Tensor:
    ptr = torch.zeros(batch_size + 1, dtype=torch.int64)
    expect("batch", batch, torch.int64, batch.numel())
    fault = passes.pointers(batch.numpy(), ptr.numpy())
    if fault >= 0:
        raise _unsorted(batch, batch_size, fault)
    return ptr


@eager
@operation
def readout(x: Tensor, batch: Tensor, batch_size: int) -> Tensor:
    """mean ‖ max over the vertices of each graph, [B, 2C]; ``batch`` int64 [N] sorted; 0 for an empty graph."""
    ptr = pointers(batch, batch_size)
    size = ptr[1:] - ptr[:-1]
    summed = x.new_zeros(batch_size, x.size(1)).index_add(0, batch, x)
    return torch.cat([summed / size.clamp(min=1).unsqueeze(1), _first_maximum(x, batch, batch_size)], dim=1)


@readout.on_cpu
def _readout_compiled(x: Tensor, batch: Tensor, batch_size: int) -> Tensor:
    out: Tensor = _Readout.apply(x, batch, batch_size)
    return out


@eager
@operation
def spread(rows: Tensor, kind: Tensor) -> Tensor:
    """The features [N, C] of all vertices from ``rows`` [U, C] and the ``kind`` of each vertex, int64 [N]."""
    return rows.index_select(0, kind)


@spread.on_cpu
def _spread_compiled(rows: Tensor, kind: Tensor) -> Tensor:
    out: Tensor = _Spread.apply(rows, kind)
    return out


@eager
@operation
def gated(x: Tensor, kept: Tensor, gate: Tensor) -> Tensor:
    """x_idx ⊙ gate, [K, C]: ``kept`` int64 [K] in increasing order, ``gate`` [K]."""
    return x.index_select(0, kept) * gate.to(x.dtype).unsqueeze(1)


@gated.on_cpu
def _gated_compiled(x: Tensor, kept: Tensor, gate: Tensor) -> Tensor:
    out: Tensor = _Gated.apply(x, kept, gate.to(x.dtype))
    return out


@eager
@operation
def weighted_mean(
    x: Tensor, score: Tensor, cluster: Tensor, num_clusters: int, kind: Tensor | None = None
) -> Tensor:
    """Eq. 12: Σ sⱼXⱼ / Σ sⱼ over each cluster, [N', C]; ``cluster`` int64 [N] with every cluster filled, −1: dropped.

    ``kind`` int64 [N]: vertex j has row ``kind[j]`` of x [U, C]; None: row j.
    """
    if kind is not None:
        x = spread(x, kind)
    # what is dropped is collected in a row of its own
    place = torch.where(cluster < 0, num_clusters, cluster)
    return _weighted_mean(x, score.to(x.dtype), place, num_clusters + 1)[:num_clusters]


@weighted_mean.on_cpu
def _weighted_mean_compiled(
    x: Tensor, score: Tensor, cluster: Tensor, num_clusters: int, kind: Tensor | None = None
) -> Tensor:
    kind = cluster.new_empty(0) if kind is None else kind
    weight = score.to(x.dtype)
    mean: Tensor = _WeightedMean.apply(x, kind, weight, cluster, num_clusters)
    return mean


@eager
def weighted_sum(
    x: Tensor, score: Tensor, cluster: Tensor, num_clusters: int, kind: Tensor | None = None
) -> Tensor:
    """Eq. 12 without its denominator: Σ sⱼXⱼ over each cluster, [N', C]; arguments as of :func:`weighted_mean`."""
    weight = score.to(x.dtype)
    place = torch.where(cluster < 0, num_clusters, cluster)
    total = weight.new_zeros(num_clusters + 1).index_add(0, place, weight)[:num_clusters]
    return weighted_mean(x, weight, cluster, num_clusters, kind) * total.unsqueeze(1)


def _weighted_mean(x: Tensor, weight: Tensor, cluster: Tensor, num_clusters: int) -> Tensor:
    """Eq. 12 in torch operations."""
    total = weight.new_zeros(num_clusters).index_add(0, cluster, weight)
    share = weight / total[cluster]
    return x.new_zeros(num_clusters, x.size(1)).index_add(0, cluster, x * share.unsqueeze(1))


def maximum(values: Tensor, batch: Tensor, batch_size: int) -> Tensor:
    """The maximum over each graph's vertices, [B, C]; a graph without vertices gets 0."""
    out = values.new_zeros(batch_size, values.size(1))
    index = batch.unsqueeze(1).expand_as(values)
    return out.scatter_reduce(0, index, values, "amax", include_self=False)


def _first_maximum(x: Tensor, batch: Tensor, batch_size: int) -> Tensor:
    """:func:`maximum` whose gradient goes to the first of several equal vertices, as that of the compiled pass does."""
    n, largest = x.size(0), maximum(x.detach(), batch, batch_size)
    place = torch.arange(n, device=x.device).unsqueeze(1)
    place = torch.where(x.detach() == largest.index_select(0, batch), place, n)
    index = batch.unsqueeze(1).expand_as(x)
    first = torch.full(largest.shape, n, device=x.device).scatter_reduce_(0, index, place, "amin")
    # an empty graph has no vertex to take it from (and NaN, which equals nothing, stays NaN)
    padded = torch.cat([x, x.new_zeros(1, x.size(1))])
    return torch.where(first < n, padded.gather(0, first), largest)


class _Readout(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, batch: Tensor, batch_size: int) -> Tensor:
        features("x", x)
        expect("batch", batch, torch.int64, x.size(0))
        x, ptr = x.contiguous(), pointers(batch, batch_size)
        graphs = ptr.numel() - 1
        out = x.new_empty(graphs, 2 * x.size(1))
        top = torch.empty(graphs, x.size(1), dtype=torch.int32)
        passes.readout(x.detach().numpy(), ptr.numpy(), out.numpy(), top.numpy())
        ctx.save_for_backward(ptr, top, batch)
        ctx.num_nodes, ctx.dtype = x.size(0), x.dtype
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        ptr, top, batch = ctx.saved_tensors
        grad = grads[0].contiguous()
        expect("grad", grad, ctx.dtype, top.size(0), 2 * top.size(1))
        if double_backward.wanted():
            return _readout_backward(grad, ptr, top, batch), None, None
        out = grad.new_empty(ctx.num_nodes, grad.size(1) // 2)
        passes.readout_backward(grad.numpy(), ptr.numpy(), top.numpy(), out.numpy())
        return out, None, None


def _readout_backward(grad: Tensor, ptr: Tensor, top: Tensor, batch: Tensor) -> Tensor:
    """The gradient of ``readout`` in torch operations: linear in ``grad``, and in nothing else."""
    of_mean, of_top = grad.chunk(2, dim=1)
    size = (ptr[1:] - ptr[:-1]).clamp(min=1).unsqueeze(1)
    filled = torch.nonzero(ptr[1:] > ptr[:-1]).reshape(-1)
    return (of_mean / size).index_select(0, batch).scatter_add(0, top[filled].to(torch.int64), of_top[filled])


class _WeightedMean(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, kind: Tensor, score: Tensor, cluster: Tensor, num_clusters: int
    ) -> Tensor:
        features("x", x)
        number = kind.numel() or x.size(0)
        expect("score", score, x.dtype, number)
        expect("cluster", cluster, torch.int64, number)
        places("cluster", cluster.numpy(), num_clusters, -1)
        if kind.numel():
            expect("kind", kind, torch.int64, number)
            places("kind", kind.numpy(), x.size(0))
        given = x, kind, score, cluster
        x, kind, score, cluster = (t.contiguous() for t in given)
        total, out = score.new_zeros(num_clusters), x.new_zeros(num_clusters, x.size(1))
        without = passes.weighted_mean(
            x.detach().numpy(),
            kind.numpy(),
            score.detach().numpy(),
            cluster.numpy(),
            total.numpy(),
            out.numpy(),
        )
        if without >= 0:
            members = torch.nonzero(cluster == without).reshape(-1).tolist()
            if not members:
                raise InputError(f"cluster {without} has no vertices: its features have no mean")
            vertex = members[0]
            raise InputError(
                f"the score of vertex {vertex} is {score[vertex].item()}, and the scores of its cluster sum up to 0: "
                "a score must be finite and positive"
            )
        ctx.save_for_backward(*given, total, out)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, None, Tensor | None, None, None]:
        total, out = ctx.saved_tensors[4:]
        expect("grad", grads[0], out.dtype, *out.shape)
        if double_backward.wanted():
            x, kind, score, cluster = ctx.saved_tensors[:4]
            members = torch.nonzero(cluster >= 0).reshape(-1)
            row = kind[members] if kind.numel() else members

            def mean(x: Tensor, score: Tensor) -> tuple[Tensor]:
                parts = x.index_select(0, row), score.index_select(0, members), cluster[members]
                return (_weighted_mean(*parts, total.numel()),)

            needed = ctx.needs_input_grad[0], ctx.needs_input_grad[2]
            of_x, of_score = double_backward.gradients(mean, (x, score), needed, grads)
            return of_x, None, of_score, None, None
        x, kind, score, cluster = (t.detach().contiguous() for t in ctx.saved_tensors[:4])
        grad = grads[0].contiguous().numpy()
        of_x = of_score = None
        if ctx.needs_input_grad[2] and not x.size(1):
            of_score = torch.zeros_like(score)
        elif ctx.needs_input_grad[2]:
            of_score = torch.empty_like(score)
            passes.weighted_mean_score(
                grad,
                x.numpy(),
                kind.numpy(),
                out.numpy(),
                total.numpy(),
                cluster.numpy(),
                torch.empty_like(total).numpy(),
                of_score.numpy(),
            )
        if ctx.needs_input_grad[0] and kind.numel():
            of_x = torch.zeros_like(x)
            passes.weighted_mean_rows(
                grad, kind.numpy(), score.numpy(), total.numpy(), cluster.numpy(), of_x.numpy()
            )
        elif ctx.needs_input_grad[0]:
            of_x = torch.empty_like(x)
            passes.weighted_mean_features(grad, score.numpy(), total.numpy(), cluster.numpy(), of_x.numpy())
        return of_x, None, of_score, None, None


class _Spread(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor, kind: Tensor) -> Tensor:
        features("x", rows)
        expect("kind", kind, torch.int64, kind.numel())
        places("kind", kind.numpy(), rows.size(0))
        ctx.save_for_backward(kind)
        ctx.shape, ctx.dtype = rows.shape, rows.dtype
        return rows.index_select(0, kind)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        (kind,) = ctx.saved_tensors
        grad = grads[0].contiguous()
        expect("grad", grad, ctx.dtype, kind.numel(), ctx.shape[1])
        if double_backward.wanted():
            return grad.new_zeros(ctx.shape).index_add(0, kind, grad), None
        kind = kind.contiguous()
        out = grad.new_zeros(ctx.shape)
        passes.gather(grad.numpy(), kind.numpy(), out.numpy())
        return out, None


class _Gated(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, kept: Tensor, gate: Tensor) -> Tensor:
        features("x", x)
        expect("kept", kept, torch.int64, kept.numel())
        expect("gate", gate, x.dtype, kept.numel())
        rising("kept", kept.numpy(), x.size(0))
        ctx.save_for_backward(x, kept, gate)
        x, kept, gate = x.contiguous(), kept.contiguous(), gate.contiguous()
        out = x.new_empty(kept.numel(), x.size(1))
        passes.gated(x.detach().numpy(), kept.numpy(), gate.detach().numpy(), out.numpy())
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, Tensor]:
        x, kept, gate = ctx.saved_tensors
        expect("grad", grads[0], x.dtype, kept.numel(), x.size(1))
        if double_backward.wanted():
            grad = grads[0]
            of_x = torch.zeros_like(x).index_add(0, kept, grad * gate.unsqueeze(1))
            return of_x, None, (grad * x.index_select(0, kept)).sum(1)
        x, kept, gate = (t.detach().contiguous() for t in (x, kept, gate))
        if not x.size(1):
            return torch.empty_like(x), None, torch.zeros_like(gate)
        of_x, of_gate = torch.empty_like(x), torch.empty_like(gate)
        passes.gated_backward(
            grads[0].contiguous().numpy(),
            x.numpy(),
            kept.numpy(),
            gate.numpy(),
            of_x.numpy(),
            of_gate.numpy(),
        )
        return of_x, None, of_gate
