"""The line that a finished run leaves in ``results/``: its settings, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import mivspool
from mivspool.errors import InputError
from mivspool.learning.runs.config import SETTINGS, RunConfig

if TYPE_CHECKING:
    from mivspool.learning.training import RunResult


_LATER = {"numbers", "processor"}


@lru_cache(maxsize=64)
def _reference_id(method: str, score: str | None) -> str:
    """The ``config_id`` of the paper's reference, which a run's defaults are."""
    return RunConfig("", method=method, score=score).config_id


@dataclass(frozen=True)
class ResultLine:
    """One run. Accuracies are shares; ``iterations`` is T + 1 by level; ``curve`` a file.

    ``config``: its settings, with the name of its data set, and the seed, device and threads that were used.
    ``numbers`` and ``processor``: of the code and the machine that made it (``learning/provenance.py``); None in lines
    of before.
    """

    config: RunConfig
    config_id: str
    grid: bool
    epochs: int
    best_epoch: int
    val_loss: float
    val_accuracy: float
    test_accuracy: float
    confusion: Sequence[Sequence[int]]
    iterations: Sequence[float] | None
    curve: str | None
    seconds: float
    version: str
    commit: str | None
    date: str
    numbers: str | None = None
    processor: str | None = None

    @property
    def dataset(self) -> str:
        """The name of the data set."""
        return self.config.dataset

    @property
    def method(self) -> str:
        """The pooling method."""
        return self.config.method

    @property
    def score(self) -> str | None:
        """The score, of the methods that take one."""
        return self.config.score

    @property
    def repeat(self) -> int:
        """Which split into folds."""
        return self.config.repeat

    @property
    def fold(self) -> int:
        """The fold that was the test set."""
        assert self.config.fold is not None
        return self.config.fold

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

    def to_dict(self) -> dict[str, Any]:
        """The line as it is written: the settings flat, later ones only where they differ from their default."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "config"}
        later = {name for name in _LATER if own[name] is None}
        return self.config.stated() | {name: value for name, value in own.items() if name not in later}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ResultLine:
        """A line as it was written. Raises KeyError for a missing field, InputError for settings that cannot be."""
        config = RunConfig.from_dict({name: data[name] for name in SETTINGS if name in data})
        if config.fold is None:
            raise InputError("a run without a test fold has no place among the results")
        own = {f.name for f in fields(cls)} - {"config", *(_LATER - set(data))}
        return cls(config, **{name: data[name] for name in own})

    @classmethod
    def of(cls, result: RunResult, *, grid: bool, commit: str | None, date: str) -> ResultLine:
        """The line of a finished run. Raises InputError for one without a test fold."""
        config = result.config
        if result.test_accuracy is None or config.fold is None:
            raise InputError("a run without a test fold has no place among the results")
        found = outcome(result)
        used = {"seed": config.run_seed, "device": found.pop("device"), "threads": found.pop("threads")}
        rounded = {name: short(found[name], 6) for name in ("val_loss", "val_accuracy", "test_accuracy")}
        counts = found["iterations"]
        return cls(
            replace(config, dataset=result.dataset_name, **used),
            config.config_id,
            grid,
            **found | rounded | {
                "iterations": counts and [short(count, 4) for count in counts],
                "seconds": round(result.seconds, 1),
            },
            curve=f"curves/{result.dataset_name}/{config.config_id}.jsonl",
            version=mivspool.__version__,
            commit=commit,
            date=date,
        )  # fmt: skip


def outcome(result: RunResult) -> dict[str, Any]:
    """What came of a run, as plain data, without its weights and its curve."""
    names = (
        "epochs", "best_epoch", "val_loss", "val_accuracy", "test_accuracy", "confusion", "iterations", "seconds",
        "device", "threads",
    )  # fmt: skip
    return {name: getattr(result, name) for name in names}


def short(value: float, digits: int) -> float:
    """A value with so many significant digits."""
    return float(f"{value:.{digits}g}")
