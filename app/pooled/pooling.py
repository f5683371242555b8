"""A pooled graph as the app keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mivspool.levels import PooledGraph


@dataclass(frozen=True, eq=False)
class Pooling(PooledGraph):
    """A pooled graph as the app keeps it: under the graph's name in links (``source``).

    ``score``: the name of the one that a model has learned; ``key`` says which pooling it is, the visitor and the
    model's version included, to keep what is made of it.
    """

    source: str
    key: tuple[Any, ...]
    score: str = ""
