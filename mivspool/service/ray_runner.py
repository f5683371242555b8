"""Jobs on a Ray cluster: each run of a job is one of its tasks, with a share of a GPU where there are any.

Where a task runs and that it runs again when its machine dies is Ray's business. What a task does is what the
process of a job does on one machine. A cancel is a flag that tasks read at every batch; force comes after.

The backend starts ``python -m mivspool.service.ray_runner`` and keeps it running: Ray ends a process whose cluster
has gone, and that shall not be the one that answers requests.
"""

from __future__ import annotations

import io
import logging
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from mivspool.errors import MIVSPoolError, UnavailableError
from mivspool.service.logs import configure
from mivspool.service.parent import END_SECONDS, end_with_parent
from mivspool.service.patience import PASSING, Patience
from mivspool.service.ray_cluster import connect, remote, task_environment
from mivspool.service.runner import CANCEL_SECONDS, Supervisor
from mivspool.service.scrub import in_full
from mivspool.service.states import CANCELLED, DONE, FAILED
from mivspool.service.store import Claim, Lost, Store
from mivspool.service.uploads import Uploads
from mivspool.settings import Settings

log = logging.getLogger(__name__)

LEFT = "left"  # how a run ended that did not end its job: the job is another's, or was deleted


def run_task(settings: dict[str, str], job: str, attempt: int, key: str) -> tuple[str, str]:
    """One run of a job, on whatever machine it is: how it ended (done, cancelled, failed, left), and why.

    Raises what another machine or moment may not have (``PASSING``): Ray tries again.
    """
    from mivspool.learning.training import Cancelled
    from mivspool.service.plan import plan
    from mivspool.service.pulse import Pulse
    from mivspool.service.work import load, perform_run
    from mivspool.settings import settings as settings_in_use

    os.environ.update(settings)
    settings_in_use.cache_clear()
    own = Settings()
    patience = Patience(own.patience_seconds)
    store = Store(own, patience)
    claim = Claim(job, attempt)
    lines, handler = _log_lines(key)
    try:
        found = store.get(job)
        if found is None:
            return LEFT, "the job was deleted"
        runs = plan(found, store.settings.device)
        run = next(run for run in runs if run.key == key)
        if key in store.runs(job):
            return DONE, ""  # this task's machine died after the run was recorded
        if patience.insist(lambda: store.asked(claim)):
            return CANCELLED, ""
        with Pulse(lambda: store.asked(claim), own.patience_seconds) as pulse:
            patience.stop = pulse.stop
            dataset = load(store, found, run.config.dataset)
            perform_run(store, claim, found, run, len(runs), dataset, pulse.stop)
        return DONE, ""
    except Cancelled:
        return (CANCELLED, "") if pulse.cancelled else (LEFT, "the database was away for too long")
    except Lost:
        return LEFT, "the job is no longer this run's"
    except PASSING:
        logging.getLogger("mivspool.job").exception("the machine failed the run %s", key)
        raise
    except MIVSPoolError as error:
        return FAILED, error.message
    except Exception as error:
        logging.getLogger("mivspool.job").exception("run %s failed", key)
        return FAILED, f"{type(error).__name__}: {error}; the job's log says more"
    finally:
        logging.getLogger("mivspool.job").removeHandler(handler)
        try:
            store.add_log(job, lines.getvalue())
        except UnavailableError as error:
            log.warning("the log of run %s is lost: %s", key, error)
        store.close()


def _log_lines(key: str) -> tuple[io.StringIO, logging.Handler]:
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(logging.Formatter(f"%(asctime)s [{key}] %(message)s", "%Y-%m-%d %H:%M:%S"))
    logger = logging.getLogger("mivspool.job")
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    return lines, handler


@dataclass
class _Job:
    claim: Claim
    waiting: list[Any] = field(default_factory=list)  # the references of tasks that have not ended
    stopping_since: float | None = None
    failed: str | None = None
    gone: str | None = None  # why a run did not end
    lost: bool = False


class RayRunner(Supervisor):
    """Claims jobs, sends their runs to the cluster, and writes down how they ended."""

    def __init__(self, store: Store, uploads: Uploads) -> None:
        super().__init__(store, uploads)
        self._ray = connect()
        self._task = remote(self._ray, run_task, self.settings.gpu_fraction)
        self._jobs: list[_Job] = []

    def has_capacity(self) -> bool:
        """Whether one more job may send its runs."""
        return len(self._jobs) < self.settings.workers

    def begin(self, claim: Claim) -> None:
        """Send all runs of a job that are not done yet."""
        from mivspool.service.plan import plan

        job = self.store.get(claim.job)
        if job is None:
            return
        done = self.store.runs(job.id)
        own = task_environment(self.settings)
        keys = [run.key for run in plan(job, self.settings.device) if run.key not in done]
        sent = [self._task.remote(own, job.id, claim.attempt, key) for key in keys]
        self._jobs.append(_Job(claim, sent))

    def poll(self) -> None:
        """Give a sign of life for each job, take in what has ended, pass a cancel on."""
        for job in list(self._jobs):
            try:
                if self.store.beat(job.claim):
                    self._stop(job)
            except Lost:
                job.lost = True
                self._stop(job)
            self._take_in(job)
            if job.stopping_since is not None and time.monotonic() - job.stopping_since > CANCEL_SECONDS:
                self._force(job)
            if not job.waiting:
                self._finish(job)
                self._jobs.remove(job)  # only now: the database may be away

    def end_all(self) -> None:
        """Give every job back: its tasks find it lost and stop."""
        for job in self._jobs:
            try:
                self.let_go(job.claim, "the backend was stopped", died=False)
            except UnavailableError as error:  # whoever finds it silent gives it back
                log.warning("job %s is left behind: %s", job.claim.job, in_full(error))
            self._stop(job)
        waiting = [reference for job in self._jobs for reference in job.waiting]
        if waiting:
            self._ray.wait(waiting, num_returns=len(waiting), timeout=END_SECONDS)
        for job in self._jobs:
            self._force(job)
        self._jobs.clear()
        self._ray.shutdown()

    def _take_in(self, job: _Job) -> None:
        if not job.waiting:
            return
        ended, job.waiting = self._ray.wait(job.waiting, num_returns=len(job.waiting), timeout=0)
        for reference in ended:
            try:
                state, why = self._ray.get(reference)
            except self._ray.exceptions.TaskCancelledError:
                continue
            except self._ray.exceptions.RayError as error:
                cause = getattr(error, "cause", None) or error
                state, why = LEFT, f"a run was lost on the cluster ({type(cause).__name__})"
            if state in (FAILED, LEFT) and job.stopping_since is None:
                job.failed, job.gone = (why, None) if state == FAILED else (None, why)
                self._stop(job)

    @staticmethod
    def _stop(job: _Job) -> None:
        """From now on its tasks have a moment to end by themselves: they read in the store that they should.

        Not by Ray's gentle cancel: that is an interrupt at any instruction, and one within a transaction leaves the
        database locked by a process that lives on.
        """
        if job.stopping_since is None:
            job.stopping_since = time.monotonic()

    def _force(self, job: _Job) -> None:
        """Tasks that have not begun never will, the processes of the others end."""
        for reference in job.waiting:
            try:
                self._ray.cancel(reference, force=True)
            except (ValueError, self._ray.exceptions.RayError) as error:  # it has just ended
                log.debug("a task could not be cancelled: %s", error)
        job.waiting = []

    def _finish(self, job: _Job) -> None:
        from mivspool.service.plan import plan, summary

        if job.lost:
            self.log_end(job.claim)
            return
        try:
            if job.gone is not None:
                self.let_go(job.claim, job.gone)
                return
            if job.failed is not None:
                self.store.finish(job.claim, FAILED, error=job.failed)
            elif job.stopping_since is not None:
                self.store.finish(job.claim, CANCELLED)
            else:
                found = self.store.get(job.claim.job)
                assert found is not None
                lines = self.store.runs(found.id)
                self.store.finish(job.claim, DONE, result=summary(plan(found, self.settings.device), lines))
            self.log_end(job.claim)
        except Lost:
            log.warning("job %s is no longer this backend's", job.claim.job)


def main() -> int:
    """Entry of the process; settings come from the environment."""
    end_with_parent()
    settings = Settings()
    configure(settings.log_format)
    over = threading.Event()
    try:
        store = Store(settings)
        runner = RayRunner(store, Uploads(store.database, store.settings))
    except MIVSPoolError as error:
        log.error("%s", in_full(error))
        return 2
    signal.signal(signal.SIGTERM, lambda *_: over.set())  # after Ray, which sets its own
    runner.start()
    over.wait()
    runner.stop()
    store.close()
    return 0


if __name__ == "__main__":
    from mivspool.service import ray_runner  # tasks name this module, and __main__ is another one elsewhere

    sys.exit(ray_runner.main())
