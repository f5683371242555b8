"""What is summed or taken of vertices: readout, Eq. 12, what Top-k keeps; a pass each on the CPU, torch elsewhere.

Features may come as rows [U, C] of which no two are the same and ``kind`` int64 [N], the row of each vertex: molecules
have few different atoms with few different neighbourhoods, and what is computed a row need not be computed a vertex.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def pointers(batch: Tensor, batch_size: int) -> Tensor:
    """int64 [B + 1]: where each graph's vertices start and end; ``batch`` int64 [N] sorted."""
    ptr = torch.zeros(batch_size + 1, dtype=torch.int64, device=batch.device)
    torch.cumsum(torch.bincount(batch, minlength=batch_size), 0, out=ptr[1:])
    return ptr


def readout(x: Tensor, batch: Tensor, batch_size: int) -> Tensor:
    """mean ‖ max over the vertices of each graph, [B, 2C]; ``batch`` int64 [N] sorted; 0 for an empty graph."""
    ptr = pointers(batch, batch_size)
    if x.device.type == "cpu":
        seen: Tensor = _Readout.apply(x, ptr)  # type: ignore[no-untyped-call]
        return seen
    size = ptr[1:] - ptr[:-1]
    summed = x.new_zeros(batch_size, x.size(1)).index_add(0, batch, x)
    index = batch.unsqueeze(1).expand_as(x)
    top = x.new_zeros(batch_size, x.size(1)).scatter_reduce(0, index, x, "amax", include_self=False)
    return torch.cat([summed / size.clamp(min=1).unsqueeze(1), top], dim=1)


def spread(rows: Tensor, kind: Tensor) -> Tensor:
    """The features [N, C] of all vertices from ``rows`` [U, C] and the ``kind`` of each vertex, int64 [N]."""
    if rows.device.type == "cpu":
        out: Tensor = _Spread.apply(rows, kind)  # type: ignore[no-untyped-call]
        return out
    return rows.index_select(0, kind)


def gated(x: Tensor, kept: Tensor, gate: Tensor) -> Tensor:
    """x_idx ⊙ gate, [K, C]: ``kept`` int64 [K] in increasing order, ``gate`` [K]."""
    if x.device.type == "cpu":
        out: Tensor = _Gated.apply(x, kept, gate.to(x.dtype))  # type: ignore[no-untyped-call]
        return out
    return x.index_select(0, kept) * gate.unsqueeze(1)


def weighted_mean(
    x: Tensor, score: Tensor, cluster: Tensor, num_clusters: int, kind: Tensor | None = None
) -> Tensor:
    """Eq. 12: Σ sⱼXⱼ / Σ sⱼ over each cluster, [N', C]; ``cluster`` int64 [N] with every cluster filled.

    ``kind`` int64 [N]: vertex j has row ``kind[j]`` of x [U, C]; None: row j.
    """
    weight = score.to(x.dtype)
    if x.device.type == "cpu":
        kind = cluster.new_empty(0) if kind is None else kind
        mean: Tensor = _WeightedMean.apply(x, kind, weight, cluster, num_clusters)  # type: ignore[no-untyped-call]
        return mean
    if kind is not None:
        x = spread(x, kind)
    total = weight.new_zeros(num_clusters).index_add(0, cluster, weight)
    share = weight / total[cluster]
    return x.new_zeros(num_clusters, x.size(1)).index_add(0, cluster, x * share.unsqueeze(1))


class _Readout(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, ptr: Tensor) -> Tensor:
        from mivspool.arrays import passes

        x = x.contiguous()
        graphs = ptr.numel() - 1
        out = x.new_empty(graphs, 2 * x.size(1))
        top = torch.empty(graphs, x.size(1), dtype=torch.int32)
        passes.readout(x.detach().numpy(), ptr.numpy(), out.numpy(), top.numpy())
        ctx.save_for_backward(ptr, top)
        ctx.num_nodes = x.size(0)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        from mivspool.arrays import passes

        ptr, top = ctx.saved_tensors
        grad = grads[0].contiguous()
        out = grad.new_empty(ctx.num_nodes, grad.size(1) // 2)
        passes.readout_backward(grad.numpy(), ptr.numpy(), top.numpy(), out.numpy())
        return out, None


class _WeightedMean(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, kind: Tensor, score: Tensor, cluster: Tensor, num_clusters: int
    ) -> Tensor:
        from mivspool.arrays import passes

        x, score, cluster = x.contiguous(), score.contiguous(), cluster.contiguous()
        total, out = score.new_zeros(num_clusters), x.new_zeros(num_clusters, x.size(1))
        passes.weighted_mean(
            x.detach().numpy(),
            kind.numpy(),
            score.detach().numpy(),
            cluster.numpy(),
            total.numpy(),
            out.numpy(),
        )
        ctx.save_for_backward(x, kind, score, cluster, total, out)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, None, Tensor | None, None, None]:
        from mivspool.arrays import passes

        x, kind, score, cluster, total, out = (t.detach() for t in ctx.saved_tensors)
        grad = grads[0].contiguous().numpy()
        of_x = of_score = None
        if ctx.needs_input_grad[2]:
            of_score = torch.empty_like(score)
            passes.weighted_mean_score(
                grad,
                x.numpy(),
                kind.numpy(),
                out.numpy(),
                total.numpy(),
                cluster.numpy(),
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
        ctx.save_for_backward(kind)
        ctx.num_rows = rows.size(0)
        return rows.index_select(0, kind)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        from mivspool.arrays import passes

        (kind,) = ctx.saved_tensors
        grad = grads[0].contiguous()
        out = grad.new_zeros(ctx.num_rows, grad.size(1))
        passes.gather(grad.numpy(), kind.numpy(), out.numpy())
        return out, None


class _Gated(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, kept: Tensor, gate: Tensor) -> Tensor:
        from mivspool.arrays import passes

        x, gate = x.contiguous(), gate.contiguous()
        out = x.new_empty(kept.numel(), x.size(1))
        passes.gated(x.detach().numpy(), kept.numpy(), gate.detach().numpy(), out.numpy())
        ctx.save_for_backward(x, kept, gate)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, Tensor]:
        from mivspool.arrays import passes

        x, kept, gate = (t.detach() for t in ctx.saved_tensors)
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
