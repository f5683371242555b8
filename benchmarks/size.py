"""How much of a data set's accuracy is the size of its graphs: the protocol's runs with other inputs.

A network that sums features over a graph knows how many vertices it has; one that reads mean ‖ max does not. Inputs:
``plain``: the protocol's; ``means``: divided by the graph's number of vertices, so that sums are means; ``size``: the
same number at every vertex and nothing else, so that a sum is the size; ``told``: the protocol's, and the size as one
feature more.

    python -m benchmarks.size DD [--methods structure-blind] [--inputs plain means size] [--folds 0 1 2]
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np

from mivspool.graphs import dataset_features, load_dataset
from mivspool.graphs.dataset import Dataset
from mivspool.learning.runs import RunConfig, parse_method
from mivspool.learning.statistics import paired, sentence
from mivspool.learning.training import train

Input = Callable[[np.ndarray, np.ndarray], np.ndarray]

# of features [N, d] and the relative size of each vertex's graph [N, 1], 1 on average
INPUTS: dict[str, Input] = {
    "plain": lambda x, size: x,
    "means": lambda x, size: x / size,
    "size": lambda x, size: np.ones_like(size),
    "told": lambda x, size: np.concatenate([x, size], axis=1),
}


def accuracies(dataset: Dataset, method: str, given: str, folds: list[int]) -> dict[tuple[int, int], float]:
    """Test accuracy in percent by (repeat, fold) of the reference configuration with this input."""
    vertices = np.repeat(dataset.num_nodes, dataset.num_nodes).astype(np.float32)
    size = (vertices / np.float32(dataset.num_nodes.mean()))[:, None]

    def features(*args: Any, **kwargs: Any) -> Any:
        x, schema = dataset_features(*args, **kwargs)
        return INPUTS[given](x, size).astype(np.float32), schema

    name, score = parse_method(method)
    found = {}
    with mock.patch("mivspool.learning.training.dataset_features", features):
        for fold in folds:
            config = RunConfig(dataset.name, method=name, score=score, repeat=0, fold=fold, threads=1)
            found[0, fold] = 100 * train(config, dataset=dataset).test_accuracy
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dataset")
    parser.add_argument("--methods", nargs="+", default=["structure-blind"])
    parser.add_argument("--inputs", nargs="+", default=["plain", "means", "size"], choices=list(INPUTS))
    parser.add_argument("--folds", nargs="+", type=int, default=list(range(10)))
    args = parser.parse_args()
    dataset = load_dataset(args.dataset)
    for method in args.methods:
        runs: dict[str, dict[tuple[int, int], float]] = {}
        for given in args.inputs:
            runs[given] = accuracies(dataset, method, given, args.folds)
            mean = statistics.mean(runs[given].values())
            print(f"{dataset.name}, {method}, {given}: {mean:.1f} % ({len(runs[given])} folds)", flush=True)
        first, *others = args.inputs
        for other in others:
            comparison = paired(runs[first], runs[other])
            if comparison is not None:
                print(f"  {sentence(first, other, comparison)}", flush=True)


if __name__ == "__main__":
    main()
