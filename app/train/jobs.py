"""What the Train page knows of jobs: the trajectory of one so far, and how long one will take."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from app import backend, runs
from mivspool.content.results.found import Signature
from mivspool.errors import MIVSPoolError
from mivspool.graphs.datasets import find_dataset, is_cached, load_dataset
from mivspool.learning.runs import SETTINGS
from mivspool.service.jobs_schemas import JobDocument
from mivspool.service.states import DONE, UNFINISHED

CURVES = ("train_loss", "val_loss", "train_accuracy", "val_accuracy")
_MOST_KEPT = 12
_PORTION = 5000  # events that are asked for at once
_RECENT_JOBS = 40  # jobs of which the speed is known


@dataclass(frozen=True)
class Curve:
    """A learning curve: which run, one list per quantity, and the epoch of the lowest validation loss so far."""

    run: str
    columns: dict[str, list[float]]
    best: int | None


@dataclass
class Trajectory:
    """The epochs of a job so far, run by run. ``last``: the number of the last event that was read."""

    last: int = 0
    epochs: dict[str, dict[int, dict[str, Any]]] = field(default_factory=dict)

    def add(self, data: dict[str, Any]) -> None:
        """One epoch; after a resume an epoch comes again and replaces what it was."""
        own = self.epochs.setdefault(str(data.get("key", "train")), {})
        epoch = int(data["epoch"])
        if epoch in own or (own and epoch < max(own)):
            for later in [known for known in own if known >= epoch]:
                del own[later]
        own[epoch] = data

    def curve(self) -> Curve | None:
        """The learning curve of the run that is going on, or was last; None before its first epoch."""
        run = next(reversed(self.epochs), None)
        if run is None:
            return None
        own = [self.epochs[run][epoch] for epoch in sorted(self.epochs[run])]
        columns = {name: [float(one[name]) for one in own if name in one] for name in CURVES}
        return Curve(run, columns, int(own[-1].get("best_epoch") or 0) or None)


def curve(job: str) -> Curve | None:
    """The learning curve of a job, read on from where this session stopped reading. Raises a MIVSPoolError."""
    kept: dict[str, Trajectory] = st.session_state.setdefault("train:trajectories", {})
    own = kept.pop(job, None) or Trajectory()
    kept[job] = own
    while len(kept) > _MOST_KEPT:
        del kept[next(iter(kept))]
    found = None
    while found is None or len(found.events) == _PORTION:
        found = backend.client().events(job, own.last, _PORTION)
        for event in found.events:
            if event.kind == "epoch":
                own.add(event.data)
        own.last = found.last
    return own.curve()


# ---- how long it will take --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Speed:
    """What one earlier run took: seconds per epoch, and epochs; ``work`` is what an epoch has to do.

    ``whole``: whether early stopping ended it; one that reached its last epoch might have gone on.
    """

    dataset: str
    method: str
    seconds: float
    epochs: int
    work: float
    here: bool
    whole: bool = True


@dataclass(frozen=True)
class Estimate:
    """``usual`` and ``most`` seconds of a run; ``source`` says what it rests on: here, results or scaled."""

    usual: float
    most: float
    seconds_an_epoch: float
    source: str
    count: int


def estimate(asked: dict[str, Any]) -> Estimate | None:
    """From runs like it on this backend, else from the runs in results/, else scaled by size; None without any."""
    known = [*_of_jobs(), *_of_results()]
    same = [one for one in known if (one.dataset, one.method) == (asked["dataset"], asked["method"])]
    here = [one for one in same if one.here]
    chosen, source = (here, "here") if here else (same, "results")
    work = _work(asked)
    if not chosen and work:
        chosen, source = [one for one in known if one.work and one.method == asked["method"]], "scaled"
        chosen = chosen or [one for one in known if one.work]
    if not chosen:
        return None
    if work and all(one.work for one in chosen):
        speeds = [one.seconds * work / one.work for one in chosen]
    else:
        speeds = [one.seconds for one in chosen]
    epoch = statistics.median(speeds)
    epochs = _epochs([chosen, same, known], asked["max_epochs"])
    return Estimate(epoch * epochs, epoch * asked["max_epochs"], epoch, source, len(chosen))


def _epochs(nearest: Sequence[Sequence[Speed]], most: int) -> float:
    """How many epochs a run usually takes: by the nearest runs that say so, else all that it may."""
    for known in nearest:
        said = [min(one.epochs, most) for one in known if one.whole or one.epochs >= most]
        if said:
            return statistics.median(said)
    return most


@st.cache_data(ttl=60, max_entries=4, show_spinner=False)
def _speeds(visitor: str | None) -> list[Speed]:
    client = backend.client()
    found = []
    for job in client.jobs(states=[DONE], limit=_RECENT_JOBS):
        for line in client.runs(job.id)[:10]:
            if line.get("epochs") and line.get("seconds"):
                found.append(_speed(line, True))
    return found


def _of_jobs() -> list[Speed]:
    try:
        return _speeds(backend.visitor())
    except MIVSPoolError:
        return []  # without them the estimate rests on the released runs, and says so


def _of_results() -> list[Speed]:
    lines = runs.read().lines
    return _results_speeds(runs.read().signature, lines) if lines else []


@st.cache_resource(max_entries=2, show_spinner=False)
def _results_speeds(signature: Signature, _lines: Sequence[Any]) -> list[Speed]:
    return [_speed(line.to_dict(), False) for line in _lines if line.epochs and line.seconds]


def _speed(line: dict[str, Any], here: bool) -> Speed:
    epochs = int(line["epochs"])
    dataset, method, seconds = str(line["dataset"]), str(line["method"]), float(line["seconds"]) / epochs
    most = int(line.get("max_epochs", SETTINGS["max_epochs"].default))
    return Speed(dataset, method, seconds, epochs, _work(line), here, epochs < most)


def _work(run: dict[str, Any]) -> float:
    """What an epoch has to do, roughly: vertices and edges times blocks times channels; 0 where it is not known."""
    size = _size(str(run["dataset"]))
    return size * int(run["blocks"]) * int(run["hidden"])


def _size(name: str) -> float:
    source = find_dataset(name)
    return _size_of(source.name) if source is not None and is_cached(source.name) else 0.0


@st.cache_data(max_entries=32, show_spinner=False)
def _size_of(name: str) -> float:
    dataset = load_dataset(name)
    return float(dataset.ptr[-1] + 2 * dataset.edge_ptr[-1])


def finished(job: JobDocument) -> bool:
    """Whether nothing more will happen to it by itself."""
    return job.state not in UNFINISHED
