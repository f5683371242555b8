"""Meer's iterations and the reduced graphs of one graph, level by level: what the app shows, the tests check and
the command line prints (``step --json``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mivspool import meer
from mivspool.arrays.segments import weighted_mean
from mivspool.errors import InputError
from mivspool.graphs.given import Given, Several, graph_of, graphs_of, is_one
from mivspool.graphs.graph import SCORE_ATTRIBUTE, Graph
from mivspool.graphs.labels import classes_of, label_text, one_hot
from mivspool.graphs.text import number
from mivspool.messages import count
from mivspool.pooling.methods.mivspool import REDUCE
from mivspool.pooling.parts.measure import structure
from mivspool.pooling.parts.values import check_given
from mivspool.pooling.score import SCORES, make_score
from mivspool.sparse import Adjacency

if TYPE_CHECKING:
    from mivspool.canvas.notebook import Shown
    from mivspool.canvas.widget import Widget
    from mivspool.pyvis import Network

# the states of every iteration are left out of the JSON where they would be more entries than this
MOST_ITERATION_ENTRIES = 1_000_000


# the parts of an iteration: each candidate points to its best candidate neighbour if that ranks above it; those that
# point to none survive; they eliminate their neighbours, which ends the iteration
POINTING, SURVIVING, ELIMINATING = 1, 2, 3


class Part(NamedTuple):
    """A part of an iteration, n vertices: ``survivor``, ``candidate`` bool [n]; ``arrows`` int64 [2, m]: from, to."""

    survivor: Tensor
    candidate: Tensor
    arrows: Tensor


@dataclass(eq=False)
class Level:
    """One pooling step of one graph with n vertices.

    ``nodes``: n ids. ``adjacency``: A of this level, weights and diagonal included. ``score`` float [n]; ``key`` [n],
    what the order compares, and ``rounded`` int64 [n] what of a learned score it is made of (``meer.rounded``; None:
    scores compare exactly). ``x`` float [n, C], the features, where there are any. ``graph``: what was pooled, where
    that is known, and ``origin`` int64 [n] the vertex of it that each vertex here is. ``reduction``: how Eq. 12
    reduces the features of a cluster, by their mean or their sum.
    """

    level: int
    nodes: tuple[str, ...]
    adjacency: Adjacency
    score: Tensor
    key: Tensor
    trace: meer.Trace
    x: Tensor | None = None
    graph: Graph | None = None
    origin: Tensor | None = None
    rounded: Tensor | None = None
    reduction: str = "mean"

    def show(self, **options: Any) -> Shown:
        """This level as a canvas that steps, in a notebook; options: ``canvas.notebook.show_level``."""
        from mivspool.canvas.notebook import show_level

        return show_level(self, **options)

    def widget(self, **options: Any) -> Widget:
        """This level as a canvas in a notebook whose cursor Python reads and moves; options: ``canvas.widget``.

        Raises MissingPackageError where anywidget is not installed (``mivspool[notebook]``).
        """
        from mivspool.canvas.widget import level_widget

        return level_widget(self, **options)

    def to_pyvis(self, k: int | None = None, **options: Any) -> Network:
        """The state after ``k`` updates as a pyvis network (default: the end, with the arrows of the assignment).

        Options: ``canvas.network.level_network``. Raises InputError for an iteration that there is not,
        MissingPackageError where pyvis is not installed.
        """
        from mivspool.canvas.network import level_network

        return level_network(self, k, **options)

    @property
    def learned(self) -> bool:
        """Whether the order compares rounded values (``meer.learned_key``)."""
        return self.rounded is not None

    @property
    def rounded_by_id(self) -> dict[str, int] | None:
        """``rounded`` by vertex id."""
        return None if self.rounded is None else dict(zip(self.nodes, self.rounded.tolist(), strict=True))

    @property
    def num_iterations(self) -> int:
        """T; the paper's tables count T + 1."""
        return int(self.trace.num_iterations[0])

    @cached_property
    def survivors(self) -> Tensor:
        """int64 [n']: the vertices kept, in the order of the reduced graph."""
        return torch.nonzero(self.trace.survivor).reshape(-1)

    @cached_property
    def cluster(self) -> Tensor:
        """int64 [n]: the reduced vertex of each vertex, a column of S."""
        return (torch.cumsum(self.trace.survivor, 0) - 1)[self.trace.cluster]

    @cached_property
    def reduced(self) -> Adjacency:
        """SᵀAS (Eq. 3)."""
        return self.adjacency.contract(self.cluster, self.survivors.numel())

    @cached_property
    def reduced_nodes(self) -> tuple[str, ...]:
        """n' ids."""
        return tuple(self.nodes[i] for i in self.survivors.tolist())

    @cached_property
    def factor(self) -> Tensor:
        """float [n]: what Eq. 12 multiplies features by: the share of the cluster's score; in a sum, the score."""
        if self.reduction == "sum":
            return self.score
        total = self.score.new_zeros(self.survivors.numel()).index_add(0, self.cluster, self.score)
        return self.score / total[self.cluster]

    @cached_property
    def reduced_x(self) -> Tensor | None:
        """float [n', C]: Eq. 12, or its numerator where ``reduction`` is "sum"."""
        if self.x is None:
            return None
        return REDUCE[self.reduction](self.x, self.score, self.cluster, self.survivors.numel())

    @cached_property
    def checks(self) -> dict[str, bool]:
        """Eq. 8 and Eq. 9, computed on the final set (the complement gives up Eq. 8)."""
        return {
            "independent": meer.independent(self.adjacency, self.trace.survivor),
            "maximal": meer.maximal(self.adjacency, self.trace.survivor),
        }

    @cached_property
    def metrics(self) -> dict[str, float]:
        """Ratio n'/n, and density, mean degree and components before and after; weights and diagonal ignored."""
        before, after = structure(self.adjacency), structure(self.reduced)
        metrics = {"ratio": self.survivors.numel() / max(len(self.nodes), 1)}
        for name in ("density", "mean_degree", "components"):
            metrics[f"{name}_before"], metrics[f"{name}_after"] = getattr(before, name), getattr(after, name)
        return metrics

    def part(self, k: int, part: int) -> Part:
        """Iteration k, 1 … T, in one of its three parts. Raises InputError for another iteration or part."""
        trace = self.trace
        if not 1 <= k <= self.num_iterations or part not in (POINTING, SURVIVING, ELIMINATING):
            raise InputError(
                f"there is no part {part} of iteration {k}: there are three of each, 1 … {self.num_iterations}"
            )
        if part == ELIMINATING:
            row, col = self.adjacency.row, self.adjacency.col
            along = (trace.survivors(k) & ~trace.survivors(k - 1))[row] & (trace.settled_at[col] == k)
            arrows = torch.stack([row[along], col[along]])
            return Part(trace.survivors(k), trace.candidates(k), arrows)
        to = meer.pointers(trace, self.adjacency, self.key, k)
        points = torch.nonzero((to >= 0) & (to != torch.arange(to.numel()))).reshape(-1)
        survivor = trace.survivors(k if part == SURVIVING else k - 1)
        return Part(survivor, trace.candidates(k - 1) & ~survivor, torch.stack([points, to[points]]))

    def to_json(self) -> dict[str, Any]:
        """This level of ``step --json``."""
        nodes, trace = self.nodes, self.trace
        document: dict[str, Any] = {
            "level": self.level,
            "nodes": list(nodes),
            "edges": edge_list(self.adjacency, nodes),
            "score": dict(zip(nodes, self.score.tolist(), strict=True)),
            **({} if self.rounded_by_id is None else {"rounded": self.rounded_by_id}),
            "num_iterations": self.num_iterations,
            "settled_at": dict(zip(nodes, trace.settled_at.tolist(), strict=True)),
            "survivors": list(self.reduced_nodes),
            "added": self._names(trace.added),
            "ties_broken": int(trace.ties_broken[0]),
            "reduction": self.reduction,
        }
        if len(nodes) * self.num_iterations <= MOST_ITERATION_ENTRIES:
            document["iterations"] = [
                {
                    "k": k,
                    "survivors": self._names(trace.survivors(k)),
                    "candidates": self._names(trace.candidates(k)),
                    "non_survivors": self._names(trace.non_survivors(k)),
                }
                for k in range(self.num_iterations + 1)
            ]
        document["assignment"] = {nodes[v]: nodes[s] for v, s in enumerate(trace.cluster.tolist())}
        document["reduced"] = {
            "nodes": list(self.reduced_nodes),
            "edges": edge_list(self.reduced, self.reduced_nodes),
        }
        document["checks"] = self.checks
        document["metrics"] = self.metrics
        return document

    def _names(self, mask: Tensor) -> list[str]:
        return [self.nodes[i] for i in torch.nonzero(mask).reshape(-1).tolist()]


@dataclass(frozen=True, eq=False)
class PooledGraph:
    """A graph with its levels, the first of which is the graph itself: what Step, Classify and the static site show.

    ``levels``: as many as were pooled; none where a network has no pooling.
    """

    graph: Graph
    levels: Sequence[Level]

    @property
    def learned(self) -> bool:
        """Whether the scores are learned ones: their order compares rounded values (``meer.learned_key``)."""
        return any(level.learned for level in self.levels)

    @cached_property
    def origin(self) -> list[NDArray[np.int64]]:
        """For each level, and for the last reduced graph, int64 [n_l]: which vertex of the graph each vertex is."""
        origin = [np.arange(self.graph.num_nodes)]
        for level in self.levels:
            origin.append(origin[-1][level.survivors.numpy()])
        return origin

    @cached_property
    def sizes(self) -> list[NDArray[np.int64]]:
        """For each level, and for the last reduced graph, int64 [n_l]: how many of the graph's vertices each is."""
        sizes = [np.ones(self.graph.num_nodes, dtype=np.int64)]
        for level in self.levels:
            gathered = np.bincount(
                level.cluster.numpy(), weights=sizes[-1], minlength=level.survivors.numel()
            )
            sizes.append(gathered.astype(np.int64))
        return sizes

    def to_pyvis(self, level: int | None = None, **options: Any) -> Network:
        """The graph after a pooling (default: the last) as a pyvis network.

        Options: ``canvas.network.reduced_network``. Raises InputError for a level that there is not,
        MissingPackageError where pyvis is not installed.
        """
        from mivspool.canvas.network import reduced_network

        return reduced_network(self, level, **options)

    def place(self, vertex: str, level: int) -> int | None:
        """The vertex of a level that contains a vertex of the graph, given by its id; None: there is no such id."""
        at = self.graph.index.get(vertex)
        for below in self.levels[:level] if at is not None else ():
            at = int(below.cluster[at])
        return at


@overload
def step(
    graph: Graph,
    score: str | Sequence[float] | Mapping[str, float] = "multiview",
    *,
    seed: int = 0,
    complement: bool = False,
    levels: int = 1,
    weights: bool = False,
) -> list[Level]: ...


@overload
def step(
    graph: Any,
    score: str | Sequence[float] | Mapping[str, float] = "multiview",
    *,
    seed: int = 0,
    complement: bool = False,
    levels: int = 1,
    weights: bool = False,
) -> Any: ...


def step(
    graph: Given | Several,
    score: str | Sequence[float] | Mapping[str, float] = "multiview",
    *,
    seed: int = 0,
    complement: bool = False,
    levels: int = 1,
    weights: bool = False,
) -> list[Level] | list[list[Level]]:
    """Pool ``graph`` up to ``levels`` times; fewer where one vertex per component remains.

    Args:
        graph: a Graph, a ``Data`` of PyTorch Geometric or a networkx graph; or several: a ``Batch``, a data set or a
            list.
        score: a name of ``SCORES``, or one value per vertex (in the graph's order or by id), finite and positive. Given
            values follow the vertex to the next level, the others are computed anew on each.
        seed: of the uniform score, and of the random weights that a learned score has here.
        complement: MIVSPool_comp, at least ⌈n/2⌉ vertices are kept.
        levels: how many times to pool at most.
        weights: start from the file's edge weights instead of A ∈ {0, 1}.

    Returns:
        The levels; a list of them for each graph where several are given.

    Raises:
        InputError: for a score, a weight or a number of levels that cannot be used.
    """
    if levels < 1:
        raise InputError(f"levels must be at least 1, not {levels}")
    if not is_one(graph):
        graphs = graphs_of(graph)
        if not isinstance(score, str):
            raise InputError(
                "values are the scores of one graph: give its graph alone, or the name of a score"
            )
        return [
            step(one, score, seed=seed, complement=complement, levels=levels, weights=weights)
            for one in graphs
        ]
    graph = graph_of(graph)
    adjacency = adjacency_of(graph, weights)
    scorer = _scorer(graph, score, seed)
    made: list[Level] = []
    nodes, x, kept = graph.nodes, features(graph), torch.arange(graph.num_nodes)
    for level in range(levels):
        if made and adjacency.num_entries == 0:
            break
        values, key, rounded = scorer(level, adjacency, x, kept)
        check_given(values, nodes)
        trace = meer.trace(adjacency, key, complement=complement)
        made.append(Level(level, nodes, adjacency, values, key, trace, x, graph, kept, rounded))
        last = made[-1]
        nodes, adjacency, kept = last.reduced_nodes, last.reduced, kept[last.survivors]
        x = weighted_mean(x, values, last.cluster, last.survivors.numel())
    return made


def adjacency_of(graph: Graph, weights: bool = False) -> Adjacency:
    """A of a graph: 0 and 1, or the file's weights, which must be finite and not negative (InputError)."""
    edge_index = torch.from_numpy(graph.edge_index)
    if not weights or graph.edge_weight is None:
        return Adjacency.from_edge_index(edge_index, num_nodes=graph.num_nodes)
    wrong = np.flatnonzero(~(np.isfinite(graph.edge_weight) & (graph.edge_weight >= 0)))
    if wrong.size:
        u, v = (graph.nodes[i] for i in graph.edges[:, wrong[0]])
        raise InputError(
            f"the weight of edge {u} – {v} is {graph.edge_weight[wrong[0]]}: "
            "weights must be finite and not negative; leave them out to pool with 0 and 1"
        )
    # an undirected edge's place in graph.edges, for both of its directions
    low, high = np.sort(graph.edge_index, axis=0)
    place = np.searchsorted(graph.edges[0] * graph.num_nodes + graph.edges[1], low * graph.num_nodes + high)
    return Adjacency.from_edge_index(
        edge_index, torch.from_numpy(graph.edge_weight[place]), num_nodes=graph.num_nodes
    )


def features(graph: Graph) -> Tensor:
    """float32 [n, C] for scores without a model: the label one-hot, else the numeric attributes, else the degree.

    A vertex whose label is missing has zeros. A label with more than ``labels.MOST_COLUMNS`` values is a name and no
    class: then the attributes or the degree take its place. Numbers are standardised; a vertex that lacks one has the
    mean, 0, and a number that more than half of the vertices lack is no feature.
    """
    label = graph.node_attributes.get("label")
    classes = classes_of(label)
    if label is not None and classes:
        return torch.from_numpy(one_hot(label, classes))
    columns = [np.array([_number(v) for v in graph.node_attributes[name]]) for name in _numeric(graph)]
    if not columns:
        columns = [graph.degree.astype(np.float64)]
    x = np.stack(columns, axis=1)
    if len(x):
        spread = np.nanstd(x, axis=0)
        x = np.nan_to_num((x - np.nanmean(x, axis=0)) / np.where(spread > 0, spread, 1.0))
    return torch.from_numpy(x.astype(np.float32))


def own_scores(graph: Graph) -> Tensor | None:
    """The scores that a graph brings, float64 [n]: the attribute ``score`` of its vertices, where each is positive."""
    values = graph.node_attributes.get(SCORE_ATTRIBUTE, ())
    if not values or not all(_is_score(value) for value in values):
        return None
    return torch.tensor([float(value) for value in values], dtype=torch.float64)


def _is_score(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 < float(value) < float("inf")


def standardised(graph: Graph) -> bool:
    """Whether the columns of ``features`` are numbers with mean 0 and deviation 1, and no one-hot labels."""
    return not classes_of(graph.node_attributes.get("label"))


def feature_names(graph: Graph) -> tuple[str, ...]:
    """What the C columns of ``features`` are."""
    return classes_of(graph.node_attributes.get("label")) or tuple(_numeric(graph)) or ("degree",)


def _numeric(graph: Graph) -> list[str]:
    """The attributes that hold numbers, at half of the vertices or more, and nothing else."""
    return [
        name
        for name, values in graph.node_attributes.items()
        if name != SCORE_ATTRIBUTE and _holds_numbers(values)
    ]


def _holds_numbers(values: Sequence[Any]) -> bool:
    given = [value for value in values if label_text(value)]
    return 2 * len(given) >= len(values) and all(
        isinstance(v, int | float) and not isinstance(v, bool) and number(v) is not None for v in given
    )


def _number(value: Any) -> float:
    return float(value) if label_text(value) else float("nan")


def edge_list(adjacency: Adjacency, nodes: Sequence[str]) -> list[list[Any]]:
    """Each undirected edge once as [id, id, weight], the diagonal where it is not 0."""
    index, weight = adjacency.with_diagonal()
    once = index[0] <= index[1]
    return [
        [nodes[u], nodes[v], w]
        for u, v, w in zip(
            index[0, once].tolist(), index[1, once].tolist(), weight[once].tolist(), strict=True
        )
    ]


def to_json(graph: Graph, levels: Sequence[Level], **more: Any) -> dict[str, Any]:
    """The whole document of ``step --json``."""
    about = {
        "name": graph.name,
        "num_nodes": graph.num_nodes,
        "num_edges": graph.num_edges,
        "repairs": list(graph.repairs),
    }
    return {"graph": about, **more, "levels": [level.to_json() for level in levels]}


# score float64 [n], what the order compares [n], and what of a learned score that is made of, int64 [n]
Scored = tuple[Tensor, Tensor, Tensor | None]


class _Given:
    """Scores by hand or from a file, which follow their vertex."""

    def __init__(self, graph: Graph, score: Sequence[float] | Mapping[str, float]) -> None:
        if isinstance(score, Mapping):
            missing = [node for node in graph.nodes if node not in score]
            if missing:
                raise InputError(f"there is no score for vertex {missing[0]!r} ({len(missing)} are missing)")
            score = [score[node] for node in graph.nodes]
        if len(score) != graph.num_nodes:
            raise InputError(f"there are {len(score)} scores for {count(graph.num_nodes, 'vertex')}")
        self.values = check_given(torch.tensor(list(score), dtype=torch.float64), graph.nodes)

    def __call__(self, level: int, adjacency: Adjacency, x: Tensor, kept: Tensor) -> Scored:
        return self.values[kept], self.values[kept], None


class _Made:
    """A score of the registry, recomputed at each level; learned ones with random weights of (seed, level)."""

    def __init__(self, name: str, seed: int) -> None:
        if name not in SCORES:
            raise InputError(f"there is no score {name!r}; there are: {', '.join(SCORES)}, values:FILE")
        self.name, self.seed = name, seed

    def __call__(self, level: int, adjacency: Adjacency, x: Tensor, kept: Tensor) -> Scored:
        batch = torch.zeros(adjacency.num_nodes, dtype=torch.int64)
        with torch.random.fork_rng(devices=[]), torch.no_grad():
            torch.manual_seed(self.seed * 1000 + level)
            module = make_score(self.name, x.size(1), self.seed, level).eval()
            compared = module.compared(x, adjacency, batch, 1)
            rounded = meer.rounded(compared) if module.learned else None
            return module.squash(compared).to(torch.float64), module.key(compared, adjacency), rounded


def _scorer(graph: Graph, score: str | Sequence[float] | Mapping[str, float], seed: int) -> _Given | _Made:
    return _Made(score, seed) if isinstance(score, str) else _Given(graph, score)
