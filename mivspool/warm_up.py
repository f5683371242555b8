"""``python -m mivspool.warm_up``: compile everything that is compiled, ahead of the first use."""

from __future__ import annotations

import time


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
