"""How long large DOT files take to read: files of each kind that programs write, in turn.

Against another version of this project: the same command with the other checkout on PYTHONPATH.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks.harness import document, in_turn, row
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


def run(cpu_time: bool = False, megabytes: float = 6.6, rounds: int = 3) -> dict[str, Any]:
    """A row for each kind of file."""
    files = {kind: make(kind, int(megabytes * 1e6)).encode() for kind in KINDS}
    calls = {kind: partial(read_graphs, data, f"{kind}.dot") for kind, data in files.items()}
    times, graphs = in_turn(calls, rounds, cpu_time)
    rows = []
    for kind, taken in times.items():
        (graph,) = graphs[kind]
        size = f"{graph.num_nodes:,} vertices, {graph.num_edges:,} edges"
        rows.append(row(f"reading {megabytes:g} MB of DOT, {kind}", taken, size))
    return document("dot", rows, cpu_time)
