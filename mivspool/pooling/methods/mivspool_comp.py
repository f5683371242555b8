"""MIVSPool_comp: MIVSPool with the complement, so that at least half of each graph's vertices survive."""

from __future__ import annotations

from mivspool.pooling.method import Method
from mivspool.pooling.methods.mivspool import MIVSPool
from mivspool.pooling.score import FirstFeature


def by_first_feature(in_channels: int) -> MIVSPool:
    """The layer whose scores are the first of the features."""
    return MIVSPool(in_channels, FirstFeature(), complement=True)


METHOD = Method(
    name="mivspool-comp",
    title="MIVSPool_comp",
    about="MIVSPool, with the highest-scoring non-survivors added until half of the vertices survive.",
    formula=r"X'_i = \textstyle\sum_j s_j X_j / \sum_j s_j",
    paper="Stanovic et al. 2022",
    layer=MIVSPool,
    options={"complement": True},
    takes_score=True,
    given=by_first_feature,
    takes_reduction=True,
    takes=("seed", "level"),
    page="mivspool",
    place=20,
)
