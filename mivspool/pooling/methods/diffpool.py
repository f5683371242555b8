"""DiffPool (Ying et al., *Hierarchical … Learning with Differentiable Pooling*, NeurIPS 2018)."""

from __future__ import annotations

import math
from typing import ClassVar

import torch
from torch import Tensor, nn

from mivspool.errors import InputError
from mivspool.messages import count
from mivspool.pooling.base import Kind, Pooled, Pooling, Selection
from mivspool.pooling.method import Method
from mivspool.pooling.parts import memory
from mivspool.pooling.parts.directions import fits
from mivspool.sparse import Adjacency, Propagation


class DiffPool(Pooling):
    """Z = GNN_embed(A, X), S = softmax(GNN_pool(A, X)); X' = SᵀZ, A' = SᵀAS in each graph.

    Each GNN is one GCN (the embedding's with ReLU). Every graph gets the same number of clusters, whatever
    its size: ``clusters`` at level 0 (default: 25), at level l ⌈clusters·ratioˡ⌉ (``ratio``: 0.25). Two
    losses are added: ‖A − SSᵀ‖_F / n², its mean over the graphs, and the mean entropy of the rows of S.
    Raises InputError where the dense matrices would not fit into the free memory.
    """

    kind: ClassVar[Kind] = "complete"  # type: ignore[misc]
    weighted: ClassVar[bool] = True

    def __init__(self, in_channels: int, clusters: int = 25, ratio: float = 0.25, level: int = 0) -> None:
        super().__init__()
        if clusters < 1:
            raise InputError(f"clusters must be at least 1, not {clusters}")
        self.clusters = math.ceil(clusters * ratio**level)
        self.embed = nn.Linear(in_channels, in_channels)
        self.assign = nn.Linear(in_channels, self.clusters)

    def pool(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Pooled:
        """One pooling step with its two losses. Raises InputError where x has another width or type than the layer."""
        fits(x, self.in_channels, self.embed.weight.dtype)
        self.check_memory(x, batch_size)
        selection = self.select(x, adjacency, batch, batch_size)
        assert selection.assignment is not None
        matrix = _gcn(adjacency, x.dtype)
        embedded = torch.relu(matrix @ self.embed(x))
        size = torch.bincount(batch, minlength=batch_size)
        soft = selection.assignment
        blocks = block_products(soft, _times(adjacency, soft), size)
        loss = link_loss(soft, blocks, adjacency, size, batch) + entropy(soft)
        reduced = block_products(soft, embedded, size).reshape(-1, embedded.size(1))
        return Pooled(reduced, from_blocks(blocks), selection, loss)

    def check_memory(self, x: Tensor, batch_size: int) -> None:
        """Raises InputError where S [N, K], its gradient and A' [B, K, K] would not fit; x [N, C]."""
        item, c = x.element_size(), self.clusters
        # S with what its softmax, AS and the gradients keep; A' as blocks and as CSR, its gradients and index
        needed = 8 * x.size(0) * c * item + batch_size * c * c * (6 * item + 5 * 8)
        what = f"{count(c, 'cluster')} of {count(x.size(0), 'vertex')} in {count(batch_size, 'graph')}"
        memory.demand(needed, x.device, "DiffPool", what, "use fewer clusters, or a smaller graph or batch")

    def select(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Selection:
        """S, dense [N, clusters]: column c of a vertex's row is cluster c of its own graph."""
        soft = torch.softmax(_gcn(adjacency, x.dtype) @ self.assign(x), dim=1)
        graphs = torch.arange(batch_size, device=batch.device)
        of_cluster = torch.repeat_interleave(graphs, self.clusters)
        return Selection(of_cluster, batch_size, assignment=soft, graph=batch)

    def extra_repr(self) -> str:
        """What distinguishes this layer."""
        return f"clusters={self.clusters}"


def block_products(left: Tensor, right: Tensor, size: Tensor) -> Tensor:
    """leftᵀ·right within each graph: [B, C, D] from [N, C] and [N, D]; ``size`` int64 [B] vertices each.

    Graphs of similar size (up to the next power of two) are padded and multiplied together.
    """
    start = torch.cumsum(size, 0) - size
    out = left.new_zeros(size.numel(), left.size(1), right.size(1))
    bucket = torch.ceil(torch.log2(size.clamp(min=1).to(torch.float64)))
    for level in torch.unique(bucket[size > 0]).tolist():
        graphs = torch.nonzero((bucket == level) & (size > 0)).reshape(-1)
        longest = int(size[graphs].max())
        place = torch.arange(longest, device=size.device)
        inside = place < size[graphs].unsqueeze(1)
        vertex = torch.where(inside, start[graphs].unsqueeze(1) + place, 0).reshape(-1)
        shape = (graphs.numel(), longest, -1)
        padded = left.index_select(0, vertex).reshape(shape) * inside.unsqueeze(2).to(left.dtype)
        product = padded.transpose(1, 2) @ right.index_select(0, vertex).reshape(shape)
        out = out.index_copy(0, graphs, product)
    return out


def from_blocks(blocks: Tensor) -> Adjacency:
    """The batch of graphs whose matrices are ``blocks`` [B, C, C]: every pair is an edge that is not 0."""
    number, c, _ = blocks.shape
    # SᵀAS is symmetric up to rounding, and an Adjacency is symmetric exactly
    blocks = (blocks + blocks.transpose(1, 2)) / 2
    own = torch.eye(c, dtype=torch.bool, device=blocks.device)
    graph, row, col = torch.nonzero((blocks.detach() > 0) & ~own, as_tuple=True)
    flat = (graph * c + row) * c + col
    weight = blocks.reshape(-1).index_select(0, flat).to(torch.float64)
    rowptr = torch.zeros(number * c + 1, dtype=torch.int64, device=blocks.device)
    torch.cumsum(torch.bincount(graph * c + row, minlength=number * c), 0, out=rowptr[1:])
    loops = blocks.diagonal(dim1=1, dim2=2).reshape(-1).to(torch.float64)
    return Adjacency(rowptr, graph * c + col, weight, loops)


def link_loss(soft: Tensor, blocks: Tensor, adjacency: Adjacency, size: Tensor, batch: Tensor) -> Tensor:
    """The mean over the graphs of ‖A − SSᵀ‖_F / n², a scalar, without SSᵀ: Σ A² − 2 tr(SᵀAS) + ‖SᵀS‖².

    ``soft``: S [N, K]; ``blocks``: SᵀAS [B, K, K]; ``size`` int64 [B] of the graphs, ``batch`` int64 [N].
    """
    squares = torch.zeros(size.numel(), dtype=torch.float64, device=soft.device)
    weight = adjacency.weight
    entries = torch.ones_like(adjacency.col, dtype=torch.float64) if weight is None else weight.square()
    squares = squares.index_add(0, batch[adjacency.row], entries)
    if adjacency.loops is not None:
        squares = squares.index_add(0, batch, adjacency.loops.square())
    trace = blocks.diagonal(dim1=1, dim2=2).sum(1)
    overlap = block_products(soft, soft, size).square().sum((1, 2))
    square = (squares - 2 * trace + overlap).clamp(min=1e-12)
    each = square.sqrt() / size.clamp(min=1).square()
    mean: Tensor = each[size > 0].mean().to(soft.dtype) if bool((size > 0).any()) else soft.sum()
    return mean


def entropy(soft: Tensor) -> Tensor:
    """The mean entropy of the rows of S."""
    if soft.size(0) == 0:
        return soft.sum()
    mean: Tensor = torch.special.entr(soft.clamp(min=torch.finfo(soft.dtype).tiny)).sum(1).mean()
    return mean


def _gcn(adjacency: Adjacency, dtype: torch.dtype) -> Propagation:
    return adjacency.normalised(use_weights=True, use_diagonal=True, dtype=dtype)


def _times(adjacency: Adjacency, x: Tensor) -> Tensor:
    """A·x with the weights and the diagonal of A, [N, C]."""
    ones = torch.ones(adjacency.num_entries, dtype=x.dtype, device=x.device)
    values = ones if adjacency.weight is None else adjacency.weight.to(x.dtype)
    loops = None if adjacency.loops is None else adjacency.loops.to(x.dtype)
    return Propagation(adjacency, values, loops) @ x


METHOD = Method(
    name="diffpool",
    title="DiffPool",
    about="Assigns every vertex softly to a fixed number of clusters.",
    formula=r"S = \mathrm{softmax}(\mathrm{GNN}(A, X))",
    paper="Ying et al. 2018",
    layer=DiffPool,
    takes=("level",),
    place=70,
)
