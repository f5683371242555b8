"""The evaluated runs behind every published number: one JSON line a run, one file a data set, only ever added to."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mivspool
from mivspool.errors import InputError
from mivspool.places import checkout, place
from mivspool.settings import settings

if TYPE_CHECKING:
    from mivspool.learning.training import RunResult

log = logging.getLogger(__name__)

REFERENCE: Mapping[str, Any] = {
    "blocks": 3,
    "hidden": 128,
    "lr": 1e-3,
    "weight_decay": 1e-4,
    "batch_size": 512,
    "features": "auto",
    "use_weights": True,
    "use_diagonal": False,
}
"""The one configuration of every method where no grid is searched; docs/reproduction.md says how it was fixed."""


@lru_cache(maxsize=64)
def _reference_id(method: str, score: str | None) -> str:
    """The ``config_id`` of the reference configuration; what REFERENCE does not name is RunConfig's default."""
    from mivspool.learning.config import RunConfig

    return RunConfig("", method=method, score=score, **REFERENCE).config_id


@dataclass(frozen=True)
class ResultLine:
    """One run: the line of DESIGN §3. Accuracies are shares; ``iterations`` is T + 1 by level; ``curve`` a file."""

    dataset: str
    method: str
    score: str | None
    blocks: int
    hidden: int
    lr: float
    weight_decay: float
    batch_size: int
    features: str
    use_weights: bool
    use_diagonal: bool
    config_id: str
    grid: bool
    repeat: int
    fold: int
    seed: int
    epochs: int
    best_epoch: int
    val_loss: float
    val_accuracy: float
    test_accuracy: float
    confusion: Sequence[Sequence[int]]
    iterations: Sequence[float] | None
    curve: str | None
    seconds: float
    device: str
    threads: int
    version: str
    commit: str | None
    date: str

    @property
    def key(self) -> tuple[str, str, bool, int, int]:
        """What a run is known by: a second one with the same key would be the same run."""
        return self.dataset, self.config_id, self.grid, self.repeat, self.fold

    @property
    def is_reference(self) -> bool:
        """Whether tables may use it: the reference configuration, or one of a searched grid."""
        return self.grid or self.config_id == _reference_id(self.method, self.score)

    @property
    def earlier_order(self) -> bool:
        """Whether the vertices were ordered otherwise than now: until 0.1 by the score after its sigmoid.

        Such a run counts and is marked until it is run again.
        """
        changed = self.score in ("attention", "projection") or self.method.startswith(("kmis", "mewispool"))
        return changed and self.version.startswith("0.1.")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ResultLine:
        """A line as it was written; raises KeyError where a field is missing."""
        return cls(**{f.name: data[f.name] for f in fields(cls)})

    @classmethod
    def of(cls, result: RunResult, *, grid: bool, commit: str | None, date: str) -> ResultLine:
        """The line of a finished run that held out a test fold."""
        config = result.config
        if result.test_accuracy is None or result.confusion is None or config.fold is None:
            raise InputError("a run without a test fold has no place among the results")
        return cls(
            dataset=result.dataset_name,
            **{name: getattr(config, name) for name in ("method", "score", *REFERENCE)},
            config_id=config.config_id,
            grid=grid,
            repeat=config.repeat,
            fold=config.fold,
            seed=config.run_seed,
            epochs=result.epochs,
            best_epoch=result.best_epoch,
            val_loss=_short(result.val_loss, 6),
            val_accuracy=_short(result.val_accuracy, 6),
            test_accuracy=_short(result.test_accuracy, 6),
            confusion=result.confusion,
            iterations=None if result.iterations is None else [_short(k, 4) for k in result.iterations],
            curve=f"curves/{result.dataset_name}/{config.config_id}.jsonl",
            seconds=round(result.seconds, 1),
            device=result.device,
            threads=result.threads,
            version=mivspool.__version__,
            commit=commit,
            date=date,
        )


class Results:
    """A folder of results: ``DATASET.jsonl``, and ``curves/DATASET/CONFIG.jsonl`` with a line a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def lines(self, dataset: str | None = None) -> list[ResultLine]:
        """Every run in the folder, or those of one data set; a line that is damaged is skipped, with a warning."""
        pattern = "*.jsonl" if dataset is None else f"{dataset}.jsonl"
        return [line for path in sorted(self.folder.glob(pattern)) for line in _read(path)]

    def append(self, line: ResultLine, curve: Iterable[Mapping[str, float]] = ()) -> None:
        """Add a run: its curve first, then its line in one write, so that a line that is there is whole."""
        if line.curve is not None:
            _append(
                self.folder / line.curve, {"repeat": line.repeat, "fold": line.fold, **_columns(list(curve))}
            )
        _append(self.folder / f"{line.dataset}.jsonl", asdict(line))

    def curve(self, line: ResultLine) -> dict[str, list[float]] | None:
        """The learning curve of a run, a list an epoch by name (train_loss, …), or None where it was not kept."""
        path = None if line.curve is None else self.folder / line.curve
        if path is None or not path.exists():
            return None
        found = None
        for data in _documents(path):
            if (data.pop("repeat", None), data.pop("fold", None)) == (line.repeat, line.fold):
                found = data  # the last one, where a run was done again
        return found


def results_folder() -> Path:
    """Where new runs are written: ``results/`` of a checkout that may be written to, else under the home folder."""
    released = place("results")
    if checkout() is not None and released.is_dir() and os.access(released, os.W_OK):
        return released
    return settings().home / "results"


def results_folders() -> list[Path]:
    """Every folder that is read: the released runs (of a checkout or inside the installed package) and one's own."""
    return [folder for folder in (place("results"), settings().home / "results") if folder.is_dir()]


def read_results(dataset: str | None = None, *, reference_only: bool = False) -> list[ResultLine]:
    """The runs of all folders, each once; ``reference_only`` leaves ablations out (what tables use).

    Of a run that was made by an earlier order and run again, the later one.
    """
    found: dict[tuple[str, str, bool, int, int], ResultLine] = {}
    for folder in results_folders():
        for line in Results(folder).lines(dataset):
            if not line.is_reference and reference_only:
                continue
            if line.key not in found or (found[line.key].earlier_order and not line.earlier_order):
                found[line.key] = line
    return list(found.values())


def read_curve(line: ResultLine) -> dict[str, list[float]] | None:
    """The learning curve of a run from whichever folder has it."""
    for folder in results_folders():
        curve = Results(folder).curve(line)
        if curve is not None:
            return curve
    return None


def _read(path: Path) -> list[ResultLine]:
    lines = []
    for data in _documents(path):
        try:
            lines.append(ResultLine.from_dict(data))
        except (KeyError, TypeError) as error:
            log.warning("%s: a line without %s is left out", path.name, error)
    return lines


def _documents(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file, a line each; a damaged line is left out, with a warning."""
    for number, text in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        if not text.strip():
            continue
        try:
            data = json.loads(text)
            if not isinstance(data, dict):
                raise ValueError(f"{type(data).__name__} instead of an object")
        except ValueError as error:
            log.warning("%s, line %d is damaged and is left out: %s", path.name, number, error)
            continue
        yield data


def _append(path: Path, data: Mapping[str, Any]) -> None:
    """One line more, in one write, so that several processes may append and a line that is there is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n"
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        size = os.fstat(handle).st_size
        if size and os.pread(handle, 1, size - 1) != b"\n":
            text = "\n" + text  # the last writer was killed within its line
        os.write(handle, text.encode())
    finally:
        os.close(handle)


def _columns(events: list[Mapping[str, float]]) -> dict[str, list[float]]:
    names = [name for name in (events[0] if events else {}) if name != "epoch"]
    return {name: [_short(event[name], 4) for event in events] for name in names}


def _short(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")
