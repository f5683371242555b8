"""Many runs at once: 20 runs of the paper's network by as many workers as there are cores, and by one."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.harness import document
from mivspool.learning.evaluation import evaluate
from mivspool.learning.results import Results
from mivspool.learning.runs import RunConfig, Task, plan
from mivspool.learning.workers import AUTO, Workers

DATASET, FOLDS = "ENZYMES", 10


def run(cpu_time: bool = False, dataset: str = DATASET, repeats: int = 2, **settings: Any) -> dict[str, Any]:
    """One row; always wall time, since the workers' processor time is not what is asked."""
    config = RunConfig(dataset, threads=1, folds=FOLDS, **settings)
    tasks = plan(config, ["mivspool"], list(range(repeats)))
    together, ours = _all(tasks, AUTO)
    alone, theirs = _all(tasks, 1)
    row = {
        "what": f"{len(tasks)} runs on {Path(dataset).name} by {Workers(AUTO, tasks).most} workers (auto)",
        "ours_ms": 1000 * together,
        "peer": "one worker",
        "peer_ms": 1000 * alone,
        "ratio": alone / together,
        "equal": ours == theirs,
        "note": "wall time, the start of the workers included",
    }
    return document("evaluation", [row], cpu_time)


def _all(tasks: list[Task], workers: int | str) -> tuple[float, dict[Any, float]]:
    """Seconds, and the validation loss of each run."""
    with tempfile.TemporaryDirectory() as folder:
        results, start = Results(Path(folder)), time.perf_counter()
        evaluate(tasks, results, workers=workers)
        return time.perf_counter() - start, {line.key: line.val_loss for line in results.lines()}
