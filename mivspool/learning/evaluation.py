"""Doing the runs of an evaluation that are due, in worker processes, resumable at any time."""

from __future__ import annotations

import datetime
import multiprocessing
import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import torch

from mivspool.errors import InputError, JobError
from mivspool.graphs import load_dataset
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.given import Several, dataset_of
from mivspool.learning.provenance import commit, numbers, processor
from mivspool.learning.results import Results
from mivspool.learning.runs import ResultLine, RunConfig, Task, decide
from mivspool.learning.statistics import summarise
from mivspool.learning.training import RunResult, train
from mivspool.learning.workers import Due, Workers, peak

PAPER = (
    "mivspool:multiview", "mivspool:uniform", "mivspool:projection", "mivspool:attention",
    "mivspool-comp:multiview", "none", "structure-blind", "gpool", "sagpool", "mvpool-sl",
)  # fmt: skip
"""The rows of tables 2 and 4, and the two that the paper does not have."""


RunAll = Callable[[Sequence[Task], int, Callable[[], bool] | None], Iterator[tuple[Task, RunResult]]]
"""What does runs: those due, the workers, whether to stop → each with its result, in the order in which they end."""


@dataclass(frozen=True)
class Progress:
    """What is told after each finished run; ``seconds_left`` from the mean of those of this call."""

    line: ResultLine
    done: int
    total: int
    seconds_left: float


def evaluate(
    tasks: Sequence[Task],
    results: Results,
    *,
    workers: int | str = 1,
    resume: bool = True,
    on_run: Callable[[Progress], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    run_all: RunAll | None = None,
    dataset: Several | None = None,
) -> int:
    """Do the runs that are not in ``results`` yet, in order, each appended as it ends; the number done.

    Runs that were made by an earlier order of the vertices are done again.

    All tasks are of one data set. ``workers`` processes share the machine (and its GPU): a number of them, or
    ``"auto"``, one per core as far as memory goes; with one, the runs are done in this process. The last runs of
    several workers begin in the order of their length. ``run_all`` does the runs elsewhere (on a cluster). Stopping at
    any moment loses the runs in progress and no other. ``dataset``: graphs at hand (a data set of PyTorch Geometric, a
    list of ``Data``, …) that are used instead of loading the data set that the tasks name, whose name they take.
    ``resume=False`` refuses to go on where runs are there already. Raises what :func:`train` raises.
    """
    if not tasks:
        return 0
    several = Workers(workers, tasks)
    named = tasks[0].config.dataset
    if dataset is not None and run_all is not None:
        raise InputError("graphs at hand are evaluated on this machine: name a data set to use a cluster")
    at_hand = None if dataset is None else replace(dataset_of(dataset), name=named)
    name = _dataset(named).name if at_hand is None else named
    there = {line.key for line in results.lines(name) if not line.earlier_order}
    due = [task for task in tasks if task.key(name) not in there]
    if not resume and len(due) < len(tasks):
        raise InputError(
            f"{len(tasks) - len(due)} of these runs are in {results.folder} already: leave --no-resume out to do "
            "the others, or write to another folder"
        )
    start, done = time.monotonic(), 0
    if run_all is not None:
        made = run_all(due, several.most, should_stop)
    elif several.most == 1:
        made = _in_process(due, should_stop, at_hand)
    else:
        made = _in_pool(Due(due, results.lines(name)), several, should_stop, at_hand)
    for task, result in made:
        line = line_of(result, grid=task.grid)
        results.append(line, result.curve)
        done += 1
        if on_run is not None:
            left = (time.monotonic() - start) / done * (len(due) - done)
            on_run(Progress(line, len(tasks) - len(due) + done, len(tasks), left))
    return done


def line_of(result: RunResult, *, grid: bool = False) -> ResultLine:
    """The line of a run that has just ended."""
    date = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    line = ResultLine.of(result, grid=grid, commit=commit(), date=date)
    return replace(line, numbers=numbers(result.config), processor=processor())


def summary(lines: Sequence[ResultLine], folds: int = 10) -> list[dict[str, Any]]:
    """Mean ± standard deviation of the repeats' means by method and score, in percent.

    Of several configurations of one fold the one with the lowest validation loss counts.
    """
    by_method: dict[tuple[str, str | None], list[ResultLine]] = defaultdict(list)
    for line in lines:
        by_method[line.method, line.score].append(line)
    rows = []
    for (method, score), own in by_method.items():
        places = decide(own, lambda line: (line.repeat, line.fold), lambda line: line.val_loss)
        cell = summarise({place: 100 * line.test_accuracy for place, line in places.items()}, folds)
        if cell is not None:
            rows.append({
                "method": method, "score": score, "mean": cell.mean, "std": cell.std, "folds": cell.folds,
                "repeats": cell.repeats, "runs": cell.runs, "grid": any(line.grid for line in places.values()),
            })  # fmt: skip
    return rows


def _in_process(
    due: Sequence[Task], should_stop: Callable[[], bool] | None, dataset: Dataset | None
) -> Iterator[tuple[Task, RunResult]]:
    for task in due:
        if should_stop is not None and should_stop():
            return
        data = dataset or _dataset(task.config.dataset)
        yield task, train(task.config, dataset=data, should_stop=should_stop)


def _in_pool(
    due: Due, workers: Workers, should_stop: Callable[[], bool] | None, dataset: Dataset | None
) -> Iterator[tuple[Task, RunResult]]:
    running: dict[Future[tuple[RunResult, int]], Task] = {}
    pool = ProcessPoolExecutor(
        workers.most,
        multiprocessing.get_context("spawn"),
        initializer=_start,
        initargs=(dataset, workers.threads),
    )
    try:
        while due.waiting or running:
            while due.waiting and workers.may_begin(len(running)):
                task = due.next(workers.most)
                running[pool.submit(_work, task.config)] = task
                workers.begun(len(running))
            ended, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in ended:
                task, (result, peak) = running.pop(future), future.result()
                workers.ended(peak)
                due.took(task.config.config_id, result.seconds)
                yield task, result
            if should_stop is not None and should_stop():
                return
    except BrokenProcessPool as error:
        raise JobError(
            "a worker process was killed, perhaps for lack of memory: use fewer workers; the finished runs are kept"
        ) from error
    finally:
        _end(pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """Stop the workers at once: what they were at is lost, which is what was promised."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()


def _start(dataset: Dataset | None, threads: int) -> None:
    """In a worker process: graphs at hand are sent once, and the cores are shared."""
    torch.set_num_threads(threads)
    if dataset is not None:
        _at_hand[dataset.name] = dataset
    _end_with_parent()


def _end_with_parent() -> None:
    """A worker would otherwise finish its run for nobody, and then wait for the next one for ever."""
    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(config: RunConfig) -> tuple[RunResult, int]:
    """One run in a worker process, and the bytes that the process has taken at most."""
    return train(config, dataset=_at_hand.get(config.dataset) or _dataset(config.dataset)), peak()


_at_hand: dict[str, Dataset] = {}
"""Of a worker process: the graphs at hand, by the name that the tasks have for them."""


@lru_cache(maxsize=2)
def _dataset(name: str) -> Any:
    return load_dataset(name)
