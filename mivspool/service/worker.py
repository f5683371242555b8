"""One job in a process of its own: ``python -m mivspool.service.worker JOB ATTEMPT``, started by the runner.

Without a job it makes ready for one, whose name comes on standard input: what a training imports and compiles takes
seconds, and one on a small data set takes two.

The process ends by itself when the job is no longer its own, or when the backend that started it has gone. It waits
for a database that is away. What has nothing to do with the job (memory, disk, network) gives it back to the queue.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import shutil
import signal
import sys
import tempfile
from types import FrameType

from mivspool.errors import MIVSPoolError, UnavailableError
from mivspool.service.parent import FOLDER, LEFT, end_with_parent
from mivspool.service.patience import PASSING, Patience
from mivspool.service.pulse import Pulse
from mivspool.service.spans import job_span
from mivspool.service.states import CANCELLED, DONE, FAILED
from mivspool.service.store import Claim, Lost, Store
from mivspool.settings import Settings

log = logging.getLogger("mivspool.job")


def work(store: Store, claim: Claim, pulse: Pulse) -> None:
    """Do the job and write down how it ended. Raises Lost, and UnavailableError for the database."""
    from mivspool.learning.training import Cancelled
    from mivspool.service.work import perform

    try:
        result = perform(store, claim, pulse.stop)
    except Cancelled:
        if pulse.lost:
            raise Lost(claim.job) from None
        if pulse.cancelled:
            store.finish(claim, CANCELLED)
        else:
            store.give_back(claim, "the backend was stopped", died=False)
    except (Lost, UnavailableError):
        raise
    except PASSING as error:
        log.exception("the machine failed the job")
        store.give_back(claim, reason(error))
    except MIVSPoolError as error:
        log.error("%s", error.message)
        store.finish(claim, FAILED, error=error.message)
    except Exception as error:
        log.exception("the job failed")
        store.finish(claim, FAILED, error=reason(error))
    else:
        store.finish(claim, DONE, result=result)


def reason(error: BaseException) -> str:
    """An error that nobody foresaw, for the job's page."""
    return f"{type(error).__name__}: {error}; the job's log says more"


def ready() -> list[str]:
    """Load what a training needs; then the job and its attempt, or nothing where the backend has gone."""
    from mivspool.graphs import load_dataset
    from mivspool.learning import models
    from mivspool.learning.record import Watch
    from mivspool.learning.runs import RunConfig
    from mivspool.learning.training import train
    from mivspool.service import work

    log.debug("loaded: %s, %s", models.__name__, work.__name__)
    Store(Settings()).close()  # what its migrations import too
    train(RunConfig("MAO", max_epochs=1), dataset=load_dataset("MAO"), watch=Watch())
    return sys.stdin.buffer.readline().decode().split()


def main(*named: str) -> int:
    """Entry of the process: a job and its attempt, or nothing (``ready``); settings come from the environment."""
    os.nice(5)  # whoever waits for an answer comes first
    folder = tempfile.tempdir = os.environ.get(FOLDER)
    given = list(named) or ready()
    if not given:
        if folder is not None:
            shutil.rmtree(folder)
        return 0
    job, attempt = given
    end_with_parent(folder)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(LEFT))
    faulthandler.enable()
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(message)s", datefmt="%Y-%m-%d %H:%M:%S"
    )
    logging.getLogger("alembic").setLevel(logging.WARNING)
    settings = Settings()
    patience = Patience(settings.patience_seconds)
    claim = Claim(job, int(attempt))
    log.info("job %s, attempt %s", job, attempt)
    try:
        store = Store(settings, patience)
    except UnavailableError as error:
        log.error("%s", error)
        return LEFT
    try:
        with Pulse(lambda: store.beat(claim), settings.patience_seconds) as pulse:
            patience.stop = pulse.stop

            def end(signum: int, frame: FrameType | None) -> None:
                pulse.ending = True

            signal.signal(signal.SIGTERM, end)
            with job_span(claim.job, claim.attempt):
                work(store, claim, pulse)
    except Lost:
        log.warning("the job is no longer this process's")
        return LEFT
    except UnavailableError as error:
        log.error("%s", error)
        return LEFT
    finally:
        store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
