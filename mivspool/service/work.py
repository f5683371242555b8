"""The work of a job: its runs one after the other, each with checkpoints, events and a line of results.

The same function is run by a spawned process on this machine and, run by run, by the tasks of a cluster.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mivspool.errors import JobError
from mivspool.learning.runs import outcome
from mivspool.service import recorded
from mivspool.service.jobs_schemas import Progress, TrainRequest
from mivspool.service.plan import Run, plan, request_of, summary
from mivspool.service.store import Claim, Job, Store
from mivspool.service.tracking import Tracker, trackers
from mivspool.service.uploads import PREFIX, Uploads
from mivspool.settings import Limits

if TYPE_CHECKING:
    from mivspool.graphs.dataset import Dataset
    from mivspool.learning.record import Record, Watch
    from mivspool.learning.training import RunResult

log = logging.getLogger("mivspool.job")

FLUSH_SECONDS = 0.25  # epochs may take milliseconds: their events are written together
Stop = Callable[[], bool]


def perform(store: Store, claim: Claim, stop: Stop) -> dict[str, Any]:
    """Do all runs of a job that are not done yet; what they come to. Raises Cancelled, Lost, MIVSPoolError."""
    job = store.get(claim.job)
    if job is None:
        raise JobError(f"there is no job {claim.job}")
    runs = plan(job, store.settings.device)
    done = store.runs(job.id)
    dataset = load(store, job, runs[0].config.dataset)
    for run in runs:
        if run.key not in done:
            perform_run(store, claim, job, run, len(runs), dataset, stop)
    return summary(runs, store.runs(job.id))


def load(store: Store, job: Job, name: str) -> Dataset:
    """The data set of a job: one of the project's by its name, or an upload."""
    from mivspool.graphs.datasets import find_dataset, load_dataset

    if not name.startswith(PREFIX):
        source = find_dataset(name)
        if source is None:
            raise JobError(f"there is no data set {name!r}")
        return load_dataset(source.name)
    uploads = Uploads(store.database, store.settings)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upload.zip"
        store.patience.insist(lambda: uploads.fetch(uploads.find(name, job.owner).id, path))
        return load_dataset(path)


def perform_run(
    store: Store, claim: Claim, job: Job, run: Run, total: int, dataset: Dataset, stop: Stop
) -> None:
    """One run from its last checkpoint to its line of results."""
    from mivspool.learning.training import train

    log.info("run %s", run.key)
    name = f"checkpoint:{run.key}"
    with tempfile.TemporaryDirectory(prefix="mivspool-run-") as folder:
        path = Path(folder) / "run.safetensors"
        store.fetch(job.id, name, path)
        tools = trackers(store.settings, job, run)
        reporter = Reporter(store, claim, run, total, path, name, tools)
        done = False
        try:
            result = train(
                run.config,
                on_epoch=reporter,
                checkpoint=path,
                should_stop=stop,
                dataset=dataset,
                checkpoint_seconds=store.settings.checkpoint_seconds,
                watch=watch_of(job, store.settings.limits),
                on_record=reporter.record,
                insist=store.patience.insist,
            )
            reporter.finish()
            line, done = line_of(result), True
            for tool in tools:
                tool.finish(line)
        finally:
            for tool in tools:
                tool.close(done)
        model = store.patience.insist(lambda: pack_model(result, job)) if job.kind == "train" else None
    if model is not None:
        store.save(claim, "model", model)
    progress = Progress(runs_done=len(store.runs(job.id)) + 1, runs_total=total)
    store.record(claim, run.key, line, progress.model_dump(exclude_none=True), done_with=name)
    log.info("run %s: %d epochs, validation loss %.4f", run.key, result.epochs, result.val_loss)


def watch_of(job: Job, limits: Limits) -> Watch | None:
    """The graphs whose passes a training records; None for an evaluation, which records none."""
    from mivspool.learning.record import Watch

    request = request_of(job)
    if not isinstance(request, TrainRequest):
        return None
    chosen = None if request.watch is None else tuple(request.watch)
    return Watch(chosen, tuple(graph.graph(limits) for graph in request.own))


class Reporter:
    """Called after each epoch: writes events, record and progress, and keeps each new checkpoint in the store."""

    def __init__(
        self,
        store: Store,
        claim: Claim,
        run: Run,
        total: int,
        path: Path,
        name: str,
        tools: Sequence[Tracker],
    ) -> None:
        self.tools = tools
        self.store, self.claim, self.run, self.total = store, claim, run, total
        self.path, self.name = path, name
        self.done = len(store.runs(claim.job))
        self._saved = self._stamp()
        self._events: list[dict[str, Any]] = []
        self._record: Record | None = None
        self._flushed = 0.0

    def __call__(self, epoch: dict[str, Any]) -> None:
        """Take note of one epoch."""
        self._events.append({"key": self.run.key, **epoch})
        for tool in self.tools:
            tool.epoch(epoch)
        if self._stamp() != self._saved:
            self._saved = self._stamp()
            self.store.save(self.claim, self.name, self.path)
        if time.monotonic() - self._flushed >= FLUSH_SECONDS:
            self.finish()

    def record(self, record: Record) -> None:
        """Take note of a pass of the watched graphs; it is written with the event of its epoch."""
        self._record = record
        if len(record.entries) == 1:  # the untrained network: there is something to look at
            recorded.save(self.store, self.claim, record)

    def finish(self) -> None:
        """Write what waits."""
        if self._record is not None:
            recorded.save(self.store, self.claim, self._record)
        if not self._events:
            return
        last = self._events[-1]
        progress = Progress(
            runs_done=self.done,
            runs_total=self.total,
            epoch=last["epoch"],
            max_epochs=self.run.config.max_epochs,
            seconds_left=last["seconds_left"],
        )
        self.store.append_all(self.claim, "epoch", self._events, progress.model_dump(exclude_none=True))
        self._events = []
        self._flushed = time.monotonic()

    def _stamp(self) -> int:
        return self.path.stat().st_mtime_ns if self.path.exists() else 0


def line_of(result: RunResult) -> dict[str, Any]:
    """What is kept of a run: plain data, without its weights."""
    return {
        **result.config.to_dict(),
        "config_id": result.config.config_id,
        "seed": result.config.run_seed,
        "classes": list(result.classes),
        **outcome(result),
    }


def pack_model(result: RunResult, job: Job) -> bytes:
    """What the run has learned as a model's folder, packed."""
    from mivspool.learning.models import save_model
    from mivspool.service.library import pack

    run = {key: value for key, value in line_of(result).items() if key != "classes"}
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "model"
        save_model(made, result.network, result.schema, result.classes, {**run, "job": job.id})
        return pack(made)
