"""Each run of a job also for the tools people know: TensorBoard's files, MLflow's server (``MIVSPOOL_TRACKING``).

TensorBoard reads ``MIVSPOOL_HOME/tensorboard`` (``tensorboard --logdir``); MLflow's address is its own variable,
``MLFLOW_TRACKING_URI``.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Protocol

from mivspool.errors import InputError, JobError
from mivspool.service.plan import Run
from mivspool.service.store import Job
from mivspool.settings import Settings, private_folder

_CURVES = ("train_loss", "train_accuracy", "val_loss", "val_accuracy")
_RESULTS = ("val_loss", "val_accuracy", "test_accuracy", "best_epoch", "seconds")


class Tracker(Protocol):
    """One run in one tool."""

    def epoch(self, event: Mapping[str, Any]) -> None:
        """Losses and accuracies of one epoch."""
        ...

    def finish(self, line: Mapping[str, Any]) -> None:
        """What the run came to."""
        ...

    def close(self, done: bool) -> None:
        """No more comes, whether the run was done or not."""
        ...


class TensorBoard:
    """Event files, a folder for each run; a resumed run goes on in the same folder."""

    def __init__(self, settings: Settings, job: Job, run: Run) -> None:
        writer = _module("torch.utils.tensorboard", "tensorboard").SummaryWriter
        folder = private_folder(settings.home / "tensorboard")
        self._writer = writer(str(folder / job.id / run.key))

    def epoch(self, event: Mapping[str, Any]) -> None:
        """Four curves."""
        for name in _CURVES:
            self._writer.add_scalar(name.replace("_", "/"), event[name], event["epoch"])

    def finish(self, line: Mapping[str, Any]) -> None:
        """The configuration beside its result."""
        plain = {key: value for key, value in line.items() if isinstance(value, str | int | float | bool)}
        self._writer.add_hparams(
            {key: value for key, value in plain.items() if key not in _RESULTS},
            {f"result/{key}": plain[key] for key in _RESULTS if key in plain},
            run_name=".",
        )

    def close(self, done: bool) -> None:
        """Write what is left."""
        self._writer.close()


class MLflow:
    """A run of the experiment ``mivspool``; a resumed run is one more, with the same name."""

    def __init__(self, settings: Settings, job: Job, run: Run) -> None:
        self._client = _module("mlflow", "mlflow").MlflowClient()
        found = self._client.get_experiment_by_name("mivspool")
        experiment = found.experiment_id if found else self._client.create_experiment("mivspool")
        self._id = self._client.create_run(
            experiment, run_name=f"{job.id}/{run.key}", tags={"mivspool.job": job.id}
        ).info.run_id
        for key, value in run.config.to_dict().items():
            self._client.log_param(self._id, key, value)

    def epoch(self, event: Mapping[str, Any]) -> None:
        """Four curves."""
        for name in _CURVES:
            self._client.log_metric(self._id, name, event[name], step=event["epoch"])

    def finish(self, line: Mapping[str, Any]) -> None:
        """What the run came to."""
        for key in _RESULTS:
            if line.get(key) is not None:
                self._client.log_metric(self._id, f"final_{key}", line[key])

    def close(self, done: bool) -> None:
        """Say how the run ended."""
        self._client.set_terminated(self._id, "FINISHED" if done else "KILLED")


_TOOLS: dict[str, type[TensorBoard] | type[MLflow]] = {"tensorboard": TensorBoard, "mlflow": MLflow}


def trackers(settings: Settings, job: Job, run: Run) -> list[Tracker]:
    """Those that the setting names. Raises InputError for one that is not known, JobError for one not installed."""
    names = [name.strip().lower() for name in settings.tracking.split(",") if name.strip()]
    for name in names:
        if name not in _TOOLS:
            raise InputError(f"MIVSPOOL_TRACKING names {name!r}: there are {', '.join(_TOOLS)}")
    return [_TOOLS[name](settings, job, run) for name in names]


def _module(name: str, package: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise JobError(f"MIVSPOOL_TRACKING needs {package}: pip install {package}") from error
