"""``mivspool step``: Meer's iterations on a graph, and the reduced graphs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mivspool.messages import count

if TYPE_CHECKING:
    from mivspool.graphs.graph import Graph
    from mivspool.levels import Level

SCORES_HELP = "a score by name, as uniform, degree or multiview, or values:FILE (a CSV of vertex,score)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``step`` takes."""
    add_step_arguments(parser)
    parser.add_argument("--levels", type=int, default=1, help="number of poolings (default: 1)")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def add_step_arguments(parser: argparse.ArgumentParser) -> None:
    """The graph, and what its vertices are scored by."""
    parser.add_argument(
        "source", metavar="SOURCE", help="a file (FILE#INDEX), a classic graph, DATASET:INDEX or preset:NAME"
    )
    parser.add_argument("--score", default=None, help=f"{SCORES_HELP} (default: multiview; a preset's own)")
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of uniform scores and untrained weights (default: 0)"
    )
    parser.add_argument(
        "--complement", action="store_true", help="keep at least half of the vertices (MIVSPool_comp)"
    )
    parser.add_argument("--model", help="use the scores of this model's blocks (see `mivspool models`)")
    parser.add_argument(
        "--weights", action="store_true", help="use the file's edge weights instead of 0 and 1"
    )


def levels_of(args: argparse.Namespace, levels: int) -> tuple[Graph, list[Level], str]:
    """The graph, its levels, and in words what its vertices were scored by."""
    from mivspool.errors import InputError
    from mivspool.graphs import open_source
    from mivspool.graphs.collections.teaching import preset_of
    from mivspool.graphs.values import read_values
    from mivspool.levels import step

    graph = open_source(args.source)
    if args.model is not None:
        from mivspool.learning.models import load_model

        if args.score is not None or args.complement or args.weights:
            raise InputError("--model brings its own scores: leave out --score, --complement and --weights")
        return graph, load_model(args.model).step(graph, levels=levels), f"scores of {args.model}"
    preset = preset_of(args.source)
    if preset is not None and args.score is None:
        made = step(
            graph,
            preset.score,
            seed=args.seed or preset.seed,
            complement=args.complement or preset.complement,
            levels=levels,
            weights=args.weights,
        )
        return graph, made, f"the preset's scores. {preset.says}"
    score = args.score or "multiview"
    values = read_values(score.removeprefix("values:"), graph) if score.startswith("values:") else score
    made = step(
        graph,
        values,
        seed=args.seed,
        complement=args.complement,
        levels=levels,
        weights=args.weights,
    )
    return graph, made, f"{score} scores, seed {args.seed}"


def run(args: argparse.Namespace) -> int:
    """Print the iterations and the reduced graph of every level."""
    from mivspool.cli.output import print_json
    from mivspool.levels import to_json

    graph, levels, how = levels_of(args, args.levels)
    if args.json:
        print_json(to_json(graph, levels))
        return 0
    print(f"{graph.name}: {count(graph.num_nodes, 'vertex')}, {count(graph.num_edges, 'edge')}; {how}")
    for sentence in graph.repairs:
        print(f"  repaired: {sentence}")
    for level in levels:
        describe(level)
    return 0


def _counts(level: Level) -> list[tuple[int, int, int]]:
    """Survivors, candidates and non-survivors after 0 … T updates, counted in one pass: T may be n/2."""
    import torch

    trace, length = level.trace, level.num_iterations + 1
    settled = torch.bincount(trace.settled_at, minlength=length).cumsum(0)
    kept = torch.bincount(trace.settled_at[trace.survivor & ~trace.added], minlength=length).cumsum(0)
    table = torch.stack([kept, len(level.nodes) - settled, settled - kept], dim=1)
    return [(survivors, candidates, others) for survivors, candidates, others in table.tolist()]


def describe(level: Level) -> None:
    """One level, for a person."""
    trace, metrics = level.trace, level.metrics
    print(f"\nlevel {level.level}: {count(len(level.nodes), 'vertex')}")
    print("  iteration  survivors  candidates  non-survivors")
    for k, (survivors, candidates, non_survivors) in enumerate(_counts(level)):
        print(f"  {k:>9}  {survivors:>9}  {candidates:>10}  {non_survivors:>13}")
    shown = ", ".join(level.reduced_nodes[:12]) + (" …" if len(level.reduced_nodes) > 12 else "")
    print(f"  survivors: {shown}")
    if bool(trace.added.any()):
        print(f"  added by the complement: {int(trace.added.sum())}")
    marks = {name: "yes" if good else "no" for name, good in level.checks.items()}
    print(f"  independent (Eq. 8): {marks['independent']}; maximal (Eq. 9): {marks['maximal']}", end="; ")
    print(f"ties broken by the index: {int(trace.ties_broken[0])}")
    print(
        f"  {len(level.nodes)} → {count(len(level.reduced_nodes), 'vertex')} ({metrics['ratio']:.2f}), "
        f"mean degree {metrics['mean_degree_before']:.2f} → {metrics['mean_degree_after']:.2f}, "
        f"components {metrics['components_before']} → {metrics['components_after']}"
    )
