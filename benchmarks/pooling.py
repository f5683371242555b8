"""The pooling layer: forward on a large graph against torch-geometric-pool's KMIS, forward and backward on a batch
against PyTorch Geometric's layers, and the memory that pooling a million vertices takes. By one thread and by all.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks.graphs import random_graph
from benchmarks.harness import by_threads, compare, document, row
from mivspool import MIVSPool
from mivspool.pooling import METHODS

CHANNELS = 64


def run(cpu_time: bool = False, vertices: int = 10**5, memory_vertices: int = 10**6) -> dict[str, Any]:
    """The rows."""
    rows, missing = [], []
    try:
        rows += by_threads(lambda: against_kmis(vertices, cpu_time), cpu_time)
    except ImportError as error:
        missing.append(f"torch-geometric-pool ({error}): pip install --no-deps torch-geometric-pool")
    rows += by_threads(lambda: against_pyg(cpu_time), cpu_time)
    rows += memory(memory_vertices)
    return document("pooling", rows, cpu_time, missing)


def against_kmis(n: int, cpu_time: bool) -> list[dict[str, Any]]:
    from benchmarks.scatter import stand_in

    stand_in()
    from tgp.poolers import get_pooler

    torch.manual_seed(0)
    x, edge_index = torch.randn(n, CHANNELS), random_graph(n)
    peer = get_pooler("kmis", in_channels=CHANNELS, scorer="linear").eval()
    kmis = METHODS["kmis-1"].make(CHANNELS).eval()
    kmis.linear.weight.data.copy_(peer.selector.lin.weight.data)
    kmis.linear.bias.data.copy_(peer.selector.lin.bias.data)

    def theirs() -> Tensor:
        with torch.no_grad():
            return peer(x, adj=edge_index).x

    def same(ours: Tensor, their: Tensor) -> bool:
        # theirs come in the order of the survivors' ranks or indices: compare the rows as sets
        return ours.shape == their.shape and torch.allclose(
            ours.sort(dim=0).values, their.sort(dim=0).values, rtol=1e-3, atol=1e-3
        )

    rows = []
    for title, layer, check in (
        ("our KMIS", kmis, same),
        ("MIVSPool, multiview score", MIVSPool(CHANNELS).eval(), None),
        ("MIVSPool, projection score", MIVSPool(CHANNELS, score="projection").eval(), None),
    ):
        rows += compare(
            f"{title}: layer forward from edge_index, {n:,} vertices, {CHANNELS} channels",
            _forward(layer, x, edge_index),
            {"torch-geometric-pool KMIS": theirs},
            check,
            rounds=21,
            cpu_time=cpu_time,
        )
    return rows


def _forward(layer: nn.Module, x: Tensor, edge_index: Tensor) -> Callable[[], Tensor]:
    def forward() -> Tensor:
        with torch.no_grad():
            pooled: Tensor = layer(x, edge_index).x
            return pooled

    return forward


def against_pyg(cpu_time: bool, graphs: int = 128, channels: int = 128) -> list[dict[str, Any]]:
    from torch_geometric import nn as pyg

    parts, sizes = [], []
    for seed in range(graphs):
        n = 20 + seed % 41
        parts.append(random_graph(n, degree=4, seed=seed) + sum(sizes))
        sizes.append(n)
    edge_index, batch = torch.cat(parts, dim=1), torch.repeat_interleave(torch.tensor(sizes))
    x = torch.randn(sum(sizes), channels, requires_grad=True)

    def both_ways(layer: nn.Module, pooled: Callable[[], Tensor]) -> Callable[[], None]:
        def step() -> None:
            layer.zero_grad(set_to_none=True)
            x.grad = None
            pooled().square().sum().backward()

        return step

    peers = {}
    for name in ("SAGPooling", "TopKPooling"):
        layer = getattr(pyg, name)(channels, ratio=0.5)
        peers[f"PyG {name}"] = both_ways(layer, lambda layer=layer: layer(x, edge_index, batch=batch)[0])
    rows = []
    for score in ("attention", "multiview"):
        ours = MIVSPool(channels, score=score)
        rows += compare(
            f"MIVSPool, {score} score: layer forward and backward from edge_index, "
            f"{graphs} graphs, {len(batch):,} vertices, {channels} channels",
            both_ways(ours, lambda ours=ours: ours(x, edge_index, batch=batch, batch_size=graphs).x),
            peers,
            rounds=31,
            cpu_time=cpu_time,
        )
    return rows


def memory(n: int) -> list[dict[str, Any]]:
    """Peak memory of one forward pass in a process of its own, the input included."""
    import multiprocessing

    if not Path("/proc/self/clear_refs").exists():
        return []
    rows = []
    for gradient in (False, True):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            given, peak = pool.apply(peak_memory, (n, gradient))
        way = "forward, with what the gradient needs" if gradient else "forward"
        rows.append(
            row(
                f"peak memory of MIVSPool ({way}), {n:,} vertices, {CHANNELS} channels",
                None,
                f"input {given:.0f} MiB (features and edges), peak with it {peak:.0f} MiB: "
                f"{peak / given:.2f} times",
                times_input=peak / given,
            )
        )
    return rows


def peak_memory(n: int, gradient: bool) -> tuple[float, float]:
    """MiB of the input (x and edge_index), and the peak above what the process had before it."""
    torch.set_num_threads(1)
    layer = MIVSPool(CHANNELS)
    layer(torch.randn(100, CHANNELS), random_graph(100))
    edge_index = random_graph(n)
    before = resident("VmRSS") - edge_index.nbytes / 2**20
    x = torch.randn(n, CHANNELS)
    given = (x.nbytes + edge_index.nbytes) / 2**20
    with torch.set_grad_enabled(gradient):
        return given, held_by(lambda: layer(x, edge_index)) - before


def held_by(call: Callable[[], Any]) -> float:
    """MiB: what the process held at most during a call, with what the call returns."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    made = call()
    peak = resident("VmHWM")
    del made
    return peak


def resident(what: str) -> float:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(what):
            return int(line.split()[1]) / 1024
    raise OSError(f"/proc/self/status does not say {what}")
