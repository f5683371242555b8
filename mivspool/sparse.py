"""A symmetric graph as CSR on any device, and its normalised propagation with a gradient that uses the symmetry."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mivspool.arrays import double_backward, edges, kernels, parallel, passes
from mivspool.arrays.checks import FLOATS, U32, expect, features, places
from mivspool.arrays.eager import eager
from mivspool.arrays.table import always, operation
from mivspool.errors import InputError
from mivspool.messages import count

# said by torch at the first product on a GPU; what is used of it is tested here
warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")

_NOT_SYMMETRIC = "edge_index is not symmetric: give each undirected edge in both directions"

_PIECE = 2**15


class Adjacency:
    """A (Eq. 3) of one graph, or of a batch as one block-diagonal graph.

    ``rowptr`` int64 [N + 1] and ``col`` int64 [M] list every neighbour once, in both directions, rows sorted,
    without the diagonal. ``weight`` is float64 [M], or None where every entry is 1; ``loops`` is float64 [N],
    the diagonal (twice the edges inside each cluster), or None where it is 0.

    On the CPU ``col`` may be given as numpy's uint32, which is what the compiled passes read (``csr``).
    Raises InputError for arrays that are no such graph: compiled code relies on all of the above. On a GPU, where
    nothing is compiled, types and shapes alone are checked, so that no call waits for the device.
    """

    def __init__(
        self,
        rowptr: Tensor,
        col: Tensor | NDArray[np.uint32],
        weight: Tensor | None = None,
        loops: Tensor | None = None,
    ) -> None:
        self._hold(rowptr, col, weight, loops)
        expect("rowptr", rowptr, torch.int64, rowptr.numel())
        expect("col", col, torch.int64 if isinstance(col, Tensor) else U32, self.num_entries)
        if weight is not None:
            expect("weight", weight, torch.float64, self.num_entries)
        if loops is not None:
            expect("loops", loops, torch.float64, self.num_nodes)
        _check_entries(rowptr, col)

    @classmethod
    def known(
        cls,
        rowptr: Tensor,
        col: Tensor | NDArray[np.uint32],
        weight: Tensor | None = None,
        loops: Tensor | None = None,
    ) -> Adjacency:
        """An Adjacency without checks, for arrays computed from another one by a rule that keeps all of the above."""
        graph = cls.__new__(cls)
        graph._hold(rowptr, col, weight, loops)
        return graph

    def _hold(
        self, rowptr: Tensor, col: Tensor | NDArray[np.uint32], weight: Tensor | None, loops: Tensor | None
    ) -> None:
        self.rowptr, self.weight, self.loops = rowptr, weight, loops
        self.num_entries: int = col.numel() if isinstance(col, Tensor) else col.size
        self._cache: dict[Any, Any] = {"col" if isinstance(col, Tensor) else "short": col}

    @property
    def col(self) -> Tensor:
        """int64 [M]: the neighbours, row after row."""
        col: Tensor = self._cached("col", lambda: torch.from_numpy(self._cache["short"].astype(np.int64)))
        return col

    @classmethod
    @eager
    def from_edge_index(
        cls, edge_index: Tensor, edge_weight: Tensor | None = None, num_nodes: int | None = None
    ) -> Adjacency:
        """From PyG's int64 [2, M]: parallel entries are added up, the diagonal is kept apart.

        Raises InputError where an index is out of range or the matrix is not symmetric.
        """
        expect_pairs(edge_index)
        row, col = edge_index[0], edge_index[1]
        n = _checked_size(row, col, None) if num_nodes is None else num_nodes
        weight = edge_weight.detach().to(torch.float64).reshape(-1) if edge_weight is not None else None
        if weight is not None and weight.numel() != row.numel():
            raise InputError(f"edge_weight has {weight.numel()} values for {count(row.numel(), 'edge')}")
        return _from_edges(row, col, weight, n)

    @property
    def csr(self) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
        """(rowptr uint64, col uint32) on the CPU, for compiled passes: half as much to read."""
        short = self._cached("short", lambda: self.col.numpy().astype(np.uint32))
        return self.rowptr.numpy().view(np.uint64), short

    @property
    def num_nodes(self) -> int:
        """N, isolated vertices included."""
        return self.rowptr.numel() - 1

    @property
    def device(self) -> torch.device:
        """Where the arrays lie."""
        return self.rowptr.device

    @property
    def degree(self) -> Tensor:
        """int64 [N]: distinct neighbours, the vertex itself not counted."""
        return self.rowptr[1:] - self.rowptr[:-1]

    @property
    def row(self) -> Tensor:
        """int64 [M]: the row of every entry."""
        row: Tensor = self._cached(
            "row", lambda: torch.repeat_interleave(self.degree, output_size=self.num_entries)
        )
        return row

    @property
    def edge_index(self) -> Tensor:
        """int64 [2, M]: both directions, sorted, without the diagonal."""
        return torch.stack([self.row, self.col])

    @eager
    def sum_around(self, values: Tensor) -> Tensor:
        """The sum of ``values`` [N] over each vertex's neighbours, [N], without weights and without a gradient.

        ``values`` are int64, float32 or float64; InputError otherwise.
        """
        return _sum_around(self, values.detach().contiguous())

    def with_diagonal(self) -> tuple[Tensor, Tensor]:
        """edge_index and float64 weights of all entries that are not 0, the diagonal included and last."""
        weight = self.weight
        if weight is None:
            weight = torch.ones(self.num_entries, dtype=torch.float64, device=self.device)
        if self.loops is None:
            return self.edge_index, weight
        inside = torch.nonzero(self.loops).reshape(-1)
        index = torch.cat([self.edge_index, torch.stack([inside, inside])], dim=1)
        return index, torch.cat([weight, self.loops[inside]])

    def to(self, device: torch.device | str) -> Adjacency:
        """The same graph on another device."""
        if torch.device(device) == self.device:
            return self
        # with its checks: a graph that was made by hand on a GPU has not been through them
        return Adjacency(
            self.rowptr.to(device),
            self.col.to(device),
            None if self.weight is None else self.weight.to(device),
            None if self.loops is None else self.loops.to(device),
        )

    @eager
    def contract(self, cluster: Tensor, num_clusters: int) -> Adjacency:
        """SᵀAS (Eq. 3) for ``cluster`` int64 [N], the reduced vertex of each vertex (−1: dropped)."""
        return _contract(self, cluster, num_clusters)

    def summing(
        self, *, use_weights: bool = False, use_diagonal: bool = False, dtype: torch.dtype = torch.float32
    ) -> Propagation:
        """A + I (+ the diagonal), whose product is the sum over each vertex and its neighbours, as of a GIN.

        Where weights or the diagonal are learned, the product has a gradient in them too.
        """
        values = self.weight if use_weights else None
        if values is None:
            values = torch.ones(self.num_entries, dtype=dtype, device=self.device)
        own = torch.ones(self.num_nodes, dtype=dtype, device=self.device)
        if use_diagonal and self.loops is not None:
            own = own + self.loops.to(dtype)
        return Propagation(_pattern(self), values.to(dtype), own)

    @eager
    def normalised(
        self,
        *,
        self_loops: bool = True,
        use_weights: bool = False,
        use_diagonal: bool = False,
        dtype: torch.dtype = torch.float32,
    ) -> Propagation:
        """D^(-1/2) Â D^(-1/2) of a GCN, Â = A (+ I) (+ the diagonal); kept for the next call.

        An isolated vertex without a self-loop gets a row of zeros. Where weights or the diagonal are learned,
        the product has a gradient in them too.
        """
        key = (self_loops, use_weights, use_diagonal, dtype)
        matrix: Propagation = self._cached(
            key, lambda: _normalise(self, self_loops, use_weights, use_diagonal, dtype)
        )
        return matrix

    def __repr__(self) -> str:
        return f"Adjacency({count(self.num_nodes, 'vertex')}, {count(self.num_entries // 2, 'edge')})"

    def __reduce__(self) -> tuple[Any, ...]:
        # what can be computed again stays behind; NDP's next level needs the graph before sparsification
        kept = {name: self._cache[name] for name in _PICKLED if name in self._cache}
        return _unpickled, (self.rowptr, self.weight, self.loops, self.num_entries, kept)

    def _cached(self, key: Any, make: Any) -> Any:
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]


_PICKLED = ("col", "short", "unsparsified")


def _unpickled(
    rowptr: Tensor, weight: Tensor | None, loops: Tensor | None, num_entries: int, kept: dict[Any, Any]
) -> Adjacency:
    graph = Adjacency.__new__(Adjacency)
    graph.rowptr, graph.weight, graph.loops = rowptr, weight, loops
    graph.num_entries, graph._cache = num_entries, kept
    return graph


@dataclass(eq=False)
class Propagation:
    """A symmetric matrix with the pattern of ``adjacency`` and a diagonal; ``matrix @ x`` has a gradient in x."""

    adjacency: Adjacency
    values: Tensor
    diagonal: Tensor | None
    _matrix: Tensor | None = field(default=None, init=False, repr=False)

    @eager
    def __matmul__(self, x: Tensor) -> Tensor:
        """[N, C] → [N, C]."""
        product: Tensor
        if self.values.requires_grad or (self.diagonal is not None and self.diagonal.requires_grad):
            product = _PropagateLearned.apply(x, self.values, self.diagonal, self)
        else:
            product = _Propagate.apply(x, self)
        return product

    def multiply(self, x: Tensor) -> Tensor:
        """The product with x, [N, C], without a gradient."""
        return _multiply(x, self)

    def _fits(self, x: Tensor) -> None:
        """InputError where x is not [N, C], or matrix and x differ in type."""
        n = self.adjacency.num_nodes
        expect("x", x, self.values.dtype, n, x.size(1))
        expect("values", self.values, x.dtype, self.adjacency.num_entries)
        if self.diagonal is not None:
            expect("diagonal", self.diagonal, x.dtype, n)

    def slopes(self, grad: Tensor, x: Tensor) -> tuple[Tensor, Tensor | None]:
        """The gradients of the values [M], grad_i · x_j, and of the diagonal [N], if there is one.

        ``grad`` [N, C]: the gradient of the product with ``x`` [N, C].
        """
        return _slopes(x, grad, self)


class _Propagate(torch.autograd.Function):
    """y = M x with M symmetric: the gradient is M g, by the same matrix."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, matrix: Propagation) -> Tensor:
        ctx.matrix = matrix
        return matrix.multiply(x)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        return _Propagate.apply(grads[0].contiguous(), ctx.matrix), None


class _PropagateLearned(torch.autograd.Function):
    """y = M x with learned entries: the gradient of M_ij is g_i · x_j."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, values: Tensor, diagonal: Tensor | None, matrix: Propagation) -> Tensor:
        ctx.matrix = matrix
        ctx.save_for_backward(x, values, *(() if diagonal is None else (diagonal,)))
        return matrix.multiply(x)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, Tensor | None, None]:
        x, values, *diagonal = ctx.saved_tensors
        grad, matrix = grads[0].contiguous(), ctx.matrix
        if double_backward.wanted():
            row, col = matrix.adjacency.row, matrix.adjacency.col
            from_x, from_grad = x.index_select(0, col), grad.index_select(0, row)
            # column by column: the same numbers as M grad, and each entry of M has its own history
            of_x = torch.zeros_like(x).index_add(0, col, from_grad * values.unsqueeze(1))
            if not diagonal:
                return of_x, (from_grad * from_x).sum(1), None, None
            return (
                of_x + grad * diagonal[0].unsqueeze(1),
                (from_grad * from_x).sum(1),
                (grad * x).sum(1),
                None,
            )
        return matrix.multiply(grad), *matrix.slopes(grad, x), None


# what depends on the device: in torch operations for any, compiled for the CPU


@operation
def _check_entries(rowptr: Tensor, col: Tensor | NDArray[np.uint32]) -> None:
    """No check: on another device no compiled code reads them, and a check would wait for it."""


@_check_entries.on_cpu
def _check_entries_compiled(rowptr: Tensor, col: Tensor | NDArray[np.uint32]) -> None:
    fault = edges.fault(rowptr.numpy(), col.numpy() if isinstance(col, Tensor) else col)
    if fault is not None:
        raise InputError(f"this is no graph as rowptr and col: {fault}")


@operation(exact=always)
def _from_edges(row: Tensor, col: Tensor, weight: Tensor | None, n: int) -> Adjacency:
    """An edge list int64 [M] with its float64 weights [M] as an Adjacency.

    InputError where an index is out of range, or the list is not symmetric.
    """
    _checked_size(row, col, n)
    loops = None
    loop = row == col
    if bool(loop.any()):
        values = weight[loop] if weight is not None else torch.ones(int(loop.sum()), dtype=torch.float64)
        loops = torch.zeros(n, dtype=torch.float64, device=row.device)
        loops.index_add_(0, row[loop], values.to(row.device))
        row, col = row[~loop], col[~loop]
        weight = weight[~loop] if weight is not None else None
    key = row * n + col
    ordered, order = torch.sort(key, stable=True)
    distinct = torch.ones_like(ordered, dtype=torch.bool)
    distinct[1:] = ordered[1:] != ordered[:-1]
    if bool(distinct.all()):
        row, col = row[order], col[order]
        weight = weight[order] if weight is not None else None
    else:
        place = torch.cumsum(distinct, 0) - 1
        values = torch.ones(order.numel(), dtype=torch.float64, device=row.device)
        values = weight[order] if weight is not None else values
        kept = order[distinct]
        row, col = row[kept], col[kept]
        if weight is not None:
            weight = torch.zeros(row.numel(), dtype=torch.float64, device=row.device)
            weight.index_add_(0, place, values)
    transposed = torch.sort(col * n + row, stable=True)
    if not torch.equal(transposed.values, row * n + col):
        raise InputError(_NOT_SYMMETRIC)
    if weight is not None and not torch.equal(weight[transposed.indices], weight):
        raise InputError("edge_weight is not symmetric: give both directions of an edge the same weight")
    return Adjacency.known(_rowptr(row, n), col, weight, loops)


@_from_edges.on_cpu
def _from_edges_compiled(row: Tensor, col: Tensor, weight: Tensor | None, n: int) -> Adjacency:
    if weight is not None:
        found: Adjacency = _from_edges.tensors(row, col, weight, n)
        return found
    rowptr, short, loops, symmetric = edges.adjacency(row.contiguous().numpy(), col.contiguous().numpy(), n)
    if not symmetric:
        raise InputError(_NOT_SYMMETRIC)
    diagonal = None if loops is None else torch.from_numpy(loops)
    return Adjacency.known(torch.from_numpy(rowptr.view(np.int64)), short, None, diagonal)


@operation(exact=always)
def _balanced(edge_index: Tensor) -> bool:
    """Whether every entry of [2, M] is there as often in both directions (a false yes has probability 2⁻⁶⁴)."""
    return not bool(parallel.balance(edge_index))


@_balanced.on_cpu
def _balanced_compiled(edge_index: Tensor) -> bool:
    return edges.balanced(edge_index[0].contiguous().numpy(), edge_index[1].contiguous().numpy())


def _whole(adjacency: Adjacency, values: Tensor) -> bool:
    """Whether the values are whole numbers; InputError unless there is one per vertex."""
    kind = values.dtype if values.dtype in (*FLOATS, torch.int64) else torch.float64
    expect("values", values, kind, adjacency.num_nodes)
    return kind == torch.int64


@operation(exact=_whole)
def _sum_around(adjacency: Adjacency, values: Tensor) -> Tensor:
    return torch.zeros_like(values).index_add_(0, adjacency.row, values[adjacency.col])


@_sum_around.on_cpu
def _sum_around_compiled(adjacency: Adjacency, values: Tensor) -> Tensor:
    _whole(adjacency, values)
    out = torch.empty_like(values)
    passes.sum_around(*adjacency.csr, values.numpy(), out.numpy())
    return out


def _counts(adjacency: Adjacency, cluster: Tensor, num_clusters: int) -> bool:
    """Whether the sums of SᵀAS are whole numbers, the same in any order; InputError for other clusters."""
    expect("cluster", cluster, torch.int64, adjacency.num_nodes)
    places("cluster", cluster.numpy(), num_clusters, -1)
    return adjacency.weight is None and adjacency.loops is None


@operation(exact=_counts)
def _contract(adjacency: Adjacency, cluster: Tensor, num_clusters: int) -> Adjacency:
    device = adjacency.device
    row, col = cluster[adjacency.row], cluster[adjacency.col]
    weight = torch.ones(col.numel(), dtype=torch.float64, device=device)
    weight = weight if adjacency.weight is None else adjacency.weight.detach()
    loops = torch.zeros(num_clusters, dtype=torch.float64, device=device)
    kept = (row >= 0) & (col >= 0)
    inside = kept & (row == col)
    loops.index_add_(0, row[inside], weight[inside])
    if adjacency.loops is not None:
        members = cluster >= 0
        loops.index_add_(0, cluster[members], adjacency.loops.detach()[members])
    between = kept & (row != col)
    key, place = torch.unique(row[between] * num_clusters + col[between], return_inverse=True)
    total = torch.zeros(key.numel(), dtype=torch.float64, device=device)
    total.index_add_(0, place, weight[between])
    row, col = key // num_clusters, key % num_clusters
    return Adjacency.known(_rowptr(row, num_clusters), col, total, loops)


@_contract.on_cpu
def _contract_compiled(adjacency: Adjacency, cluster: Tensor, num_clusters: int) -> Adjacency:
    empty = np.empty(0)
    expect("cluster", cluster, torch.int64, adjacency.num_nodes)
    rowptr, col, weight, loops = kernels.contract(
        *adjacency.csr,
        empty if adjacency.weight is None else adjacency.weight.detach().numpy(),
        empty if adjacency.loops is None else adjacency.loops.detach().numpy(),
        cluster.numpy(),
        num_clusters,
    )
    return Adjacency.known(torch.from_numpy(rowptr), col, torch.from_numpy(weight), torch.from_numpy(loops))


@operation
def _normalise(
    adjacency: Adjacency, self_loops: bool, use_weights: bool, use_diagonal: bool, dtype: torch.dtype
) -> Propagation:
    weight = adjacency.weight if use_weights else None
    diagonal = torch.full(
        (adjacency.num_nodes,), float(self_loops), dtype=torch.float64, device=adjacency.device
    )
    if use_diagonal and adjacency.loops is not None:
        diagonal = diagonal + adjacency.loops
    total = diagonal.clone()
    if weight is None:
        total += adjacency.degree
    else:
        total.index_add_(0, adjacency.row, weight)
    scale = torch.where(total > 0, total, torch.ones_like(total)).rsqrt()
    values = scale.index_select(0, adjacency.row) * scale.index_select(0, adjacency.col)
    if weight is not None:
        values = values * weight
    own = (scale * scale * diagonal).to(dtype) if (self_loops or use_diagonal) else None
    return Propagation(_pattern(adjacency), values.to(dtype), own)


@_normalise.on_cpu
def _normalise_compiled(
    adjacency: Adjacency, self_loops: bool, use_weights: bool, use_diagonal: bool, dtype: torch.dtype
) -> Propagation:
    weight, loops = adjacency.weight if use_weights else None, adjacency.loops
    if any(part is not None and part.requires_grad for part in (weight, loops)):
        learned: Propagation = _normalise.tensors(adjacency, self_loops, use_weights, use_diagonal, dtype)
        return learned
    if dtype not in FLOATS:
        raise InputError(f"the matrix of a GCN is float32 or float64 on the CPU, not {dtype}")
    if weight is not None:
        expect("weight", weight, torch.float64, adjacency.num_entries)
    if use_diagonal and loops is not None:
        expect("loops", loops, torch.float64, adjacency.num_nodes)
    none = np.empty(0)
    values = torch.empty(adjacency.num_entries, dtype=dtype)
    own = torch.empty(adjacency.num_nodes, dtype=dtype) if (self_loops or use_diagonal) else None
    passes.normalise(
        *adjacency.csr,
        none if weight is None else weight.numpy(),
        none if loops is None or not use_diagonal else loops.numpy(),
        float(self_loops),
        np.empty(adjacency.num_nodes),
        values.numpy(),
        none if own is None else own.numpy(),
    )
    return Propagation(_pattern(adjacency), values, own)


@operation
def _pattern(adjacency: Adjacency) -> Adjacency:
    """The same entries without weights and without what is cached.

    A matrix that is cached must not hold its graph: a batch's arrays, and all that its learned weights were computed
    from, would wait for Python's garbage collector, for gigabytes on D&D.
    """
    return _bare(adjacency, adjacency.col)


@_pattern.on_cpu
def _pattern_compiled(adjacency: Adjacency) -> Adjacency:
    return _bare(adjacency, adjacency.csr[1])


def _bare(adjacency: Adjacency, col: Tensor | NDArray[np.uint32]) -> Adjacency:
    bare, cache = Adjacency.known(adjacency.rowptr, col), adjacency._cache
    bare._cache |= {name: cache[name] for name in ("col", "row") if name in cache}
    return bare


@operation
def _multiply(x: Tensor, matrix: Propagation) -> Tensor:
    if matrix._matrix is None:
        n = matrix.adjacency.num_nodes
        matrix._matrix = torch.sparse_csr_tensor(
            matrix.adjacency.rowptr,
            matrix.adjacency.col,
            matrix.values.detach(),
            size=(n, n),
            check_invariants=False,
        )
    out = matrix._matrix @ x
    return out if matrix.diagonal is None else torch.addcmul(out, matrix.diagonal.unsqueeze(1), x)


@_multiply.on_cpu
def _multiply_compiled(x: Tensor, matrix: Propagation) -> Tensor:
    features("x", x)
    matrix._fits(x)
    x = x.detach().contiguous()
    out = torch.empty_like(x)
    diagonal = x.new_empty(0) if matrix.diagonal is None else matrix.diagonal.detach()
    passes.propagate(
        *matrix.adjacency.csr, matrix.values.detach().numpy(), diagonal.numpy(), x.numpy(), out.numpy()
    )
    return out


@operation
def _slopes(x: Tensor, grad: Tensor, matrix: Propagation) -> tuple[Tensor, Tensor | None]:
    row, col = matrix.adjacency.row, matrix.adjacency.col
    # in pieces, so that what is gathered stays small beside grad and x
    pieces = zip(torch.split(row, _PIECE), torch.split(col, _PIECE), strict=True)
    of_values = torch.cat([(grad.index_select(0, r) * x.index_select(0, c)).sum(1) for r, c in pieces])
    return of_values, None if matrix.diagonal is None else (grad * x).sum(1)


@_slopes.on_cpu
def _slopes_compiled(x: Tensor, grad: Tensor, matrix: Propagation) -> tuple[Tensor, Tensor | None]:
    features("x", x)
    matrix._fits(x)
    expect("grad", grad, x.dtype, *x.shape)
    diagonal = matrix.diagonal
    if not x.size(1):
        return torch.zeros_like(matrix.values), None if diagonal is None else x.new_zeros(x.size(0))
    of_values = torch.empty_like(matrix.values)
    own = x.new_empty(0) if diagonal is None else torch.empty_like(diagonal)
    arrays = (t.detach().numpy() for t in (grad.contiguous(), x.contiguous(), of_values, own))
    passes.entries(*matrix.adjacency.csr, *arrays)
    return of_values, None if diagonal is None else own


def checked_edges(edge_index: Tensor, num_nodes: int) -> None:
    """InputError unless ``edge_index`` int64 [2, M] has its indices in range and every entry in both directions.

    One pass, and one wait for a GPU.
    """
    expect_pairs(edge_index)
    _checked_size(edge_index[0], edge_index[1], num_nodes)
    if not _balanced(edge_index):
        expect_symmetric(edge_index, num_nodes)


def expect_symmetric(edge_index: Tensor, num_nodes: int) -> None:
    """InputError unless ``edge_index`` int64 [2, M] has every entry in both directions, however often.

    For a list that has some more often in one direction, which does no harm.
    """
    Adjacency.from_edge_index(edge_index, num_nodes=num_nodes)


def expect_scores(adjacency: Adjacency, num_nodes: int) -> None:
    """InputError unless the graph has ``num_nodes`` vertices: one per score."""
    if adjacency.num_nodes != num_nodes:
        raise InputError(f"there are {num_nodes} scores for {count(adjacency.num_nodes, 'vertex')}")


def expect_pairs(edge_index: Tensor) -> None:
    """InputError unless ``edge_index`` is int64 [2, M]."""
    if edge_index.dim() != 2 or edge_index.size(0) != 2 or edge_index.dtype != torch.int64:
        raise InputError("edge_index must be an int64 tensor of shape [2, M]")


def _checked_size(row: Tensor, col: Tensor, num_nodes: int | None) -> int:
    """N; InputError for an index out of range."""
    found = (
        torch.stack([end for part in (row, col) for end in torch.aminmax(part)]).tolist()
        if row.numel()
        else []
    )
    low, high = min(found, default=0), max(found, default=-1)
    n = high + 1 if num_nodes is None else num_nodes
    if low < 0 or high >= n:
        raise InputError(
            f"edge_index has vertex {low if low < 0 else high}, but there are {count(n, 'vertex')}"
        )
    if n >= 2**31:
        raise InputError(f"{n:,} vertices are too many: there may be up to {2**31 - 1}")
    return n


def _rowptr(row: Tensor, num_nodes: int) -> Tensor:
    """int64 [N + 1] of sorted rows."""
    rowptr = torch.zeros(num_nodes + 1, dtype=torch.int64, device=row.device)
    torch.cumsum(torch.bincount(row, minlength=num_nodes), 0, out=rowptr[1:])
    return rowptr
