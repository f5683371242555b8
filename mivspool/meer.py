"""Meer's algorithm (Eq. 6–10): which vertices survive, and when each vertex was settled.

Vertices are ordered strictly: higher score first, then lower index. ``rank`` makes that order and everything that
selects or assigns uses it. With the order fixed, the iterations of Eq. 10 have the same end as a greedy walk from
best to worst: ``iterate`` is the one, letter by letter, ``walks`` (CPU) and ``rounds`` (GPU) are for speed, and
each is the others' test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from mivspool.arrays.doors import expect
from mivspool.arrays.eager import eager
from mivspool.errors import InputError
from mivspool.sparse import Adjacency, _checked_size

if TYPE_CHECKING:
    from mivspool.canvas.notebook import Shown

State = Literal["candidate", "survivor", "non-survivor"]

# a learned value is compared in multiples of 2**-SCORE_BITS (DESIGN: exact ties survive batching); a key holds it in
# 25 bits with its sign, then the degree, then the sum of the neighbours' rounded values
SCORE_BITS = 17
_DEGREE_BITS, _AROUND_BITS = 12, 27
_MOST = (2**24 - 1) / 2**SCORE_BITS


def rank(score: Tensor) -> Tensor:
    """The strict order of ``score``, real [N]: int64 [N], 0 for the best vertex (higher score first, then lower index).

    Raises InputError for a score that cannot be compared.
    """
    return _rank(_checked_key(score))


def _rank(key: Tensor) -> Tensor:
    order = torch.argsort(key, descending=True, stable=True)
    position = torch.empty_like(order)
    position[order] = torch.arange(order.numel(), device=order.device)
    return position


def rounded(value: Tensor) -> Tensor:
    """What is compared of a learned value, real [N] of any size: int64 [N], in multiples of 2⁻¹⁷.

    From 1 on, its logarithm: 1 + log v (and −1 − log −v), since floating-point noise grows with the value. It never
    falls where the value rises, and stays below 2²⁴ for every number there is (from e¹²⁷ on it no longer rises).
    """
    return torch.round(_squeezed(value) * 2**SCORE_BITS).to(torch.int64)


@eager
def learned_key(value: Tensor, adjacency: Adjacency) -> Tensor:
    """What a learned value (real [N], before any sigmoid that may saturate) is compared by: int64 [N], exact.

    The value rounded (:func:`rounded`), so that floating-point noise does not break ties; then the degree; then the
    sum of the neighbours' rounded values: the index decides only between vertices that agree in all three.
    """
    if value.device.type == "cpu":
        flat = value.detach().reshape(-1).contiguous()
        # most scores lie in [0, 1] and need no squeezing
        low, high = (float(end) for end in torch.aminmax(flat)) if flat.numel() else (0, 0)
        plain = flat.dtype in (torch.float32, torch.float64) and low >= -1 and high <= 1
        return _compiled_key(flat if plain else _squeezed(flat), adjacency)
    return key_by_tensors(rounded(value), adjacency)


@eager
def structural_key(rounded: Tensor, adjacency: Adjacency) -> Tensor:
    """:func:`learned_key` of values that are rounded already, int64 [N] as :func:`rounded` gives them."""
    if rounded.device.type == "cpu":
        return _compiled_key(rounded.to(torch.float64) / 2**SCORE_BITS, adjacency)
    return key_by_tensors(rounded, adjacency)


def key_by_tensors(rounded: Tensor, adjacency: Adjacency) -> Tensor:
    """:func:`structural_key` with tensors alone, for any device; int64 [N]."""
    degree = adjacency.degree.clamp(max=2**_DEGREE_BITS - 1)
    around = adjacency.sum_around(rounded) & (2**_AROUND_BITS - 1)
    key: Tensor = (rounded << (_DEGREE_BITS + _AROUND_BITS)) | (degree << _AROUND_BITS) | around
    return key


def _squeezed(value: Tensor) -> Tensor:
    """float64: the value itself in [−1, 1], beyond it 1 + its logarithm, with its sign."""
    value = value.detach().to(torch.float64)
    size = value.abs()
    return torch.where(size <= 1, size, 1 + torch.log(size.clamp(min=1))).clamp(max=_MOST) * value.sign()


def _compiled_key(squeezed: Tensor, adjacency: Adjacency) -> Tensor:
    from mivspool.arrays import passes
    from mivspool.arrays.room import borrow

    expect("score", squeezed, squeezed.dtype, adjacency.num_nodes)
    (room,) = borrow((squeezed.numel(), np.int32))
    key = passes.learned_key(squeezed.numpy(), room, *adjacency.csr, SCORE_BITS, _DEGREE_BITS, _AROUND_BITS)
    return torch.from_numpy(key)


@dataclass(eq=False)
class Trace:
    """The whole course of Meer's algorithm: when each vertex was settled, and as what.

    ``survivor`` bool [N]: the vertices kept, those that the complement added included (``added`` bool [N]).
    ``settled_at`` int64 [N]: the iteration, 1 … T, in which a vertex ceased to be a candidate.
    ``num_iterations`` int64 [B]: T of each graph (the paper's tables count T + 1).
    ``ties_broken`` int64 [B]: vertices whose fate the index decided, between equal scores.
    ``cluster`` int64 [N]: the survivor that each vertex is assigned to (Eq. 11), itself for a survivor.
    ``adjacency`` and ``score`` [N]: what it was made of.
    """

    survivor: Tensor
    settled_at: Tensor
    num_iterations: Tensor
    ties_broken: Tensor
    added: Tensor
    cluster: Tensor
    adjacency: Adjacency | None = None
    score: Tensor | None = None

    def show(self, **options: Any) -> Shown:
        """The iterations as a canvas that steps, in a notebook; options: ``canvas.notebook.show_trace``."""
        from mivspool.canvas.notebook import show_trace

        return show_trace(self, **options)

    def candidates(self, k: int) -> Tensor:
        """bool [N]: q of Eq. 10 after k updates."""
        return self.settled_at > k

    def survivors(self, k: int) -> Tensor:
        """bool [N]: p of Eq. 10 after k updates (what the complement adds comes after the last)."""
        return self.survivor & ~self.added & (self.settled_at <= k)

    def non_survivors(self, k: int) -> Tensor:
        """bool [N]: struck out after k updates."""
        return ~(self.survivor & ~self.added) & (self.settled_at <= k)

    def state(self, vertex: int, k: int) -> State:
        """What one vertex is after k updates."""
        if bool(self.settled_at[vertex] > k):
            return "candidate"
        return "survivor" if bool(self.survivor[vertex] & ~self.added[vertex]) else "non-survivor"


@dataclass(frozen=True)
class Why:
    """Why a vertex is what it is after k updates, and what the next update does with it.

    ``rival`` is its best candidate neighbour before the update that settles it (or the next one, while it is a
    candidate); ``struck_by`` the best survivor that struck it out; ``assigned_to`` its survivor (Eq. 11).
    """

    vertex: int
    iteration: int
    state: State
    settled_at: int
    rival: int | None
    beats_rival: bool
    struck_by: int | None
    assigned_to: int
    added: bool


@eager
def select(
    edge_index: Tensor | Adjacency,
    score: Tensor,
    batch: Tensor | None = None,
    batch_size: int | None = None,
    complement: bool = False,
) -> Tensor:
    """The vertices that survive: bool [N], N the length of ``score``.

    ``edge_index`` int64 [2, M] holds both directions of each edge (self-loops and repeated edges do no harm), or is
    an Adjacency; ``score`` is a real [N] tensor, compared exactly. ``batch`` int64 [N] says each vertex's graph and
    is needed for the complement alone (at least ⌈n/2⌉ of each graph survive).
    Raises InputError for shapes, indices and scores that cannot be used, and for edges that are not symmetric.
    """
    key = _checked_key(score)
    survivor = _survivors(edge_index, key)
    if complement:
        batch, batch_size = _checked_batch(batch, batch_size, key)
        survivor = survivor | complete(survivor, _rank(key), batch, batch_size)
    return survivor


class Clusters(NamedTuple):
    """What pooling needs of Meer's algorithm, on a graph of N vertices of which N' are kept.

    ``survivor`` bool [N]: the vertices kept, those that the complement added included (``added`` bool [N]).
    ``members`` int64 [N']: the vertices kept, by index; ``cluster`` int64 [N]: which of them each vertex is assigned to
    (Eq. 11).
    """

    survivor: Tensor
    added: Tensor
    members: Tensor
    cluster: Tensor


@eager
def clusters(
    adjacency: Adjacency, score: Tensor, batch: Tensor, batch_size: int, complement: bool = False
) -> Clusters:
    """The survivors and who joins whom, without the course: a :class:`Clusters` of [N].

    ``score`` real [N], ``batch`` int64 [N]; errors as in :func:`select`.
    """
    key = _checked_key(score)
    batch, batch_size = _checked_batch(batch, batch_size, key)
    return _clusters(adjacency, key, _survivors(adjacency, key), batch, batch_size, complement)


@eager
def trace(
    edge_index: Tensor | Adjacency,
    score: Tensor,
    batch: Tensor | None = None,
    batch_size: int | None = None,
    complement: bool = False,
) -> Trace:
    """Meer's iterations as a :class:`Trace` of [N]; arguments and errors as in :func:`select`."""
    key = _checked_key(score)
    batch, batch_size = _checked_batch(batch, batch_size, key)
    adjacency = edge_index
    if isinstance(adjacency, Tensor):
        adjacency = Adjacency.from_edge_index(adjacency, num_nodes=key.numel())
    _same_size(adjacency, key.numel())
    if key.device.type == "cpu":
        from mivspool.arrays import walks

        found = walks.course(*adjacency.csr, _comparable(key))
        survivor, settled_at = (torch.from_numpy(array) for array in found)
    else:
        from mivspool.arrays import rounds

        survivor, settled_at = rounds.settle(adjacency.edge_index, key)
    kept, added, members, reduced = _clusters(adjacency, key, survivor, batch, batch_size, complement)
    cluster = members[reduced]
    num_iterations = torch.zeros(batch_size, dtype=torch.int64, device=key.device)
    num_iterations.scatter_reduce_(0, batch, settled_at, "amax")
    ties = _ties(adjacency, key, survivor, kept, settled_at, cluster, batch)
    ties_broken = torch.zeros_like(num_iterations).index_add_(0, batch, ties.to(torch.int64))
    return Trace(kept, settled_at, num_iterations, ties_broken, added, cluster, adjacency, key)


def iterate(edge_index: Tensor, position: Tensor) -> tuple[Tensor, Tensor]:
    """Eq. 10, update by update: survivor bool [N] and settled_at int64 [N], on any device.

    ``position`` int64 [N] is the strict order. Edges to vertices that are settled are dropped as it goes.
    Raises InputError for indices that cannot be used and for edges that are not symmetric.
    """
    n = position.numel()
    _check_edges(edge_index, n)
    row, col = edge_index[0], edge_index[1]
    no_loop = row != col
    row, col = row[no_loop], col[no_loop]
    candidate = torch.ones(n, dtype=torch.bool, device=position.device)
    survivor = torch.zeros_like(candidate)
    settled_at = torch.zeros_like(position)
    k = 0
    while bool(candidate.any()):
        k += 1
        best = torch.full_like(position, n).scatter_reduce_(0, row, position[col], "amin")
        chosen = candidate & (position < best)
        struck = torch.zeros_like(candidate)
        struck[row[chosen[col]]] = True
        survivor |= chosen
        settled = candidate & (chosen | struck)
        settled_at[settled] = k
        candidate &= ~settled
        left = candidate[row] & candidate[col]
        row, col = row[left], col[left]
    return survivor, settled_at


def assign(adjacency: Adjacency, survivor: Tensor, score: Tensor) -> tuple[Tensor, Tensor]:
    """Eq. 11: the survivors int64 [N'] by index, and which of them each vertex joins, int64 [N].

    ``survivor`` bool [N]. A vertex joins its best neighbour among them by ``score`` [N], a survivor itself; −1: none.
    Raises InputError for scores that cannot be compared or are not one per vertex.
    """
    key = _checked_key(score)
    _same_size(adjacency, key.numel())
    return _assign(adjacency, survivor, key)


def _assign(adjacency: Adjacency, survivor: Tensor, key: Tensor) -> tuple[Tensor, Tensor]:
    if adjacency.device.type == "cpu":
        from mivspool.arrays import walks

        members, cluster = walks.join(*adjacency.csr, _comparable(key), survivor.numpy())
        return torch.from_numpy(members), torch.from_numpy(cluster)
    n, position = key.numel(), _rank(key)
    kept = survivor[adjacency.col]
    row, col = adjacency.row[kept], adjacency.col[kept]
    best = torch.full_like(position, n).scatter_reduce_(0, row, position[col], "amin")
    count = torch.cumsum(survivor, 0) - 1
    reduced = torch.full((n + 1,), -1, dtype=torch.int64, device=key.device)
    reduced[position] = count
    return torch.nonzero(survivor).reshape(-1), torch.where(survivor, count, reduced[best])


def complete(survivor: Tensor, position: Tensor, batch: Tensor, batch_size: int) -> Tensor:
    """The complement (MIVSPool_comp): bool [N], the best non-survivors added while fewer than ⌈n/2⌉ survive."""
    size = torch.bincount(batch, minlength=batch_size)
    kept = torch.zeros_like(size).index_add_(0, batch, survivor.to(torch.int64))
    missing = (torch.div(size + 1, 2, rounding_mode="floor") - kept).clamp(min=0)
    # graph by graph, survivors first, then the others from best to worst
    order = torch.argsort(position)
    order = order[torch.argsort((~survivor[order]).to(torch.int8), stable=True)]
    order = order[torch.argsort(batch[order], stable=True)]
    start = torch.cumsum(size, 0) - size
    place = torch.arange(order.numel(), device=order.device) - start[batch[order]]
    added = torch.zeros_like(survivor)
    added[order] = (place >= kept[batch[order]]) & (place < (kept + missing)[batch[order]])
    return added


def why(course: Trace, adjacency: Adjacency, score: Tensor, vertex: int, k: int) -> Why:
    """Why ``vertex`` is what it is after k updates: data for a sentence (Eq. 10 and 11). ``score`` real [N].

    Raises InputError for scores that cannot be compared and for a vertex that there is not.
    """
    position = rank(score)
    _same_size(adjacency, position.numel())
    if not 0 <= vertex < position.numel():
        raise InputError(f"there is no vertex {vertex}: there are {position.numel()}, counted from 0")
    neighbours = adjacency.col[adjacency.rowptr[vertex] : adjacency.rowptr[vertex + 1]]
    settled = int(course.settled_at[vertex])
    before = min(k, settled - 1)
    open_ = neighbours[course.settled_at[neighbours] > before]
    rival = int(open_[torch.argmin(position[open_])]) if open_.numel() else None
    struck = neighbours[course.survivors(settled)[neighbours]]
    struck_by = None
    if not bool(course.survivors(settled)[vertex]) and struck.numel():
        struck_by = int(struck[torch.argmin(position[struck])])
    return Why(
        vertex=vertex,
        iteration=k,
        state=course.state(vertex, k),
        settled_at=settled,
        rival=rival,
        beats_rival=rival is None or bool(position[vertex] < position[rival]),
        struck_by=struck_by,
        assigned_to=int(course.cluster[vertex]),
        added=bool(course.added[vertex]),
    )


def independent(adjacency: Adjacency, survivor: Tensor) -> bool:
    """Eq. 8: no two survivors (bool [N]) are neighbours."""
    return not bool((survivor[adjacency.row] & survivor[adjacency.col]).any())


def maximal(adjacency: Adjacency, survivor: Tensor) -> bool:
    """Eq. 9: every non-survivor has a survivor (bool [N]) beside it."""
    covered = survivor.clone()
    covered[adjacency.row[survivor[adjacency.col]]] = True
    return bool(covered.all())


def _survivors(edge_index: Tensor | Adjacency, key: Tensor) -> Tensor:
    if key.device.type == "cpu":
        from mivspool.arrays import walks

        return torch.from_numpy(walks.survivors(*_csr(edge_index, key.numel()), _comparable(key)))
    from mivspool.arrays import rounds

    survivor, _ = rounds.settle(_pairs(edge_index, key.numel()), key)
    return survivor


def _clusters(
    adjacency: Adjacency, key: Tensor, survivor: Tensor, batch: Tensor, batch_size: int, complement: bool
) -> Clusters:
    if not complement:
        return Clusters(survivor, torch.zeros_like(survivor), *_assign(adjacency, survivor, key))
    added = complete(survivor, _rank(key), batch, batch_size)
    return Clusters(survivor | added, added, *_assign(adjacency, survivor | added, key))


def _ties(
    adjacency: Adjacency,
    key: Tensor,
    survivor: Tensor,
    kept: Tensor,
    settled_at: Tensor,
    cluster: Tensor,
    batch: Tensor,
) -> Tensor:
    """bool [N]: vertices whose fate the index decided.

    A survivor beside an equal that was still a candidate; a non-survivor beside two best survivors that are equal;
    a vertex that the complement added while an equal of the same graph was left out.
    """
    if key.device.type == "cpu":
        from mivspool.arrays import walks

        masks = (mask.numpy() for mask in (survivor, kept, settled_at, cluster))
        tied = torch.from_numpy(walks.ties(*adjacency.csr, _comparable(key), *masks))
    else:
        row, col = adjacency.row, adjacency.col
        survived = survivor[row] & (key[row] == key[col]) & (settled_at[col] >= settled_at[row])
        assigned = ~kept[row] & kept[col] & (col != cluster[row]) & (key[col] == key[cluster[row]])
        tied = torch.zeros_like(survivor)
        tied[row[survived | assigned]] = True
    added = torch.nonzero(kept & ~survivor).reshape(-1)
    if added.numel():
        out = torch.nonzero(~kept).reshape(-1)
        # an added vertex ties with one left out when the pair (graph, key) is found on both sides
        pairs, place = torch.unique(
            torch.stack([batch.to(key.dtype), key])[:, torch.cat([added, out])], dim=1, return_inverse=True
        )
        found = torch.zeros(pairs.size(1), dtype=torch.bool, device=key.device)
        found[place[added.numel() :]] = True
        tied[added[found[place[: added.numel()]]]] = True
    return tied


def _comparable(key: Tensor) -> Any:
    """The key as int64 numpy [N] of the same order."""
    from mivspool.arrays import walks

    if not key.is_floating_point():
        key = key.to(torch.int64)
    elif key.dtype not in (torch.float32, torch.float64):
        key = key.to(torch.float32)
    return walks.comparable(key.contiguous().numpy())


def _csr(edge_index: Tensor | Adjacency, num_nodes: int) -> tuple[Any, Any]:
    """(rowptr uint64, col uint32), numpy; loops and repeated entries of an edge list are still in it."""
    if isinstance(edge_index, Adjacency):
        _same_size(edge_index, num_nodes)
        return edge_index.csr
    from mivspool.arrays import edges

    _check_edges(edge_index, num_nodes)
    row, col = edge_index[0].contiguous(), edge_index[1].contiguous()
    made: tuple[Any, Any] = edges.csr(row.numpy(), col.numpy(), num_nodes)
    return made


def _pairs(edge_index: Tensor | Adjacency, num_nodes: int) -> Tensor:
    if isinstance(edge_index, Adjacency):
        _same_size(edge_index, num_nodes)
        return edge_index.edge_index
    _check_edges(edge_index, num_nodes)
    return edge_index


def _check_edges(edge_index: Tensor, num_nodes: int) -> None:
    """Indices in range, and every entry in both directions: one pass, and one wait for a GPU."""
    _checked_size(edge_index, num_nodes)
    if edge_index.device.type == "cpu":
        from mivspool.arrays import edges

        balanced = edges.balanced(edge_index[0].contiguous().numpy(), edge_index[1].contiguous().numpy())
    else:
        from mivspool.arrays import rounds

        balanced = not bool(rounds.balance(edge_index))
    if not balanced:
        # repeated more often in one direction, which does no harm, or an error that is raised there
        Adjacency.from_edge_index(edge_index, num_nodes=num_nodes)


def _same_size(adjacency: Adjacency, num_nodes: int) -> None:
    if adjacency.num_nodes != num_nodes:
        raise InputError(f"there are {num_nodes} scores for {adjacency.num_nodes} vertices")


def _checked_key(score: Tensor) -> Tensor:
    """The scores as a flat tensor that can be compared; NaN has no place in an order."""
    if score.dim() not in (1, 2) or score.numel() != score.size(0):
        raise InputError(f"score must hold one value per vertex, its shape is {list(score.shape)}")
    if score.is_complex():
        raise InputError("score must hold real numbers: complex ones have no order")
    key = score.detach().reshape(-1)
    # a sum is read faster than NaN is looked for, and is NaN where a score is
    if key.is_floating_point() and bool(torch.isnan(key.sum())) and bool(torch.isnan(key).any()):
        vertex = int(torch.nonzero(torch.isnan(key))[0])
        raise InputError(f"the score of vertex {vertex} is not a number")
    return key


def _checked_batch(batch: Tensor | None, batch_size: int | None, key: Tensor) -> tuple[Tensor, int]:
    if batch is None:
        return torch.zeros(key.numel(), dtype=torch.int64, device=key.device), max(batch_size or 1, 1)
    if batch.shape != key.shape:
        raise InputError(f"batch has {batch.numel()} entries for {key.numel()} vertices")
    if batch.dtype != torch.int64:
        raise InputError(f"batch must be int64, it is {batch.dtype}")
    lowest, highest = torch.stack(torch.aminmax(batch)).tolist() if batch.numel() else (0, -1)
    highest += 1
    if lowest < 0:
        raise InputError(f"batch names graph {lowest}: graphs are counted from 0")
    if batch_size is None:
        return batch, highest
    if batch_size < highest:
        raise InputError(f"batch names graph {highest - 1}, but batch_size is {batch_size}")
    return batch, batch_size
