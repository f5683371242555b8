"""``mivspool compare``: each pooling method on one graph or a whole data set, with what it did."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mivspool.messages import count

if TYPE_CHECKING:
    from mivspool.compare import Row, Summary
    from mivspool.graphs.dataset import Dataset

EPILOG = """examples:
  mivspool compare karate
  mivspool compare MAO:3 --methods mivspool,gpool,diffpool --levels 3
  mivspool compare preset:disconnect --methods mivspool:given,gpool:given
  mivspool compare PROTEINS --methods mivspool,mivspool:uniform,gpool --graphs 200 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``compare`` takes."""
    parser.add_argument(
        "source", metavar="SOURCE|DATASET", help="one graph, as in `step`, or a data set's name"
    )
    parser.add_argument(
        "--methods",
        default="all",
        help="names separated by commas, optionally with a score after a colon (mivspool:uniform; gpool:given pools by "
        "the scores that the graph brings), or all (default)",
    )
    parser.add_argument("--levels", type=int, default=1, help="number of poolings (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="seed of random weights and scores (default: 0)")
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        help="use this model's trained weights for its method",
    )
    parser.add_argument(
        "--graphs", type=int, help="for a data set: use this many graphs, evenly spread (default: all)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(args: argparse.Namespace) -> int:
    """Print what every method did."""
    from mivspool.errors import InputError

    dataset = find(args.source)
    if dataset is not None:
        if args.model:
            raise InputError("--model is for one graph: a data set is compared with random weights")
        return run_dataset(args, dataset)
    if args.graphs is not None:
        raise InputError("--graphs is for a data set: name one, or leave it out")
    from mivspool.cli.output import print_json
    from mivspool.compare import compare
    from mivspool.graphs import open_source
    from mivspool.levels import to_json

    graph = open_source(args.source)
    models = []
    if args.model:
        from mivspool.learning.models import load_model

        models = [load_model(name) for name in args.model]
    rows = compare(graph, args.methods, args.levels, args.seed, models)
    if args.json:
        about = to_json(graph, [])["graph"]
        print_json({"graph": about, "methods": [row.to_json() for row in rows]})
        return 0
    print(f"{graph.name}: {count(graph.num_nodes, 'vertex')}, {count(graph.num_edges, 'edge')}")
    print_rows(rows)
    return 0


def find(source: str) -> Dataset | None:
    """The data set of that name, or None; an existing file wins."""
    from pathlib import Path

    from mivspool.graphs.datasets import find_dataset, load_dataset

    if Path(source).exists():
        return None
    known = find_dataset(source)
    return None if known is None else load_dataset(known.name)


def run_dataset(args: argparse.Namespace, dataset: Dataset) -> int:
    """Compare the methods on every graph of a data set; print means over the graphs."""
    from mivspool.cli.output import print_json
    from mivspool.compare import compare_dataset

    def progress(done: int, of: int) -> None:
        end = "\n" if done == of else ""
        print(f"\r{dataset.name}: {done} of {count(of, 'graph')}", end=end, file=sys.stderr, flush=True)

    report = progress if sys.stderr.isatty() and not args.json else None
    rows = compare_dataset(dataset, args.methods, args.levels, args.seed, args.graphs, on_graph=report)
    if args.json:
        about = {
            "name": dataset.name,
            "graphs": len(dataset),
            "compared": max((r.graphs for r in rows), default=0),
        }
        print_json({"dataset": about, "methods": [row.to_json() for row in rows]})
        return 0
    print(f"{dataset.name}: means over {count(max((r.graphs for r in rows), default=0), 'graph')}")
    print_summaries(rows)
    return 0


def print_rows(rows: Sequence[Row]) -> None:
    """A table for a person, one line per method and level."""
    print(_HEAD)
    for row in rows:
        if row.measures is None:
            print(f"{row.choice.key:<24}{row.level:>5}  refused: {row.refused}")
        else:
            print(_line(row.choice.key, row.level, row.measures.to_json()))
    print("weights: " + ", ".join(sorted({row.weights for row in rows})))
    for row in rows:
        if row.measures is not None and row.measures.stretch_sources is not None:
            print(f"stretch: from {count(row.measures.stretch_sources, 'survivor')}, drawn with a fixed seed")
            break


def print_summaries(rows: Sequence[Summary]) -> None:
    """A table of means over a data set, one line per method and level."""
    print(_HEAD)
    for row in rows:
        means = {name: float(v.mean()) if v.size else None for name, v in row.values.items()}
        if not row.graphs:
            print(f"{row.choice.key:<24}{row.level:>5}  {row.refused} refused")
            continue
        print(_line(row.choice.key, row.level, means) + (f"  {row.refused} refused" if row.refused else ""))


# heading, measure, width, and how many digits after the point (None: a count)
_COLUMNS: tuple[tuple[str, str, int, int | None], ...] = (
    ("vertices", "num_nodes", 9, None),
    ("edges", "num_edges", 10, None),
    ("ratio", "ratio", 7, 2),
    ("density", "density", 9, 3),
    ("degree", "mean_degree", 8, 2),
    ("parts", "components", 7, None),
    ("kept", "information_kept", 6, 2),
    ("stretch", "mean_stretch", 9, 2),
    ("Eq. 8", "independent", 7, 2),
    ("Eq. 9", "maximal", 7, 2),
    ("ms", "seconds", 10, 2),
)
_HEAD = f"{'method':<24}{'level':>5}" + "".join(f"{title:>{width}}" for title, _, width, _ in _COLUMNS)


def _line(key: str, level: int, values: dict[str, Any]) -> str:
    parts = (_cell(name, values[name], digits).rjust(width) for _, name, width, digits in _COLUMNS)
    return f"{key:<24}{level:>5}" + "".join(parts)


def _cell(name: str, value: Any, digits: int | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "seconds":
        value *= 1000
    if digits is None:
        return f"{value:,.0f}" if value >= 1000 or value == round(value) else f"{value:.1f}"
    return f"{value:.{digits}f}"
