"""Write a data set in the layout of the TU data sets."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mivspool.graphs.dataset import Dataset


def write_tu(dataset: Dataset, folder: Path) -> Path:
    """The folder, with one file per part."""
    folder.mkdir()
    both = np.concatenate([dataset.edges, dataset.edges[::-1]], axis=1) + 1
    indicator = np.repeat(np.arange(len(dataset)), dataset.num_nodes) + 1
    parts = {
        "A": [f"{u}, {v}" for u, v in both.T.tolist()],
        "graph_indicator": indicator.tolist(),
        "graph_labels": dataset.target.tolist(),
        "node_labels": [] if dataset.node_label is None else dataset.node_label.tolist(),
    }
    for part, lines in parts.items():
        if lines:
            text = "".join(f"{line}\n" for line in lines)
            (folder / f"{dataset.name}_{part}.txt").write_text(text, encoding="utf-8")
    return folder
