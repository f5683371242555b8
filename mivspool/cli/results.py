"""``mivspool results verify``: runs a random sample of the published runs again and says which still repeat."""

from __future__ import annotations

import argparse

EPILOG = """A line repeats when every published digit is the same; on another kind of processor than the one that made
it, when validation loss and accuracies agree within 0.0001. The exit status is 1 where one does not."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``results`` takes."""
    parser.add_argument("action", choices=["verify"], help="run some of the published runs again")
    parser.add_argument("--sample", type=int, default=12, metavar="N", help="how many runs (default: 12)")
    parser.add_argument("--seed", type=int, default=0, help="which ones, at random (default: 0)")
    parser.add_argument("--dataset", metavar="NAME", help="of one data set (default: of all)")
    parser.add_argument("--results", metavar="FOLDER", help="where the runs are (default: all that are read)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Run the sample again, a line each."""
    from pathlib import Path

    from mivspool.cli.output import print_json
    from mivspool.errors import InputError
    from mivspool.learning.results import Results, read_results
    from mivspool.learning.verify import sample, verify

    if args.sample < 1:
        raise InputError(f"--sample must be at least 1, it is {args.sample}")
    lines = Results(Path(args.results)).lines(args.dataset) if args.results else read_results(args.dataset)
    if not lines:
        raise InputError("there are no such runs")
    found = []
    for line in sample(lines, args.sample, args.seed):
        one = verify(line)
        found.append(one)
        if not args.json:
            name = line.method + (f":{line.score}" if line.score else "")
            again = "" if one.again is None else (
                f", validation loss {line.val_loss:g} then, {one.again.val_loss:g} now; test accuracy "
                f"{100 * line.test_accuracy:.1f} % then, {100 * one.again.test_accuracy:.1f} % now"
            )  # fmt: skip
            print(
                f"{one.status}: {line.dataset} {name} {line.config_id} repeat {line.repeat} fold {line.fold}{again}",
                flush=True,
            )
    repeated = sum(one.repeats for one in found)
    if args.json:
        print_json({"runs": [one.to_json() for one in found], "repeated": repeated})
    else:
        print(f"runs that repeat: {repeated} of {len(found)}")
    return 0 if repeated == len(found) else 1
