"""What Meer's algorithm leaves behind: when each vertex was settled and as what, and why."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import torch
from torch import Tensor

from mivspool.errors import InputError
from mivspool.sparse import Adjacency, expect_scores

if TYPE_CHECKING:
    from mivspool.canvas.notebook import Shown
    from mivspool.canvas.widget import Widget
    from mivspool.pyvis import Network

State = Literal["candidate", "survivor", "non-survivor"]


class Clusters(NamedTuple):
    """What pooling needs of Meer's algorithm, on a graph of N vertices of which N' are kept.

    Args:
        survivor: bool [N], the vertices kept, those that the complement added included.
        added: bool [N], those that the complement added.
        members: int64 [N'], the vertices kept, by index.
        cluster: int64 [N], which of them each vertex is assigned to (Eq. 11).
    """

    survivor: Tensor
    added: Tensor
    members: Tensor
    cluster: Tensor


@dataclass(eq=False, repr=False)
class Trace:
    """Meer's algorithm from the start to the end: when each vertex was settled, and as what.

    Args:
        survivor: bool [N], the vertices kept, those that the complement added included.
        settled_at: int64 [N], the iteration, 1 … T, in which a vertex ceased to be a candidate.
        num_iterations: int64 [B], T of each graph (the paper's tables count T + 1).
        ties_broken: int64 [B], how many vertices the index decided, between equal scores.
        added: bool [N], the vertices that the complement added.
        cluster: int64 [N], the survivor that each vertex is assigned to (Eq. 11), itself for a survivor.
        adjacency: the graph it was computed from, or None.
        score: the scores it was computed from, [N], or None.
    """

    survivor: Tensor
    settled_at: Tensor
    num_iterations: Tensor
    ties_broken: Tensor
    added: Tensor
    cluster: Tensor
    adjacency: Adjacency | None = None
    score: Tensor | None = None

    def to(self, device: torch.device | str) -> Trace:
        """The same trace on another device.

        Args:
            device: such as "cuda".
        """
        moved = {part.name: getattr(self, part.name) for part in fields(self)}
        return replace(self, **{name: one.to(device) for name, one in moved.items() if one is not None})

    def __repr__(self) -> str:
        kept, n = int(self.survivor.sum()), self.survivor.numel()
        most = max(self.num_iterations.tolist(), default=0)
        return f"Trace({kept} of {n} survive, batch_size={self.num_iterations.numel()}, iterations={most})"

    def show(self, **options: Any) -> Shown:
        """The iterations as a canvas to step through, in a notebook.

        Args:
            options: of ``mivspool.canvas.notebook.show_trace``: ids, labels, positions, title and others.

        Returns:
            What a notebook shows.
        """
        from mivspool.canvas.notebook import show_trace

        return show_trace(self, **options)

    def widget(self, **options: Any) -> Widget:
        """The iterations as a canvas in a notebook, whose cursor and selected vertex Python reads and moves.

        Args:
            options: of ``mivspool.canvas.widget.trace_widget``: positions, labels, title and others.

        Returns:
            What a notebook shows; its traits are ``step``, ``part`` and ``vertex``.

        Raises:
            MissingPackageError: where anywidget is not installed (``mivspool[notebook]``).
        """
        from mivspool.canvas.widget import trace_widget

        return trace_widget(self, **options)

    def to_pyvis(self, k: int | None = None, **options: Any) -> Network:
        """The state after some updates as a pyvis network.

        Args:
            k: the number of updates (default: all, with the arrows of the assignment).
            options: of ``mivspool.canvas.network.level_network``.

        Returns:
            A ``pyvis.network.Network``.

        Raises:
            InputError: for an iteration that there is not, and for a trace that does not know its graph.
            MissingPackageError: where pyvis is not installed.
        """
        from mivspool.canvas.network import trace_network

        return trace_network(self, k, **options)

    def candidates(self, k: int) -> Tensor:
        """q of Eq. 10.

        Args:
            k: the number of updates, 0 … T.

        Returns:
            bool [N].
        """
        return self.settled_at > k

    def survivors(self, k: int) -> Tensor:
        """p of Eq. 10; what the complement adds comes after the last update.

        Args:
            k: the number of updates, 0 … T.

        Returns:
            bool [N].
        """
        return self.survivor & ~self.added & (self.settled_at <= k)

    def non_survivors(self, k: int) -> Tensor:
        """The vertices that are eliminated.

        Args:
            k: the number of updates, 0 … T.

        Returns:
            bool [N].
        """
        return ~(self.survivor & ~self.added) & (self.settled_at <= k)

    def state(self, vertex: int, k: int) -> State:
        """What one vertex is.

        Args:
            vertex: its index.
            k: the number of updates, 0 … T.

        Returns:
            "candidate", "survivor" or "non-survivor".
        """
        if bool(self.settled_at[vertex] > k):
            return "candidate"
        return "survivor" if bool(self.survivor[vertex] & ~self.added[vertex]) else "non-survivor"


@dataclass(frozen=True)
class Why:
    """Why a vertex is what it is after k updates, and what the next update does with it.

    Args:
        vertex: its index.
        iteration: k.
        state: what it is after k updates.
        settled_at: the update that settles it.
        rival: its best candidate neighbour before that update (or before the next one, while it is a candidate).
        beats_rival: whether it comes before its rival in the order; also where it has none.
        eliminated_by: the best survivor that eliminated it.
        assigned_to: its survivor (Eq. 11).
        added: whether the complement added it.
    """

    vertex: int
    iteration: int
    state: State
    settled_at: int
    rival: int | None
    beats_rival: bool
    eliminated_by: int | None
    assigned_to: int
    added: bool


def explain(trace: Trace, adjacency: Adjacency, position: Tensor, vertex: int, k: int) -> Why:
    """Why ``vertex`` is what it is after k updates; ``position`` int64 [N] is the strict order.

    Raises InputError for another number of vertices and for a vertex that there is not.
    """
    expect_scores(adjacency, position.numel())
    if not 0 <= vertex < position.numel():
        raise InputError(f"there is no vertex {vertex}: there are {position.numel()}, counted from 0")
    neighbours = adjacency.col[adjacency.rowptr[vertex] : adjacency.rowptr[vertex + 1]]
    settled = int(trace.settled_at[vertex])
    before = min(k, settled - 1)
    rival = _best(neighbours[trace.settled_at[neighbours] > before], position)
    survivors = trace.survivors(settled)
    eliminated_by = None if bool(survivors[vertex]) else _best(neighbours[survivors[neighbours]], position)
    return Why(
        vertex=vertex,
        iteration=k,
        state=trace.state(vertex, k),
        settled_at=settled,
        rival=rival,
        beats_rival=rival is None or bool(position[vertex] < position[rival]),
        eliminated_by=eliminated_by,
        assigned_to=int(trace.cluster[vertex]),
        added=bool(trace.added[vertex]),
    )


def _best(vertices: Tensor, position: Tensor) -> int | None:
    return int(vertices[torch.argmin(position[vertices])]) if vertices.numel() else None
