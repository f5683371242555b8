"""What a learned score that sees the weights of A' changes above level 0, and what it costs.

    python -m benchmarks.score_weights [--datasets MAO ENZYMES PROTEINS NCI1] [--graphs 400] [--seeds 5]

Each graph is pooled once by the score as it is. Its reduced graph is then pooled by the score as it is and by the same
one with ``use_weights``, both with the same untrained weights: in how many of these graphs other vertices survive, how
many vertices that are, and how the processor times compare. Means over the seeds.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mivspool.graphs import dataset_features, load_dataset
from mivspool.learning.batches import Batch, Resident
from mivspool.pooling import MIVSPool, Pooled
from mivspool.pooling.score import SCORES
from mivspool.sparse import Adjacency

COMPARED = ("multiview", "attention")


def compared(score: str, batch: Batch, seeds: int) -> tuple[float, float, float]:
    """The shares of graphs and of vertices of level 1 whose survivors differ, and the ratio of the times."""
    graphs, vertices, taken = [], [], np.zeros(2)
    for seed in range(seeds):
        below = _pooled(score, False, seed, batch.x, batch.adjacency, batch.batch, batch.batch_size)[0]
        given = (below.x, below.adjacency, below.batch, batch.batch_size)
        (plain, own), (weighted, theirs) = (_pooled(score, sees, seed, *given) for sees in (False, True))
        taken += (own, theirs)
        assert plain.survivor is not None
        assert weighted.survivor is not None
        other = plain.survivor != weighted.survivor
        vertices.append(float(other.double().mean()))
        graphs.append(torch.unique(below.batch[other]).numel() / batch.batch_size)
    return float(np.mean(graphs)), float(np.mean(vertices)), float(taken[1] / taken[0])


def _pooled(
    score: str, sees: bool, seed: int, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int
) -> tuple[Pooled, float]:
    """One pooling, and its processor time in seconds, the second time that it is done."""
    torch.manual_seed(seed)
    kind: Any = SCORES[score]
    layer = MIVSPool(x.size(1), kind(x.size(1), use_weights=sees)).eval()
    with torch.no_grad():
        layer.pool(x, adjacency, batch, batch_size)
        start = time.process_time()
        pooled = layer.pool(x, adjacency, batch, batch_size)
        return pooled, time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--datasets", nargs="+", default=["MAO", "ENZYMES", "PROTEINS", "NCI1"])
    parser.add_argument("--graphs", type=int, default=400)
    parser.add_argument("--seeds", type=int, default=5)
    args = parser.parse_args()
    print("| data set | score | graphs that differ, % | vertices that differ, % | processor time, ratio |")
    print("| --- | --- | --- | --- | --- |")
    for name in args.datasets:
        dataset = load_dataset(name)
        chosen = np.linspace(0, len(dataset) - 1, min(args.graphs, len(dataset))).round().astype(np.int64)
        batch = Resident(dataset, dataset_features(dataset)[0]).cut(chosen)
        for score in COMPARED:
            graphs, vertices, ratio = compared(score, batch, args.seeds)
            print(
                f"| {name} | {score} | {100 * graphs:.1f} | {100 * vertices:.1f} | {ratio:.1f} |", flush=True
            )


if __name__ == "__main__":
    main()
