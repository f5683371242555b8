"""``mivspool train``: one classifier on a data set, with its progress; can be stopped and resumed."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mivspool.learning.config import RunConfig

HELP = "train one classifier on a data set"
EPILOG = """\
examples:
  mivspool train ENZYMES --score multiview --fold 0
  mivspool train my-graphs.zip --method mivspool-comp --checkpoint run.safetensors --save my-model

With --checkpoint the run can be stopped at any time: the same command goes on to the same result."""


def add_configuration(parser: argparse.ArgumentParser, *, grid_decides: bool = False) -> None:
    """Declare what ``train`` and ``evaluate`` share."""
    by_grid = "; --grid searches it" if grid_decides else ""
    group = parser.add_argument_group("configuration")
    group.add_argument("--blocks", type=int, help=f"blocks of GCN and pooling{by_grid} (default: 3)")
    group.add_argument("--hidden", type=int, help="channels (default: 128)")
    group.add_argument("--lr", type=float, help=f"learning rate{by_grid} (default: 0.001)")
    group.add_argument("--weight-decay", type=float, help=f"of Adam{by_grid} (default: 0.0001)")
    group.add_argument("--batch-size", type=int, help="graphs in a batch (default: 512)")
    group.add_argument(
        "--features", choices=["auto", "labels", "attributes", "degree"], help="(default: auto)"
    )
    group.add_argument("--use-weights", action=argparse.BooleanOptionalAction, default=None,
                       help="the next GCN sees the weights of A' (default: it does)")  # fmt: skip
    group.add_argument("--use-diagonal", action=argparse.BooleanOptionalAction, default=None,
                       help="the next GCN sees the diagonal of A' (default: it does not)")  # fmt: skip
    group.add_argument("--max-epochs", type=int, help="(default: 1000)")
    group.add_argument("--patience", type=int, help="epochs without a better validation loss (default: 100)")
    group.add_argument("--device", default="auto", help="cpu, cuda, cuda:N or auto (default)")
    group.add_argument("--threads", type=int, default=1, help="of torch in each process (default: 1)")


def configuration(args: argparse.Namespace, **changes: Any) -> RunConfig:
    """The reference configuration with what the command line says otherwise."""
    from mivspool.learning.evaluation import reference
    from mivspool.learning.training import pick_device

    names = (
        "blocks", "hidden", "lr", "weight_decay", "batch_size", "features", "use_weights", "use_diagonal",
        "max_epochs", "patience",
    )  # fmt: skip
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    return reference(args.dataset, **given, device=str(pick_device(args.device)), **changes)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "dataset", metavar="DATASET", help="a data set by name, or a folder or zip in TU layout"
    )
    parser.add_argument("--method", default="mivspool", help="a pooling method, 'none' or 'structure-blind'")
    parser.add_argument(
        "--score", default="multiview", help="for the methods that take one (default: multiview)"
    )
    parser.add_argument(
        "--fold", type=int, default=0, help="the fold that tests; −1: none is held out (default: 0)"
    )
    parser.add_argument("--repeat", type=int, default=0, help="which stratified folds (default: 0)")
    parser.add_argument(
        "--num-folds", type=int, default=10, metavar="N", help="into how many folds (default: 10)"
    )
    parser.add_argument("--seed", type=int, help="of all that is random (default: from repeat and fold)")
    parser.add_argument("--checkpoint", metavar="FILE", help="written while training; read where it is there")
    parser.add_argument(
        "--save", metavar="NAME", help="keep the trained classifier as a model under this name"
    )
    add_configuration(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")


def run(args: argparse.Namespace) -> int:
    """Train, and print what came of it."""
    from mivspool.cli.output import print_json
    from mivspool.learning.training import train

    config = configuration(
        args, method=args.method, score=args.score, fold=None if args.fold < 0 else args.fold, repeat=args.repeat,
        folds=args.num_folds, seed=args.seed, threads=args.threads,
    )  # fmt: skip
    try:
        result = train(config, on_epoch=None if args.quiet else _tell, checkpoint=args.checkpoint)
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
        print_json({
            "config": config.to_dict(), "config_id": config.config_id, "dataset": result.dataset_name,
            "classes": result.classes, "epochs": result.epochs, "best_epoch": result.best_epoch,
            "val_loss": result.val_loss, "val_accuracy": result.val_accuracy,
            "test_accuracy": result.test_accuracy, "confusion": result.confusion,
            "iterations": result.iterations, "seconds": result.seconds, "saved": saved, "curve": result.curve,
        })  # fmt: skip
        return 0
    test = "" if result.test_accuracy is None else f", test accuracy {100 * result.test_accuracy:.1f} %"
    print(
        f"{result.dataset_name}: epoch {result.best_epoch} of {result.epochs}, validation loss "
        f"{result.val_loss:.4f}, validation accuracy {100 * result.val_accuracy:.1f} %{test}, "
        f"{result.seconds:.1f} s" + (f"; saved as {saved}" if saved else "")
    )
    return 0


def _tell(event: dict[str, Any]) -> None:
    """One line that is written over."""
    print(
        f"\repoch {event['epoch']}: loss {event['train_loss']:.4f}, validation loss {event['val_loss']:.4f}, "
        f"accuracy {100 * event['val_accuracy']:.1f} %, best epoch {event['best_epoch']}, at least "
        f"{event['seconds_left']:.0f} s left   ",
        end="", file=sys.stderr, flush=True,
    )  # fmt: skip
