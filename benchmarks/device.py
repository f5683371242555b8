"""On a GPU: selection of 10⁷ edges against one read of them at the memory's measured bandwidth, and training.

An epoch of the paper's network is timed against the same on the processor, and against PyTorch Geometric's TopKPooling
network on the GPU.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from benchmarks.epoch import our_epoch, peer_epoch
from benchmarks.graphs import random_graph, uniform_score
from benchmarks.harness import Rows, document
from mivspool import meer
from mivspool.errors import MIVSPoolError
from mivspool.graphs import dataset_features, load_dataset
from mivspool.learning.batches import Resident

DATASETS = ("PROTEINS", "NCI1", "DD")


def run(cpu_time: bool = False, vertices: int = 10**7 // 3) -> dict[str, Any]:
    """The rows; none, and the reason, where there is no GPU."""
    if not torch.cuda.is_available():
        return document("device", [], False, ["there is no GPU here"])
    rows, missing = [selection(vertices)], []
    for name in DATASETS:
        try:
            rows += training(name, "cuda")
        except MIVSPoolError as error:
            missing.append(f"{name}: {error}")
    return document("device", rows, False, missing)


def training(name: str, device: str, rounds: int = 9) -> Rows:
    """An epoch on the device, beside the same on the processor and PyG's TopKPooling network on the device.

    ``equal``: whether the untrained network says the same of 100 graphs on both.
    """
    dataset = load_dataset(name)
    x, _ = dataset_features(dataset)
    epochs, said = {}, []
    for where in (device, "cpu"):
        torch.manual_seed(0)
        epochs[where], network = our_epoch("multiview", dataset, x, 1e-3, device=where)
        with torch.no_grad():
            batch = Resident(dataset, x, where).cut(range(min(100, len(dataset))))
            said.append(network.eval().of_batch(batch).logits.cpu())
    peer = peer_epoch("TopKPooling", dataset, x, 1e-3, device)[0]
    ours = _median(epochs[device], rounds)
    peers = {"the same on the processor": epochs["cpu"], "PyG TopKPooling + DataLoader": peer}
    return [
        {
            "what": f"epoch on the GPU, {name}, multiview, K = 3, 128 channels, batch 512",
            "ours_ms": ours,
            "peer": what,
            "peer_ms": (theirs := _median(call, rounds)),
            "ratio": theirs / ours,
            "equal": torch.allclose(*said, atol=1e-4) if call is epochs["cpu"] else None,
        }
        for what, call in peers.items()
    ]


def selection(vertices: int) -> dict[str, Any]:
    """The time of a selection on a random graph."""
    edges, score = random_graph(vertices), uniform_score(vertices)
    expected = meer.select(edges, score)
    edge_index, key = edges.cuda(), score.cuda()
    source = torch.empty(2**28, dtype=torch.int64, device="cuda")
    target = torch.empty_like(source)
    copy = _median(lambda: target.copy_(source))
    bandwidth = 2 * source.nbytes / copy
    found = meer.select(edge_index, key)
    ms = _median(lambda: meer.select(edge_index, key))
    limit = edge_index.nbytes / bandwidth
    return {
        "what": f"selection on the GPU, {vertices:,} vertices, {edges.size(1) // 2:,} edges",
        "ours_ms": ms,
        "peer": "one read of edge_index at the bandwidth of a copy",
        "peer_ms": limit,
        "ratio": limit / ms,
        "equal": torch.equal(found.cpu(), expected),
        "note": f"{ms / limit:.1f} times the limit; {bandwidth / 1e6:.0f} GB/s",
    }


def _median(call: Callable[[], Any], rounds: int = 11) -> float:
    call()
    times = []
    wait = torch.cuda.synchronize if torch.cuda.is_available() else lambda: None
    for _ in range(rounds):
        wait()
        start = time.perf_counter()
        call()
        wait()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)
