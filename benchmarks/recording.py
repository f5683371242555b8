"""What it costs to record a pass of the watched graphs, its JSON included, beside the epoch that it belongs to."""

from __future__ import annotations

import json
import math
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

import psutil
import torch
from torch.nn import functional

from benchmarks.harness import compare, document
from mivspool.graphs import load_dataset
from mivspool.learning.network import Classifier, Forward
from mivspool.learning.record import Watch, begin
from mivspool.learning.runs import RunConfig
from mivspool.learning.training import prepare, train_epoch
from mivspool.service import recorded
from mivspool.service.runner import LocalRunner
from mivspool.service.store import Store
from mivspool.service.uploads import Uploads
from mivspool.settings import Settings

DATASETS = ("MAO", "PROTEINS")


def run(cpu_time: bool = False, rounds: int = 41) -> dict[str, Any]:
    """A row for each data set: one graph of each class is watched, with the settings of the paper's network."""
    torch.set_num_threads(1)
    rows = [row for name in DATASETS for row in of_dataset(name, cpu_time, rounds)]
    return document("recording", [*rows, _start()], cpu_time)


def _start() -> dict[str, Any]:
    """Until a training on MAO has an epoch to look at: by a process that is ready, and by a new one; wall time."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder), database_url=f"sqlite:///{folder}/jobs.sqlite", device="cpu")
        store = Store(settings)
        runner = LocalRunner(store, Uploads(store.database, settings))
        runner.start()
        new, new_cpu = _first_epoch(store, runner)
        runner.prepare()
        loaded = _rest(runner)
        ready, ready_cpu = _first_epoch(store, runner)
        runner.stop()
        store.close()
    return {
        "what": "first epoch after Start, MAO, by a process that is ready",
        "ours_ms": ready,
        "peer": "a new process",
        "peer_ms": new,
        "ratio": new / ready,
        "equal": None,
        "note": f"wall time; {ready_cpu - loaded:.1f} s of the processor, by a new process {new_cpu:.1f} s",
    }


def _first_epoch(store: Store, runner: LocalRunner) -> tuple[float, float]:
    """Milliseconds until the first epoch of a new training is in the database, and the processor's seconds by then."""
    start = time.perf_counter()
    job = store.submit("train", {"kind": "train", "dataset": "MAO"}, title="a training")
    while not recorded.load(store, job, 0)["entries"]:
        time.sleep(0.01)
    taken = 1000 * (time.perf_counter() - start)
    used = sum(psutil.Process(runner._children[0].process.pid).cpu_times()[:2])
    store.cancel(job.id)
    while (found := store.get(job.id)) is not None and found.state == "running":
        time.sleep(0.05)
    while runner._children:
        time.sleep(0.05)
    return taken, used


def _rest(runner: LocalRunner) -> float:
    """Until the process that makes ready does nothing any more; the seconds of the processor it took."""
    assert runner._spare is not None
    process, before = psutil.Process(runner._spare.process.pid), -1.0
    while (used := sum(process.cpu_times()[:2])) != before:
        before = used
        time.sleep(2)
    return before


def of_dataset(name: str, cpu_time: bool, rounds: int) -> list[dict[str, Any]]:
    config = RunConfig(name)
    dataset = load_dataset(name)
    parts, schema, data = prepare(config, dataset, torch.device("cpu"))
    torch.manual_seed(config.run_seed)
    network = Classifier(config.architecture(data.x.size(1), len(dataset.classes)))
    optimiser = torch.optim.Adam(
        network.parameters(), lr=config.lr, weight_decay=config.weight_decay, fused=True
    )
    validation = data.cut(parts.validation)
    recorder = begin(Watch(), dataset, parts, schema, config.batch_size)
    assert recorder is not None
    epochs = count()

    def evaluate() -> Forward:
        network.eval()
        with torch.no_grad():
            return network.of_batch(validation)

    def epoch() -> None:
        train_epoch(network, optimiser, data, parts.train, config.batch_size)
        passes[:] = [evaluate()]
        float(functional.cross_entropy(passes[0].logits, validation.target))

    passes: list[Forward] = []

    def record() -> str:
        recorder.note(next(epochs), 0, network, [(validation, passes[-1])])
        return json.dumps(recorder.record.entries[-1], separators=(",", ":"))

    epoch()
    rows = compare(
        f"recording an epoch, {name}", record, {"the epoch itself": epoch}, rounds=rounds, cpu_time=cpu_time
    )
    size = sum(len(json.dumps(entry)) for entry in recorder.record.entries) / len(recorder.record.entries)
    for row in rows:
        share = 100 * row["ours_ms"] / row["peer_ms"] if row["peer_ms"] else math.nan
        row["note"] = f"{share:.1f} % of an epoch, {size:.0f} bytes"
    return rows
