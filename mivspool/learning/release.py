"""Make a model that can be released: cross-validate a configuration, train it once more, write folder and card."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import mivspool
from mivspool.graphs import load_dataset
from mivspool.learning.calibration import OnRun, evaluate
from mivspool.learning.config import RunConfig
from mivspool.learning.models import save_model
from mivspool.learning.training import RunResult, train


def release(
    config: RunConfig,
    name: str | Path,
    repeats: int,
    *,
    on_run: OnRun | None = None,
    overwrite: bool = False,
    command: str | None = None,
) -> Path:
    """Cross-validate ``config`` (``repeats`` times its folds), train the model to keep, write it; its folder.

    ``name``: on the shelf of this machine, or a folder as a Path. ``on_run`` gets every run. ``command``: what
    repeats all this, for the card. Raises DatasetError, InputError or ModelError for what cannot be.
    """
    dataset = load_dataset(config.dataset)
    evaluation = evaluate(config, repeats, dataset=dataset, on_run=on_run)
    result = train(_final(config), dataset=dataset)
    run = run_facts(result) | ({"commands": [command]} if command else {})
    return save_model(
        name, result.network, result.schema, result.classes, run, evaluation, overwrite=overwrite
    )


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


def _final(config: RunConfig) -> RunConfig:
    """Nothing is held out for a test: a tenth validates, the rest trains."""
    return RunConfig.from_dict(config.to_dict() | {"fold": None, "repeat": 0, "seed": None})
