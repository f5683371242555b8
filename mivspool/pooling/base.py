"""The face of every pooling method: select → reduce → connect, and the named object that comes out."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import torch
from torch import Tensor

from mivspool.arrays.eager import eager
from mivspool.arrays.table import operation
from mivspool.errors import InputError
from mivspool.meer import Trace
from mivspool.messages import count
from mivspool.pooling.parts.made import Made
from mivspool.pooling.parts.precision import in_float32
from mivspool.sparse import Adjacency

if TYPE_CHECKING:
    from mivspool.pyvis import Network

Kind = Literal["hard", "selective", "complete"]


@dataclass(eq=False, repr=False)
class Selection:
    """What a method decided: which reduced vertex each vertex goes to.

    ``batch`` int64 [N'] and ``batch_size`` describe the reduced graphs. ``cluster`` int64 [N] is the reduced vertex
    of each vertex (−1: dropped), None for a soft S. ``survivor`` bool [N]: kept as itself, None where no vertex is.
    ``assignment``: a soft S, dense [N, K], where every graph has K clusters of its own, and ``graph`` int64 [N] the
    graph of each vertex. ``score`` [N], where the method has one;
    ``value`` [N], what its order is made of where a sigmoid may saturate (``scores.Score.compared``).
    MIVSPool also says ``added`` bool [N], and the iterations of the selection when they are asked for: ``make_trace``,
    a ``functools.partial`` of a function of a module, so that a selection can be pickled and moved.
    """

    batch: Tensor
    batch_size: int
    cluster: Tensor | None = None
    survivor: Tensor | None = None
    assignment: Tensor | None = None
    graph: Tensor | None = None
    score: Tensor | None = None
    value: Tensor | None = None
    added: Tensor | None = None
    make_trace: functools.partial[Trace] | None = None

    @cached_property
    def trace(self) -> Trace | None:
        """The iterations, where the method has them; computed when first asked for, since pooling does without."""
        return None if self.make_trace is None else self.make_trace()

    @property
    def num_iterations(self) -> Tensor | None:
        """T of each graph, int64 [B]."""
        return None if self.trace is None else self.trace.num_iterations

    @property
    def ties_broken(self) -> Tensor | None:
        """The vertices of each graph whose state the index decided, int64 [B]."""
        return None if self.trace is None else self.trace.ties_broken

    @property
    def num_nodes(self) -> int:
        """N', the vertices of the reduced graphs."""
        return self.batch.numel()

    def shares(self) -> Tensor:
        """[N]: the score of each vertex as a share of its cluster's, sⱼ / Σ sⱼ of Eq. 12, with its gradient; 0 where
        dropped. Raises InputError where a method has no scores, or a soft S.
        """
        if self.score is None or self.cluster is None:
            raise InputError(
                "shares are those of scored vertices that belong to one cluster each: take MIVSPool"
            )
        kept, cluster = self.cluster >= 0, self.cluster.clamp(min=0)
        score = torch.where(kept, self.score, self.score.new_zeros(()))
        total = score.new_zeros(self.num_nodes).index_add(0, cluster, score)
        return torch.where(kept, score / total[cluster], score)

    def unpool(self, x: Tensor) -> Tensor:
        """S x: features of the reduced vertices, [N', C], at the vertices that went to them, [N, C]; 0 where
        dropped.
        """
        if self.assignment is not None:
            assert self.graph is not None
            soft, blocks = self.assignment.to(x.dtype), x.reshape(self.batch_size, -1, x.size(1))
            out = x.new_zeros(soft.size(0), x.size(1))
            for k in range(soft.size(1)):
                out = out + soft[:, k : k + 1] * blocks[:, k].index_select(0, self.graph)
            return out
        assert self.cluster is not None
        kept = (self.cluster >= 0).unsqueeze(1)
        return torch.where(kept, x.index_select(0, self.cluster.clamp(min=0)), x.new_zeros(()))

    def to(self, device: torch.device | str) -> Selection:
        """The same selection on another device."""
        return _moved(self, device)

    def __repr__(self) -> str:
        kept = "soft" if self.cluster is None else f"of {self.cluster.numel()}"
        return f"Selection({self.num_nodes} {kept}, batch_size={self.batch_size})"


@dataclass(eq=False, repr=False)
class Pooled:
    """A reduced batch: ``x`` [N', C'], ``adjacency`` (Eq. 3), ``batch`` int64 [N'], and how it came about.

    It can be pickled; gradients do not come along.
    """

    x: Tensor
    adjacency: Adjacency
    selection: Selection
    auxiliary_loss: Tensor | None = None

    @property
    def batch(self) -> Tensor:
        """int64 [N']: the graph of each reduced vertex."""
        return self.selection.batch

    @property
    def batch_size(self) -> int:
        """B, empty graphs included."""
        return self.selection.batch_size

    @property
    def survivor(self) -> Tensor | None:
        """bool [N]: the vertices of the input that were kept."""
        return self.selection.survivor

    @property
    def cluster(self) -> Tensor | None:
        """int64 [N]: the reduced vertex of each vertex of the input, −1 where it was dropped."""
        return self.selection.cluster

    @property
    def score(self) -> Tensor | None:
        """[N]: the score that the method selected by."""
        return self.selection.score

    @property
    def edge_index(self) -> Tensor:
        """int64 [2, M']: both directions, and the diagonal where it is not 0, as in PyTorch Geometric."""
        return self.adjacency.with_diagonal()[0]

    @property
    def edge_weight(self) -> Tensor:
        """float64 [M']: the entries of SᵀAS, one for each column of ``edge_index``."""
        return self.adjacency.with_diagonal()[1]

    def unpool(self, x: Tensor | None = None) -> Tensor:
        """S x: features of the reduced vertices, [N', C], at the vertices that went to them, [N, C].

        Args:
            x: the features, [N', C] (default: the pooled features).

        Returns:
            [N, C]; zeros at a vertex that was dropped.
        """
        return self.selection.unpool(self.x if x is None else x)

    def to_pyvis(self, **options: Any) -> Network:
        """The reduced graphs as one pyvis network; options: ``canvas.network.pooled_network``.

        Raises MissingPackageError where pyvis is not installed.
        """
        from mivspool.canvas.network import pooled_network

        return pooled_network(self.adjacency, self.cluster, self.survivor, **options)

    def to(self, device: torch.device | str) -> Pooled:
        """The same on another device."""
        return _moved(self, device)

    def __repr__(self) -> str:
        return f"Pooled(x={list(self.x.shape)}, adjacency={self.adjacency}, selection={self.selection})"


Held = TypeVar("Held", Selection, Pooled)


def _moved(held: Held, device: torch.device | str) -> Held:
    """The same on another device, what a ``partial`` holds included."""

    def move(value: Any) -> Any:
        if isinstance(value, functools.partial):
            return functools.partial(value.func, *map(move, value.args), **value.keywords)
        return value.to(device) if isinstance(value, Tensor | Adjacency | Selection) else value

    return replace(held, **{part.name: move(getattr(held, part.name)) for part in fields(held)})


def _face(pool: Callable[..., Pooled]) -> Callable[..., Pooled]:
    """``pool`` with open weights drawn first, and half precision computed in float32 and given back in its type."""

    @functools.wraps(pool)
    def faced(self: Pooling, x: Tensor, *graphs: Any, **named: Any) -> Pooled:
        self.fit_channels(x.size(1))
        pooled = in_float32(self, functools.partial(pool, self, **named), x, *graphs)
        if pooled.x.dtype != x.dtype:
            score = pooled.selection.score
            if score is not None and score.dtype == pooled.x.dtype:
                pooled.selection.score = score.to(x.dtype)
            pooled.x = pooled.x.to(x.dtype)
        return pooled

    return faced


class Pooling(Made):
    """A pooling method. A subclass says what it selects; hard and selective methods inherit the rest.

    ``in_channels``: C of x [N, C]; −1 takes it from the first call, which draws the weights: make the optimiser after
    it. x in float16 or bfloat16 is computed in float32, under autocast as well, and comes back in its type. Weights of
    edges get no gradient from a layer: a network learns them in its convolutions.

    ``weighted``: the weights and the diagonal of A' are learned or stand for removed vertices, so that the
    next convolution must use them whatever the network is set to. ``positive``: scores must be positive, since the
    method divides by their sum.
    """

    kind: Kind = "hard"
    weighted: ClassVar[bool] = False
    positive: ClassVar[bool] = False

    def select(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Selection:
        """Which vertices survive, and where the others go; arguments as of :meth:`pool`."""
        raise NotImplementedError

    def reduce(self, x: Tensor, selection: Selection) -> Tensor:
        """The features of the reduced vertices.

        Args:
            x: [N, C].
            selection: what ``select`` gave.

        Returns:
            [N', C'].
        """
        raise NotImplementedError

    def connect(self, adjacency: Adjacency, selection: Selection) -> Adjacency:
        """The reduced graph: SᵀAS (Eq. 3) unless a method says otherwise.

        Args:
            adjacency: the graph of N vertices.
            selection: what ``select`` gave.

        Returns:
            The graph of N' vertices.
        """
        if selection.cluster is None:
            raise NotImplementedError
        return adjacency.contract(selection.cluster, selection.num_nodes)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "pool" in vars(cls):
            # wrapped once per class, whatever a subclass calls inside
            cls.pool = eager(_face(cls.pool))  # type: ignore[method-assign]

    if TYPE_CHECKING:

        def __call__(
            self,
            x: Tensor,
            edge_index: Tensor,
            edge_weight: Tensor | None = None,
            batch: Tensor | None = None,
            batch_size: int | None = None,
        ) -> Pooled:
            """As :meth:`forward`."""

    @eager
    @_face
    def pool(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Pooled:
        """One pooling step on a graph that is an Adjacency already; nothing is checked.

        Args:
            x: floating point [N, C].
            adjacency: the graphs of the batch.
            batch: int64 [N], the graph of each vertex, sorted.
            batch_size: the number of graphs.

        Returns:
            The reduced graphs.
        """
        selection = self.select(x, adjacency, batch, batch_size)
        return Pooled(self.reduce(x, selection), self.connect(adjacency, selection), selection)

    @eager
    def forward(
        self,
        x: Tensor,
        edge_index: Tensor,
        edge_weight: Tensor | None = None,
        batch: Tensor | None = None,
        batch_size: int | None = None,
    ) -> Pooled:
        """One pooling step on tensors as in PyTorch Geometric.

        Args:
            x: floating point [N, C], finite.
            edge_index: int64 [2, M], both directions of each edge.
            edge_weight: [M], finite and not negative (default: 1 each).
            batch: int64 [N], the graph of each vertex, sorted (default: one graph).
            batch_size: the number of graphs (default: the highest of ``batch``, plus one).

        Returns:
            The reduced graphs.

        Raises:
            InputError: for anything else, and where the layer's own scores are not finite. Inside a network
                (:meth:`pool`) nothing is checked.
        """
        given = inputs(x, edge_index, edge_weight, batch, batch_size)
        pooled = self.pool(x, *given)
        check_values(x, pooled.selection, self.positive)
        return pooled

    @eager
    def selection(
        self, x: Tensor, edge_index: Tensor, batch: Tensor | None = None, batch_size: int | None = None
    ) -> Selection:
        """What :meth:`forward` selects for x [N, C], without the reduced graph; arguments and errors as there."""
        given = inputs(x, edge_index, None, batch, batch_size)
        self.fit_channels(x.size(1))
        selection = in_float32(self, self.select, x, *given)
        check_values(x, selection, self.positive)
        return selection


def inputs(
    x: Tensor, edge_index: Tensor, edge_weight: Tensor | None, batch: Tensor | None, batch_size: int | None
) -> tuple[Adjacency, Tensor, int]:
    """What a layer's ``pool`` takes beside x [N, C], of tensors as in PyTorch Geometric; InputError as in
    ``forward``.
    """
    if x.dim() != 2:
        raise InputError(f"x must have shape [N, C], it has {list(x.shape)}")
    if not x.is_floating_point():
        raise InputError(f"x must be floating point, it is {x.dtype}: convert it with x.float()")
    if edge_weight is not None and not bool(((edge_weight >= 0) & edge_weight.isfinite()).all()):
        raise InputError("edge_weight must be finite and not negative")
    adjacency = Adjacency.from_edge_index(edge_index, edge_weight, x.size(0))
    return adjacency, *check_batch(batch, batch_size, x)


def check_values(x: Tensor, selection: Selection, positive: bool) -> None:
    """InputError where the features [N, C], or what a selection was made of, are not finite; it names the vertex.

    ``positive``: its scores must be positive as well. One reduction, and one wait for a GPU: so it comes last.
    """
    score = selection.assignment if selection.score is None else selection.score
    value = None if selection.value is score else selection.value
    given = {"x": x, "value": value, "score": score}
    parts = {name: part.detach() for name, part in given.items() if part is not None and part.numel()}
    found = _numbers(x, [end for part in parts.values() for end in torch.aminmax(part)])
    for (name, part), low, high in zip(parts.items(), found[::2], found[1::2], strict=True):
        above = 0 if positive and name == "score" else -math.inf
        if above < low and high < math.inf:
            continue
        vertex, *column = torch.nonzero(~((part > above) & (part < math.inf)))[0].tolist()
        wrong = part[(vertex, *column)].item()
        if name == "x":
            raise InputError(f"x must be finite: feature {column[0]} of vertex {vertex} is {wrong}")
        must = "finite and positive" if positive else "finite"
        raise InputError(
            f"the score of vertex {vertex} is {wrong}: a score must be {must}; look at the layer's weights"
        )


@operation
def _numbers(x: Tensor, scalars: list[Tensor]) -> list[float]:
    """These scalars, on the device of ``x``, as numbers: fetched together, with one wait."""
    if not scalars:
        return []
    numbers: list[float] = torch.stack([scalar.to(torch.float64) for scalar in scalars]).tolist()
    return numbers


@_numbers.on_cpu
def _numbers_on_cpu(x: Tensor, scalars: list[Tensor]) -> list[float]:
    return [scalar.item() for scalar in scalars]


def check_batch(batch: Tensor | None, batch_size: int | None, x: Tensor) -> tuple[Tensor, int]:
    """``batch`` int64 [N] and ``batch_size`` with their defaults, for ``x`` [N, C].

    The vertices of a graph must stand together, in order; InputError otherwise.
    """
    if batch is None:
        batch = torch.zeros(x.size(0), dtype=torch.int64, device=x.device)
        return batch, 1 if batch_size is None else max(batch_size, 1)
    if batch.numel() != x.size(0):
        raise InputError(f"batch has {batch.numel()} entries for {count(x.size(0), 'vertex')}")
    if bool((batch[1:] < batch[:-1]).any()) or (batch.numel() > 0 and int(batch[0]) < 0):
        raise InputError("batch must be sorted: the vertices of each graph stand together")
    highest = int(batch[-1]) + 1 if batch.numel() else 0
    if batch_size is not None and batch_size < highest:
        raise InputError(f"batch names graph {highest - 1}, but batch_size is {batch_size}")
    return batch, highest if batch_size is None else batch_size
