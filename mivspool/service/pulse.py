"""A thread beside the work: it tells the store that the work goes on, and learns from it whether to stop."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from mivspool.errors import BackendError
from mivspool.service.store import Lost

log = logging.getLogger("mivspool.job")

BEAT_SECONDS = 0.5


class Pulse:
    """``beat()`` is called twice per second: True to stop, Lost when the job is no longer ours.

    ``stop()`` is what training asks at every batch. ``patience``: seconds without a database after which the job
    counts as lost; should another worker have it by then, this one learns so once it reaches the database again.
    """

    def __init__(self, beat: Callable[[], bool], patience: float) -> None:
        self._ask, self._patience = beat, patience
        self.cancelled = self.lost = self.ending = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._live, name="mivspool-pulse", daemon=True)

    def __enter__(self) -> Pulse:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def stop(self) -> bool:
        """Whether to stop: a cancel, a job that is lost, or an end of the process."""
        return self.cancelled or self.lost or self.ending

    def _live(self) -> None:
        heard, away = time.monotonic(), False
        while not self._over.wait(BEAT_SECONDS):
            try:
                self.cancelled = self._ask() or self.cancelled
                heard, away = time.monotonic(), False
            except Lost:
                self.lost = True
                return
            except BackendError as error:  # the database may come back
                if not away:
                    log.warning("%s", error)
                away = True
                self.lost = time.monotonic() - heard > self._patience
