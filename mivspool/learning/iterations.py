"""Table 3 with uniform scores: Meer's iterations of every graph, level by level, kept on disk."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from mivspool.files import whole
from mivspool.graphs import load_dataset
from mivspool.graphs.dataset import Dataset
from mivspool.pooling import MIVSPool
from mivspool.settings import private_folder, settings
from mivspool.sparse import Adjacency

log = logging.getLogger(__name__)

SEEDS = (0, 1, 2)
_CACHE_VERSION = 1


@dataclass(frozen=True)
class Iterations:
    """T + 1 of one level: mean and sample standard deviation over all graphs and seeds."""

    mean: float
    std: float


def count_iterations(
    dataset: Dataset, levels: int, seed: int
) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """T + 1 of each graph at each level: ``levels`` arrays int64 [G]. Scores are drawn from (seed, level).

    The whole data set is pooled as one block-diagonal graph; a graph's count does not depend on the others.
    """
    edges = torch.from_numpy(dataset.edges)
    adjacency = Adjacency.from_edge_index(
        torch.cat([edges, edges.flip(0)], 1), num_nodes=int(dataset.ptr[-1])
    )
    batch = torch.repeat_interleave(torch.from_numpy(dataset.num_nodes))
    counts = []
    for level in range(levels):
        pooling = MIVSPool(1, "uniform", seed=seed, level=level).eval()
        selection = pooling.select(torch.zeros(batch.numel(), 1), adjacency, batch, len(dataset))
        assert selection.num_iterations is not None
        counts.append(selection.num_iterations.numpy() + 1)
        adjacency, batch = pooling.connect(adjacency, selection), selection.batch
    return counts


def uniform_iterations(name: str, levels: int, seeds: Sequence[int] = SEEDS) -> list[Iterations]:
    """The row of Table 3 of a registered data set: one figure a level, computed once and kept under the home.

    Raises DatasetError where the data set cannot be had.
    """
    path = (
        settings().home
        / "tables"
        / f"iterations-{name}-{levels}-{'-'.join(map(str, seeds))}.v{_CACHE_VERSION}.json"
    )
    kept = _read(path)
    if kept is not None and len(kept) == levels:
        return kept
    dataset = load_dataset(name)
    by_seed = [count_iterations(dataset, levels, seed) for seed in seeds]
    row = []
    for level in range(levels):
        counts = np.concatenate([counts[level] for counts in by_seed])
        row.append(Iterations(float(counts.mean()), float(counts.std(ddof=1))))
    _write(path, row)
    return row


def _read(path: Path) -> list[Iterations] | None:
    try:
        return [Iterations(**level) for level in json.loads(path.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        log.warning("%s is damaged and is rebuilt: %s", path, error)
        return None


def _write(path: Path, row: list[Iterations]) -> None:
    """Written at once or not at all; a home that cannot be written to costs time later, not the table."""
    try:
        private_folder(path.parent)
        with whole(path) as file:
            file.write(json.dumps([asdict(level) for level in row]).encode())
    except OSError as error:
        log.warning("the iterations could not be kept under %s: %s", path.parent, error)
