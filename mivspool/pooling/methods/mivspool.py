"""MIVSPool: survivors by Meer's algorithm, every other vertex assigned to one, nothing dropped (Eq. 8–12)."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Literal

from torch import Tensor

from mivspool import meer
from mivspool.arrays.eager import eager
from mivspool.arrays.segments import spread, weighted_mean, weighted_sum
from mivspool.errors import InputError
from mivspool.pooling.base import Kind, Pooled, Pooling, Selection
from mivspool.pooling.method import Method
from mivspool.pooling.parts.directions import share
from mivspool.pooling.parts.temperature import tempered
from mivspool.pooling.score import Called, FirstFeature, Score, make_score
from mivspool.sparse import Adjacency

Reduction = Literal["mean", "sum"]
REDUCE: dict[str, Callable[..., Tensor]] = {"mean": weighted_mean, "sum": weighted_sum}
"""Eq. 12, and Eq. 12 without its denominator."""


class MIVSPool(Pooling):
    """Graph pooling by Maximal Independent Vertex Set (Stanovic, Gaüzère, Brun).

    The survivors are a MIVS that prefers high scores (Eq. 8–10); each non-survivor joins its best surviving
    neighbour (Eq. 11); X'ᵢ = Σ sⱼXⱼ / Σ sⱼ over cluster i (Eq. 12); A' = SᵀAS with binary S (Eq. 3). Gradients flow
    through the scores in Eq. 12 and nowhere else.

    Args:
        in_channels: C of x [N, C]; −1: that of the first call, which draws the weights.
        score: a name of ``SCORES``, a ``Score``, or an ``nn.Module`` or function that gives a value per vertex
            (``mivspool.pooling.score.Called`` says how it is called).
        complement: MIVSPool_comp, at least ⌈n/2⌉ vertices of each graph are kept.
        reduction: "mean", Eq. 12, or "sum", Eq. 12 without its denominator: a reduced vertex then keeps the mass of its
            cluster.
        temperature: below 1, the better members of a cluster count for more in Eq. 12: their shares are ∝
            s^(1/temperature). The sum of a cluster's scores, and the survivors, stay.
        seed: of the uniform score.
        level: of the uniform score: how many poolings come before.

    Raises:
        InputError: for a score, a reduction or a temperature that there is not.
    """

    kind: ClassVar[Kind] = "hard"  # type: ignore[misc]
    positive: ClassVar[bool] = True

    def __init__(
        self,
        in_channels: int,
        score: str | Callable[..., Tensor] = "multiview",
        complement: bool = False,
        *,
        reduction: Reduction = "mean",
        temperature: float = 1.0,
        seed: int = 0,
        level: int = 0,
    ) -> None:
        super().__init__()
        if reduction not in REDUCE:
            raise InputError(f"there is no reduction {reduction!r}; there are: {', '.join(REDUCE)}")
        if not 0 < temperature < math.inf:
            raise InputError(f"temperature must be above 0 and finite, it is {temperature!r}")
        self.complement, self.reduction, self.temperature = complement, reduction, float(temperature)
        self.scorer: Score
        if isinstance(score, str):
            self.scorer, self.score_name = make_score(score, in_channels, seed, level), score
        elif isinstance(score, Score):
            self.scorer, self.score_name = score, type(score).__name__.lower()
        elif callable(score):
            self.scorer = Called(score)
            self.score_name = self.scorer.about_itself
        else:
            raise InputError(f"score is a name, a Score, a module or a function, not {score!r}")

    def pool(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Pooled:
        """One pooling step on a graph that is an Adjacency already; arguments as of ``Pooling.pool``."""
        directions = self.scorer.directions()
        if directions is None:
            return super().pool(x, adjacency, batch, batch_size)
        return self._pool(x, None, directions, adjacency, batch, batch_size)

    @eager
    def pool_rows(
        self, rows: Tensor, kind: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int
    ) -> Pooled:
        """One pooling step where many vertices have the same features: vertex v has ``rows[kind[v]]``.

        Args:
            rows: the different features, [U, C].
            kind: int64 [N], the row of each vertex.
            adjacency, batch, batch_size: as of ``Pooling.pool``.

        Returns:
            The reduced graphs.
        """
        directions = self.scorer.directions()
        if directions is None:
            return super().pool(spread(rows, kind), adjacency, batch, batch_size)
        return self._pool(rows, kind, directions, adjacency, batch, batch_size)

    def _pool(
        self,
        x: Tensor,
        kind: Tensor | None,
        directions: Tensor,
        adjacency: Adjacency,
        batch: Tensor,
        batch_size: int,
    ) -> Pooled:
        x, along = share(x, directions)
        along = along if kind is None else spread(along, kind)
        selection = self._select(
            self.scorer.raw(along, adjacency, batch, batch_size), adjacency, batch, batch_size
        )
        assert selection.cluster is not None
        assert selection.score is not None
        reduced = REDUCE[self.reduction](x, selection.score, selection.cluster, selection.num_nodes, kind)
        return Pooled(reduced, self.connect(adjacency, selection), selection)

    def select(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Selection:
        """The survivors by the layer's score (Eq. 8–11); arguments as of ``pool``."""
        return self._select(
            self.scorer.compared(x, adjacency, batch, batch_size), adjacency, batch, batch_size
        )

    def _select(self, value: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Selection:
        """By what the vertices are ordered by, ``value`` [N], of which the score is made."""
        if value.shape != batch.shape:
            raise InputError(
                f"a score must hold one value per vertex, shape [{batch.numel()}]: its shape is {list(value.shape)}"
            )
        key = self.scorer.key(value, adjacency)
        selection = self.select_by(self.scorer.squash(value), key, adjacency, batch, batch_size)
        selection.value = value if selection.score is value else value.detach()
        return selection

    def select_by(
        self, score: Tensor, key: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int
    ) -> Selection:
        """The survivors by a given score (Eq. 8–11).

        Args:
            score: positive, [N]: the weights of Eq. 12.
            key: what the order compares, [N].
            adjacency, batch, batch_size: as of ``Pooling.pool``.

        Returns:
            Survivors and clusters.
        """
        found = meer.clusters(adjacency, key, batch, batch_size, self.complement)
        return Selection(
            batch=batch.index_select(0, found.members),
            batch_size=batch_size,
            cluster=found.cluster,
            survivor=found.survivor,
            score=self._weights(score, found.cluster, found.members.numel()),
            added=found.added,
            make_trace=functools.partial(meer.trace, adjacency, key, batch, batch_size, self.complement),
        )

    def hold(
        self, selection: Selection, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int
    ) -> Pooled:
        """One pooling step whose clusters are given; the scores that weigh Eq. 12 are those of x.

        Args:
            selection: the clusters.
            x, adjacency, batch, batch_size: as of ``Pooling.pool``.

        Returns:
            The reduced graphs.

        Raises:
            InputError: for a selection without clusters.
        """
        if selection.cluster is None:
            raise InputError("this selection has no clusters")
        score = self.scorer.squash(self.scorer.compared(x, adjacency, batch, batch_size))
        held = replace(selection, score=self._weights(score, selection.cluster, selection.num_nodes))
        return Pooled(self.reduce(x, held), self.connect(adjacency, held), held)

    def _weights(self, score: Tensor, cluster: Tensor, num_clusters: int) -> Tensor:
        """What Eq. 12 weighs the vertices by, [N]: their scores, at the layer's temperature."""
        return score if self.temperature == 1 else tempered(score, cluster, num_clusters, self.temperature)

    def reduce(self, x: Tensor, selection: Selection) -> Tensor:
        """Eq. 12: the mean (or sum) of each cluster's features, weighted by score.

        Args:
            x: [N, C].
            selection: what ``select`` gave.

        Returns:
            The features of the reduced vertices, [N', C].

        Raises:
            InputError: for a selection without clusters or scores.
        """
        if selection.cluster is None or selection.score is None:
            raise InputError("this selection has no clusters or no scores")
        return REDUCE[self.reduction](x, selection.score, selection.cluster, selection.num_nodes)

    def extra_repr(self) -> str:
        """What distinguishes this layer."""
        options = f"score={self.score_name!r}, complement={self.complement}, reduction={self.reduction!r}"
        return options if self.temperature == 1 else f"{options}, temperature={self.temperature:g}"


def by_first_feature(in_channels: int) -> MIVSPool:
    """The layer whose scores are the first of the features."""
    return MIVSPool(in_channels, FirstFeature())


METHOD = Method(
    name="mivspool",
    title="MIVSPool",
    about="Meer's algorithm chooses the survivors; every other vertex is assigned to a neighbouring survivor.",
    formula=r"X'_i = \textstyle\sum_j s_j X_j / \sum_j s_j",
    paper="Stanovic et al. 2022",
    layer=MIVSPool,
    takes_score=True,
    given=by_first_feature,
    takes_reduction=True,
    takes=("seed", "level"),
    page="mivspool",
    place=10,
)
