"""A data set kept on the device: batches are cut out of it by graph index, as one block-diagonal graph each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mivspool.arrays import passes
from mivspool.arrays.checks import places
from mivspool.arrays.table import operation
from mivspool.graphs.dataset import Dataset
from mivspool.sparse import Adjacency


@dataclass(eq=False)
class Batch:
    """B graphs side by side: ``target`` int64 [B], ``x`` [N, d], ``propagated`` [N, d], the first GCN's product.

    ``kind`` int64 [N]: the row of ``source.rows`` that is each vertex's ``propagated``, where rows repeat.
    """

    adjacency: Adjacency
    batch: Tensor
    batch_size: int
    target: Tensor
    vertex: Tensor
    source: Resident

    @cached_property
    def propagated(self) -> Tensor:
        """D^(-1/2) (A + I) D^(-1/2) x."""
        return self.source.propagated.index_select(0, self.vertex)

    @cached_property
    def kind(self) -> Tensor | None:
        """None where hardly a row stands twice."""
        return None if self.source.kind is None else self.source.kind.index_select(0, self.vertex)

    @cached_property
    def x(self) -> Tensor:
        """The features themselves, fetched when they are asked for: most networks need only their product."""
        return self.source.x.index_select(0, self.vertex)


class Resident:
    """The graphs of a data set as tensors on one device, and the first level's propagation done once.

    ``x`` float32 [N, d] are the features of all vertices. A GCN's normalisation works inside each graph, so the
    first product D^(-1/2) (A + I) D^(-1/2) x is the same in every batch and every epoch. Where vertices share it
    (atoms of a kind with neighbours of a kind: NCI1 has 948 such rows for 122,747 vertices), ``rows`` [U, d] holds each
    once and ``kind`` int64 [N] says which is whose; ``kind`` is None where that would save nothing.
    """

    def __init__(self, dataset: Dataset, x: NDArray[np.float32], device: torch.device | str = "cpu") -> None:
        edges = torch.from_numpy(dataset.edges)
        both = torch.cat([edges, edges.flip(0)], dim=1)
        whole = Adjacency.from_edge_index(both, num_nodes=int(dataset.ptr[-1])).to(device)
        self.x = torch.from_numpy(x).to(device)
        self.propagated = whole.normalised(dtype=self.x.dtype) @ self.x
        self.rows, self.kind = _kinds(self.propagated)
        self.target = torch.from_numpy(dataset.target).to(device)
        self._ptr = torch.from_numpy(dataset.ptr).to(device)
        self._whole = whole

    @property
    def device(self) -> torch.device:
        """Where the data lies."""
        return self.x.device

    def cut(self, graphs: Tensor | NDArray[np.int64] | Sequence[int]) -> Batch:
        """The batch of these graphs, int64 [B], in this order."""
        index = torch.as_tensor(graphs, dtype=torch.int64, device=self.device)
        vertex, batch, adjacency = _cut(index, self._ptr, self._whole)
        return Batch(
            adjacency=adjacency,
            batch=batch,
            batch_size=index.numel(),
            target=self.target[index],
            vertex=vertex,
            source=self,
        )


@operation
def _cut(index: Tensor, ptr: Tensor, whole: Adjacency) -> tuple[Tensor, Tensor, Adjacency]:
    """The vertices int64 [N] of these graphs, the place of each one's graph int64 [N], and their adjacency.

    ``index`` int64 [B]: the graphs; ``ptr`` int64 [G + 1]: where the vertices of each graph of ``whole`` start.
    """
    start, size = ptr[index], ptr[index + 1] - ptr[index]
    batch = torch.repeat_interleave(size)
    shift = torch.cumsum(size, 0) - size - start
    vertex = torch.arange(batch.numel(), device=index.device) - shift[batch]
    begin = whole.rowptr
    first, last = begin[start], begin[start + size]
    owner = torch.repeat_interleave(last - first)
    entry = torch.arange(owner.numel(), device=index.device)
    entry += (first - (torch.cumsum(last - first, 0) - (last - first)))[owner]
    degree = begin[vertex + 1] - begin[vertex]
    rowptr = torch.zeros(batch.numel() + 1, dtype=torch.int64, device=index.device)
    torch.cumsum(degree, 0, out=rowptr[1:])
    return vertex, batch, Adjacency.known(rowptr, whole.col[entry] + shift[owner])


@_cut.on_cpu
def _cut_compiled(index: Tensor, ptr: Tensor, whole: Adjacency) -> tuple[Tensor, Tensor, Adjacency]:
    places("graphs", index.numpy(), ptr.numel() - 1)
    n = int((ptr[index + 1] - ptr[index]).sum())
    vertex, batch = torch.empty(n, dtype=torch.int64), torch.empty(n, dtype=torch.int64)
    rowptr = torch.zeros(n + 1, dtype=torch.int64)
    col = passes.cut(
        index.contiguous().numpy(), ptr.numpy(), whole.rowptr.numpy(), whole.csr[1],
        vertex.numpy(), batch.numpy(), rowptr.numpy(),
    )  # fmt: skip
    return vertex, batch, Adjacency.known(rowptr, col)


@operation
def _kinds(x: Tensor) -> tuple[Tensor, Tensor | None]:
    """The rows of x [N, d] that differ, and which is each vertex's; (x, None) where none are looked for.

    Both describe the same features: what is saved differs by device.
    """
    return x, None


@_kinds.on_cpu
def _kinds_on_cpu(x: Tensor) -> tuple[Tensor, Tensor | None]:
    """(x, None) where the rows that differ are more than N / 4."""
    if not x.numel():
        return x, None
    # one number per row to sort by; that equal numbers stand for equal rows is checked afterwards
    along = np.random.default_rng(0).random(x.size(1))
    _, first, kind = np.unique(x.numpy() @ along, return_index=True, return_inverse=True)
    if 4 * first.size > x.size(0):
        return x, None
    rows, place = x[torch.from_numpy(first)], torch.from_numpy(kind.reshape(-1))
    return (rows, place) if torch.equal(rows[place], x) else (x, None)
