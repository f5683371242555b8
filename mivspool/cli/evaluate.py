"""``mivspool evaluate``: folds × repeats × methods × grid on a data set, resumable."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from mivspool.cli.run_settings import add_settings, configuration
from mivspool.learning.runs import GRID_RUNS, VARIED
from mivspool.messages import count

if TYPE_CHECKING:
    from mivspool.learning.evaluation import RunAll

HELP = "folds × repeats × grid on a data set, resumable"
EPILOG = """\
examples:
  mivspool evaluate ENZYMES --methods mivspool:multiview none --repeats 3
  mivspool evaluate my-graphs.zip --methods paper --folds 0-4 --workers 4 --results runs
  mivspool evaluate PROTEINS --methods mivspool --grid --device cuda --workers 8

Every finished run is appended to the results; stopping at any time loses the runs in progress alone, and the same
command continues with those that are missing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_settings(parser, without=VARIED, grid=True)
    parser.add_argument(
        "--methods", nargs="+", default=["mivspool"], metavar="METHOD[:SCORE]",
        help="pooling methods, 'none', 'structure-blind'; 'paper': all rows of tables 2 and 4 (default: mivspool)",
    )  # fmt: skip
    parser.add_argument(
        "--repeats", default="1", metavar="N|A-B", help="how many repeats, or which (default: 1)"
    )
    parser.add_argument("--folds", default=None, metavar="A-B,C", help="which folds (default: all)")
    parser.add_argument(
        "--workers", type=_workers, default=1, metavar="N|auto",
        help="worker processes; auto: one per core, as far as memory goes (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--executor", choices=["local", "ray"], default="local",
        help="where the runs are computed: on this machine, or on the Ray cluster of RAY_ADDRESS (default: local)",
    )  # fmt: skip
    parser.add_argument("--grid", action="store_true", help=GRID_RUNS.help)
    parser.add_argument("--results", metavar="FOLDER", help="where the runs are stored (default: results/)")
    parser.add_argument(
        "--resume",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="skip the runs that are already stored (default)",
    )
    parser.add_argument(
        "--allow-dirty",
        action="store_true",
        help="also with code that differs from its commit (default: refuse)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Do what is missing, then print the means."""
    from pathlib import Path

    from mivspool.cli.output import print_json
    from mivspool.graphs import load_dataset
    from mivspool.learning.evaluation import PAPER, Progress, evaluate, summary
    from mivspool.learning.provenance import require_clean
    from mivspool.learning.results import Results, results_folder
    from mivspool.learning.runs import plan

    methods = [m for text in args.methods for m in text.split(",") if m]
    methods = [name for m in methods for name in (PAPER if m == "paper" else (m,))]
    base = configuration(args, without=VARIED)
    tasks = plan(base, methods, _repeats(args.repeats), _numbers(args.folds, "--folds"), args.grid)
    if not args.allow_dirty:
        require_clean()
    results = Results(Path(args.results) if args.results else results_folder())

    def report(progress: Progress) -> None:
        line = progress.line
        name = line.method + (f":{line.score}" if line.score else "")
        print(
            f"{progress.done}/{progress.total} {line.dataset} {name} repeat {line.repeat} fold {line.fold}: "
            f"test {100 * line.test_accuracy:.1f} %, epoch {line.best_epoch} of {line.epochs}, {line.seconds:.0f} s; "
            f"about {_duration(progress.seconds_left)} left",
            file=sys.stderr, flush=True,
        )  # fmt: skip

    try:
        done = evaluate(
            tasks, results, workers=args.workers, resume=args.resume, on_run=report, run_all=_run_all(args.executor)
        )  # fmt: skip
    except KeyboardInterrupt:
        print("mivspool: stopped; the finished runs are kept, the same command goes on", file=sys.stderr)
        return 130
    dataset = load_dataset(args.dataset).name
    wanted = {task.key(dataset) for task in tasks}
    rows = summary([line for line in results.lines(dataset) if line.key in wanted], base.folds)
    if args.json:
        print_json({"dataset": dataset, "results": str(results.folder), "new_runs": done, "rows": rows})
        return 0
    print(f"{dataset}: accuracy in %, mean ± sample standard deviation over the repeats' means")
    for row in rows:
        print(_row(row))
    return 0


def _run_all(executor: str) -> RunAll | None:
    if executor == "local":
        return None
    from mivspool.service.ray_cluster import run_on_cluster

    return run_on_cluster


def _workers(text: str) -> int | str:
    return int(text) if text.removeprefix("-").isdecimal() else text


def _row(row: dict[str, Any]) -> str:
    name = row["method"] + (f" ({row['score']})" if row["score"] else "")
    std = "" if row["std"] is None else f" ± {row['std']:.2f}"
    grid = "hyperparameter search" if row["grid"] else "fixed hyperparameters"
    size = f"{count(row['runs'], 'run')}, {count(row['repeats'], 'repeat')}"
    return f"  {name:<28} {row['mean']:6.2f}{std:<8} {size}, {grid}"


def _repeats(text: str) -> list[int]:
    numbers = _numbers(text, "--repeats")
    assert numbers is not None
    return numbers if "-" in text or "," in text else list(range(numbers[0]))


def _numbers(text: str | None, option: str) -> list[int] | None:
    """``0-4,7`` as numbers."""
    from mivspool.errors import InputError

    if text is None:
        return None
    numbers: list[int] = []
    try:
        for part in text.split(","):
            first, _, last = part.partition("-")
            numbers += range(int(first), int(last or first) + 1)
    except ValueError as error:
        raise InputError(f"{option} must be numbers such as 0-4,7, not {text!r}") from error
    if not numbers:
        raise InputError(f"{option} {text} names none")
    return numbers


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
