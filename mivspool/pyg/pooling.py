"""MIVSPool as PyTorch Geometric has pooling: a layer with TopKPooling's call, and Select, Connect and un-pooling."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor
from torch_geometric.nn.pool.connect import Connect, ConnectOutput
from torch_geometric.nn.pool.select import Select, SelectOutput
from torch_geometric.utils import coalesce

from mivspool.arrays.eager import eager
from mivspool.errors import InputError
from mivspool.messages import count
from mivspool.pooling import MIVSPool, Pooled
from mivspool.pooling.base import inputs
from mivspool.pooling.methods.mivspool import Reduction
from mivspool.pooling.parts.precision import in_float32

EdgeReduction = Literal["sum", "mean", "min", "max", "mul"]
EDGE_REDUCTIONS = ("sum", "mean", "min", "max", "mul")

Six = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]


class _OfMIVSPool(torch.nn.Module):
    """What holds a MIVSPool as ``pool`` and is known by it."""

    pool: MIVSPool

    @property
    def in_channels(self) -> int:
        """C of x [N, C]; −1 before the first call of a layer made with −1."""
        return self.pool.in_channels

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        self.pool.reset_parameters()

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.in_channels}, score={self.pool.score_name!r}, "
            f"complement={self.pool.complement})"
        )


class MIVSPooling(_OfMIVSPool):
    """MIVSPool where PyTorch Geometric's ``TopKPooling`` stands: the same call, the same six results.

    Nothing is dropped: each vertex belongs to the cluster of a survivor, whose features are the cluster's mean,
    weighted by score (Eq. 12). The weights of edges play no part in the selection.

    Args:
        in_channels: C of x [N, C]; −1: that of the first call, which draws the weights.
        score: a name of ``mivspool.pooling.SCORES``, a ``Score``, or a module or function that gives a value per
            vertex (``mivspool.pooling.score.Called`` says how it is called).
        complement: keep at least ⌈n/2⌉ vertices of each graph (MIVSPool_comp).
        reduction: "mean", Eq. 12, or "sum", Eq. 12 without its denominator.
        edge_reduction: how the features of the edges between two clusters become those of one edge: "sum", "mean",
            "min", "max" or "mul".
        loops: whether the reduced graph has a loop at each cluster with edges inside (default: False, as in the
            networks that this project measures). Their weight counts those edges twice, as the diagonal of SᵀAS does.
        seed: of the uniform score.
        level: of the uniform score: how many poolings come before.

    Raises:
        InputError: for a score or a reduction that there is not.
    """

    def __init__(
        self,
        in_channels: int,
        score: str | Callable[..., Tensor] = "multiview",
        complement: bool = False,
        *,
        reduction: Reduction = "mean",
        edge_reduction: EdgeReduction = "sum",
        loops: bool = False,
        seed: int = 0,
        level: int = 0,
    ) -> None:
        super().__init__()
        self.pool = MIVSPool(in_channels, score, complement, reduction=reduction, seed=seed, level=level)
        self.connect = ConnectMIVS(edge_reduction, loops)

    if TYPE_CHECKING:

        def __call__(
            self,
            x: Tensor,
            edge_index: Tensor,
            edge_attr: Tensor | None = None,
            batch: Tensor | None = None,
            attn: Tensor | None = None,
        ) -> Six:
            """As :meth:`forward`."""

    @eager
    def forward(
        self,
        x: Tensor,
        edge_index: Tensor,
        edge_attr: Tensor | None = None,
        batch: Tensor | None = None,
        attn: Tensor | None = None,
    ) -> Six:
        """One pooling step.

        Args:
            x: features, floating point [N, C], finite. float16 and bfloat16 are computed in float32.
            edge_index: int64 [2, M], each undirected edge in both directions.
            edge_attr: features of the edges, [M] or [M, D], reduced by ``edge_reduction``, with their gradient. They
                play no part in the selection. None: each edge counts as 1.
            batch: int64 [N], sorted: the graph of each vertex (default: one graph).
            attn: [N, in_channels], scored instead of x.

        Returns:
            ``(x, edge_index, edge_attr, batch, perm, score)``: x [N', C]; edge_index int64 [2, M'], sorted, loops
            last; edge_attr [M'] or [M', D], without any given the number of edges that each stands for, in the type
            of x; batch int64 [N']; perm int64 [N'], the survivors in increasing order; score [N'], theirs, in the
            type of x.

        Raises:
            InputError: for tensors that do not fit, values that are not finite, and edges in one direction alone.
        """
        if attn is None:
            pooled = self.pool(x, edge_index, None, batch)
        else:
            pooled = self._by(attn, x, edge_index, batch)
        assert pooled.survivor is not None
        assert pooled.score is not None
        perm = torch.nonzero(pooled.survivor).reshape(-1)
        if edge_attr is None:
            adjacency = pooled.adjacency
            index, weight = (
                adjacency.with_diagonal() if self.connect.loops else (adjacency.edge_index, adjacency.weight)
            )
            assert weight is not None
            edge_attr = weight.to(x.dtype)
        else:
            assert pooled.cluster is not None
            index, edge_attr = self.connect.reduced(pooled.cluster, pooled.x.size(0), edge_index, edge_attr)
        return pooled.x, index, edge_attr, pooled.batch, perm, pooled.score[perm].to(x.dtype)

    def _by(self, attn: Tensor, x: Tensor, edge_index: Tensor, batch: Tensor | None) -> Pooled:
        """As the layer's own call, with ``attn`` scored in the place of x."""
        adjacency, batch, batch_size = inputs(x, edge_index, None, batch, None)
        if attn.size(0) != x.size(0):
            raise InputError(f"attn has {count(attn.size(0), 'row')} for {count(x.size(0), 'vertex')}")
        selection = self.pool.selection(attn, edge_index, batch, batch_size)
        reduced = in_float32(self.pool, lambda given: self.pool.reduce(given, selection), x)
        return Pooled(reduced.to(x.dtype), self.pool.connect(adjacency, selection), selection)


class SelectMIVS(_OfMIVSPool, Select):
    """Which survivor each vertex goes to (Eq. 8–11), as PyTorch Geometric's ``Select``.

    Args:
        in_channels, score, complement, seed, level: as of :class:`MIVSPooling`.
    """

    def __init__(
        self,
        in_channels: int,
        score: str | Callable[..., Tensor] = "multiview",
        complement: bool = False,
        *,
        seed: int = 0,
        level: int = 0,
    ) -> None:
        super().__init__()
        self.pool = MIVSPool(in_channels, score, complement, seed=seed, level=level)

    @eager
    def forward(self, x: Tensor, edge_index: Tensor, batch: Tensor | None = None) -> SelectOutput:
        """The assignment S as a ``SelectOutput``.

        Args:
            x: features, floating point [N, C], finite.
            edge_index: int64 [2, M], each undirected edge in both directions.
            batch: int64 [N], sorted (default: one graph).

        Returns:
            ``node_index`` int64 [N], every vertex once, in order; ``cluster_index`` int64 [N], its cluster, numbered
            in the order of the survivors; ``weight`` [N] in the type of x, its score as a share of its cluster's: the
            sum of the features times these weights over each cluster is Eq. 12, and carries the gradient to the
            scores.

        Raises:
            InputError: as of :class:`MIVSPooling`.
        """
        selection = self.pool.selection(x, edge_index, batch)
        cluster = selection.cluster
        assert cluster is not None
        every = torch.arange(cluster.numel(), device=cluster.device)
        weight = selection.shares().to(x.dtype)
        return SelectOutput(every, cluster.numel(), cluster, selection.num_nodes, weight)


class ConnectMIVS(Connect):
    """A' = SᵀAS (Eq. 3) as PyTorch Geometric's ``Connect``: an edge wherever an edge runs between two clusters.

    Args:
        reduction: what becomes of the features of parallel edges: "sum", "mean", "min", "max" or "mul".
        loops: whether edges inside a cluster become a loop, and come last, or are left out.

    Raises:
        InputError: for a reduction that there is not.
    """

    def __init__(self, reduction: EdgeReduction = "sum", loops: bool = False) -> None:
        super().__init__()
        if reduction not in EDGE_REDUCTIONS:
            raise InputError(
                f"there is no edge reduction {reduction!r}; there are: {', '.join(EDGE_REDUCTIONS)}"
            )
        self.reduction, self.loops = reduction, loops

    @eager
    def forward(
        self,
        select_output: SelectOutput,
        edge_index: Tensor,
        edge_attr: Tensor | None = None,
        batch: Tensor | None = None,
    ) -> ConnectOutput:
        """The reduced edges.

        Args:
            select_output: of any ``Select`` that puts a vertex into one cluster at most.
            edge_index: int64 [2, M].
            edge_attr: [M] or [M, D]; None: each edge counts as 1, and the result counts edges.
            batch: int64 [N].

        Returns:
            ``edge_index`` int64 [2, M'], ``edge_attr`` [M'] or [M', D], ``batch`` int64 [N'] (None without one).
        """
        cluster = torch.full((select_output.num_nodes,), -1, device=edge_index.device)
        cluster[select_output.node_index] = select_output.cluster_index
        if edge_attr is None:
            kind = torch.get_default_dtype() if select_output.weight is None else select_output.weight.dtype
            edge_attr = torch.ones(edge_index.size(1), dtype=kind, device=edge_index.device)
        index, pooled = self.reduced(cluster, select_output.num_clusters, edge_index, edge_attr)
        return ConnectOutput(index, pooled, self.get_pooled_batch(select_output, batch))

    def reduced(
        self, cluster: Tensor, num_clusters: int, edge_index: Tensor, edge_attr: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The edges between clusters, and their features.

        Args:
            cluster: int64 [N], the cluster of each vertex, −1 where it has none.
            num_clusters: N'.
            edge_index: int64 [2, M].
            edge_attr: [M] or [M, D].

        Returns:
            The edges int64 [2, M'], and their features [M'] or [M', D].

        Raises:
            InputError: where ``edge_attr`` has another number of rows than ``edge_index`` has columns.
        """
        if edge_attr.size(0) != edge_index.size(1):
            raise InputError(
                f"edge_attr has {count(edge_attr.size(0), 'row')} for {count(edge_index.size(1), 'edge')}"
            )
        index = cluster[edge_index]
        kept = (index >= 0).all(0)
        if not self.loops:
            kept &= index[0] != index[1]
        index, pooled = coalesce(
            index[:, kept], edge_attr[kept], num_nodes=num_clusters, reduce=self.reduction
        )
        order = torch.argsort((index[0] == index[1]).to(torch.int8), stable=True)
        return (index[:, order], pooled[order]) if self.loops else (index, pooled)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(reduction={self.reduction!r}, loops={self.loops})"


class Unpool(torch.nn.Module):
    """S x: the features of each cluster at all of its vertices, as a decoder needs them."""

    def forward(self, x: Tensor, select_output: SelectOutput) -> Tensor:
        """Features of the reduced graph back on the graph before.

        Args:
            x: [N', C].
            select_output: what was selected on the way down.

        Returns:
            [N, C]; zeros at a vertex without a cluster.
        """
        out = x.new_zeros(select_output.num_nodes, x.size(1))
        return out.index_add(0, select_output.node_index, x[select_output.cluster_index])

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
