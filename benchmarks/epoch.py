"""One training epoch of the paper's network against PyTorch Geometric's TopKPooling and SAGPooling networks.

The same graphs, features, batch size, width, depth, readout, MLP, loss and optimiser; theirs with PyG's DataLoader,
ours with the data resident. Each in turn, several times, in one process.

    python -m benchmarks.epoch [--datasets PROTEINS NCI1] [--rounds 9] [--cpu-time] [--plain-malloc] [--json]

By one thread and by all (OMP_NUM_THREADS names another number).
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.harness import Rows, by_threads, clock, document
from mivspool.cli.bench import describe
from mivspool.errors import MIVSPoolError
from mivspool.graphs import dataset_features, load_dataset
from mivspool.learning.batches import Resident
from mivspool.learning.memory import keep_buffers
from mivspool.learning.network import Classifier
from mivspool.learning.runs import RunConfig
from mivspool.learning.training import train_epoch

BLOCKS, HIDDEN, BATCH = 3, 128, 512
PEERS = ("TopKPooling", "SAGPooling")
DATASETS = ("PROTEINS", "NCI1", "ENZYMES", "DD")


class Peer(nn.Module):
    """The same network with a pooling layer of PyTorch Geometric."""

    def __init__(self, pooling: str, in_channels: int, num_classes: int) -> None:
        from torch_geometric import nn as pyg

        super().__init__()
        self.mean, self.max = pyg.global_mean_pool, pyg.global_max_pool
        widths = [in_channels] + [HIDDEN] * (BLOCKS - 1)
        self.convolutions = nn.ModuleList(pyg.GCNConv(width, HIDDEN) for width in widths)
        self.poolings = nn.ModuleList(getattr(pyg, pooling)(HIDDEN, ratio=0.5) for _ in widths)
        self.mlp = nn.Sequential(
            nn.Linear(2 * HIDDEN, 128), nn.ReLU(), nn.Dropout(0.5),
            nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, num_classes),
        )  # fmt: skip

    def forward(self, x: Tensor, edge_index: Tensor, batch: Tensor, batch_size: int) -> Tensor:
        readout: Any = 0
        for convolution, pooling in zip(self.convolutions, self.poolings, strict=True):
            x = convolution(x, edge_index).relu()
            x, edge_index, _, batch, *_ = pooling(x, edge_index, batch=batch)
            readout = readout + torch.cat(
                [self.mean(x, batch, batch_size), self.max(x, batch, batch_size)], dim=1
            )
        return self.mlp(readout)


def peer_epoch(
    pooling: str, dataset: Any, x: np.ndarray, lr: float, device: str = "cpu"
) -> tuple[Callable[[], None], nn.Module]:
    from torch_geometric.data import Data
    from torch_geometric.loader import DataLoader

    items = []
    for i in range(len(dataset)):
        start, end = dataset.ptr[i], dataset.ptr[i + 1]
        edges = dataset.edges[:, dataset.edge_ptr[i] : dataset.edge_ptr[i + 1]] - start
        both = torch.from_numpy(np.concatenate([edges, edges[::-1]], axis=1))
        items.append(
            Data(x=torch.from_numpy(x[start:end]), edge_index=both, y=torch.tensor([dataset.target[i]]))
        )
    loader = DataLoader(items, batch_size=BATCH, shuffle=True)
    network = Peer(pooling, x.shape[1], len(dataset.classes)).to(device).train()
    optimiser = torch.optim.Adam(network.parameters(), lr=lr, fused=True)

    def epoch() -> None:
        for data in loader:
            if device != "cpu":
                data = data.to(device)
            optimiser.zero_grad()
            logits = network(data.x, data.edge_index, data.batch, data.num_graphs)
            functional.cross_entropy(logits, data.y).backward()
            optimiser.step()

    return epoch, network


def our_epoch(
    score: str | None,
    dataset: Any,
    x: np.ndarray,
    lr: float,
    method: str = "mivspool",
    device: str = "cpu",
) -> tuple[Callable[[], float], Classifier]:
    """An epoch, which gives its mean loss, and the network."""
    config = RunConfig(
        dataset.name,
        method=method,
        score=score,
        blocks=BLOCKS,
        hidden=HIDDEN,
        batch_size=BATCH,
        use_weights=False,
    )
    data = Resident(dataset, x, device)
    network = Classifier(config.architecture(x.shape[1], len(dataset.classes))).to(device)
    optimiser = torch.optim.Adam(network.parameters(), lr=lr, fused=True)
    graphs = np.arange(len(dataset))
    return lambda: train_epoch(network, optimiser, data, graphs, BATCH)[0], network


def same_convolution(ours: Classifier, peer: Peer, dataset: Any, x: np.ndarray) -> bool:
    """Whether both networks' first convolution agrees, given the same weights, on the whole data set."""
    with torch.no_grad():
        data = Resident(dataset, x)
        batch = data.cut(np.arange(len(dataset)))
        first = peer.convolutions[0]
        first.lin.weight.copy_(ours.convolutions[0].weight.T)
        first.bias.copy_(ours.convolutions[0].bias)
        theirs = first(batch.x, batch.adjacency.edge_index).relu()
        return torch.allclose(ours.convolutions[0](batch.propagated, None), theirs, atol=1e-5)


def floor(dataset: Any, x: np.ndarray, rounds: int, now: Callable[[], float]) -> float:
    """ms of what no epoch can do without: the dense products forward and backward, one pass over the activations.

    The number of vertices at each level is taken from MIVSPool with uniform scores; of vertices that share a row of the
    first product, one counts.
    """
    data = Resident(dataset, x)
    network = our_epoch("uniform", dataset, x, 1e-3)[1].eval()
    batches = [data.cut(part) for part in np.array_split(np.arange(len(dataset)), -(-len(dataset) // BATCH))]
    sizes = []
    for batch in batches:
        out = network.of_batch(batch)
        first = batch.vertex if batch.kind is None else batch.kind.unique()
        sizes.append([first.numel()] + [level.x.size(0) for level in out.levels[:-1]])

    def once() -> None:
        for levels in sizes:
            for level, n in enumerate(levels):
                h = torch.ones(n, x.shape[1] if level == 0 else HIDDEN)
                weight = torch.ones(h.size(1), HIDDEN)
                y = (h @ weight).relu_()
                h.T @ y
                if level:
                    y @ weight.T

    return 1000 * statistics.median(_time(once, now) for _ in range(rounds))


def measure(name: str, rounds: int, now: Callable[[], float], score: str = "multiview") -> Rows:
    dataset = load_dataset(name)
    x, _ = dataset_features(dataset)
    torch.manual_seed(0)
    ours, network = our_epoch(score, dataset, x, 1e-3)
    peers = {pooling: peer_epoch(pooling, dataset, x, 1e-3) for pooling in PEERS}
    equal = all(same_convolution(network, peer, dataset, x) for _, peer in peers.values())
    times: dict[str, list[float]] = {"ours": [], **{pooling: [] for pooling in PEERS}}
    for turn in range(rounds + 2):
        for what, epoch in (("ours", ours), *((pooling, peers[pooling][0]) for pooling in PEERS)):
            gc.collect()
            seconds = _time(epoch, now)
            if turn >= 2:  # the first two turns compile and warm up
                times[what].append(seconds)
    ours_ms = 1000 * statistics.median(times["ours"])
    least = floor(dataset, x, rounds, now)
    return [
        {
            "what": f"epoch, {name}, {score}, K = {BLOCKS}, {HIDDEN} channels, batch {BATCH}",
            "ours_ms": ours_ms,
            "peer": f"PyG {pooling} + DataLoader",
            "peer_ms": 1000 * statistics.median(times[pooling]),
            "ratio": statistics.median(times[pooling]) * 1000 / ours_ms,
            "equal": equal,
            "floor_ms": least,
            "note": f"{ours_ms / least:.1f} times the floor ({least:.0f} ms)",
        }
        for pooling in PEERS
    ]


def run(
    cpu_time: bool = False,
    datasets: Sequence[str] = DATASETS,
    rounds: int = 9,
    plain_malloc: bool = False,
) -> dict[str, Any]:
    """A row for each data set and peer."""
    if not plain_malloc:
        keep_buffers()  # as our training does: in one process, theirs gains from it too
    rows, missing = [], []
    for name in datasets:
        try:
            rows += by_threads(lambda name=name: measure(name, rounds, clock(cpu_time)), cpu_time)
        except MIVSPoolError as error:
            missing.append(f"{name}: {error}")
    return document("epoch", rows, cpu_time, missing)


def _time(call: Callable[[], None], now: Callable[[], float]) -> float:
    start = now()
    call()
    return now() - start


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--datasets", nargs="+", default=DATASETS)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument(
        "--cpu-time", action="store_true", help="processor time: for a machine that others use"
    )
    parser.add_argument("--plain-malloc", action="store_true", help="without what training tells malloc")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    made = run(args.cpu_time, args.datasets, args.rounds, args.plain_malloc)
    if args.json:
        print(json.dumps(made))
    else:
        describe(made)


if __name__ == "__main__":
    main()
