"""What it costs to record a pass of the watched graphs, its JSON included, beside the epoch that it belongs to."""

from __future__ import annotations

import json
import math
from itertools import count
from typing import Any

import torch
from torch.nn import functional

from benchmarks.harness import compare, document
from mivspool.graphs import load_dataset
from mivspool.learning.network import Classifier, Forward
from mivspool.learning.record import Watch, begin
from mivspool.learning.runs import RunConfig
from mivspool.learning.training import prepare, train_epoch

DATASETS = ("MAO", "PROTEINS")


def run(cpu_time: bool = False, rounds: int = 41) -> dict[str, Any]:
    """A row for each data set: one graph of each class is watched, with the settings of the paper's network."""
    torch.set_num_threads(1)
    return document(
        "recording", [row for name in DATASETS for row in _rows(name, cpu_time, rounds)], cpu_time
    )


def _rows(name: str, cpu_time: bool, rounds: int) -> list[dict[str, Any]]:
    config = RunConfig(name)
    dataset = load_dataset(name)
    parts, schema, data = prepare(config, dataset, torch.device("cpu"))
    torch.manual_seed(config.run_seed)
    network = Classifier(config.architecture(data.x.size(1), len(dataset.classes)))
    optimiser = torch.optim.Adam(
        network.parameters(), lr=config.lr, weight_decay=config.weight_decay, fused=True
    )
    validation = data.cut(parts.validation)
    recorder = begin(Watch(), dataset, parts, schema, config.batch_size)
    assert recorder is not None
    epochs = count()

    def evaluate() -> Forward:
        network.eval()
        with torch.no_grad():
            return network.of_batch(validation)

    def epoch() -> None:
        train_epoch(network, optimiser, data, parts.train, config.batch_size)
        passes[:] = [evaluate()]
        float(functional.cross_entropy(passes[0].logits, validation.target))

    passes: list[Forward] = []

    def record() -> str:
        recorder.note(next(epochs), 0, network, [(validation, passes[-1])])
        return json.dumps(recorder.record.entries[-1], separators=(",", ":"))

    epoch()
    rows = compare(
        f"recording an epoch, {name}", record, {"the epoch itself": epoch}, rounds=rounds, cpu_time=cpu_time
    )
    size = sum(len(json.dumps(entry)) for entry in recorder.record.entries) / len(recorder.record.entries)
    for row in rows:
        share = 100 * row["ours_ms"] / row["peer_ms"] if row["peer_ms"] else math.nan
        row["note"] = f"{share:.1f} % of an epoch, {size:.0f} bytes"
    return rows
