"""``mivspool models``: what can classify; its card; and how a model is made and deleted."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mivspool.cli.run_settings import add_settings, configuration, spelled
from mivspool.messages import count

if TYPE_CHECKING:
    from mivspool.learning.confidence import Assessment

EPILOG = """examples:
  mivspool models                      list them
  mivspool models show mao-mivspool    its card
  mivspool models release MAO          cross-validate, train, and keep mao-mivspool with its card
  mivspool models release ENZYMES --recommended    the same of the recommended network: enzymes-recommended
  mivspool models record FOLDER        train it again, and keep what its training did to a few graphs
  mivspool models refresh FOLDER       rewrite a card from the runs in results/
  mivspool models delete my-model      delete a model that was trained here
"""
# settings of a run that a release decides itself
_DECIDED = ("dataset", "repeat", "fold", "seed", "device")
ACTIONS = ("list", "show", "release", "record", "refresh", "delete")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``models`` takes."""
    parser.add_argument("action", nargs="?", default="list", choices=ACTIONS, help="default: list")
    parser.add_argument("name", nargs="?", metavar="MODEL|DATASET", help="a model; for release, a data set")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    made = parser.add_argument_group("release")
    made.add_argument(
        "--as",
        dest="as_name",
        metavar="NAME",
        help="name of the model (default: DATASET-mivspool or DATASET-recommended)",
    )
    made.add_argument("--folder", help="write NAME in this folder instead of this machine's model folder")
    made.add_argument("--repeats", type=int, help="repeats of the 10 folds (default: 1)")
    made.add_argument(
        "--recommended",
        action="store_true",
        help="the recommended network, evaluated on its repeats (docs/recommended.md)",
    )
    made.add_argument(
        "--measure",
        type=int,
        metavar="FOLDS",
        help="measure calibration on the first FOLDS folds (default: all)",
    )
    made.add_argument("--overwrite", action="store_true", help="replace a model of that name")
    add_settings(parser, without=_DECIDED, defaults={})


def run(args: argparse.Namespace) -> int:
    """Do the action."""
    from mivspool.errors import InputError

    if args.action == "list":
        return _list(args)
    if args.name is None:
        what = "a data set" if args.action == "release" else "a model"
        raise InputError(f"`mivspool models {args.action}` needs the name of {what}")
    actions = {"show": _show, "release": _release, "record": _record, "refresh": _refresh, "delete": _delete}
    return actions[args.action](args)


def _list(args: argparse.Namespace) -> int:
    from mivspool.cli.output import print_json
    from mivspool.learning.models import list_models

    models = list_models()
    if args.json:
        print_json([
            {
                "name": one.name, "released": one.released, "dataset": one.dataset, "classes": one.classes,
                "method": one.method, "score": one.score, "network": one.network, "needs": one.needs,
                "class_names": dict(one.class_names), "class_source": one.class_source,
                "accuracy": one.accuracy, "accuracy_std": one.accuracy_std,
                "assessment": None if one.assessment is None else one.assessment.to_dict(), "problem": one.problem,
            }
            for one in models
        ])  # fmt: skip
        return 0
    if not models:
        print("There are no models yet: `mivspool models release MAO` makes one.")
    width = max((len(one.name) for one in models), default=0)
    for one in models:
        if one.problem:
            print(f"{one.name:<{width}}  cannot be loaded: {one.problem}")
            continue
        spread = "" if one.accuracy_std is None else f" ± {one.accuracy_std:.1f}"
        accuracy = "not evaluated" if one.accuracy is None else f"{one.accuracy:.1f}{spread} %"
        print(f"{one.name:<{width}}  {accuracy:<13}  {count(len(one.classes), 'class')}  needs {one.needs}")
        if one.assessment is not None:
            print(f"{'':<{width}}  {_assessed(one.assessment, one.class_names)}")
    return 0


def _assessed(found: Assessment, names: Mapping[str, str]) -> str:
    """On how many graphs it was measured, and beside what."""
    from mivspool.graphs.classes import class_title

    larger = class_title(found.majority_class, names)
    return (
        f"{100 * found.accuracy:.1f} % on {count(found.graphs, 'test graph')}, 95 % interval {100 * found.low:.1f} to "
        f"{100 * found.high:.1f} %; always predicting {larger}: {100 * found.majority:.1f} %"
    )


def _show(args: argparse.Namespace) -> int:
    from mivspool.cli.output import print_json
    from mivspool.learning.models import load_model

    model = load_model(args.name)
    if args.json:
        print_json(model.info)
    else:
        print(model.card, end="")
    return 0


def _delete(args: argparse.Namespace) -> int:
    from mivspool.learning.models import check_name, delete_model, kept_shelf

    if (kept_shelf() / check_name(args.name)).is_dir():
        from mivspool.service.client import Client

        with Client(run_jobs=False) as client:
            client.delete_model(args.name)
    else:
        delete_model(args.name)
    print(f"deleted {args.name}")
    return 0


def _record(args: argparse.Namespace) -> int:
    from pathlib import Path

    from mivspool.learning.release import record

    print(record(Path(args.name)))
    return 0


def _refresh(args: argparse.Namespace) -> int:
    from pathlib import Path

    from mivspool.learning.release import refresh
    from mivspool.learning.results import read_results

    refresh(Path(args.name), read_results())
    print(args.name)
    return 0


def _release(args: argparse.Namespace) -> int:
    import sys
    from pathlib import Path

    from mivspool.errors import InputError
    from mivspool.learning.models import check_name
    from mivspool.learning.recommended import RECOMMENDED, REPEATS
    from mivspool.learning.release import release
    from mivspool.learning.results import Results, results_folder
    from mivspool.learning.runs import ResultLine

    for name, value in (("repeats", args.repeats), ("measure", args.measure)):
        if value is not None and value < 1:
            raise InputError(f"{name} must be at least 1, not {value}")
    config = configuration(args, without=_DECIDED, defaults={"dataset": args.name})
    repeats: Sequence[int] = range(args.repeats or 1)
    if args.recommended:
        given = [*spelled(args, without=(*_DECIDED, "threads")), *(["--repeats"] if args.repeats else [])]
        if given:
            raise InputError(
                f"--recommended decides the settings and the repeats: leave {given[0].split()[0]} out"
            )
        config = replace(RECOMMENDED, dataset=args.name, threads=config.threads or RECOMMENDED.threads)
        repeats = REPEATS.get(args.name, repeats)
    name = check_name(
        args.as_name or f"{Path(args.name).stem.lower()}-{'recommended' if args.recommended else 'mivspool'}"
    )
    total = len(repeats) * config.folds
    done = 0

    def report(line: ResultLine) -> None:
        nonlocal done
        done += 1
        print(
            f"run {done} of at most {total}: {100 * line.test_accuracy:.1f} % of the test graphs, "
            f"{count(line.epochs, 'epoch')}, {line.seconds:.0f} s",
            file=sys.stderr,
            flush=True,
        )

    where = Path(args.folder) / name if args.folder else name
    folder = release(
        config,
        where,
        repeats,
        Results(results_folder()),
        measured_folds=args.measure,
        on_run=report,
        overwrite=args.overwrite,
        command=_command(args, name),
    )
    print(folder)
    return 0


def _command(args: argparse.Namespace, name: str) -> str:
    """The command that repeats a release, for its card."""
    parts = ["mivspool models release", args.name, f"--as {name}"]
    parts.append("--recommended" if args.recommended else f"--repeats {args.repeats or 1}")
    if args.measure is not None:
        parts.append(f"--measure {args.measure}")
    return " ".join([*parts, *spelled(args, without=(*_DECIDED, "threads"))])
