"""``mivspool step``: Meer's iterations on a graph, and the reduced graphs."""

from __future__ import annotations

import argparse

SCORES_HELP = "uniform, degree, projection, attention, multiview, or values:FILE (a CSV of vertex,score)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``step`` takes."""
    parser.add_argument("source", metavar="SOURCE", help="a file (FILE#INDEX), a classic, or DATASET:INDEX")
    parser.add_argument("--score", default=None, help=f"{SCORES_HELP} (default: multiview)")
    parser.add_argument(
        "--seed", type=int, default=0, help="of uniform scores and untrained weights (default: 0)"
    )
    parser.add_argument(
        "--complement", action="store_true", help="keep at least half of the vertices (MIVSPool_comp)"
    )
    parser.add_argument("--levels", type=int, default=1, help="how often to pool (default: 1)")
    parser.add_argument("--model", help="take the scores of this model's blocks (see `mivspool models`)")
    parser.add_argument(
        "--weights", action="store_true", help="start from the file's edge weights, not 0 and 1"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(args: argparse.Namespace) -> int:
    """Print the iterations and the reduced graph of every level."""
    from mivspool.cli.output import print_json
    from mivspool.errors import InputError
    from mivspool.graphs import open_source
    from mivspool.graphs.values import read_values
    from mivspool.levels import Level, step, to_json

    graph = open_source(args.source)
    if args.model is not None and args.score is not None:
        raise InputError("--model brings its own scores: leave --score out, or --model")
    levels: list[Level]
    if args.model is not None:
        from mivspool.learning.models import load_model

        levels = load_model(args.model).step(graph, levels=args.levels)
        how = f"scores of {args.model}"
    else:
        score = args.score or "multiview"
        how = f"{score} scores, seed {args.seed}"
        values = read_values(score.removeprefix("values:"), graph) if score.startswith("values:") else score
        levels = step(
            graph,
            values,
            seed=args.seed,
            complement=args.complement,
            levels=args.levels,
            weights=args.weights,
        )
    if args.json:
        print_json(to_json(graph, levels))
        return 0
    print(f"{graph.name}: {graph.num_nodes} vertices, {graph.num_edges} edges; {how}")
    for sentence in graph.repairs:
        print(f"  repaired: {sentence}")
    for level in levels:
        describe(level)
    return 0


def describe(level: object) -> None:
    """One level, for a person."""
    from mivspool.levels import Level

    assert isinstance(level, Level)
    course, metrics = level.trace, level.metrics
    print(f"\nlevel {level.level}: {len(level.nodes)} vertices")
    print("  iteration  survivors  candidates  non-survivors")
    for k in range(level.num_iterations + 1):
        counts = [
            int(mask.sum()) for mask in (course.survivors(k), course.candidates(k), course.non_survivors(k))
        ]
        print(f"  {k:>9}  {counts[0]:>9}  {counts[1]:>10}  {counts[2]:>13}")
    shown = ", ".join(level.reduced_nodes[:12]) + (" …" if len(level.reduced_nodes) > 12 else "")
    print(f"  survivors: {shown}")
    if bool(course.added.any()):
        print(f"  added by the complement: {int(course.added.sum())}")
    marks = {name: "yes" if good else "no" for name, good in level.checks.items()}
    print(f"  independent (Eq. 8): {marks['independent']}; maximal (Eq. 9): {marks['maximal']}", end="; ")
    print(f"ties broken by the index: {int(course.ties_broken[0])}")
    print(
        f"  {len(level.nodes)} → {len(level.reduced_nodes)} vertices ({metrics['ratio']:.2f}), "
        f"mean degree {metrics['mean_degree_before']:.2f} → {metrics['mean_degree_after']:.2f}, "
        f"components {metrics['components_before']} → {metrics['components_after']}"
    )
