"""Selecting and pooling random graphs of 10⁴ to 10⁸ edges: time, peak memory, and how both grow; pyamg and networkx.

    mivspool bench large
    python -m benchmarks.large --edges 10000 100000 --write FOLDER

The graphs have a mean degree of 20, the layers 64 channels: one is given its scores, the other computes the multiview
score. Each size is measured in a process of its own, one thread. A size that would not fit into the free memory is left
out, and named.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.graphs import random_graph, uniform_score
from benchmarks.growth import ENTRIES, exponent, milliseconds
from benchmarks.harness import Rows, clock, document, keep, measured, row
from benchmarks.pooling import CHANNELS, held_by, resident
from benchmarks.selection import both_csr, fresh, pyamg_by_score
from mivspool import MIVSPool, meer
from mivspool.pooling.parts.memory import available
from mivspool.pooling.score import FirstFeature

EDGES = (10**4, 10**5, 10**6, 10**7, 10**8)
DEGREE = 20
# ten times as many take networkx half an hour
MOST_NETWORKX = 10**6
# what the child holds at most, pyamg's copies of the matrix included
BYTES_PER_EDGE = 140
OURS = {
    "edge_index": "selection from edge_index",
    "csr": "selection from CSR",
    "given": f"selection and pooling by given scores, {CHANNELS} channels",
    "layer": f"the layer with the multiview score, {CHANNELS} channels",
}
PEERS = {"pyamg": "pyamg serial, permuted", "networkx": "networkx (its own order)"}

Size = dict[str, Any]  # of what was measured of one number of edges


def run(cpu_time: bool = False, edges: tuple[int, ...] = EDGES) -> dict[str, Any]:
    """The rows: each size, then the exponents."""
    torch.set_num_threads(1)
    sizes, missing = each_size(cpu_time, edges)
    return {**document("large", rows(sizes), cpu_time, missing), "sizes": sizes}


def each_size(cpu_time: bool, edges: tuple[int, ...]) -> tuple[list[Size], list[str]]:
    """What :func:`measure` gives for each size, and what was not measured."""
    sizes, missing = [], []
    for number in edges:
        needed, free = number * BYTES_PER_EDGE, available(torch.device("cpu"))
        if needed > free:
            missing.append(f"{number:,} edges: about {needed / 1e9:.1f} GB needed, {free / 1e9:.1f} GB free")
            continue
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            sizes.append(pool.apply(measure, (number, cpu_time)))
    return sizes, missing


def measure(number: int, cpu_time: bool) -> Size:
    """Milliseconds, MiB, and whether pyamg selects the same, of random graphs of about so many edges."""
    torch.set_num_threads(1)
    now, vertices = clock(cpu_time), 2 * number // DEGREE
    # a small graph that is walked again and again is learned by heart: several, in turn
    graphs = [random_graph(vertices, DEGREE, seed) for seed in range(max(1, ENTRIES // number))]
    scores = [uniform_score(vertices, seed + 1) for seed in range(len(graphs))]
    entries, first = graphs[0].size(1), graphs[0]
    found: Size = {"vertices": vertices, "edges": entries // 2}

    def time(calls: list[Callable[[], Any]]) -> float:
        calls[0]()
        return milliseconds(calls, entries, now, 5 if number < 10**7 else 3)

    found |= _layers(graphs, scores[0], time)
    pairs = list(zip(graphs, scores, strict=True))
    found["edge_index_ms"] = time([lambda pair=pair: meer.select(*pair) for pair in pairs])
    made = [(*both_csr(graph, vertices), score) for graph, score in pairs]
    del graphs, pairs
    found["csr_ms"] = time([fresh(adjacency, score) for _, adjacency, score in made])
    matrix, adjacency, score = made[0]
    survivor = meer.select(adjacency, score)
    try:
        found["equal"] = torch.equal(survivor, pyamg_by_score(matrix, score))
        found["pyamg_ms"] = time([lambda one=one: pyamg_by_score(one[0], one[2]) for one in made])
    except ImportError:
        found["pyamg_ms"] = found["equal"] = None
    found["networkx_ms"] = _networkx(first, vertices, now) if number <= MOST_NETWORKX else None
    return found


def _layers(graphs: list[Tensor], score: Tensor, time: Callable[[list[Callable[[], Any]]], float]) -> Size:
    """The layers' milliseconds, and the MiB that they and the selection need; their features end with this call."""
    x, first, found = torch.rand(score.numel(), CHANNELS), graphs[0], Size()
    x[:, 0] = score
    layers = {"layer": MIVSPool(CHANNELS).eval(), "given": MIVSPool(CHANNELS, FirstFeature()).eval()}
    with torch.no_grad():
        for layer in layers.values():
            layer(torch.rand(100, CHANNELS), random_graph(100))
        if Path("/proc/self/clear_refs").exists():
            found["input_mib"] = (x.nbytes + first.nbytes) / 2**20
            before = resident("VmRSS") - found["input_mib"]
            found["selection_mib"] = held_by(lambda: meer.select(first, score)) - before
            for name, layer in layers.items():
                found[f"{name}_mib"] = held_by(lambda layer=layer: layer(x, first)) - before
        for name, layer in layers.items():
            found[f"{name}_ms"] = time([lambda graph=graph, layer=layer: layer(x, graph) for graph in graphs])
    return found


def _networkx(edge_index: Tensor, vertices: int, now: Callable[[], float]) -> float:
    """One call: it draws an order of its own."""
    import networkx as nx

    graph = nx.empty_graph(vertices)
    graph.add_edges_from(edge_index.t().tolist())
    nx.maximal_independent_set(nx.path_graph(10), seed=0)
    start = now()
    nx.maximal_independent_set(graph, seed=0)
    return 1000 * (now() - start)


def rows(sizes: list[Size]) -> Rows:
    """The document's rows."""
    made: Rows = []
    for one in sizes:
        of = f"{one['edges']:,} edges, {one['vertices']:,} vertices"
        for name, what in OURS.items():
            if f"{name}_ms" in one:
                made.append(row(f"{what}, {of}", one[f"{name}_ms"], _memory(one, name)))
        for name, peer in PEERS.items():
            theirs = one[f"{name}_ms"]
            if theirs is not None:
                made.append(
                    {
                        "what": f"{OURS['csr']}, {of}",
                        "ours_ms": one["csr_ms"],
                        "peer": peer,
                        "peer_ms": theirs,
                        "ratio": theirs / one["csr_ms"],
                        "equal": one["equal"] if name == "pyamg" else None,
                    }
                )
    for name, what in OURS.items():
        if (found := slope(sizes, name)) is not None:
            made.append(row(f"growth: {what}", None, f"exponent {found:.2f}", exponent=found))
    return made


def _memory(one: Size, name: str) -> str:
    """The input and the peak, where they were measured."""
    peak = one.get(f"{'selection' if name == 'edge_index' else name}_mib")
    return "" if peak is None else f"input {one['input_mib']:,.0f} MiB, peak with it {peak:,.0f} MiB"


def points(sizes: list[Size], name: str) -> list[tuple[int, float]]:
    """Edges and milliseconds of one of ``OURS`` or ``PEERS``, of the sizes where it was measured."""
    return [(one["edges"], one[f"{name}_ms"]) for one in sizes if one.get(f"{name}_ms") is not None]


def slope(sizes: list[Size], name: str) -> float | None:
    """How its time grows; None where it was not measured at two sizes."""
    found = points(sizes, name)
    return exponent(found) if len(found) > 1 else None


def main() -> None:
    """Measure, and keep what was measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edges", type=int, nargs="+", default=list(EDGES), help="default: 10⁴ to 10⁸")
    parser.add_argument("--cpu-time", action="store_true", help="CPU time instead of wall time")
    parser.add_argument("--write", type=Path, required=True, metavar="FOLDER", help="write FOLDER/large.json")
    args = parser.parse_args()
    command = f"python -m benchmarks.large {' '.join(sys.argv[1:])}"
    keep(measured(lambda: run(args.cpu_time, tuple(args.edges)), command), args.write)


if __name__ == "__main__":
    main()
