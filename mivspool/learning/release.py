"""Make a model that can be released: cross-validate a configuration, train it once more, write folder and card."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

import mivspool
from mivspool.errors import ModelError
from mivspool.graphs import load_dataset
from mivspool.learning.calibration import measure
from mivspool.learning.cards import model_card
from mivspool.learning.evaluation import evaluate, line_of
from mivspool.learning.hub import CARD, read_config, write_config
from mivspool.learning.models import RECORD, free_folder, load_model, save_model
from mivspool.learning.recommended import RECOMMENDED, REPEATS
from mivspool.learning.record import Watch
from mivspool.learning.results import Results
from mivspool.learning.runs import NetworkSettings, ResultLine, RunConfig, plan, settings_of
from mivspool.learning.statistics import Place, paired, summarise
from mivspool.learning.training import RunResult, train

RECORDED_VALUES = 40_000
"""Numbers of a released model's record at most, about 400 kB as JSON."""
CURVES = ("train_loss", "val_loss", "train_accuracy", "val_accuracy")

OnRun = Callable[[ResultLine], None]

PAPER_NETWORK, RECOMMENDED_NETWORK = "paper", "recommended"
_OTHER = {
    RECOMMENDED.config_id: (PAPER_NETWORK, RunConfig("").config_id),
    RunConfig("").config_id: (RECOMMENDED_NETWORK, RECOMMENDED.config_id),
}
"""The network that a released model of a configuration is compared with."""


def release(
    config: RunConfig,
    name: str | Path,
    repeats: Sequence[int],
    results: Results,
    *,
    measured_folds: int | None = None,
    on_run: OnRun | None = None,
    overwrite: bool = False,
    command: str | None = None,
) -> Path:
    """Cross-validate ``config`` (all folds of ``repeats``), train the model to keep, write it; its folder.

    Runs that are in ``results`` are not done again, but for the first ``measured_folds`` folds (default: all) of the
    first repeat, whose networks are measured; new ones are added to it. ``name``: on the shelf of this machine, or a
    folder as a Path. ``on_run`` gets the line of each run. ``command``: what repeats all this, for the card. Raises
    DatasetError, InputError or ModelError for what cannot be.
    """
    folder = free_folder(
        name, overwrite=overwrite
    )  # a name that is taken is found before the work, not after it
    dataset = load_dataset(config.dataset)
    config = replace(config, repeat=repeats[0], seed=None)

    def keep(result: RunResult) -> None:
        line = line_of(result)
        if line.key not in {other.key for other in results.lines(dataset.name)}:
            results.append(line, result.curve)
        if on_run is not None:
            on_run(line)

    measured = measure(config, dataset, range(config.folds)[:measured_folds], on_run=keep)
    method = f"{config.method}:{config.score}" if config.score else config.method
    evaluate(
        plan(config, [method], repeats),
        results,
        on_run=None if on_run is None else lambda progress: on_run(progress.line),
    )
    lines = results.lines(dataset.name)
    evaluation = accuracy(lines, config.config_id, config.folds, repeats) | measured
    evaluation |= beside(lines, config.config_id, config.folds, repeats)
    result = train(replace(config, fold=None), dataset=dataset, watch=Watch())
    run = run_facts(result) | {"config_id": config.config_id, "folds": config.folds, "repeats": list(repeats)}
    run |= {"commands": [command]} if command else {}
    save_model(name, result.network, result.schema, result.classes, run, evaluation, overwrite=overwrite)
    write_record(folder, result)
    return folder


def record(folder: Path) -> Path:
    """Train by the settings of a released model, and keep beside it what that does to a graph of each class; the file.

    Another processor ends in other weights: the record says by how much they differ from the model's (``apart``).
    Raises ModelError for a folder that is no model's.
    """
    config = read_config(folder)
    settings = config["architecture"] | config.get("run", {})
    known = {one.name for one in fields(RunConfig)}
    result = train(
        RunConfig(**{key: value for key, value in settings.items() if key in known}), watch=Watch()
    )
    return write_record(folder, result)


def write_record(folder: Path, result: RunResult) -> Path:
    """Write the record of a run beside a model that was trained by its settings, thinned out; the file.

    It holds what ``Record.to_dict`` gives, the ``best`` epoch, ``curves``: losses and accuracies of all epochs, and
    ``apart``: the largest difference between a weight of the run's network and of the model's; 0 where they are the
    same. Raises ModelError where the run was not recorded.
    """
    if result.record is None:
        raise ModelError(f"the training of {folder.name} was not recorded")
    own, found = load_model(folder).classifier.state_dict(), result.network.state_dict()
    document = {
        **result.record.thinned(RECORDED_VALUES, result.best_epoch).to_dict(),
        "best": result.best_epoch,
        "curves": {name: [round(event[name], 6) for event in result.curve] for name in CURVES},
        "apart": max(float((own[key] - value).abs().max()) for key, value in found.items()),
    }
    path = folder / RECORD
    path.write_text(json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n", encoding="utf-8")
    return path


def refresh(folder: Path, lines: Sequence[ResultLine]) -> None:
    """Write config.json and the card of a released model anew from the runs there are by now; its weights stay.

    Raises ModelError for a folder that is no model's, or without such runs.
    """
    config = read_config(folder)
    run = config.get("run", {})
    own = [line for line in lines if line.dataset == run.get("dataset")]
    which = str(run.get("config_id")), int(run.get("folds", 10)), run.get("repeats")
    config["evaluation"] = config.get("evaluation", {}) | accuracy(own, *which) | beside(own, *which)
    write_config(folder, config)
    (folder / CARD).write_text(model_card(folder.name, config), encoding="utf-8")


def accuracy(
    lines: Sequence[ResultLine], config_id: str, folds: int, repeats: Sequence[int] | None = None
) -> dict[str, Any]:
    """What the runs of one configuration say: accuracy in percent, and confusion.

    ``repeats``: those that count (None: all). Raises ModelError without any.
    """
    own = _runs(lines, config_id, repeats)
    cell = summarise(_accuracies(own), folds)
    if cell is None:
        raise ModelError(f"there are no runs of the configuration {config_id} in results/")
    confusion = np.sum([line.confusion for line in own], axis=0)
    return {
        "accuracy": asdict(cell),
        "confusion": confusion.tolist(),
    }


def beside(
    lines: Sequence[ResultLine], config_id: str, folds: int, repeats: Sequence[int] | None = None
) -> dict[str, Any]:
    """What the other network has on the data set of ``lines``: of the recommended network the paper's, and the reverse.

    ``comparison``: this network minus the other on the folds that both have, None where there are no two. Empty for
    another configuration, or without runs of the other network.
    """
    if config_id not in _OTHER or not lines:
        return {}
    name, other_id = _OTHER[config_id]
    counted = REPEATS.get(lines[0].dataset) if name == RECOMMENDED_NETWORK else None
    own, other = _runs(lines, config_id, repeats), _runs(lines, other_id, counted)
    cell = summarise(_accuracies(other), folds)
    if cell is None:
        return {}
    comparison = paired(_accuracies(own), _accuracies(other), folds)
    return {
        "beside": {
            "network": name,
            "accuracy": asdict(cell),
            "comparison": None if comparison is None else asdict(comparison),
        }
    }


def _runs(lines: Sequence[ResultLine], config_id: str, repeats: Sequence[int] | None) -> list[ResultLine]:
    return [
        line
        for line in lines
        if line.config_id == config_id and not line.grid and (repeats is None or line.repeat in repeats)
    ]


def _accuracies(lines: Sequence[ResultLine]) -> dict[Place, float]:
    return {(line.repeat, line.fold): 100 * line.test_accuracy for line in lines}


def run_facts(result: RunResult) -> dict[str, Any]:
    """How a run was made, as plain data for config.json; nothing in it names the machine or its folders."""
    config = result.config
    # those of the network are its architecture
    of_training = {
        name: value
        for name, value in config.stated().items()
        if name not in settings_of(NetworkSettings) and name not in {"device", "threads"}
    }
    return of_training | {
        "dataset": result.dataset_name,
        "seed": config.run_seed,
        "epochs": result.epochs,
        "best_epoch": result.best_epoch,
        "val_loss": result.val_loss,
        "val_accuracy": result.val_accuracy,
        "test_accuracy": result.test_accuracy,
        "confusion": result.confusion,
        "device": result.device.split(":")[0],
        "version": mivspool.__version__,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
