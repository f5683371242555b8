"""Why a model predicts a class: how much each vertex and each cluster contributes, and whether that is faithful.

- **Leaving out**: the drop in the predicted class's probability when a vertex, or a whole cluster, is removed together
  with its edges. What remains is classified as a graph of its own, so its survivors are selected again.
- **Integrated gradients** (Sundararajan, Taly and Yan 2017; computed by Captum): contributions to the log-odds of the
  predicted class along the straight path from the graph with all features zero to the graph itself. The selection is
  held fixed: survivors, clusters and reduced graphs stay those of the graph, while the scores that weight Eq. 12 follow
  the features. The contributions add up to the difference between the two ends of the path, except for the error of the
  numerical integral, the completeness gap.

An explanation is **faithful** if the vertices that it ranks first matter most: removing vertices in its order lowers
the probability sooner than removing them in random orders (Samek et al. 2017). The measure is the area between the two
deletion curves.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mivspool.errors import LimitError, ModelError
from mivspool.extras import need
from mivspool.learning.inference import Classification, Passed, clusters_of, vertices_of, without
from mivspool.learning.statistics import interval
from mivspool.messages import count
from mivspool.pooling import MIVSPool
from mivspool.pooling.base import Pooled, Selection
from mivspool.sparse import Adjacency

STEPS = 64
RANDOM_ORDERS = 20
POINTS = 21
MOST_WORK = 20_000_000
"""The limit of :func:`check_size`: vertices and edges, summed over all classifications for one explanation."""
_AT_ONCE = 50_000  # vertices and edges of all copies of a graph in one pass for the integral


@dataclass(frozen=True)
class Faithfulness:
    """How far the deletion curve of an explanation lies below those of random orders; above 0, it is faithful.

    ``area``: the mean probability of the predicted class while vertices are removed in the explanation's order, from
    none to all but one. ``random``: the same, averaged over ``orders`` random orders. ``gain``: ``random`` minus
    ``area``; ``low`` and ``high`` bound its 95 % confidence interval over the random orders.
    """

    area: float
    random: float
    gain: float
    low: float
    high: float
    orders: int


@dataclass(frozen=True)
class ClusterImportance:
    """How much a cluster contributes: the id of its ``survivor``, and its ``vertices`` in the input graph.

    ``leaving_out`` is None for a cluster that is the whole graph, ``gradients`` for a model without them.
    """

    survivor: str
    vertices: tuple[str, ...]
    leaving_out: float | None
    gradients: float | None


@dataclass(frozen=True)
class Explanation:
    """Why a model predicts a class. Values per vertex are in the order of ``nodes``.

    ``leaving_out``: the drop in the probability of ``predicted`` without each vertex; None for a single vertex.
    ``gradients``: the contribution of each vertex to the log-odds; None for a pooling method other than MIVSPool.
    ``log_odds`` and ``baseline``: those of the graph, and of the graph with all features zero. ``gap``: ``log_odds``
    minus ``baseline`` minus the sum of ``gradients``. ``agreement``: Spearman's rank correlation between the two
    methods; None if one of them is constant. ``faithful``: for each method, by name. ``clusters``: those of each level.
    """

    model: str
    graph: str
    predicted: str
    probability: float
    nodes: tuple[str, ...]
    leaving_out: tuple[float, ...] | None
    gradients: tuple[float, ...] | None
    log_odds: float | None
    baseline: float | None
    gap: float | None
    agreement: float | None
    faithful: Mapping[str, Faithfulness]
    clusters: tuple[tuple[ClusterImportance, ...], ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def explain(result: Classification, x: NDArray[np.float32], *, orders: int = RANDOM_ORDERS) -> Explanation:
    """Why a classifier predicts a class for a graph.

    Args:
        result: the prediction, from a pass of this graph alone.
        x: the features of the graph, [n, C] with n ≥ 1.
        orders: the number of random orders that faithfulness is measured against, at least 2.

    Returns:
        The explanation.

    Raises:
        LimitError: if the graph is too large (:func:`check_size`).
        MissingPackageError: if Captum is not installed.
    """
    graph, classifier = result.graph, result.passed.classifier
    n = graph.num_nodes
    check_size(n, graph.num_edges, orders)
    target = result.classes.index(result.predicted)
    whole = result.probabilities[target]

    def probability(removed: NDArray[np.bool_]) -> NDArray[np.float64]:
        return without(classifier, x, graph.edges, removed)[:, target]

    clusters = clusters_of(result.levels, n)
    groups = [np.eye(n, dtype=bool), *clusters]
    fall, *falls = np.split(
        whole - probability(np.concatenate(groups)), np.cumsum([len(group) for group in groups[:-1]])
    )
    scores = {"leaving_out": fall} if n > 1 else {}
    held: Attribution | None = None
    if all(isinstance(pooling, MIVSPool) for pooling in classifier.poolings):
        held = integrated_gradients(result.passed, x, target)
        scores["gradients"] = held.vertices
    one, other = scores.get("leaving_out"), scores.get("gradients")
    return Explanation(
        model=result.model,
        graph=graph.name,
        predicted=result.predicted,
        probability=whole,
        nodes=graph.nodes,
        leaving_out=None if one is None else tuple(one.tolist()),
        gradients=None if other is None else tuple(other.tolist()),
        log_odds=None if held is None else held.log_odds,
        baseline=None if held is None else held.baseline,
        gap=None if held is None else held.gap,
        agreement=None if one is None or other is None else rank_correlation(one, other),
        faithful=faithfulness(probability, scores, whole, orders) if n > 1 else {},
        clusters=tuple(
            tuple(
                ClusterImportance(
                    survivor=name,
                    vertices=vertices_of(graph, inside),
                    leaving_out=None if np.isnan(drop) else float(drop),
                    gradients=None if other is None else float(other[inside].sum()),
                )
                for name, inside, drop in zip(level.reduced_nodes, members, drops, strict=True)
            )
            for level, members, drops in zip(result.levels, clusters, falls, strict=True)
        ),
    )


def classifications(n: int, orders: int = RANDOM_ORDERS) -> int:
    """The number of times, at most, that a graph of n vertices or a part of it is classified for one explanation.

    As a whole and without each vertex; without each cluster of two or more vertices, the whole graph aside, of which
    all levels together have at most n − 2; at each point of each deletion curve; at each point of the integral and at
    both ends.
    """
    return 2 * n - 1 + (POINTS - 1) * (orders + 2) + STEPS + 2


def check_size(n: int, edges: int, orders: int = RANDOM_ORDERS) -> None:
    """Refuse to explain a graph if that would take too long.

    Args:
        n: the number of its vertices.
        edges: the number of its edges.
        orders: the number of random orders.

    Raises:
        LimitError: if its vertices and edges, times the number of classifications, exceed ``MOST_WORK``.
    """
    times = classifications(n, orders)
    if times * (n + edges) > MOST_WORK:
        raise LimitError(
            f"explaining a graph of {count(n, 'vertex')} and {count(edges, 'edge')} takes up to {times:,} "
            "classifications, which is too much: choose a smaller graph, or leave out clusters instead of vertices"
        )


@dataclass(frozen=True, eq=False)
class Attribution:
    """``vertices`` float64 [n]: their contributions, which add up to ``log_odds`` − ``baseline`` − ``gap``."""

    vertices: NDArray[np.float64]
    log_odds: float
    baseline: float
    gap: float


def integrated_gradients(
    passed: Passed, x: NDArray[np.float32], target: int, steps: int = STEPS
) -> Attribution:
    """Integrated gradients of the log-odds of class ``target``, with the selection held fixed.

    Args:
        passed: the pass of the graph alone, through a classifier that pools by MIVSPool or not at all.
        x: the features of the graph, [n, C].
        target: the index of the class.
        steps: the number of points of the Gauss–Legendre rule.

    Returns:
        The contribution of each vertex.

    Raises:
        ModelError: if the classifier pools by another method.
        MissingPackageError: if Captum is not installed.
    """
    need("integrated gradients", "captum")
    from captum.attr import IntegratedGradients

    held = Held(passed)

    def log_odds(given: Tensor) -> Tensor:
        logits = held(given)
        others = torch.cat([logits[:, :target], logits[:, target + 1 :]], 1)
        return logits[:, target] - torch.logsumexp(others, 1)

    features = torch.from_numpy(x).to(passed.batch.device)[None]
    parts = IntegratedGradients(log_odds).attribute(
        features,
        baselines=torch.zeros_like(features),
        n_steps=steps,
        method="gausslegendre",
        internal_batch_size=max(1, _AT_ONCE // (features.size(1) + passed.adjacency.num_entries // 2)),
    )
    with torch.no_grad():
        ends = log_odds(torch.cat([features, torch.zeros_like(features)])).tolist()
    vertices = parts[0].detach().cpu().double().sum(1).numpy()
    return Attribution(vertices, ends[0], ends[1], ends[0] - ends[1] - float(vertices.sum()))


class Held:
    """A classifier whose selections are fixed to those of one graph, whatever the features."""

    def __init__(self, passed: Passed) -> None:
        with torch.inference_mode(False):
            self._network = copy.deepcopy(passed.classifier).requires_grad_(False)
        self._network.poolings = nn.ModuleList(
            _HeldPooling(pooling, pooled.selection)
            for pooling, pooled in zip(self._network.poolings, passed.out.levels, strict=True)
        )
        self._adjacency = passed.adjacency

    def __call__(self, x: Tensor) -> Tensor:
        """Logits [k, classes] of k copies of the graph with different features, x float32 [k, n, C]."""
        k, n = x.shape[:2]
        batch = torch.arange(k, device=x.device).repeat_interleave(n)
        logits: Tensor = self._network(x.reshape(k * n, -1), copies(self._adjacency, k), batch, k)
        return logits


class _HeldPooling(nn.Module):
    """A MIVSPool with fixed clusters; scores and features are recomputed."""

    def __init__(self, pooling: nn.Module, selection: Selection) -> None:
        super().__init__()
        if not isinstance(pooling, MIVSPool):
            raise ModelError(
                "integrated gradients keep the clusters fixed: choose a model that pools by MIVSPool"
            )
        assert selection.cluster is not None
        self.pooling, self.weighted = pooling, pooling.weighted
        self._cluster, self._reduced = selection.cluster.clone(), selection.num_nodes

    def pool(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Pooled:
        """As ``Pooling.pool``, for ``batch_size`` copies of the graph."""
        copy = torch.arange(batch_size, device=x.device)
        clusters = Selection(
            batch=copy.repeat_interleave(self._reduced),
            batch_size=batch_size,
            cluster=(self._cluster + copy.unsqueeze(1) * self._reduced).reshape(-1),
        )
        return self.pooling.hold(clusters, x, adjacency, batch, batch_size)


def copies(adjacency: Adjacency, k: int) -> Adjacency:
    """k copies of a graph, side by side in one."""
    device, entries = adjacency.device, adjacency.num_entries
    shift = torch.arange(k, device=device).unsqueeze(1)
    starts = (adjacency.rowptr[:-1] + shift * entries).reshape(-1)
    return Adjacency(
        torch.cat([starts, starts.new_tensor([k * entries])]),
        (adjacency.col + shift * adjacency.num_nodes).reshape(-1),
        None if adjacency.weight is None else adjacency.weight.repeat(k),
        None if adjacency.loops is None else adjacency.loops.repeat(k),
    )


def faithfulness(
    probability: Callable[[NDArray[np.bool_]], NDArray[np.float64]],
    importance: Mapping[str, NDArray[np.float64]],
    whole: float,
    orders: int = RANDOM_ORDERS,
    seed: int = 0,
) -> dict[str, Faithfulness]:
    """Compare the deletion curve of each method's order of the vertices with those of random orders.

    Args:
        probability: gives the probability of the predicted class, [K], without the vertices that a bool [K, n] marks.
        importance: the importance of each vertex by each method, [n] with n ≥ 2; the most important is removed first.
        whole: the probability for the whole graph.
        orders: the number of random orders, which all methods share.
        seed: the seed of the random orders.

    Returns:
        The faithfulness of each method, by name.
    """
    n = len(next(iter(importance.values())))
    rng = np.random.default_rng(seed)
    order = [np.argsort(-values, kind="stable") for values in importance.values()]
    order += [rng.permutation(n) for _ in range(orders)]
    points = np.unique(np.linspace(0, n - 1, min(n, POINTS)).round().astype(np.int64))
    place = np.argsort(np.stack(order), axis=1)  # when each vertex is removed
    removed = place[:, None, :] < points[None, 1:, None]
    curves = np.full((len(order), len(points)), whole)
    curves[:, 1:] = probability(removed.reshape(-1, n)).reshape(len(order), -1)
    areas = np.asarray(np.trapezoid(curves, points / (n - 1), axis=1)).tolist()
    chance = areas[len(importance) :]
    return {
        name: Faithfulness(area, float(np.mean(chance)), *interval([one - area for one in chance]), orders)
        for name, area in zip(importance, areas, strict=False)
    }


def rank_correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float | None:
    """Spearman's ρ between two explanations of the same vertices; None if one of them is constant."""
    if min(np.ptp(one), np.ptp(other)) == 0:
        return None
    from scipy.stats import spearmanr  # slow to import

    return float(spearmanr(one, other).statistic)
