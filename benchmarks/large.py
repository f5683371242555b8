"""Selecting and pooling random graphs of 10⁴ to 10⁸ edges: time, peak memory, and how both grow; pyamg and networkx.

    mivspool bench large
    python -m benchmarks.large --write docs/large

The graphs have a mean degree of 20, the layer the multiview score and 64 channels. Each size is measured in a process
of its own, one thread. A size that would not fit into the free memory is left out, and named. ``--write`` keeps what
was measured as PATH.json, with machine and date, and makes the page PATH.md and the plot PATH.svg of it.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.graphs import random_graph, uniform_score
from benchmarks.growth import ENTRIES, exponent, milliseconds
from benchmarks.harness import clock, document
from benchmarks.pooling import CHANNELS, held_by, resident
from benchmarks.selection import both_csr, fresh, pyamg_by_score
from mivspool import MIVSPool, meer
from mivspool.pooling.parts.memory import available

EDGES = (10**4, 10**5, 10**6, 10**7, 10**8)
DEGREE = 20
# ten times as many take networkx half an hour
MOST_NETWORKX = 10**6
# what the child holds at most, pyamg's copies of the matrix included
BYTES_PER_EDGE = 140
OURS = {
    "edge_index": "selection from edge_index",
    "csr": "selection from CSR",
    "layer": f"the layer, {CHANNELS} channels, forward",
}
PEERS = {"pyamg": "pyamg serial, permuted", "networkx": "networkx (its own order)"}

Size = dict[str, Any]


def run(cpu_time: bool = False, edges: tuple[int, ...] = EDGES) -> dict[str, Any]:
    """The rows: each size, then the exponents."""
    sizes, missing = measured(cpu_time, edges)
    return document("large", rows(sizes), cpu_time, missing)


def measured(cpu_time: bool, edges: tuple[int, ...]) -> tuple[list[Size], list[str]]:
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

    found |= _layer(graphs, scores[0], time)
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


def _layer(graphs: list[Tensor], score: Tensor, time: Callable[[list[Callable[[], Any]]], float]) -> Size:
    """The layer's milliseconds, and the MiB that it and the selection need; its features end with this call."""
    layer, x, first = MIVSPool(CHANNELS).eval(), torch.randn(score.numel(), CHANNELS), graphs[0]
    found: Size = {}
    with torch.no_grad():
        layer(torch.randn(100, CHANNELS), random_graph(100))
        if Path("/proc/self/clear_refs").exists():
            given = (x.nbytes + first.nbytes) / 2**20
            before = resident("VmRSS") - given
            found = {
                "given_mib": given,
                "layer_mib": held_by(lambda: layer(x, first)) - before,
                "selection_mib": held_by(lambda: meer.select(first, score)) - before,
            }
        return {**found, "layer_ms": time([lambda graph=graph: layer(x, graph) for graph in graphs])}


def _networkx(edge_index: Tensor, vertices: int, now: Callable[[], float]) -> float:
    """One call: it draws an order of its own."""
    import networkx as nx

    graph = nx.empty_graph(vertices)
    graph.add_edges_from(edge_index.t().tolist())
    nx.maximal_independent_set(nx.path_graph(10), seed=0)
    start = now()
    nx.maximal_independent_set(graph, seed=0)
    return 1000 * (now() - start)


def rows(sizes: list[Size]) -> list[dict[str, Any]]:
    """The document's rows."""
    nothing = dict.fromkeys(("peer", "peer_ms", "ratio", "equal"))
    made: list[dict[str, Any]] = []
    for one in sizes:
        of = f"{one['edges']:,} edges, {one['vertices']:,} vertices"
        for name, what in OURS.items():
            made.append({"what": f"{what}, {of}", "ours_ms": one[f"{name}_ms"], **nothing})
        if "layer_mib" in one:
            made[-1]["note"] = (
                f"input {one['given_mib']:,.0f} MiB, peak with it {one['layer_mib']:,.0f} MiB; "
                f"of the selection {one['selection_mib']:,.0f} MiB"
            )
        for name, peer in PEERS.items():
            theirs = one[f"{name}_ms"]
            if theirs is not None:
                row = {
                    "what": f"{OURS['csr']}, {of}",
                    "ours_ms": one["csr_ms"],
                    "peer": peer,
                    "peer_ms": theirs,
                }
                made.append(
                    {
                        **row,
                        "ratio": theirs / one["csr_ms"],
                        "equal": one["equal"] if name == "pyamg" else None,
                    }
                )
    for name, what in OURS.items():
        made.append(
            {
                "what": f"growth: {what}",
                "ours_ms": None,
                **nothing,
                "note": f"exponent {slope(sizes, name):.2f}",
            }
        )
    return made


def slope(sizes: list[Size], name: str) -> float:
    """How the time of one of ``OURS`` or ``PEERS`` grows, of the sizes where it was measured."""
    return exponent([(one["edges"], one[f"{name}_ms"]) for one in sizes if one[f"{name}_ms"] is not None])


def markdown(kept: dict[str, Any], plot: str) -> str:
    """The page, of what ``--write`` keeps; ``plot``: the name of the plot beside it."""
    about, sizes = kept["machine"], kept["sizes"]
    lines = [
        "# Up to 10⁸ edges",
        "",
        f"Made by `{kept['command']}` on {about['date']}: {about['processor']}, one thread, {about['clock']}, load "
        f"{about['load']}; Python {about['python']}, torch {about['torch']}, numba {about['numba']}.",
        "",
        f"Random graphs of mean degree {DEGREE} with uniform scores; the layer has the multiview score and {CHANNELS} "
        "channels. pyamg walks in index order, so its matrix is permuted to the order of the scores first; both then "
        "select the same vertices. networkx draws an order of its own.",
        "",
        f"![Milliseconds by edges]({plot})",
        "",
    ]
    head = ["vertices", "edges", *OURS.values(), *PEERS.values(), "the same as pyamg"]
    lines += [f"| {' | '.join(head)} |", "| " + " | ".join(["---:"] * len(head)) + " |"]
    for one in sizes:
        same = {True: "yes", False: "**no**", None: "–"}[one["equal"]]
        cells = [f"{one['vertices']:,}", f"{one['edges']:,}"]
        cells += [_time(one[f"{name}_ms"]) for name in (*OURS, *PEERS)]
        lines.append(f"| {' | '.join([*cells, same])} |")
    slopes = [f"{slope(sizes, name):.2f}" for name in (*OURS, *PEERS)]
    lines += [f"| | exponent | {' | '.join(slopes)} | |", ""]
    with_memory = [one for one in sizes if "layer_mib" in one]
    if with_memory:
        lines += [
            "What the process holds at most, without the interpreter and its libraries; the input is features and "
            "`edge_index`, whose indices have 64 bits. Inside they have 32, and no copy of 64 is made "
            "(`tests/pooling/test_layer.py`).",
            "",
            "| edges | input | selection | the layer | by the input |",
            "| ---: | ---: | ---: | ---: | ---: |",
        ]
        for one in with_memory:
            parts = [_size(one[f"{name}_mib"]) for name in ("given", "selection", "layer")]
            lines.append(
                f"| {one['edges']:,} | {' | '.join(parts)} | {one['layer_mib'] / one['given_mib']:.1f} × |"
            )
        lines.append("")
    lines += [f"Not measured: {one}." for one in kept["missing"]]
    return "\n".join(lines).rstrip() + "\n"


def _time(ms: float | None) -> str:
    return "–" if ms is None else f"{ms:.3g} ms" if ms < 1000 else f"{ms / 1000:.3g} s"


def _size(mib: float) -> str:
    return f"{mib:,.0f} MiB" if mib < 1024 else f"{mib / 1024:.1f} GiB"


def draw(sizes: list[Size], path: Path) -> None:
    """The plot, as SVG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "large", "svg.fonttype": "none"}):
        figure = Figure(figsize=(7, 4.2), layout="constrained")
        axes = figure.subplots()
        for name, label in {**OURS, **PEERS}.items():
            points = [(one["edges"], one[f"{name}_ms"]) for one in sizes if one[f"{name}_ms"] is not None]
            axes.loglog(*zip(*points, strict=True), "o--" if name in PEERS else "o-", label=label)
        axes.set(xlabel="edges", ylabel="milliseconds")
        axes.grid(alpha=0.3)
        axes.legend()
        figure.savefig(path, metadata={"Date": None})


def main(argv: list[str] | None = None) -> int:
    """Measure, print the page, and write where asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    parser.add_argument("--write", type=Path, help="write PATH.json, PATH.md and PATH.svg")
    parser.add_argument("--cpu-time", action="store_true", help="CPU time instead of wall time")
    parser.add_argument("--edges", type=int, nargs="+", default=list(EDGES), help="default: 10⁴ to 10⁸")
    args = parser.parse_args(argv)
    sizes, missing = measured(args.cpu_time, tuple(args.edges))
    kept = {
        "command": "python -m benchmarks.large " + " ".join(sys.argv[1:] if argv is None else argv),
        "machine": document("large", [], args.cpu_time)["machine"],
        "sizes": sizes,
        "missing": missing,
    }
    plot = args.write.with_suffix(".svg") if args.write else Path("large.svg")
    text = markdown(kept, plot.name)
    if args.write is not None:
        lines = json.dumps(kept, ensure_ascii=False, indent=1) + "\n"
        args.write.with_suffix(".json").write_text(lines, "utf-8")
        args.write.with_suffix(".md").write_text(text, "utf-8")
        draw(sizes, plot)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
