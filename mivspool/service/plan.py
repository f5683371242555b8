"""A job as a list of runs: which there are, in which order, and what they come to together."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from mivspool.service.jobs_schemas import EvaluateRequest, JobRequest, TrainRequest
from mivspool.service.store import Job

if TYPE_CHECKING:
    from mivspool.learning.config import RunConfig

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
    from mivspool.learning.config import RunConfig

    request = request_of(job)
    common = {**request.common(), "device": device}
    if isinstance(request, TrainRequest):
        own = {"fold": request.fold, "repeat": request.repeat, "seed": request.seed}
        return [Run("train", "train", RunConfig.from_dict({**common, **own}))]
    runs = []
    for repeat, fold, point in itertools.product(
        range(request.repeats), sorted(set(request.folds)), _points(request)
    ):
        config = RunConfig.from_dict({**common, "repeat": repeat, "fold": fold, **point})
        place = f"r{repeat}-f{fold}"
        key = place + "".join(f"-{name}{value:g}" for name, value in point.items())
        runs.append(Run(key, place, config))
    return runs


def summary(runs: list[Run], lines: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What the runs come to: the grid decided inside each fold, the mean over folds, the spread over repeats."""
    chosen: dict[str, str] = {}
    for run in runs:
        best = chosen.get(run.fold)
        if best is None or lines[run.key]["val_loss"] < lines[best]["val_loss"]:
            chosen[run.fold] = run.key
    by_repeat: dict[int, list[float]] = {}
    for run in runs:
        accuracy = lines[run.key].get("test_accuracy")
        if run.key == chosen[run.fold] and accuracy is not None:
            by_repeat.setdefault(run.config.repeat, []).append(accuracy)
    means = [statistics.fmean(values) for values in by_repeat.values()]
    return {
        "runs": len(runs),
        "chosen": sorted(chosen.values()),
        "test_accuracy": statistics.fmean(means) if means else None,
        "test_accuracy_std": statistics.stdev(means) if len(means) > 1 else None,
        "val_loss": statistics.fmean(lines[key]["val_loss"] for key in chosen.values()),
        "val_accuracy": statistics.fmean(lines[key]["val_accuracy"] for key in chosen.values()),
    }


def _points(request: EvaluateRequest) -> list[dict[str, Any]]:
    grid = {name: list(dict.fromkeys(values)) for name, values in (request.grid or {}).items()}
    points = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    return [{k: int(v) if k == "blocks" else v for k, v in point.items()} for point in points]
