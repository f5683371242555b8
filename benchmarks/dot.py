"""How long large DOT files take to read: files of each kind that programs write, in turn.

    python -m benchmarks.dot [--megabytes 6.6] [--rounds 3] [--write FOLDER]

Against another version of this project: the same command with the other checkout on PYTHONPATH and this file's path.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from mivspool.graphs.read import read_graphs


def _plain(rng: random.Random, n: int) -> Iterator[str]:
    """An undirected graph of bare words, as scripts write it."""
    yield "graph G {\n"
    while True:
        yield f"  v{rng.randrange(n)} -- v{rng.randrange(n)};\n"


def _attributes(rng: random.Random, n: int) -> Iterator[str]:
    """Quoted ids, vertices with labels first, then edges with a weight and a colour: call graphs, dependencies."""
    yield 'digraph "dependencies" {\n\trankdir=LR;\n\tnode [shape=box, fontsize=10];\n'
    for i in range(n):
        yield f'\t"pkg/{i:06}" [label="package {i}", group={i % 7}];\n'
    while True:
        weight = rng.randrange(1, 100) / 4
        u, v, shade = rng.randrange(n), rng.randrange(n), rng.randrange(10, 100)
        yield f'\t"pkg/{u:06}" -> "pkg/{v:06}" [weight={weight}, color="#aa{shade}00"];\n'


def _bare(rng: random.Random, n: int) -> Iterator[str]:
    """As pydot and networkx write it: numbers as ids, no semicolon after an edge."""
    yield "strict graph {\n"
    for i in range(n):
        yield f"{i};\n"
    while True:
        yield f"{rng.randrange(n)} -- {rng.randrange(n)}  [key=0, weight={rng.random():.4f}]\n"


def _layout(rng: random.Random, n: int) -> Iterator[str]:
    """As Graphviz itself writes a graph that it has laid out: attributes over several lines."""
    yield 'graph {\n\tgraph [bb="0,0,900,900"];\n\tnode [label="\\N"];\n'
    for i in range(n):
        yield f'\t{i}\t[height=0.5,\n\t\tpos="{rng.random() * 900:.2f},{rng.random() * 900:.2f}",\n\t\twidth=0.75];\n'
    while True:
        u, v = rng.randrange(n), rng.randrange(n)
        yield f'\t{u} -- {v}\t[pos="{u}.5,{v} {u}.7,{v} {v}.1,{u} {v}.5,{u}"];\n'


KINDS: dict[str, Callable[[random.Random, int], Iterator[str]]] = {
    "plain": _plain,
    "attributes": _attributes,
    "bare": _bare,
    "layout": _layout,
}


def make(kind: str, size: int) -> str:
    """A DOT file of that kind with about ``size`` characters, the same each time."""
    pieces, length = [], 0
    for piece in KINDS[kind](random.Random(kind), size // 200):
        pieces.append(piece)
        length += len(piece)
        if length >= size:
            break
    return "".join([*pieces, "}\n"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=float, default=6.6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", type=Path, help="also write the files into this folder")
    args = parser.parse_args()
    files = {kind: make(kind, int(args.megabytes * 1e6)).encode() for kind in KINDS}
    if args.write is not None:
        for kind, data in files.items():
            (args.write / f"{kind}.dot").write_bytes(data)
    taken: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
    for _ in range(args.rounds):
        for kind, data in files.items():
            wall, cpu = time.perf_counter(), time.process_time()
            (graph,) = read_graphs(data, f"{kind}.dot")
            taken[kind].append((time.perf_counter() - wall, time.process_time() - cpu))
            size = f"{graph.num_nodes:,} vertices, {graph.num_edges:,} edges"
            if len(taken[kind]) == args.rounds:
                wall, cpu = (statistics.median(column) for column in zip(*taken[kind], strict=True))
                print(f"{kind}: {size}; {cpu:.2f} s of processor time, {wall:.2f} s", flush=True)


if __name__ == "__main__":
    main()
