"""``python -m mivspool.warm_up``: compile everything that is compiled, ahead of the first use."""

from __future__ import annotations

import time


def warm_up() -> float:
    """Run everything that is compiled once, forward and backward, on tiny graphs; the seconds that took."""
    import torch

    from mivspool import meer
    from mivspool.arrays import compiled, threads
    from mivspool.pooling import METHODS, SCORES
    from mivspool.pooling.parts import measure, views

    start = time.perf_counter()
    compiled.end_beginning()
    edge_index = torch.tensor([[0, 1, 1, 2, 3, 3], [1, 0, 2, 1, 3, 3]])
    score = torch.rand(4)
    for edges in (
        edge_index,
        edge_index.flip(1),
        edge_index[:, :4],
    ):  # sorted, in any order, and without a loop
        meer.iterate(edges, score)
        meer.select(edges, score)
        meer.trace(edges, score, complement=True)
    with threads.splitting(2), views.blocks(1):
        pooled = METHODS["mivspool"].make(2)(torch.rand(4, 2), edge_index)
        meer.trace(pooled.adjacency, torch.ones(pooled.adjacency.num_nodes))
    for name, entry in METHODS.items():
        for options in [{"score": other} for other in SCORES] if name == "mivspool" else [{}]:
            layer = entry.make(2, **options)
            first = layer(torch.rand(4, 2, requires_grad=True), edge_index)
            second = layer(first.x, first.edge_index, first.edge_weight, first.batch)
            matrix = second.adjacency.normalised(use_weights=True, use_diagonal=True)
            seen = matrix @ second.x
            if seen.requires_grad:
                seen.sum().backward()
            measure.structure(first.adjacency)
    _train()
    return time.perf_counter() - start


def _train() -> None:
    """One epoch of the paper's network on triangles and paths."""
    import numpy as np

    from mivspool.graphs.dataset import Dataset
    from mivspool.learning.runs import RunConfig
    from mivspool.learning.training import train

    count, pair = 40, np.array([[0, 0, 1], [1, 2, 2]], dtype=np.int64)
    # three vertices per graph; every second one is a path, which has no edge between 1 and 2
    edges = np.concatenate([pair[:, : 3 - i % 2] + 3 * i for i in range(count)], axis=1)
    edge_ptr = np.concatenate([[0], np.cumsum([3 - i % 2 for i in range(count)])])
    graphs = Dataset(
        "warm-up", np.arange(count + 1) * 3, edges, edge_ptr, None, None, None, (),
        np.arange(count) % 2, ("triangle", "path"),
    )  # fmt: skip
    train(RunConfig("warm-up", blocks=2, hidden=4, max_epochs=1), dataset=graphs)


if __name__ == "__main__":
    print(f"compiled in {warm_up():.1f} s")
