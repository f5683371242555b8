"""The evaluated runs behind every published number: one JSON line per run, one file per data set, append-only."""

from __future__ import annotations

import json
import logging
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mivspool.errors import InputError
from mivspool.learning.runs import GRID, ResultLine, decide
from mivspool.learning.runs.line import short
from mivspool.learning.statistics import Cell, summarise
from mivspool.places import checkout, place
from mivspool.settings import private_folder, settings

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Evaluation:
    """All runs of one configuration, or of one search, on one data set. ``cell``: accuracies in percent.

    ``changed``: the settings that differ from the reference; those that ``grid`` searched are left out.
    ``earlier_order``: some of the runs are (``ResultLine.earlier_order``).
    """

    dataset: str
    method: str
    score: str | None
    grid: bool
    changed: Mapping[str, Any]
    cell: Cell
    earlier_order: bool


def evaluations(lines: Iterable[ResultLine]) -> list[Evaluation]:
    """The evaluations that lines belong to, by data set and method; a search is decided inside each fold."""
    groups: dict[tuple[str, ...], list[ResultLine]] = defaultdict(list)
    for line in lines:
        changed = line.config.changed(GRID if line.grid else ())
        groups[line.dataset, line.method, line.score or "", json.dumps([line.grid, changed])].append(line)
    found = []
    for _, own in sorted(groups.items()):
        places = decide(own, lambda line: (line.repeat, line.fold), lambda line: line.val_loss)
        first = own[0]
        accuracies = {place: 100 * line.test_accuracy for place, line in places.items()}
        cell = summarise(accuracies, first.config.folds)
        if cell is not None:
            changed = first.config.changed(GRID if first.grid else ())
            earlier = any(line.earlier_order for line in places.values())
            found.append(
                Evaluation(first.dataset, first.method, first.score, first.grid, changed, cell, earlier)
            )
    return found


class Results:
    """A folder of results: ``DATASET.jsonl``, and ``curves/DATASET/CONFIG.jsonl`` with one line per run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def lines(self, dataset: str | None = None) -> list[ResultLine]:
        """Every run in the folder, or those of one data set; a line that is damaged is skipped, with a warning."""
        pattern = "*.jsonl" if dataset is None else f"{dataset}.jsonl"
        return [line for path in sorted(self.folder.glob(pattern)) for line in _read(path)]

    def append(self, line: ResultLine, curve: Iterable[Mapping[str, float]] = ()) -> None:
        """Add a run: its curve first, then its line in one write, so that a line that is there is whole."""
        if line.curve is not None:
            append_document(
                self.folder / line.curve, {"repeat": line.repeat, "fold": line.fold, **_columns(list(curve))}
            )
        append_document(self.folder / f"{line.dataset}.jsonl", line.to_dict())

    def curve(self, line: ResultLine) -> dict[str, list[float]] | None:
        """The learning curve of a run by name (train_loss, …), one value per epoch, or None where it was not kept."""
        path = None if line.curve is None else self.folder / line.curve
        if path is None or not path.exists():
            return None
        found = None
        for data in documents(path):
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
    for data in documents(path):
        try:
            lines.append(ResultLine.from_dict(data))
        except KeyError as error:
            log.warning("%s: a line without %s is left out", path.name, error)
        except InputError as error:
            log.warning("%s: a line is left out: %s", path.name, error)
    return lines


def documents(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file, one per line; a damaged line is left out, with a warning."""
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


def append_document(path: Path, data: Mapping[str, Any]) -> None:
    """One JSON object more at the end of a file, in one write.

    So several processes may append, and a line that is there is whole.
    """
    private_folder(path.parent)
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
    return {name: [short(event[name], 4) for event in events] for name in names}
