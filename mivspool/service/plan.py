"""A job as a list of runs: which there are, in which order, and what they come to together."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from mivspool.learning.runs import RunConfig, decide
from mivspool.service.jobs_schemas import EvaluateRequest, JobRequest, TrainRequest
from mivspool.service.store import Job

_REQUEST: TypeAdapter[TrainRequest | EvaluateRequest] = TypeAdapter(JobRequest)


@dataclass(frozen=True)
class Run:
    """One training of a job. ``key`` names it among the job's runs; ``fold`` is what its grid is chosen in."""

    key: str
    fold: str
    config: RunConfig


def request_of(job: Job) -> TrainRequest | EvaluateRequest:
    """What was asked for."""
    return _REQUEST.validate_python(job.request)


def plan(job: Job, device: str) -> list[Run]:
    """The runs of a job, in a fixed order: repeat by repeat, fold by fold, then along the grid."""
    request = request_of(job)
    if isinstance(request, TrainRequest):
        return [Run("train", "train", request.run(device=device))]
    runs = []
    for task in request.tasks(device=device):
        config = task.config
        place = f"r{config.repeat}-f{config.fold}"
        key = place + "".join(f"-{name}{getattr(config, name):g}" for name in request.grid or {})
        runs.append(Run(key, place, config))
    return runs


def summary(runs: list[Run], lines: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What the runs come to: the grid decided inside each fold, the mean over folds, the spread over repeats."""
    chosen = list(decide(runs, lambda run: run.fold, lambda run: float(lines[run.key]["val_loss"])).values())
    by_repeat: dict[int, list[float]] = {}
    for run in chosen:
        accuracy = lines[run.key].get("test_accuracy")
        if accuracy is not None:
            by_repeat.setdefault(run.config.repeat, []).append(accuracy)
    means = [statistics.fmean(values) for values in by_repeat.values()]
    return {
        "runs": len(runs),
        "chosen": sorted(run.key for run in chosen),
        "test_accuracy": statistics.fmean(means) if means else None,
        "test_accuracy_std": statistics.stdev(means) if len(means) > 1 else None,
        "val_loss": statistics.fmean(lines[run.key]["val_loss"] for run in chosen),
        "val_accuracy": statistics.fmean(lines[run.key]["val_accuracy"] for run in chosen),
    }
