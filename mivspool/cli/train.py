"""``mivspool train``: one classifier on a data set, with its progress; can be stopped and resumed."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import Any

from mivspool.cli.run_settings import add_settings, configuration

HELP = "train one classifier on a data set"
EPILOG = """\
examples:
  mivspool train ENZYMES --score multiview --fold 0
  mivspool train my-graphs.zip --method mivspool-comp --checkpoint run.safetensors --save my-model

With --checkpoint the run can be stopped at any time: the same command goes on to the same result."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_settings(parser, fold="; −1: none is held out")
    parser.add_argument("--checkpoint", metavar="FILE", help="file to resume from; written during training")
    parser.add_argument(
        "--save", metavar="NAME", help="save the trained classifier as a model under this name"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")


def run(args: argparse.Namespace) -> int:
    """Train, and print what came of it."""
    from mivspool.cli.output import print_json
    from mivspool.learning.runs import outcome
    from mivspool.learning.training import train

    if args.fold is not None and args.fold < 0:
        config = replace(configuration(args, without=("fold",)), fold=None)
    else:
        config = configuration(args)
    try:
        result = train(config, on_epoch=None if args.quiet else _report, checkpoint=args.checkpoint)
    except KeyboardInterrupt:
        again = "the same command goes on from the checkpoint" if args.checkpoint else "nothing was kept"
        print(f"\nmivspool: stopped; {again}", file=sys.stderr)
        return 130
    if not args.quiet:
        print(file=sys.stderr)
    saved = None
    if args.save:
        from mivspool.learning.models import save_model
        from mivspool.learning.release import run_facts

        saved = str(save_model(args.save, result.network, result.schema, result.classes, run_facts(result)))
    if args.json:
        found = {name: value for name, value in outcome(result).items() if name not in {"device", "threads"}}
        print_json({
            "config": config.to_dict(), "config_id": config.config_id, "dataset": result.dataset_name,
            "classes": result.classes, **found, "saved": saved, "curve": result.curve,
        })  # fmt: skip
        return 0
    test = "" if result.test_accuracy is None else f", test accuracy {100 * result.test_accuracy:.1f} %"
    print(
        f"{result.dataset_name}: epoch {result.best_epoch} of {result.epochs}, validation loss "
        f"{result.val_loss:.4f}, validation accuracy {100 * result.val_accuracy:.1f} %{test}, "
        f"{result.seconds:.1f} s" + (f"; saved as {saved}" if saved else "")
    )
    return 0


def _report(event: dict[str, Any]) -> None:
    """One line that is written over."""
    print(
        f"\repoch {event['epoch']}: loss {event['train_loss']:.4f}, validation loss {event['val_loss']:.4f}, "
        f"accuracy {100 * event['val_accuracy']:.1f} %, best epoch {event['best_epoch']}, at least "
        f"{event['seconds_left']:.0f} s left   ",
        end="", file=sys.stderr, flush=True,
    )  # fmt: skip
