"""Waiting for a database that is away, and for a disk that is full: what they refused is tried again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import update_wrapper
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from mivspool.errors import StorageError, UnavailableError, is_full

log = logging.getLogger("mivspool.job")

AGAIN_SECONDS = 0.5  # between two tries
# the machine's fault and not the job's: another attempt may fare better
PASSING = (UnavailableError, OSError, MemoryError)

P = ParamSpec("P")
T = TypeVar("T")


class Patience:
    """``seconds``: how long something is tried again. ``stop()``: whether nobody waits for it any more."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.stop: Callable[[], bool] = lambda: False

    def insist(self, work: Callable[[], T]) -> T:
        """What ``work`` gives in the end. Raises UnavailableError or StorageError when the patience is over."""
        deadline = time.monotonic() + self.seconds
        waiting = False
        while True:
            try:
                with _storage():
                    return work()
            except UnavailableError as error:
                if time.monotonic() >= deadline or self.stop():
                    raise
                if not waiting:
                    log.warning("%s; waiting for it", error)
                waiting = True
            time.sleep(AGAIN_SECONDS)


@contextmanager
def _storage() -> Iterator[None]:
    """A disk that is full, as an error of ours."""
    try:
        yield
    except OSError as error:
        if not is_full(error):
            raise
        raise StorageError("there is no space left for temporary files") from error


class _Patient(Protocol):
    patience: Patience


S = TypeVar("S", bound=_Patient)


def patient(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """A method that is one transaction and may be done twice, tried again as its object's ``patience`` says."""

    def tried(self: S, /, *args: P.args, **named: P.kwargs) -> T:
        return self.patience.insist(lambda: method(self, *args, **named))

    update_wrapper(tried, method)
    return tried
