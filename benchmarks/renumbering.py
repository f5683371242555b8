"""How often the numbering of the vertices decides who survives: the order's key by rounding alone, with the neighbours
(``meer.learned_key``), and refined until nothing more can be told apart (1-WL).

    python -m benchmarks.renumbering [--datasets IMDB-BINARY PROTEINS MUTAG NCI1] [--graphs 400] [--json]

Each graph is scored and pooled once as it is and once renumbered at random, the survivors are carried back and
compared; in brackets, the graphs whose readout of the first level changes too. "untrained": the attention score after
one GCN, as initialised; "trained": the first level of the released model DATASET-mivspool, where there is one.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mivspool import meer
from mivspool.arrays.segments import readout
from mivspool.errors import MIVSPoolError
from mivspool.graphs import dataset_features, load_dataset
from mivspool.graphs.dataset import Dataset
from mivspool.learning.batches import Batch, Resident
from mivspool.learning.network import Classifier, NetworkConfig
from mivspool.sparse import Adjacency

Key = Callable[[Tensor, Adjacency], Tensor]


def rounding(score: Tensor, adjacency: Adjacency) -> Tensor:
    """What is compared of a learned value first, and nothing else."""
    return meer.rounded(score)


def refined(score: Tensor, adjacency: Adjacency) -> Tensor:
    """Colour refinement from the rounded score and the degree until no class splits; the order of the score is kept."""
    start = torch.stack([rounding(score, adjacency), adjacency.degree], 1)
    colour = torch.unique(start, dim=0, return_inverse=True)[1].tolist()
    rowptr, col = adjacency.rowptr.tolist(), adjacency.col.tolist()
    classes = len(set(colour))
    while True:
        seen = [
            (own, tuple(sorted(colour[u] for u in col[rowptr[v] : rowptr[v + 1]])))
            for v, own in enumerate(colour)
        ]
        place = {value: i for i, value in enumerate(sorted(set(seen)))}
        colour = [place[value] for value in seen]
        if len(place) == classes:
            return torch.tensor(colour)
        classes = len(place)


KEYS: dict[str, Key] = {"rounding alone": rounding, "learned_key": meer.learned_key, "refined": refined}


def renumbered(dataset: Dataset, x: np.ndarray, seed: int) -> tuple[Dataset, np.ndarray, np.ndarray]:
    """The data set with each graph's vertices in a random order; ``new`` [N] is where each vertex went."""
    rng = np.random.default_rng(seed)
    new = np.empty(len(x), dtype=np.int64)
    for start, end in zip(dataset.ptr[:-1], dataset.ptr[1:], strict=True):
        new[start:end] = start + rng.permutation(end - start)
    edges = np.sort(new[dataset.edges], axis=0)
    graph = np.searchsorted(dataset.ptr, edges[0], side="right")
    edges = edges[:, np.lexsort((edges[1], edges[0], graph))]
    moved = np.empty_like(x)
    moved[new] = x
    return (
        replace(dataset, edges=edges, node_label=None, node_attributes=None, attribute_names=()),
        moved,
        new,
    )


def first_level(network: Classifier, batch: Batch, key: Key) -> tuple[Tensor, Tensor]:
    """The survivors of the first level, bool [N], and its readout, [B, 2C]."""
    pooling: Any = network.poolings[0]
    with torch.no_grad():
        x = network.convolutions[0](batch.propagated, None)
        value = pooling.scorer.compared(x, batch.adjacency, batch.batch, batch.batch_size)
        score, order = pooling.scorer.squash(value), key(value, batch.adjacency)
        chosen = pooling.select_by(score, order, batch.adjacency, batch.batch, batch.batch_size)
        return chosen.survivor, readout(pooling.reduce(x, chosen), chosen.batch, batch.batch_size)


def changed(network: Classifier, dataset: Dataset, graphs: np.ndarray, seed: int = 0) -> dict[str, Any]:
    """By key: the graphs whose survivors change, and those whose first readout (mean ‖ max) changes with them."""
    x, _ = dataset_features(dataset)
    other, moved, new = renumbered(dataset, x, seed)
    batches = [Resident(dataset, x).cut(graphs), Resident(other, moved).cut(graphs)]
    batch = batches[0].batch
    start = torch.cat(
        [torch.from_numpy(new[dataset.ptr[g] : dataset.ptr[g + 1]]) - dataset.ptr[g] for g in graphs]
    )
    first = torch.cumsum(torch.bincount(batch), 0) - torch.bincount(batch)
    place = start + first[batch]
    counts: dict[str, Any] = {}
    for name, key in KEYS.items():
        kept, seen = zip(*(first_level(network, one, key) for one in batches), strict=True)
        survivors = torch.unique(batch[kept[0] != kept[1][place]]).numel()
        readouts = int(((seen[0] - seen[1]).abs().amax(1) > 1e-4).sum())
        counts[name] = (int(survivors), readouts)
    return counts


def networks(name: str, in_channels: int, classes: int) -> dict[str, Classifier]:
    torch.manual_seed(0)
    config = NetworkConfig(in_channels, classes, score="attention", blocks=1)
    found = {"untrained attention": Classifier(config).eval()}
    try:
        from mivspool.learning.models import load_model

        found["trained multiview"] = load_model(f"{name.lower()}-mivspool").classifier
    except MIVSPoolError:
        pass
    return found


def run(datasets: list[str], most: int) -> list[dict[str, Any]]:
    rows = []
    for name in datasets:
        dataset = load_dataset(name)
        rng = np.random.default_rng(0)
        graphs = np.sort(rng.permutation(len(dataset))[:most])
        width = dataset_features(dataset)[1].num_features
        for what, network in networks(name, width, len(dataset.classes)).items():
            rows.append(
                {"dataset": name, "graphs": len(graphs), "score": what, **changed(network, dataset, graphs)}
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--datasets", nargs="+", default=["IMDB-BINARY", "PROTEINS", "MUTAG", "NCI1"])
    parser.add_argument("--graphs", type=int, default=400)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = run(args.datasets, args.graphs)
    if args.json:
        print(json.dumps({"name": "renumbering", "rows": rows}))
        return
    print(f"{'data set':<13}{'score':<22}{'graphs':>7}" + "".join(f"{name:>17}" for name in KEYS))
    for row in rows:
        print(
            f"{row['dataset']:<13}{row['score']:<22}{row['graphs']:>7}"
            + "".join(f"{'{} ({})'.format(*row[name]):>17}" for name in KEYS)
        )


if __name__ == "__main__":
    main()
