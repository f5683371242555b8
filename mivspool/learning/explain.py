"""Why a class: what each vertex and each cluster brings to the answer, by two methods, and whether that is faithful.

- **Leaving out**: the fall of the predicted class's probability when a vertex (or all of a cluster) is removed with
  its edges and the rest is classified anew, selection included.
- **Integrated gradients** (Sundararajan, Taly and Yan 2017; by Captum): the log-odds of the predicted class, followed
  from a graph without features to the graph itself. The selection is held at the graph's own: survivors, clusters and
  reduced graphs stay, the scores that weigh Eq. 12 follow the features. What the vertices are given sums up to the
  difference between both ends, but for the error of the integral, the completeness gap.

**Faithful** is an explanation whose first vertices matter: removed one after another in its order, they bring the
probability down sooner than in random orders (Samek et al. 2017). Measured is the area between the two curves.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor, nn

from mivspool.errors import LimitError, ModelError
from mivspool.extras import need
from mivspool.graphs.features import Fit
from mivspool.graphs.graph import Graph
from mivspool.learning.inference import Inputs, Passed, remaining
from mivspool.learning.network import Classifier
from mivspool.levels import Level
from mivspool.messages import count
from mivspool.pooling import MIVSPool
from mivspool.pooling.base import Pooled, Selection
from mivspool.pooling.methods.mivspool import REDUCE
from mivspool.pooling.parts.temperature import tempered
from mivspool.sparse import Adjacency

STEPS = 64
RANDOM_ORDERS = 20
POINTS = 21
_MOST = 5_000_000  # vertices of all graphs that are classified for one explanation
_AT_ONCE = 50_000  # vertices of the copies of a graph in one pass of the integral


@dataclass(frozen=True)
class Faithfulness:
    """The area between the deletion curves of random orders and of an explanation's order; above 0, it is faithful.

    ``area``: the mean probability of the predicted class while vertices are removed in the explanation's order, from
    none to all but one; ``random``: the same of ``orders`` random orders; ``gain``: the second minus the first, with a
    95 % interval from ``low`` to ``high`` over these orders.
    """

    area: float
    random: float
    gain: float
    low: float
    high: float
    orders: int


@dataclass(frozen=True)
class ClusterImportance:
    """What a cluster brings: ``survivor``, its ``vertices`` of the graph; None: it is the whole graph."""

    survivor: str
    vertices: tuple[str, ...]
    leaving_out: float | None
    gradients: float | None


@dataclass(frozen=True)
class Explanation:
    """Why a class; lists of vertices in the order of ``nodes``.

    ``leaving_out``: by how much the probability of ``predicted`` falls without each vertex; None: there is one vertex.
    ``gradients``: what each vertex adds to the log-odds, None where the pooling has no selection that could be held;
    ``log_odds`` and ``baseline``: of the graph and of the graph without features; ``gap``: their difference minus the
    sum of the ``gradients``. ``agreement``: Spearman's rank correlation of both, None where one of them is constant.
    ``faithful``: by the name of the method.
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


def explain(
    classifier: Classifier,
    graph: Graph,
    fit: Fit,
    levels: Sequence[Level],
    model: str,
    classes: Sequence[str],
    *,
    orders: int = RANDOM_ORDERS,
) -> Explanation:
    """Why a classifier says what it says of a graph.

    Args:
        classifier: in evaluation mode.
        graph: with at least one vertex.
        fit: its features.
        levels: its pooled levels, whose clusters are explained too.
        model: what the classifier is called.
        classes: its classes.
        orders: how many random orders faithfulness is measured against.

    Returns:
        The explanation.

    Raises:
        LimitError: for a graph that is too large to be classified as often as needed.
        MissingPackageError: where Captum is not installed.
    """
    n = graph.num_nodes
    passes = n + POINTS * (orders + 2) // 2
    if n * passes > _MOST:
        raise LimitError(
            f"explaining {count(n, 'vertex')} takes {passes:,} classifications: choose a graph of fewer vertices"
        )
    passed = Inputs.join([(fit.x, graph.edges)]).forward(classifier)
    target = int(passed.probabilities[0].argmax())
    whole = float(passed.probabilities[0, target])
    scores: dict[str, NDArray[np.float64]] = {}
    if n > 1:
        without = remaining(classifier, fit.x, graph.edges, ~np.eye(n, dtype=bool))[:, target]
        scores["leaving_out"] = whole - without
    held: Attribution | None = None
    if all(isinstance(pooling, MIVSPool) for pooling in classifier.poolings):
        held = integrated_gradients(classifier, passed, fit.x, target)
        scores["gradients"] = held.vertices
    one, other = scores.get("leaving_out"), scores.get("gradients")
    return Explanation(
        model=model,
        graph=graph.name,
        predicted=classes[target],
        probability=whole,
        nodes=graph.nodes,
        leaving_out=None if one is None else tuple(one.tolist()),
        gradients=None if other is None else tuple(other.tolist()),
        log_odds=None if held is None else held.log_odds,
        baseline=None if held is None else held.baseline,
        gap=None if held is None else held.gap,
        agreement=None if one is None or other is None else rank_correlation(one, other),
        faithful={
            name: faithfulness(classifier, graph, fit.x, target, values, orders)
            for name, values in scores.items()
            if n > 1
        },
        clusters=_clusters(classifier, graph, fit.x, levels, target, whole, other),
    )


@dataclass(frozen=True, eq=False)
class Attribution:
    """``vertices`` float64 [n]: what each adds to the log-odds; together ``log_odds`` − ``baseline`` − ``gap``."""

    vertices: NDArray[np.float64]
    log_odds: float
    baseline: float
    gap: float


def integrated_gradients(
    classifier: Classifier, passed: Passed, x: NDArray[np.float32], target: int, steps: int = STEPS
) -> Attribution:
    """Integrated gradients of the log-odds of class ``target``, the selection held.

    Args:
        classifier: one whose poolings are MIVSPool, or that has none.
        passed: the pass of the graph alone through it.
        x: its features, [n, C].
        target: the class.
        steps: points of the Gauss-Legendre rule.

    Raises:
        ModelError: for another method's classifier.
        MissingPackageError: where Captum is not installed.
    """
    need("integrated gradients", "captum")
    from captum.attr import IntegratedGradients

    held = Held(classifier, passed)

    def log_odds(given: Tensor) -> Tensor:
        logits = held(given)
        others = torch.cat([logits[:, :target], logits[:, target + 1 :]], 1)
        return logits[:, target] - torch.logsumexp(others, 1)

    features = torch.from_numpy(x).to(next(classifier.parameters()).device)[None]
    parts = IntegratedGradients(log_odds).attribute(
        features,
        baselines=torch.zeros_like(features),
        n_steps=steps,
        method="gausslegendre",
        internal_batch_size=max(1, _AT_ONCE // features.size(1)),
    )
    with torch.no_grad():
        ends = log_odds(torch.cat([features, torch.zeros_like(features)])).tolist()
    vertices = parts[0].detach().cpu().double().sum(1).numpy()
    return Attribution(vertices, ends[0], ends[1], ends[0] - ends[1] - float(vertices.sum()))


class Held:
    """A classifier whose selections are those of one graph, whatever features it is given."""

    def __init__(self, classifier: Classifier, passed: Passed) -> None:
        with torch.inference_mode(False):
            self._network = copy.deepcopy(classifier).requires_grad_(False)
        self._network.poolings = nn.ModuleList(
            _HeldPooling(pooling, pooled)
            for pooling, pooled in zip(self._network.poolings, passed.out.levels, strict=True)
        )
        self._adjacency = passed.adjacency

    def __call__(self, x: Tensor) -> Tensor:
        """Logits [k, classes] of k graphs that differ in their features alone: x float32 [k, n, C]."""
        k, n = x.shape[:2]
        batch = torch.arange(k, device=x.device).repeat_interleave(n)
        logits: Tensor = self._network(x.reshape(k * n, -1), copies(self._adjacency, k), batch, k)
        return logits


class _HeldPooling(nn.Module):
    """A MIVSPool whose survivors, clusters and reduced graph stay; scores and features are computed anew."""

    def __init__(self, pooling: nn.Module, pooled: Pooled) -> None:
        super().__init__()
        if not isinstance(pooling, MIVSPool):
            raise ModelError(
                "integrated gradients hold a selection of clusters: take a model that pools by MIVSPool"
            )
        assert pooled.cluster is not None
        assert pooled.score is not None
        self.pooling, self.weighted = pooling, pooling.weighted
        self._cluster, self._adjacency = pooled.cluster.clone(), pooled.adjacency
        self._score = pooled.score.clone()  # where it is not learned, it does not depend on the features

    def pool(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Pooled:
        """As of ``Pooling.pool``, of ``batch_size`` copies of the graph."""
        reduced = self._adjacency.num_nodes
        shift = torch.arange(batch_size, device=x.device).unsqueeze(1) * reduced
        cluster = (self._cluster + shift).reshape(-1)
        scorer = self.pooling.scorer
        if scorer.learned:
            score = scorer.squash(scorer.compared(x, adjacency, batch, batch_size))
            if self.pooling.temperature != 1:
                score = tempered(score, cluster, reduced * batch_size, self.pooling.temperature)
        else:
            score = self._score.repeat(batch_size)
        selection = Selection(
            batch=torch.arange(batch_size, device=x.device).repeat_interleave(reduced),
            batch_size=batch_size,
            cluster=cluster,
            score=score,
        )
        made = REDUCE[self.pooling.reduction](x, score, cluster, reduced * batch_size)
        return Pooled(made, copies(self._adjacency, batch_size), selection)


def copies(adjacency: Adjacency, k: int) -> Adjacency:
    """A graph k times side by side."""
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
    classifier: Classifier,
    graph: Graph,
    x: NDArray[np.float32],
    target: int,
    importance: NDArray[np.float64],
    orders: int = RANDOM_ORDERS,
    seed: int = 0,
) -> Faithfulness:
    """Deletion curves of the order of ``importance`` [n], the most important first, and of random orders; n ≥ 2."""
    n = graph.num_nodes
    rng = np.random.default_rng(seed)
    order = [np.argsort(-importance, kind="stable"), *(rng.permutation(n) for _ in range(orders))]
    removed = np.unique(np.linspace(0, n - 1, min(n, POINTS)).round().astype(np.int64))
    place = np.argsort(np.stack(order), axis=1)  # when each vertex is removed
    keep = place[:, None, :] >= removed[None, :, None]
    curves = remaining(classifier, x, graph.edges, keep.reshape(-1, n))[:, target].reshape(len(order), -1)
    area = np.asarray(np.trapezoid(curves, removed / (n - 1), axis=1))
    gains = area[1:] - area[0]
    half = float(stats.t.ppf(0.975, orders - 1)) * float(gains.std(ddof=1)) / float(np.sqrt(orders))
    gain = float(gains.mean())
    return Faithfulness(float(area[0]), float(area[1:].mean()), gain, gain - half, gain + half, orders)


def rank_correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float | None:
    """Spearman's ρ of two explanations of the same vertices, None where one of them is constant."""
    if min(np.ptp(one), np.ptp(other)) == 0:
        return None
    return float(stats.spearmanr(one, other).statistic)


def _clusters(
    classifier: Classifier,
    graph: Graph,
    x: NDArray[np.float32],
    levels: Sequence[Level],
    target: int,
    whole: float,
    gradients: NDArray[np.float64] | None,
) -> tuple[tuple[ClusterImportance, ...], ...]:
    """Both methods by cluster: of integrated gradients, the sum over a cluster's vertices."""
    found = []
    cluster = np.arange(graph.num_nodes)
    for level in levels:
        cluster = level.cluster.numpy()[cluster]
        survivors = level.reduced_nodes
        keep = cluster[None, :] != np.arange(len(survivors))[:, None]
        some = np.flatnonzero(keep.any(1))
        fall = np.full(len(survivors), np.nan)
        fall[some] = whole - remaining(classifier, x, graph.edges, keep[some])[:, target]
        found.append(
            tuple(
                ClusterImportance(
                    survivor=name,
                    vertices=tuple(graph.nodes[v] for v in np.flatnonzero(~keep[k]).tolist()),
                    leaving_out=None if np.isnan(fall[k]) else float(fall[k]),
                    gradients=None if gradients is None else float(gradients[~keep[k]].sum()),
                )
                for k, name in enumerate(survivors)
            )
        )
    return tuple(found)
