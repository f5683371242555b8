"""NDP (Bianchi et al., *Hierarchical Representation Learning … Node Decimation Pooling*, IEEE TNNLS 2020)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from mivspool.errors import InputError
from mivspool.messages import count
from mivspool.pooling.base import Kind, Pooled, Pooling, Selection
from mivspool.pooling.method import Method
from mivspool.pooling.parts import memory
from mivspool.pooling.parts.topk import keep
from mivspool.pooling.scores.uniform import uniform
from mivspool.sparse import Adjacency

_DENSE, _KEPT = 400, 20_000


class NDP(Pooling):
    """One side of a large spectral cut is kept, and Kron reduction reconnects it.

    v: the eigenvector of the largest eigenvalue of the normalised Laplacian; the vertices with v ≥ 0 are
    kept. Where that cut has less than half of the weight, zᵀLz / 2Σ A < 0.5, a random cut takes its place
    (``seed``, ``level``). L' = L₊₊ − L₊₋ L₋₋⁻¹ L₋₊ and A' = −L' off the diagonal; entries up to ``threshold``
    (default: 0.01) are then dropped, but the next level starts from the graph before that, as the authors do.
    X' = X₊. Nothing is learned: what a graph becomes depends on A alone and is kept for the next call.

    Each connected component is cut by itself (an eigenvector of the whole may vanish on all but one), and of
    v and −v that one is taken which Σ v³ > 0, else the first vertex, makes positive.
    """

    kind: ClassVar[Kind] = "selective"  # type: ignore[misc]
    weighted: ClassVar[bool] = True

    def __init__(self, in_channels: int, threshold: float = 0.01, seed: int = 0, level: int = 0) -> None:
        super().__init__()
        self.threshold, self.seed, self.level = threshold, seed, level
        self._known: dict[Any, Any] = {}

    def pool(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Pooled:
        """One pooling step; selection and reduced graph come from one computation."""
        selection, connected = self.decimate(adjacency, batch, batch_size)
        return Pooled(self.reduce(x, selection), connected, selection)

    def select(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Selection:
        """The kept side of each component's cut."""
        return self.decimate(adjacency, batch, batch_size)[0]

    def reduce(self, x: Tensor, selection: Selection) -> Tensor:
        """X₊, [N', C]. Raises InputError for another method's selection."""
        if selection.survivor is None:
            raise InputError("this selection has no survivors")
        return x.index_select(0, torch.nonzero(selection.survivor).reshape(-1))

    def decimate(self, adjacency: Adjacency, batch: Tensor, batch_size: int) -> tuple[Selection, Adjacency]:
        """The selection of a batch, int64 [N], and the sparsified reduced graph; that before comes with it."""
        source = adjacency._cache.get("unsparsified", adjacency)
        draw = uniform(self.seed, self.level, batch, batch_size).cpu().numpy()
        matrix = _scipy(source)
        from scipy.sparse.csgraph import connected_components

        number, component = connected_components(matrix, directed=False)
        order = np.argsort(component, kind="stable")
        bounds = np.searchsorted(component[order], np.arange(number + 1))
        kept = np.zeros(matrix.shape[0], bool)
        rows, cols, values = [], [], []
        for first, last in pairwise(bounds):
            own = order[first:last]
            side, reduced = self._component(matrix, own, draw[own])
            kept[own[side]] = True
            row, col = np.nonzero(reduced)
            rows.append(own[side[row]])
            cols.append(own[side[col]])
            values.append(reduced[row, col])
        survivor = torch.from_numpy(kept).to(batch.device)
        selection = keep(survivor, batch, batch_size)
        place = np.cumsum(kept) - 1
        entries = tuple(np.concatenate(part) if part else np.empty(0) for part in (rows, cols, values))
        full = _adjacency(place, entries, int(kept.sum()), 0.0)
        sparse = _adjacency(place, entries, int(kept.sum()), self.threshold)
        sparse = sparse.to(batch.device)
        sparse._cache["unsparsified"] = full
        return selection, sparse

    def _component(self, matrix: Any, own: Any, draw: Any) -> tuple[Any, Any]:
        """The kept vertices' places within one component, and its reduced matrix, dense."""
        if own.size == 1:
            return np.zeros(1, np.int64), np.zeros((1, 1))
        block = matrix[own][:, own]
        key = (block.indptr.tobytes(), block.indices.tobytes(), block.data.tobytes())
        cut = self._known.get(key)
        if cut is None:
            cut = spectral_cut(block)
            cut = (cut, None if cut is None else kron(block, np.flatnonzero(cut)))
            if len(self._known) < _KEPT:
                self._known[key] = cut
        if cut[0] is not None:
            return np.flatnonzero(cut[0]), cut[1]
        side = draw >= 0.5
        if not side.any():
            side[np.argmax(draw)] = True
        return np.flatnonzero(side), kron(block, np.flatnonzero(side))

    def extra_repr(self) -> str:
        """What distinguishes this layer."""
        return f"threshold={self.threshold}"


def spectral_cut(matrix: Any) -> Any | None:
    """The side v ≥ 0 of a connected graph (scipy CSR, n ≥ 2), bool [n]; None where the cut is too small."""
    degree = np.asarray(matrix.sum(1)).ravel()
    scale = 1 / np.sqrt(degree)
    v = _top_eigenvector(matrix, scale)
    # rounding must not decide the sign of what is 0
    v[np.abs(v) < 1e-10] = 0
    skew = (v**3).sum()
    if skew < -1e-9 or (abs(skew) <= 1e-9 and v[np.flatnonzero(v)[0]] < 0):
        v = -v
    side = v >= 0
    sign = np.where(side, 1.0, -1.0)
    size = (sign @ (degree * sign - matrix @ sign)) / (2 * degree.sum())
    return side if size >= 0.5 else None


def kron(matrix: Any, side: Any) -> Any:
    """−(L₊₊ − L₊₋ L₋₋⁻¹ L₋₊) without its diagonal, dense [k, k]; ``side``: the k vertices of a connected graph."""
    from scipy.linalg import cho_factor, cho_solve

    n, k = matrix.shape[0], side.size
    other = np.setdiff1d(np.arange(n), side)
    needed = 8.0 * (2 * (n - k) ** 2 + 2 * (n - k) * k + 2 * k * k)
    what = f"the Kron reduction of {count(n, 'vertex')} to {k:,}"
    memory.demand(needed, torch.device("cpu"), "NDP", what, "take a smaller graph")
    reduced = matrix[side][:, side].toarray()
    if other.size:
        degree = np.asarray(matrix.sum(1)).ravel()[other]
        inner = np.diag(degree) - matrix[other][:, other].toarray()
        across = matrix[other][:, side].toarray()
        reduced = reduced + across.T @ cho_solve(cho_factor(inner, overwrite_a=True), across)
    reduced = (reduced + reduced.T) / 2
    np.fill_diagonal(reduced, 0)
    return reduced


def _top_eigenvector(matrix: Any, scale: Any) -> Any:
    """Of I − D^(-1/2) A D^(-1/2), for its largest eigenvalue."""
    n = matrix.shape[0]
    if n <= _DENSE:
        dense = -(matrix.toarray() * scale[:, None] * scale[None, :])
        return np.linalg.eigh(dense)[1][:, -1]
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import eigsh

    scaled = diags_array(scale) @ matrix @ diags_array(scale)
    # a start that is not symmetric: the all-ones vector of a regular graph is an eigenvector itself
    start = np.random.default_rng(0).standard_normal(n)
    return eigsh(scaled, k=1, which="SA", v0=start)[1][:, 0]


def _scipy(adjacency: Adjacency) -> Any:
    from scipy.sparse import csr_array

    col = adjacency.col.cpu().numpy()
    weight = np.ones(col.size) if adjacency.weight is None else adjacency.weight.detach().cpu().numpy()
    n = adjacency.num_nodes
    matrix = csr_array((weight, col, adjacency.rowptr.cpu().numpy()), shape=(n, n))
    matrix.eliminate_zeros()
    return matrix


def _adjacency(place: Any, entries: Any, num_nodes: int, threshold: float) -> Adjacency:
    row, col, value = entries
    # what the elimination leaves of an absent edge is rounding, not an edge
    kept = value > max(threshold, 1e-12)
    row, col = place[row[kept].astype(np.int64)], place[col[kept].astype(np.int64)]
    order = np.lexsort((col, row))
    rowptr = np.zeros(num_nodes + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=num_nodes), out=rowptr[1:])
    return Adjacency(
        torch.from_numpy(rowptr), torch.from_numpy(col[order]), torch.from_numpy(value[kept][order])
    )


METHOD = Method(
    name="ndp",
    title="NDP (Kron reduction)",
    about="Keeps one side of a large spectral cut and reconnects it by Kron reduction.",
    formula=r"L' = L_{++} - L_{+-} L_{--}^{-1} L_{-+}",
    paper="Bianchi et al. 2020",
    layer=NDP,
    takes=("seed", "level"),
    place=80,
)
