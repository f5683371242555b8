"""The measurements behind ``ablation.py``: its runs, renumbering their test graphs, and the cost of an epoch."""

from __future__ import annotations

import datetime
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch

from mivspool.graphs import dataset_features, load_dataset
from mivspool.learning.ablation import Ablation, Cost, Renumbered, costs, tasks
from mivspool.learning.calibration import ROUNDS, renumbering
from mivspool.learning.evaluation import Progress, evaluate
from mivspool.learning.memory import keep_buffers
from mivspool.learning.network import Classifier
from mivspool.learning.provenance import commit, processor
from mivspool.learning.results import append_document
from mivspool.learning.runs import RunConfig, Task
from mivspool.learning.training import RunResult, prepare, train, train_epoch

EPOCHS = 5
"""How many epochs the cost of one is the median of."""


def run(kept: Ablation, *, on_run: Callable[[Progress], None] | None = None) -> int:
    """Do the runs that are missing, one after the other; the number done. A run that is stopped is lost."""
    return evaluate(tasks(), kept.results, on_run=on_run, run_all=partial(_measured, kept))


def measure_costs(
    kept: Ablation, epochs: int = EPOCHS, *, on_cost: Callable[[Cost], None] | None = None
) -> int:
    """Measure the costs that are missing, each in a process of its own; the number measured."""
    known = {(one.dataset, one.config_id) for one in kept.costs()}
    due = [one for one in costs() if (one.dataset, one.config_id) not in known]
    for config in due:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            found = pool.submit(cost, config, epochs).result()
        append_document(kept.cost_file, asdict(found))
        if on_cost is not None:
            on_cost(found)
    return len(due)


def cost(config: RunConfig, epochs: int = EPOCHS) -> Cost:
    """Measure an epoch on all graphs of the configuration's data set, in this process, which should be a fresh one."""
    torch.set_num_threads(1)
    keep_buffers()
    dataset = load_dataset(config.dataset)
    _, _, data = prepare(replace(config, fold=None), dataset, torch.device("cpu"))
    network = Classifier(config.architecture(data.x.size(1), len(dataset.classes)))
    optimiser = torch.optim.Adam(network.parameters(), lr=config.lr, weight_decay=config.weight_decay)
    # what is loaded and compiled at first is not the network's
    train_epoch(network, optimiser, data, np.arange(4), config.batch_size)
    before = _forget_peak()
    seconds = []
    for _ in range(epochs):
        start = time.process_time()
        train_epoch(network, optimiser, data, np.arange(len(dataset)), config.batch_size)
        seconds.append(time.process_time() - start)
    mib = None if before is None else round(_status("VmHWM") - before, 1)
    date = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return Cost(
        config.dataset, config.config_id, round(statistics.median(seconds), 4), mib, epochs, processor(), commit(), date
    )  # fmt: skip


def _forget_peak() -> float | None:
    """MiB that this process holds now, from where its peak counts anew; None where the system does not tell."""
    peaks = Path("/proc/self/clear_refs")
    if not peaks.exists():
        return None
    peaks.write_text("5", encoding="ascii")
    return _status("VmRSS")


def _status(what: str) -> float:
    (line,) = (
        one
        for one in Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        if one.startswith(what)
    )
    return int(line.split()[1]) / 1024


def _measured(
    kept: Ablation, due: Sequence[Task], workers: int, should_stop: Callable[[], bool] | None
) -> Iterator[tuple[Task, RunResult]]:
    """Each run, and what renumbering its test graphs changes; its line follows, so what has a line is whole."""
    for task in due:
        dataset = load_dataset(task.config.dataset)
        result = train(task.config, dataset=dataset, should_stop=should_stop)
        x, _ = dataset_features(dataset, result.split.train, task.config.features)
        moved, other = renumbering(result.network, dataset, x, result.split.test, seed=task.config.run_seed)
        survivors = int(moved.any(1).sum()) if moved.shape[1] else None
        assert task.config.fold is not None
        found = Renumbered(
            task.config.config_id, task.config.fold, len(other), ROUNDS, survivors, int(other.sum())
        )
        append_document(kept.renumbered_file, asdict(found))
        yield task, result
