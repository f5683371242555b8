"""Whether published runs repeat: a line of ``results/`` is run again and compared with what it says."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mivspool.errors import DatasetError
from mivspool.learning.evaluation import line_of
from mivspool.learning.provenance import processor
from mivspool.learning.runs import ResultLine
from mivspool.learning.training import train

CLOSE = 1e-4
_MEASURED = ("epochs", "best_epoch", "val_loss", "val_accuracy", "test_accuracy", "confusion", "iterations")

Status = Literal["equal", "close", "different", "no data"]


@dataclass(frozen=True)
class Verified:
    """A published line and what came of running it again.

    ``status``: "equal" in every digit that is published; "close" where validation loss and accuracy agree within 1e-4;
    "different"; "no data" where its data set is not here (``again`` is None then). ``repeats``: whether that is what
    the line promises, which is to be equal on the kind of processor that made it, and close on another.
    """

    line: ResultLine
    again: ResultLine | None
    status: Status

    @property
    def repeats(self) -> bool:
        """Whether the line still repeats; a line that does not say its processor is taken for another's."""
        return self.status == "equal" or (self.status == "close" and self.line.processor != processor())

    def to_json(self) -> dict[str, Any]:
        """An entry of ``mivspool results verify --json``."""
        line, again = self.line, self.again
        document: dict[str, Any] = {
            "dataset": line.dataset, "method": line.method, "score": line.score, "config_id": line.config_id,
            "repeat": line.repeat, "fold": line.fold, "commit": line.commit, "status": self.status,
            "repeats": self.repeats,
        }  # fmt: skip
        if again is not None:
            document |= {
                name: [getattr(line, name), getattr(again, name)]
                for name in ("val_loss", "test_accuracy", "best_epoch", "numbers", "processor")
            }
        return document


def sample(lines: Sequence[ResultLine], count: int, seed: int = 0) -> list[ResultLine]:
    """``count`` of the lines at random, in their order; all of them where there are no more."""
    chosen = random.Random(seed).sample(range(len(lines)), min(count, len(lines)))
    return [lines[i] for i in sorted(chosen)]


def verify(line: ResultLine) -> Verified:
    """Run a line again, on the CPU or GPU that it names. Raises InputError where there is no such device."""
    try:
        again = line_of(train(line.config), grid=line.grid)
    except DatasetError:
        return Verified(line, None, "no data")
    if all(_plain(getattr(line, name)) == _plain(getattr(again, name)) for name in _MEASURED):
        return Verified(line, again, "equal")
    close = all(
        abs(getattr(line, name) - getattr(again, name)) <= CLOSE
        for name in ("val_loss", "val_accuracy", "test_accuracy")
    )
    return Verified(line, again, "close" if close else "different")


def _plain(value: Any) -> Any:
    """Lists for what may be tuples."""
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
