"""``mivspool draw``: every iteration as one figure or an animation."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mivspool.cli.step import add_step_arguments, levels_of
from mivspool.messages import count


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``draw`` takes."""
    add_step_arguments(parser)
    parser.add_argument("-o", "--output", required=True, help="FILE.svg, .pdf, .png, .tex, .gif or .mp4")
    parser.add_argument("--level", type=int, default=0, help="which level to draw (default: 0)")
    parser.add_argument(
        "--step",
        type=int,
        help="draw only this step: iteration 0 … T, then the assignment and the reduced graph",
    )
    parser.add_argument(
        "--part",
        type=int,
        choices=(1, 2, 3),
        default=0,
        help="with --step: this part of the iteration, with its arrows (1: best candidate neighbours, "
        "2: survivors, 3: eliminated); without: all parts of all iterations",
    )
    parser.add_argument(
        "--labels",
        choices=("both", "score", "id", "none"),
        default="both",
        help="in each vertex its id, below it its score (both), one of them in it, or none",
    )


def run(args: argparse.Namespace) -> int:
    """Write the figure."""
    from mivspool.errors import InputError
    from mivspool.figures import draw, without_font
    from mivspool.graphs import positions

    graph, levels, how = levels_of(args, max(args.level, 0) + 1)
    if not 0 <= args.level < len(levels):
        raise InputError(
            f"this graph has {count(len(levels), 'level')}, numbered from 0: there is no level {args.level}"
        )
    at = positions(graph)
    for level in levels[: args.level]:
        at = at[level.survivors.numpy()]
    path = Path(args.output)
    form = path.suffix.removeprefix(".").lower()
    data = draw(levels[args.level], at, form, args.labels, args.step, args.part)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    print(f"{path}: {graph.name}, level {args.level}, {how}")
    note = without_font(levels[args.level], form, args.labels)
    if note:
        print(f"note: {note}", file=sys.stderr)
    return 0
