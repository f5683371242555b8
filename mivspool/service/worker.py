"""One job in a process of its own: ``python -m mivspool.service.worker JOB ATTEMPT``, started by the runner.

A second thread gives a sign of life twice a second and learns from it whether to stop. The process ends by
itself when the job is no longer its own, or when the backend that started it has gone.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import signal
import sys
import threading
import time
from types import FrameType

from mivspool.errors import BackendError, MIVSPoolError
from mivspool.service.store import CANCELLED, DONE, FAILED, INTERRUPTED, Claim, Lost, Store
from mivspool.settings import Settings

log = logging.getLogger("mivspool.job")

BEAT_SECONDS = 0.5


class Pulse:
    """Signs of life while a job is worked on. ``stop()`` is what training asks at every batch."""

    def __init__(self, store: Store, claim: Claim) -> None:
        self.store, self.claim = store, claim
        self.cancelled = self.lost = self.ending = False
        self._parent = os.getppid()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="mivspool-pulse", daemon=True)

    def __enter__(self) -> Pulse:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def stop(self) -> bool:
        """Whether to stop: a cancel, a job that is lost, or an end of the process."""
        return self.cancelled or self.lost or self.ending

    def _beat(self) -> None:
        silent_since = time.monotonic()
        while not self._over.wait(BEAT_SECONDS):
            try:
                self.cancelled = self.store.beat(self.claim) or self.cancelled
                silent_since = time.monotonic()
            except Lost:
                self.lost = True
                return
            except BackendError as error:  # the database may come back before we count as dead
                log.warning("%s", error)
                self.lost = time.monotonic() - silent_since > self.store.settings.stale_seconds
            if os.getppid() != self._parent:
                self.ending = True


def work(store: Store, claim: Claim) -> None:
    """Do the job and write down how it ended."""
    from mivspool.learning.training import Cancelled
    from mivspool.service.work import perform

    with Pulse(store, claim) as pulse:

        def end(signum: int, frame: FrameType | None) -> None:
            pulse.ending = True

        signal.signal(signal.SIGTERM, end)
        try:
            result = perform(store, claim, pulse.stop)
        except Cancelled:
            if pulse.cancelled:
                store.finish(claim, CANCELLED)
            elif not pulse.lost:
                store.finish(claim, INTERRUPTED, error="the backend was stopped")
        except MIVSPoolError as error:
            log.error("%s", error.message)
            store.finish(claim, FAILED, error=error.message)
        except Lost:
            raise
        except Exception as error:
            log.exception("the job failed")
            store.finish(claim, FAILED, error=f"{type(error).__name__}: {error}; the job's log says more")
        else:
            store.finish(claim, DONE, result=result)


def main(job: str, attempt: str) -> int:
    """Entry of the process; settings come from the environment."""
    faulthandler.enable()
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(message)s", datefmt="%Y-%m-%d %H:%M:%S"
    )
    logging.getLogger("alembic").setLevel(logging.WARNING)
    os.nice(5)  # whoever waits for an answer comes first
    store = Store(Settings())
    claim = Claim(job, int(attempt))
    try:
        log.info("job %s, attempt %s", job, attempt)
        work(store, claim)
    except Lost:
        log.warning("the job is no longer this process's")
        return 3
    finally:
        store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
