"""How loops are compiled (numba), and ``python -m mivspool.compiled``, which compiles them all ahead of the first use.

What is compiled is kept on disk: beside the code, or in the user's cache folder where the code lies in a folder that
cannot be written (``NUMBA_CACHE_DIR`` names another). Where there is no such folder it is compiled in each process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: compiled at the first call, or read from disk; others may run while it does."""
    return _compile(function, frozenset({"contract", "nsz"}))


def compiled_sums(function: Callable[P, R]) -> Callable[P, R]:
    """The same for loops whose sums may be added up in any order, and so in vectors."""
    return _compile(function, frozenset({"contract", "nsz", "reassoc"}))


def _compile(function: Callable[P, R], fastmath: frozenset[str]) -> Callable[P, R]:
    try:
        kept: Callable[P, R] = njit(cache=True, nogil=True, fastmath=set(fastmath))(function)
        return kept
    except RuntimeError:  # numba found no folder that it can write to
        fresh: Callable[P, R] = njit(nogil=True, fastmath=set(fastmath))(function)
        return fresh


def warm_up() -> float:
    """Run everything that is compiled once, on a small graph; the seconds that took."""
    import torch

    from mivspool import meer
    from mivspool.pooling import MIVSPool

    start = time.perf_counter()
    edge_index = torch.tensor([[0, 1, 1, 2, 3, 3], [1, 0, 2, 1, 3, 3]])
    score = torch.rand(4)
    for edges in (edge_index, edge_index.flip(1)):
        meer.select(edges, score)
        meer.trace(edges, score, complement=True)
    with torch.no_grad():
        layer = MIVSPool(2)
        pooled = layer(torch.rand(4, 2), edge_index)
        layer(pooled.x, pooled.edge_index, pooled.edge_weight)
    return time.perf_counter() - start


if __name__ == "__main__":
    print(f"compiled in {warm_up():.1f} s")
