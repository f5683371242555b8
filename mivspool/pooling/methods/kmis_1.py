"""k-MIS pooling with k = 1 (Bacciu, Conte & Landolfi, AAAI 2023)."""

from __future__ import annotations

from functools import partial

from mivspool.pooling.method import Method
from mivspool.pooling.parts.kmis import KMIS

METHOD = Method(
    name="kmis-1",
    title="k-MIS (k = 1)",
    about="Survivors are a maximal set of vertices more than one edge apart; clusters are summed.",
    formula=r"X'_i = \textstyle\sum_j s_j X_j",
    paper="Bacciu et al. 2023",
    layer=KMIS,
    options={"k": 1},
    takes=("seed", "level"),
    given=partial(KMIS, k=1, scorer="given"),
    page="kmis",
    place=100,
)
