"""What a pooling step did to one graph, as plain data: what was kept, what changed, what it cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mivspool import meer
from mivspool.pooling.base import Kind, Pooled, Pooling
from mivspool.pooling.parts.stretch import Stretch, stretch
from mivspool.sparse import Adjacency

_SEED = 20220804


@dataclass(frozen=True)
class Structure:
    """A graph in five numbers; weights and the diagonal are ignored."""

    num_nodes: int
    num_edges: int
    density: float
    mean_degree: float
    components: int


@dataclass(frozen=True)
class Measures:
    """What one pooling step did; ``EXPLAINED`` says what each measure is. None: it has no meaning here.

    ``before`` and ``after``: the graph and the reduced graph.
    """

    selection: Kind
    before: Structure
    after: Structure
    ratio: float
    information_kept: float
    assignment_entropy: float
    mean_stretch: float | None
    pairs_lost: float | None
    stretch_sources: int | None
    independent: bool | None
    maximal: bool | None
    iterations: int | None
    ties_broken: int | None
    order_sensitivity: float | None
    seconds: float
    memory: int

    def to_json(self) -> dict[str, Any]:
        """Flat: the measures after under their own names, those before with ``_before``."""
        flat: dict[str, Any] = asdict(self)
        before, after = flat.pop("before"), flat.pop("after")
        flat |= after
        return flat | {f"{name}_before": value for name, value in before.items()}


@dataclass(frozen=True)
class Explained:
    """A measure for a reader: its title, what it is, and which end is better ("higher", "lower")."""

    title: str
    text: str
    better: str = ""


EXPLAINED: dict[str, Explained] = {
    "num_nodes": Explained("vertices", "vertices of the reduced graph"),
    "num_edges": Explained("edges", "edges of the reduced graph, without weights and the diagonal"),
    "ratio": Explained("ratio", "vertices after, divided by vertices before"),
    "density": Explained(
        "density",
        "fraction of possible edges present. With half as many vertices, the same mean degree gives twice the "
        "density, so every reduced graph is denser: compare the mean degree as well",
    ),
    "mean_degree": Explained("mean degree", "average number of neighbours per vertex of the reduced graph"),
    "components": Explained(
        "components", "connected components of the reduced graph; ideally as many as before"
    ),
    "information_kept": Explained(
        "vertices represented",
        "share of vertices whose features reach the reduced graph: non-zero rows of S. "
        "A preceding convolution has already spread some of what is dropped",
        "higher",
    ),
    "assignment_entropy": Explained(
        "entropy of S",
        "mean entropy, in nats, of the non-zero rows of S: 0 if each vertex is assigned to a single reduced vertex",
        "lower",
    ),
    "mean_stretch": Explained(
        "mean stretch",
        "distance in the reduced graph divided by the distance before, averaged over the pairs of "
        "survivors that are connected in both graphs",
    ),
    "pairs_lost": Explained(
        "pairs disconnected", "share of pairs of survivors that were connected and no longer are", "lower"
    ),
    "independent": Explained("independent", "no two survivors are adjacent (Eq. 8)"),
    "maximal": Explained("maximal", "every non-survivor has a surviving neighbour (Eq. 9)"),
    "iterations": Explained(
        "iterations", "T, the number of updates of Eq. 10; the paper's Table 3 counts T + 1"
    ),
    "ties_broken": Explained("ties", "vertices decided by vertex order, because of equal scores", "lower"),
    "order_sensitivity": Explained(
        "sensitivity to vertex order",
        "share of vertices that survive under one numbering of the vertices but not under another",
        "lower",
    ),
    "seconds": Explained("time", "seconds of one pooling step, the fastest of up to three", "lower"),
    "memory": Explained("memory", "bytes of S, X' and A' together", "lower"),
}


def structure(adjacency: Adjacency) -> Structure:
    """Vertices, edges, density, mean degree and components."""
    from mivspool.arrays.edges import components

    n, entries = adjacency.num_nodes, adjacency.num_entries
    return Structure(
        num_nodes=n,
        num_edges=entries // 2,
        density=entries / (n * (n - 1)) if n > 1 else 0.0,
        mean_degree=entries / n if n else 0.0,
        components=components(*adjacency.to("cpu").csr),
    )


def pattern(adjacency: Adjacency) -> Any:
    """Where A has entries, as a scipy CSR matrix of ones."""
    from scipy.sparse import csr_array

    n = adjacency.num_nodes
    col, rowptr = adjacency.col.cpu().numpy(), adjacency.rowptr.cpu().numpy()
    return csr_array((np.ones(col.size, np.int8), col, rowptr), shape=(n, n))


def pool_one(layer: Pooling, x: Tensor, adjacency: Adjacency) -> Pooled:
    """One pooling step of one graph, without gradients."""
    batch = torch.zeros(adjacency.num_nodes, dtype=torch.int64, device=x.device)
    with torch.no_grad():
        return layer.pool(x, adjacency, batch, 1)


def measure(
    layer: Pooling,
    x: Tensor,
    adjacency: Adjacency,
    *,
    renumberings: int = 2,
    repeats: int = 3,
    distances: bool = True,
) -> tuple[Measures, Pooled]:
    """Pool one graph with features ``x`` [n, C] and measure it.

    ``renumberings``: how often the vertices are renumbered to measure the sensitivity to their order (0: not measured).
    ``repeats``: how often the step is timed, until a second has passed. ``distances``: whether the stretch is
    measured, which takes longest. What the layer raises passes through.
    """
    pooled, seconds = _timed(lambda: pool_one(layer, x, adjacency), repeats)
    selection, survivor = pooled.selection, pooled.survivor
    before, after = structure(adjacency), structure(pooled.adjacency)
    apart = Stretch(None, None, None)
    independent = maximal = None
    if survivor is not None:
        independent, maximal = meer.independent(adjacency, survivor), meer.maximal(adjacency, survivor)
    if survivor is not None and distances:
        apart = stretch(pattern(adjacency), pattern(pooled.adjacency), survivor.cpu().numpy())
    made = Measures(
        selection=layer.kind,
        before=before,
        after=after,
        ratio=after.num_nodes / before.num_nodes if before.num_nodes else 1.0,
        information_kept=information_kept(pooled),
        assignment_entropy=assignment_entropy(pooled),
        mean_stretch=apart.mean,
        pairs_lost=apart.lost,
        stretch_sources=apart.sources,
        independent=independent,
        maximal=maximal,
        iterations=None if selection.num_iterations is None else int(selection.num_iterations[0]),
        ties_broken=None if selection.ties_broken is None else int(selection.ties_broken[0]),
        order_sensitivity=order_sensitivity(layer, x, adjacency, pooled, renumberings)
        if renumberings
        else None,
        seconds=seconds,
        memory=memory(pooled),
    )
    return made, pooled


def information_kept(pooled: Pooled) -> float:
    """The share of rows of S that are not 0; 1 for a graph without vertices."""
    if pooled.cluster is not None:
        through = pooled.cluster >= 0
    elif pooled.selection.assignment is not None:
        through = _rows(pooled) > 0
    else:
        raise NotImplementedError
    return float(through.double().mean()) if through.numel() else 1.0


def assignment_entropy(pooled: Pooled) -> float:
    """The mean entropy, in nats, of the rows of S that are not 0, each divided by its sum; 0 for a hard S."""
    soft = pooled.selection.assignment
    if soft is None:
        return 0.0
    soft = soft.to_dense().double() if soft.is_sparse else soft.double()
    total = soft.sum(1, keepdim=True)
    soft = (soft / total)[total[:, 0] > 0]
    return float(torch.special.entr(soft).sum(1).mean()) if soft.numel() else 0.0


def order_sensitivity(
    layer: Pooling, x: Tensor, adjacency: Adjacency, pooled: Pooled, renumberings: int
) -> float:
    """The share of vertices that some of ``renumberings`` random numberings keep and others drop.

    For a soft S, a vertex counts if its row changes (by more than 1e-4, summed over the columns).
    """
    n = adjacency.num_nodes
    if n == 0:
        return 0.0
    changed = torch.zeros(n, dtype=torch.bool, device=x.device)
    generator = torch.Generator().manual_seed(_SEED)
    for _ in range(renumberings):
        order = torch.randperm(n, generator=generator).to(x.device)
        other = pool_one(layer, x[order], renumber(adjacency, order))
        if pooled.survivor is not None and other.survivor is not None:
            changed[order] |= other.survivor != pooled.survivor[order]
        elif pooled.selection.assignment is not None and other.selection.assignment is not None:
            apart = other.selection.assignment - pooled.selection.assignment[order]
            changed[order] |= apart.abs().sum(1) > 1e-4
    return float(changed.double().mean())


def renumber(adjacency: Adjacency, order: Tensor) -> Adjacency:
    """The same graph with vertex ``order[i]`` as vertex i; ``order`` int64 [n], a permutation."""
    place = torch.empty_like(order)
    place[order] = torch.arange(order.numel(), device=order.device)
    index, weight = adjacency.with_diagonal()
    return Adjacency.from_edge_index(
        place[index], None if adjacency.weight is None and adjacency.loops is None else weight, order.numel()
    )


def memory(pooled: Pooled) -> int:
    """Bytes of S, X' and A': what the step leaves behind."""
    selection, adjacency = pooled.selection, pooled.adjacency
    parts = [
        pooled.x, selection.cluster, selection.assignment, adjacency.rowptr, adjacency.col, adjacency.weight,
        adjacency.loops,
    ]  # fmt: skip
    return sum(part.numel() * part.element_size() for part in parts if part is not None)


def _rows(pooled: Pooled) -> Tensor:
    soft = pooled.selection.assignment
    assert soft is not None
    return torch.sparse.sum(soft, 1).to_dense() if soft.is_sparse else soft.sum(1)


def _timed(step: Callable[[], Pooled], repeats: int) -> tuple[Pooled, float]:
    best, spent = float("inf"), 0.0
    for _ in range(max(repeats, 1)):
        start = time.perf_counter()
        pooled = step()
        best = min(best, time.perf_counter() - start)
        spent += time.perf_counter() - start
        if spent > 1:
            break
    return pooled, best
