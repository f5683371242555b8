"""Jobs on a Ray cluster: each run of a job is one of its tasks, with a share of a GPU where there are any.

Where a task runs and that it runs again when its machine dies is Ray's business. What a task does is what the
process of a job does on one machine. A cancel is a flag that tasks read at every batch; force comes after.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mivspool.errors import BackendError, MIVSPoolError
from mivspool.service.parent import END_SECONDS
from mivspool.service.runner import CANCEL_SECONDS, Supervisor, environment
from mivspool.service.store import CANCELLED, DONE, FAILED, Claim, Lost, Store
from mivspool.service.uploads import Uploads

if TYPE_CHECKING:
    from mivspool.learning.runs import Task
    from mivspool.learning.training import RunResult

log = logging.getLogger(__name__)

REACH_SECONDS = 2.0
# what a client of HTTP/2, which Ray speaks, sends first; a server answers with a frame of the kind SETTINGS
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS = bytes([4])
RETRIES = 5  # how often a run is started again after its machine or process has died


def check_cluster() -> None:
    """Look whether a Ray server answers at ``RAY_ADDRESS``, where that names a machine. Raises BackendError.

    Ray itself tries for minutes, deaf to signals, and then ends the process.
    """
    address = os.environ.get("RAY_ADDRESS", "")
    scheme, _, rest = address.rpartition("://")
    if address in {"", "auto", "local"} or scheme not in {"", "ray"}:
        return
    where = f"the Ray cluster at {address} (RAY_ADDRESS)"
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or not port:
        raise BackendError(f"{where} cannot be reached: its address must be HOST:PORT")
    try:
        with socket.create_connection((host, port), timeout=REACH_SECONDS) as connection:
            if os.environ.get("RAY_USE_TLS", "0") == "0":
                connection.sendall(_PREFACE)
                if connection.recv(4)[3:] != _SETTINGS:
                    raise BackendError(f"{where} cannot be reached: another kind of server answers there")
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BackendError(
            f"{where} cannot be reached ({reason}): start it with `ray start --head`, or unset "
            "RAY_ADDRESS to start one on this machine"
        ) from error


def connect() -> Any:
    """Ray, connected to the cluster of ``RAY_ADDRESS``, or to one of this machine alone. Raises BackendError."""
    if importlib.util.find_spec("ray") is None:
        raise BackendError("running on a cluster needs Ray: pip install 'mivspool[ray]'")
    there = _is_connected()
    if not there:
        check_cluster()  # before the import, which takes seconds
    import ray

    if not there:
        try:
            ray.init(
                configure_logging=False, log_to_driver=False, include_dashboard=False, namespace="mivspool"
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise BackendError(f"the Ray cluster (RAY_ADDRESS) cannot be reached: {error}") from error
    return ray


def _is_connected() -> bool:
    return "ray" in sys.modules and bool(sys.modules["ray"].is_initialized())


@contextlib.contextmanager
def connected() -> Iterator[Any]:
    """The same for a while: a connection that was not there before is closed."""
    before = _is_connected()
    ray = connect()
    try:
        yield ray
    finally:
        if not before:
            ray.shutdown()


def remote(ray: Any, function: Callable[..., Any], gpu_fraction: float) -> Any:
    """The function as a Ray task: one CPU, a share of a GPU where the cluster has any, started again after a death."""
    gpus = gpu_fraction if ray.cluster_resources().get("GPU") else 0
    return ray.remote(num_cpus=1, num_gpus=gpus, max_retries=RETRIES, retry_exceptions=False)(function)


def run_task(settings: dict[str, str], job: str, attempt: int, key: str) -> tuple[str, str]:
    """One run of a job, on whatever machine it is: how it ended (done, cancelled, failed, lost), and why."""
    from mivspool.learning.training import Cancelled
    from mivspool.service.plan import plan
    from mivspool.service.pulse import Pulse
    from mivspool.service.work import load, perform_run
    from mivspool.settings import Settings
    from mivspool.settings import settings as settings_in_use

    os.environ.update(settings)
    settings_in_use.cache_clear()
    store = Store(Settings())
    claim = Claim(job, attempt)
    lines, handler = _log_lines(key)
    try:
        found = store.get(job)
        if found is None:
            return "lost", "the job was deleted"
        runs = plan(found, store.settings.device)
        run = next(run for run in runs if run.key == key)
        if key in store.runs(job):
            return DONE, ""  # this task's machine died after the run was recorded
        if store.asked(claim):
            return CANCELLED, ""
        with Pulse(lambda: store.asked(claim), store.settings.stale_seconds) as pulse:
            dataset = load(store, found, run.config.dataset)
            perform_run(store, claim, found, run, len(runs), dataset, pulse.stop)
        return DONE, ""
    except Cancelled:
        return CANCELLED, ""
    except Lost:
        return "lost", "the job was resumed elsewhere or deleted"
    except MIVSPoolError as error:
        return FAILED, error.message
    except Exception as error:
        logging.getLogger("mivspool.job").exception("run %s failed", key)
        return FAILED, f"{type(error).__name__}: {error}; the job's log says more"
    finally:
        logging.getLogger("mivspool.job").removeHandler(handler)
        store.add_log(job, lines.getvalue())
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
        own = {
            name: value for name, value in environment(self.settings).items() if name.startswith("MIVSPOOL_")
        }
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
                self._jobs.remove(job)
                self._finish(job)

    def end_all(self) -> None:
        """Interrupt every job: its tasks find it lost and stop."""
        for job in self._jobs:
            self.store.interrupt(job.claim, "the backend was stopped")
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
                state, why = FAILED, f"a run was lost on the cluster: {type(error).__name__}"
            if state == FAILED and job.failed is None and job.stopping_since is None:
                job.failed = why
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
            return
        try:
            if job.failed is not None:
                self.store.finish(job.claim, FAILED, error=job.failed)
            elif job.stopping_since is not None:
                self.store.finish(job.claim, CANCELLED)
            else:
                found = self.store.get(job.claim.job)
                assert found is not None
                lines = self.store.runs(found.id)
                self.store.finish(job.claim, DONE, result=summary(plan(found, self.settings.device), lines))
        except Lost:
            log.warning("job %s is no longer this backend's", job.claim.job)


def run_on_cluster(
    due: Sequence[Task], workers: int, should_stop: Callable[[], bool] | None
) -> Iterator[tuple[Task, RunResult]]:
    """The runs of ``mivspool evaluate --executor ray``, in the order in which they end.

    ``workers`` is not used: Ray knows what its cluster has. Raises what a run raised. Ray says some things on
    standard output, where they would spoil a document: until the last run they go to standard error.
    """
    from mivspool.settings import settings

    with contextlib.redirect_stdout(sys.stderr), connected() as ray:
        task = remote(ray, _train, settings().gpu_fraction)
        own = {name: value for name, value in environment(settings()).items() if name.startswith("MIVSPOOL_")}
        sent = {task.remote(own, one.config): one for one in due}
        try:
            while sent:
                ended, _ = ray.wait(list(sent), num_returns=1, timeout=1.0)
                for reference in ended:
                    one = sent.pop(reference)
                    yield one, _result(ray, reference)
                if should_stop is not None and should_stop():
                    return
        finally:
            for reference in sent:
                ray.cancel(reference, force=True)


def _train(settings: dict[str, str], config: Any) -> tuple[Any, MIVSPoolError | None]:
    from mivspool.learning.training import train
    from mivspool.settings import settings as settings_in_use

    os.environ.update(settings)
    settings_in_use.cache_clear()
    try:
        return train(config), None
    except MIVSPoolError as error:
        return None, error


def _result(ray: Any, reference: Any) -> RunResult:
    try:
        result, error = ray.get(reference)
    except ray.exceptions.RayError as lost:
        raise BackendError(f"a run was lost on the cluster: {lost}") from lost
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]
