"""Runs the jobs of this machine: claims them, gives each a process of its own, and sees to those that are gone."""

from __future__ import annotations

import json
import logging
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from mivspool.errors import MIVSPoolError, UnavailableError
from mivspool.places import checkout
from mivspool.service.gpu import begin_now, memory_of
from mivspool.service.parent import END_SECONDS, FOLDER, LEFT
from mivspool.service.scrub import in_full
from mivspool.service.states import RUNNING
from mivspool.service.store import MOST_LOG, Claim, Lost, Store
from mivspool.service.uploads import Uploads
from mivspool.settings import Settings

log = logging.getLogger(__name__)

POLL_SECONDS = 0.3
CANCEL_SECONDS = 1.2  # a worker that has not stopped by then is ended by force
READY_SECONDS = 900.0  # a process that waits for a job ends when nobody has come near for that long
LOG = "log"
_SWEEP_SECONDS = 30.0
BEGIN_SECONDS = 30.0  # within which a job has taken the memory that it needs


class Runner(Protocol):
    """What runs jobs, here or elsewhere."""

    def start(self) -> None:
        """Begin."""
        ...

    def stop(self) -> None:
        """End what runs; it is queued again."""
        ...

    def prepare(self) -> None:
        """A job is likely to come."""
        ...

    def works(self) -> bool:
        """Whether it can run a job now."""
        ...


def environment(settings: Settings) -> dict[str, str]:
    """The environment from which another process reads the same settings."""
    values = {
        f"MIVSPOOL_{name.upper()}": _text(value)
        for name, value in settings.model_dump(exclude={"limits"}).items()
        if value is not None
    }
    limits = {f"MIVSPOOL_LIMIT_{name.upper()}": _text(v) for name, v in settings.limits.model_dump().items()}
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("MIVSPOOL_")}
    return {**inherited, **values, **limits}


def environment_here(settings: Settings) -> dict[str, str]:
    """The environment of another process on this machine, which finds this package where it is not installed."""
    found, root = environment(settings), checkout()
    if root is not None:
        found["PYTHONPATH"] = os.pathsep.join(filter(None, [str(root), found.get("PYTHONPATH")]))
    return found


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str).strip('"')


class Supervisor:
    """The loop that every runner has: look after what runs, claim what waits, sweep up what was left behind."""

    def __init__(self, store: Store, uploads: Uploads) -> None:
        self.store, self.uploads, self.settings = store, uploads, store.settings
        self.name = f"{socket.gethostname()}:{os.getpid()}"
        self._over = threading.Event()
        self._swept = 0.0
        self._missed: float | None = None  # when the database last did not answer
        self._away = False
        self._begun: dict[Claim, float] = {}  # what runs here, and since when
        self._thread = threading.Thread(target=self._live, name="mivspool-runner", daemon=True)

    def start(self) -> None:
        """Begin to claim jobs."""
        self._thread.start()

    def stop(self) -> None:
        """Claim no more, and end what runs."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        self.end_all()

    def works(self) -> bool:
        """Whether its thread lives."""
        return self._thread.is_alive()

    def poll(self) -> None:
        """See to the jobs that run; called a few times per second."""
        raise NotImplementedError

    def prepare(self) -> None:
        """A job is likely to come: make ready for it, where that helps."""

    def has_capacity(self) -> bool:
        """Whether one more job can run."""
        raise NotImplementedError

    def begin(self, claim: Claim) -> None:
        """Run a job that was claimed."""
        raise NotImplementedError

    def end_all(self) -> None:
        """End what runs."""
        raise NotImplementedError

    def _live(self) -> None:
        while not self._over.wait(POLL_SECONDS):
            try:
                self._turn()
                if self._away:
                    log.info("the job database answers again")
                self._away = False
            except UnavailableError as error:  # it may come back
                if not self._away:
                    log.warning("%s", in_full(error))
                self._missed, self._away = time.monotonic(), True
            except MIVSPoolError as error:
                log.warning("%s", in_full(error))
            except Exception:
                log.exception("the runner failed at something and goes on")

    def _turn(self) -> None:
        self.poll()
        if time.monotonic() - self._swept > min(_SWEEP_SECONDS, self.settings.stale_seconds / 4):
            self._sweep()
        while self.has_capacity():
            claim = self.store.claim(self.name)
            if claim is None:
                break
            self._begun[claim] = time.monotonic()
            log.info("job %s begins, attempt %d", claim.job, claim.attempt, extra=_about(claim, RUNNING))
            try:
                self.begin(claim)
            except Exception as error:
                self.let_go(claim, f"it could not be started: {error}")
                raise

    def let_go(self, claim: Claim, why: str, *, died: bool = True) -> None:
        """A job's work has ended here: give the job back where it has no end in the store, and log how it ended."""
        state = self.store.give_back(claim, why, died=died)
        if state is None:
            self.log_end(claim)
        else:
            seconds = self._seconds(claim)
            about = _about(claim, state) | {"seconds": seconds, "why": why}
            log.warning("job %s is %s after %.1f s: %s", claim.job, state, seconds, why, extra=about)

    def log_end(self, claim: Claim) -> None:
        """Log how a job has ended whose work has ended here."""
        job = self.store.get(claim.job)
        seconds = self._seconds(claim)
        state = "deleted" if job is None else job.state if job.attempt == claim.attempt else "another's"
        about = _about(claim, state) | {"seconds": seconds}
        why = None if job is None else job.error
        if why is not None:
            about["why"] = why
        told = "" if why is None else f": {why}"
        log.info("job %s is %s after %.1f s%s", claim.job, state, seconds, told, extra=about)

    def _seconds(self, claim: Claim) -> float:
        begun = self._begun.pop(claim, None)
        return 0.0 if begun is None else round(time.monotonic() - begun, 1)

    def _sweep(self) -> None:
        self._swept = now = time.monotonic()
        if self._missed is None or now - self._missed > self.settings.stale_seconds:
            # else all were silent, because the database was
            for job, state in self.store.give_back_stale(self.settings.stale_seconds).items():
                about = {"job": job, "state": state}
                log.warning("job %s gave no sign of life and is %s", job, state, extra=about)
        for job in self.store.stop_overtime():
            log.info("job %s has run for as long as a job may", job, extra={"job": job})
        self.uploads.delete_old()
        self.store.delete_old()
        self.store.objects.sweep()


def _about(claim: Claim, state: str) -> dict[str, Any]:
    """The fields of an event of the log that is about a job."""
    return {"job": claim.job, "attempt": claim.attempt, "state": state}


@dataclass
class _Process:
    process: subprocess.Popen[bytes]
    folder: Path

    def end(self) -> None:
        """End a process that has no job."""
        self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            with suppress(BrokenPipeError):  # what was written to it
                self.process.stdin.close()
        shutil.rmtree(self.folder)


@dataclass
class _Child:
    claim: Claim
    process: subprocess.Popen[bytes]
    folder: Path  # all that the process writes outside the database; gone with it
    earlier: bytes  # the log of earlier attempts
    pushed: int = 0
    beaten: float = 0.0
    cancelled_at: float | None = None


class LocalRunner(Supervisor):
    """Up to ``workers`` processes on this machine."""

    def __init__(self, store: Store, uploads: Uploads) -> None:
        super().__init__(store, uploads)
        self._children: list[_Child] = []
        self._spare: _Process | None = None
        self._spares = threading.Lock()  # requests ask for one, the runner's thread takes it
        self._asked: float | None = None  # when a process was last asked to be ready
        self._short = False  # of memory on the GPU

    def has_capacity(self) -> bool:
        """Whether a process is free, and memory where jobs run on a GPU: that is asked where one waits."""
        if len(self._children) >= self.settings.workers:
            return False
        if not self.settings.gpu_free_bytes:
            return True
        return self.store.waits() and self._has_memory()

    def _has_memory(self) -> bool:
        needed = self.settings.gpu_free_bytes
        found = memory_of(self.settings.device)
        if found is None:
            return True
        free, total = found
        late = time.monotonic() - BEGIN_SECONDS
        fits = begin_now(free, total, needed, sum(since > late for since in self._begun.values()))
        if not fits and not self._short:
            log.warning("jobs wait for memory of the GPU: %d bytes are free (MIVSPOOL_GPU_FREE_BYTES)", free)
        self._short = not fits
        return fits

    def prepare(self) -> None:
        """Keep a process that has loaded what a training needs, for some minutes."""
        with self._spares:
            self._asked = time.monotonic()
            if self._spare is None and self.settings.workers:
                self._spare = self._spawn()

    def begin(self, claim: Claim) -> None:
        """Give a job a process of its own, so that nothing of this one is shared with it."""
        earlier = self.store.load(claim.job, "log") or b""
        made = self._taken(claim) or self._spawn(claim.job, str(claim.attempt))
        self._children.append(_Child(claim, made.process, made.folder, earlier))

    def _spawn(self, *arguments: str) -> _Process:
        """A new interpreter: for the job of these arguments, or for one that is named later."""
        folder = Path(tempfile.mkdtemp(prefix="mivspool-job-"))
        try:
            with (folder / LOG).open("wb") as output:
                process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                    self.command(*arguments), stdin=subprocess.PIPE, stdout=output, stderr=output,  # see parent.py
                    env={**environment_here(self.settings), FOLDER: str(folder)}, start_new_session=True,
                )  # fmt: skip
        except BaseException:
            shutil.rmtree(folder)
            raise
        return _Process(process, folder)

    def _taken(self, claim: Claim) -> _Process | None:
        """The process that is ready, with this job; None where there is none."""
        with self._spares:
            spare, self._spare = self._spare, None
        if spare is None:
            return None
        assert spare.process.stdin is not None
        try:
            spare.process.stdin.write(f"{claim.job} {claim.attempt}\n".encode())
            spare.process.stdin.flush()
        except BrokenPipeError:  # it has ended by itself
            spare.end()
            return None
        return spare

    def _keep_ready(self) -> None:
        """The next process once no job runs, as long as somebody may start one."""
        with self._spares:
            if self._spare is not None and self._spare.process.poll() is not None:
                self._asked = None  # it could not make ready: another one could not either
            late = self._asked is None or time.monotonic() - self._asked > READY_SECONDS
            if self._spare is not None and late:
                self._spare.end()
                self._spare = None
            if self._spare is None and not late and not self._children:
                self._spare = self._spawn()

    def command(self, *arguments: str) -> list[str]:
        """What does the job of these arguments, or the one that is named later."""
        return [sys.executable, "-m", "mivspool.service.worker", *arguments]

    def poll(self) -> None:
        """Reap what has ended, end what was cancelled and does not stop, keep the logs."""
        for child in list(self._children):
            ended = child.process.poll() is not None
            if not ended and self._overdue(child):
                child.process.kill()
                child.process.wait()
                ended = True
            self._push_log(child)
            if not ended:
                self._beat(child)
            else:
                self._reap(child)
                shutil.rmtree(child.folder)
                self._children.remove(child)  # only now: the database may be away
        self._keep_ready()

    def end_all(self) -> None:
        """Ask every process to end, and end those that do not."""
        with self._spares:
            self._asked = None
            if self._spare is not None:
                self._spare.end()
                self._spare = None
        for child in self._children:
            child.process.terminate()
        deadline = time.monotonic() + END_SECONDS
        for child in self._children:
            try:
                child.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()
            try:
                self._push_log(child)
                self._reap(child, "the backend was stopped")
            except UnavailableError as error:  # whoever finds it silent gives it back
                log.warning("job %s is left behind: %s", child.claim.job, in_full(error))
            finally:
                shutil.rmtree(child.folder)
        self._children.clear()

    def _reap(self, child: _Child, stopped: str | None = None) -> None:
        if child.process.stdin is not None:
            child.process.stdin.close()
        code = child.process.returncode
        ended = f"was ended by signal {-code}" if code < 0 else f"ended with status {code}"
        self.let_go(child.claim, stopped or f"its process {ended}", died=stopped is None and code != LEFT)

    def _beat(self, child: _Child) -> None:
        """A process that lives but is busy starting, or starved of the processor, is not dead."""
        if time.monotonic() - child.beaten > self.settings.stale_seconds / 10:
            child.beaten = time.monotonic()
            with suppress(Lost):  # then _overdue ends it
                self.store.beat(child.claim)

    def _overdue(self, child: _Child) -> bool:
        if child.cancelled_at is None:
            job = self.store.get(child.claim.job)
            gone = job is None or job.attempt != child.claim.attempt or job.state != RUNNING
            if gone or job.cancel:  # type: ignore[union-attr]
                child.cancelled_at = time.monotonic()
            return False
        return time.monotonic() - child.cancelled_at > CANCEL_SECONDS

    def _push_log(self, child: _Child) -> None:
        written = child.folder / LOG
        size = written.stat().st_size
        if size != child.pushed:
            self.store.save_log(child.claim.job, (child.earlier + written.read_bytes())[-MOST_LOG:])
            child.pushed = size
