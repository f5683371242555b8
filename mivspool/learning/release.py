"""Make a model that can be released: cross-validate a configuration, train it once more, write folder and card."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import mivspool
from mivspool.graphs import load_dataset
from mivspool.learning.calibration import measure
from mivspool.learning.config import RunConfig
from mivspool.learning.evaluation import evaluate, line_of, plan
from mivspool.learning.models import free_folder, save_model
from mivspool.learning.results import ResultLine, Results
from mivspool.learning.statistics import summarise
from mivspool.learning.training import RunResult, train

OnRun = Callable[[ResultLine], None]


def release(
    config: RunConfig,
    name: str | Path,
    repeats: int,
    results: Results,
    *,
    on_run: OnRun | None = None,
    overwrite: bool = False,
    command: str | None = None,
) -> Path:
    """Cross-validate ``config`` (``repeats`` times its folds), train the model to keep, write it; its folder.

    Runs that are in ``results`` are not done again, except those of repeat 0, whose networks are measured; new ones
    are added to it. ``name``: on the shelf of this machine, or a folder as a Path. ``on_run`` gets the line of each
    run. ``command``: what repeats all this, for the card. Raises DatasetError, InputError or ModelError for what
    cannot be.
    """
    folder = free_folder(
        name, overwrite=overwrite
    )  # a name that is taken is found before the work, not after it
    dataset = load_dataset(config.dataset)
    config = replace(config, repeat=0, seed=None)

    def keep(result: RunResult) -> None:
        line = line_of(result)
        if line.key not in {other.key for other in results.lines(dataset.name)}:
            results.append(line, result.curve)
        if on_run is not None:
            on_run(line)

    measured = measure(config, dataset, on_run=keep)
    evaluate(
        plan(
            config, [f"{config.method}:{config.score}" if config.score else config.method], range(1, repeats)
        ),
        results,
        on_run=None if on_run is None else lambda progress: on_run(progress.line),
    )
    accuracy = {
        (line.repeat, line.fold): 100 * line.test_accuracy
        for line in results.lines(dataset.name)
        if line.config_id == config.config_id and not line.grid
    }
    cell = summarise(accuracy, config.folds)
    assert cell is not None
    evaluation = {"accuracy": asdict(cell), **measured}
    result = train(replace(config, fold=None), dataset=dataset)
    run = run_facts(result) | ({"commands": [command]} if command else {})
    save_model(name, result.network, result.schema, result.classes, run, evaluation, overwrite=overwrite)
    return folder


def run_facts(result: RunResult) -> dict[str, Any]:
    """How a run was made, as plain data for config.json; nothing in it names the machine or its folders."""
    config = result.config
    return {
        "dataset": result.dataset_name,
        "features": config.features,
        "lr": config.lr,
        "weight_decay": config.weight_decay,
        "batch_size": config.batch_size,
        "max_epochs": config.max_epochs,
        "patience": config.patience,
        "repeat": config.repeat,
        "fold": config.fold,
        "seed": config.run_seed,
        "epochs": result.epochs,
        "best_epoch": result.best_epoch,
        "val_loss": result.val_loss,
        "val_accuracy": result.val_accuracy,
        "test_accuracy": result.test_accuracy,
        "device": result.device.split(":")[0],
        "version": mivspool.__version__,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
