"""One training run: resident data, Adam, early stopping on the validation loss, checkpoints that resume exactly."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from mivspool.errors import InputError, JobError
from mivspool.graphs import InputSchema, dataset_features, load_dataset
from mivspool.graphs.dataset import Dataset
from mivspool.learning import checkpoint as files
from mivspool.learning.batches import Batch, Resident
from mivspool.learning.folds import Split, split
from mivspool.learning.memory import keep_buffers
from mivspool.learning.network import Classifier, Forward
from mivspool.learning.record import Record, Recorder, Watch, begin
from mivspool.learning.runs import RunConfig
from mivspool.messages import count

__all__ = ["Cancelled", "RunConfig", "RunResult", "predict", "prepare", "train", "train_epoch"]

CHECKPOINT_SECONDS = 10.0

OnEpoch = Callable[[dict[str, Any]], None]
OnRecord = Callable[[Record], None]
ShouldStop = Callable[[], bool]
Insist = Callable[[Callable[[], None]], object]


def _once(write: Callable[[], None]) -> None:
    write()


class Cancelled(JobError):  # noqa: N818 - the word of the jobs
    """The run was asked to stop; its checkpoint, where it has one, resumes it to the same result."""


@dataclass(eq=False)
class RunResult:
    """What a run came to, at the epoch of the lowest validation loss.

    ``network`` holds that epoch's weights, on the CPU. ``confusion`` int lists [true][predicted] of the test graphs;
    ``test_accuracy`` and it are None where none are held out. ``iterations``: T + 1 at each level, mean over the test
    (else validation) graphs, None for methods without iterations. ``curve``: one event per epoch. ``logits`` float32
    [n, classes] and ``target`` int64 [n] of "validation" and "test". ``seconds``: of all epochs. ``record``: what the
    network made of the watched graphs at each epoch; None where none were watched.
    """

    config: RunConfig
    dataset_name: str
    classes: tuple[str, ...]
    network: Classifier
    schema: InputSchema
    split: Split
    epochs: int
    best_epoch: int
    val_loss: float
    val_accuracy: float
    test_accuracy: float | None
    confusion: list[list[int]] | None
    iterations: list[float] | None
    curve: list[dict[str, float]]
    logits: dict[str, NDArray[np.float32]]
    target: dict[str, NDArray[np.int64]]
    seconds: float
    device: str
    threads: int
    record: Record | None = None


@dataclass(eq=False)
class _Progress:
    """What an interrupted run must remember beside its tensors."""

    epoch: int = 0
    best_epoch: int = 0
    best_loss: float = float("inf")
    best_accuracy: float = 0.0
    seconds: float = 0.0
    curve: list[dict[str, float]] = field(default_factory=list)

    def stopped(self, config: RunConfig) -> bool:
        """Whether training is over."""
        return self.epoch >= config.max_epochs or self.epoch - self.best_epoch >= config.patience


def train(
    config: RunConfig,
    *,
    on_epoch: OnEpoch | None = None,
    checkpoint: str | Path | None = None,
    should_stop: ShouldStop | None = None,
    dataset: Dataset | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    watch: Watch | None = None,
    on_record: OnRecord | None = None,
    insist: Insist = _once,
) -> RunResult:
    """Train one classifier.

    ``on_epoch`` gets ``{"epoch", "train_loss", "train_accuracy", "val_loss", "val_accuracy", "best_epoch", "seconds",
    "seconds_left"}`` after each epoch; ``seconds_left`` is the time until early stopping if nothing improves any
    more. ``should_stop`` is asked at every batch. ``checkpoint``: a file written every ``checkpoint_seconds`` and read
    at the start where it exists: the run goes on to the same result as if it had never stopped. ``dataset``: used
    instead of loading ``config.dataset``. ``watch``: the graphs whose passes are recorded, which changes nothing of the
    run; ``on_record`` gets the record after each pass, before ``on_epoch`` is called. ``insist`` is given what writes a
    checkpoint: it calls that once by default, and may call it again where a disk was full, say.
    Raises InputError or DatasetError for data that cannot be learned and graphs that cannot be watched, Cancelled.
    """
    dataset = load_dataset(config.dataset) if dataset is None else dataset
    device = pick_device(config.device)
    keep_buffers()
    path = None if checkpoint is None else Path(checkpoint)
    with _memory(config), _own_random_state(config, device):
        parts, schema, data = prepare(config, dataset, device)
        return _run(
            config, dataset, device, parts, schema, data, on_epoch, path, checkpoint_seconds, should_stop,
            watch, on_record, insist,
        )  # fmt: skip


def prepare(config: RunConfig, dataset: Dataset, device: torch.device) -> tuple[Split, InputSchema, Resident]:
    """The split, the input schema from the training graphs, and the data on the device; refuses what cannot be."""
    parts = split(dataset, config.repeat, config.fold, config.folds)
    _check_attributes(dataset)
    x, schema = dataset_features(dataset, parts.train, config.features)
    return parts, schema, Resident(dataset, x, device)


def predict(network: Classifier, batch: Batch) -> Tensor:
    """Logits [B, classes] of a batch, without dropout and without a gradient."""
    return _evaluated(network, batch).logits


def pick_device(name: str) -> torch.device:
    """cpu, cuda, cuda:N, or auto: a GPU where there is one. Raises InputError for one that there is not."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise InputError(f"there is no device {name!r}: use cpu, cuda, cuda:N or auto") from error
    if device.type not in {"cpu", "cuda"}:
        raise InputError(f"training runs on cpu or cuda, not on {name!r}")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise InputError(f"there is no {name} on this machine: use cpu or auto")
    return device


def _run(
    config: RunConfig,
    dataset: Dataset,
    device: torch.device,
    parts: Split,
    schema: InputSchema,
    data: Resident,
    on_epoch: OnEpoch | None,
    path: Path | None,
    checkpoint_seconds: float,
    should_stop: ShouldStop | None,
    watch: Watch | None,
    on_record: OnRecord | None,
    insist: Insist,
) -> RunResult:
    network = Classifier(config.architecture(data.x.size(1), len(dataset.classes))).to(device)
    optimiser = torch.optim.Adam(
        network.parameters(), lr=config.lr, weight_decay=config.weight_decay, fused=True
    )
    progress = _Progress()
    best = _copy(network)
    found = None if path is None else files.load(path)
    if found is not None:
        tensors, state = found
        if RunConfig.from_dict(state["config"]) != config:
            raise InputError(f"the checkpoint {path} belongs to another run: delete it, or resume that run")
        best = {name: value.to(device) for name, value in files.unpack(tensors, network, optimiser).items()}
        progress = _Progress(**state["progress"])
    kept = None if found is None else found[1].get("record")
    recorder = None if watch is None else begin(watch, dataset, parts, schema, config.batch_size, kept)
    watched = set() if recorder is None else {place for place, some in enumerate(recorder.shared) if some}
    validation = [data.cut(part) for part in _chunks(parts.validation, config.batch_size)]

    def record(passes: list[Forward]) -> None:
        if recorder is None:
            return
        batches = list(zip(validation, passes, strict=True))
        if recorder.note(progress.epoch, progress.best_epoch, network, batches) and on_record is not None:
            on_record(recorder.record)

    if recorder is not None and not progress.epoch:
        record(_passes(network, validation, watched))
    saved = time.monotonic()
    while not progress.stopped(config):
        start = time.perf_counter()
        train_loss, train_accuracy = train_epoch(
            network, optimiser, data, parts.train, config.batch_size, should_stop
        )
        passes = _passes(network, validation, watched)
        val_loss, val_accuracy = _measure(passes, validation)
        if not (math.isfinite(train_loss) and math.isfinite(val_loss)):
            if not progress.best_epoch:
                raise InputError(
                    f"the loss is not a number after epoch {progress.epoch + 1}: the learning rate {config.lr:g} is "
                    "too high for this data; try a tenth of it"
                )
            break  # nothing better can follow: the best epoch before it counts
        progress.epoch += 1
        if val_loss < progress.best_loss:
            progress.best_epoch, progress.best_loss, progress.best_accuracy = (
                progress.epoch,
                val_loss,
                val_accuracy,
            )
            best = _copy(network)
        progress.seconds += time.perf_counter() - start
        event = {
            "epoch": progress.epoch,
            "train_loss": train_loss,
            "train_accuracy": train_accuracy,
            "val_loss": val_loss,
            "val_accuracy": val_accuracy,
        }
        progress.curve.append(event)
        record(passes)
        if path is not None and time.monotonic() - saved >= checkpoint_seconds:
            insist(partial(_save, path, config, network, best, optimiser, progress, recorder))
            saved = time.monotonic()
        if on_epoch is not None:
            left = min(config.max_epochs, progress.best_epoch + config.patience) - progress.epoch
            seconds = progress.seconds / progress.epoch
            on_epoch(
                event
                | {
                    "best_epoch": progress.best_epoch,
                    "seconds": progress.seconds,
                    "seconds_left": left * seconds,
                }
            )
    if path is not None:
        insist(partial(_save, path, config, network, best, optimiser, progress, recorder))
    network.load_state_dict(best)
    result = _result(config, dataset, device, parts, schema, data, network, progress)
    result.record = None if recorder is None else recorder.record
    return result


def train_epoch(
    network: Classifier,
    optimiser: torch.optim.Optimizer,
    data: Resident,
    graphs: NDArray[np.int64],
    batch_size: int,
    should_stop: ShouldStop | None = None,
) -> tuple[float, float]:
    """One pass over the training graphs (int64 [G]) in a random order: mean loss and accuracy."""
    network.train()
    order = torch.from_numpy(graphs)[torch.randperm(len(graphs))]
    loss_sum = torch.zeros((), device=data.device)
    right = torch.zeros((), dtype=torch.int64, device=data.device)
    for part in torch.split(order, batch_size):
        if should_stop is not None and should_stop():
            raise Cancelled("the run was stopped")
        batch = data.cut(part)
        optimiser.zero_grad()
        out = network.of_batch(batch)
        loss = functional.cross_entropy(out.logits, batch.target)
        whole = loss if out.auxiliary_loss is None else loss + out.auxiliary_loss
        whole.backward()
        optimiser.step()
        with torch.no_grad():
            loss_sum += loss * batch.batch_size
            right += (out.logits.argmax(1) == batch.target).sum()
    return float(loss_sum) / len(graphs), float(right) / len(graphs)


@torch.no_grad()
def _evaluated(network: Classifier, batch: Batch) -> Forward:
    """A pass in evaluation mode, which the network is left in."""
    return network.eval().of_batch(batch)


def _passes(network: Classifier, batches: list[Batch], watched: Container[int]) -> list[Forward]:
    """Each batch through the network; of those that are not ``watched``, only the logits are kept."""
    passes = (_evaluated(network, batch) for batch in batches)
    return [
        out if place in watched else Forward(out.logits, [], [], [], None) for place, out in enumerate(passes)
    ]


def _measure(passes: list[Forward], batches: list[Batch]) -> tuple[float, float]:
    """Mean loss and accuracy."""
    logits = torch.cat([out.logits for out in passes])
    target = torch.cat([batch.target for batch in batches])
    loss = float(functional.cross_entropy(logits, target))
    return loss, float((logits.argmax(1) == target).double().mean())


def _result(
    config: RunConfig,
    dataset: Dataset,
    device: torch.device,
    parts: Split,
    schema: InputSchema,
    data: Resident,
    network: Classifier,
    progress: _Progress,
) -> RunResult:
    logits: dict[str, NDArray[np.float32]] = {}
    target: dict[str, NDArray[np.int64]] = {}
    counts: list[Tensor] = []
    for name, graphs in (("validation", parts.validation), ("test", parts.test)):
        if not len(graphs):
            continue
        batches = [data.cut(part) for part in _chunks(graphs, config.batch_size)]
        logits[name] = torch.cat([predict(network, batch) for batch in batches]).cpu().numpy()
        target[name] = dataset.target[graphs]
        counts = [_iterations(network, batch) for batch in batches]
    test_accuracy = confusion = None
    if len(parts.test):
        predicted = logits["test"].argmax(1)
        table = np.zeros((len(dataset.classes),) * 2, dtype=np.int64)
        np.add.at(table, (target["test"], predicted), 1)
        test_accuracy, confusion = float((predicted == target["test"]).mean()), table.tolist()
    iterations = torch.cat(counts).double().mean(0).tolist() if counts and counts[0].numel() else None
    return RunResult(
        config=config,
        dataset_name=dataset.name,
        classes=dataset.classes,
        network=network.cpu().eval(),
        schema=schema,
        split=parts,
        epochs=progress.epoch,
        best_epoch=progress.best_epoch,
        val_loss=progress.best_loss,
        val_accuracy=progress.best_accuracy,
        test_accuracy=test_accuracy,
        confusion=confusion,
        iterations=iterations,
        curve=progress.curve,
        logits=logits,
        target=target,
        seconds=progress.seconds,
        device=str(device),
        threads=torch.get_num_threads(),
    )


def _iterations(network: Classifier, batch: Batch) -> Tensor:
    """T + 1 of each graph at each level, [B, levels]; no columns where the method has no iterations."""
    counts = [level.selection.num_iterations for level in _evaluated(network, batch).levels]
    known = [count.cpu() + 1 for count in counts if count is not None]
    return torch.stack(known, 1) if known else torch.empty(batch.batch_size, 0)


def _save(
    path: Path,
    config: RunConfig,
    network: Classifier,
    best: dict[str, Tensor],
    optimiser: torch.optim.Optimizer,
    progress: _Progress,
    recorder: Recorder | None,
) -> None:
    state = {"config": config.to_dict(), "progress": vars(progress)}
    if recorder is not None:
        state["record"] = recorder.record.to_dict()
    files.save(path, files.pack(network, best, optimiser), state)


def _copy(network: Classifier) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in network.state_dict().items()}


def _chunks(graphs: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [graphs[start : start + size] for start in range(0, len(graphs), size)]


def _check_attributes(dataset: Dataset) -> None:
    """Refuse attributes that are not numbers: nothing sensible can be learned from them."""
    if dataset.node_attributes is None:
        return
    wrong = np.argwhere(~np.isfinite(dataset.node_attributes))
    if len(wrong):
        vertex, column = (int(i) for i in wrong[0])
        graph = int(np.searchsorted(dataset.ptr, vertex, side="right")) - 1
        raise InputError(
            f"the attribute {dataset.attribute_names[column]!r} of vertex {vertex - int(dataset.ptr[graph])} in "
            f"graph {graph} of {dataset.name} is not a number ({len(wrong)} such values): fill them in or leave the "
            "column out"
        )


@contextmanager
def _own_random_state(config: RunConfig, device: torch.device) -> Iterator[None]:
    """The run's seed and threads inside, the caller's afterwards."""
    threads = torch.get_num_threads()
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(config.run_seed)
        if config.threads is not None:
            torch.set_num_threads(config.threads)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


@contextmanager
def _memory(config: RunConfig) -> Iterator[None]:
    """A batch that does not fit in memory, as a sentence."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        full = isinstance(error, MemoryError | torch.OutOfMemoryError) or "enough memory" in str(error)
        if not full:
            raise
        raise InputError(
            f"a batch of {count(config.batch_size, 'graph')} does not fit in memory: use a batch size of "
            f"{max(config.batch_size // 4, 1)} or fewer channels"
        ) from error
