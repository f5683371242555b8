"""Runs the jobs of this machine: claims them, gives each a process of its own, and sees to those that are gone."""

from __future__ import annotations

import json
import logging
import os
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

from mivspool.errors import MIVSPoolError
from mivspool.service.parent import END_SECONDS
from mivspool.service.store import MOST_LOG, Claim, Lost, Store
from mivspool.service.uploads import Uploads
from mivspool.settings import Settings

log = logging.getLogger(__name__)

POLL_SECONDS = 0.3
CANCEL_SECONDS = 1.2  # a worker that has not stopped by then is ended by force
_SWEEP_SECONDS = 30.0


class Runner(Protocol):
    """What runs jobs, here or elsewhere."""

    def start(self) -> None:
        """Begin."""
        ...

    def stop(self) -> None:
        """End what runs; it can be resumed."""
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


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str).strip('"')


class Supervisor:
    """The loop that every runner has: look after what runs, claim what waits, sweep up what was left behind."""

    def __init__(self, store: Store, uploads: Uploads) -> None:
        self.store, self.uploads, self.settings = store, uploads, store.settings
        self.name = f"{socket.gethostname()}:{os.getpid()}"
        self._over = threading.Event()
        self._swept = 0.0
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

    def poll(self) -> None:
        """See to the jobs that run; called a few times per second."""
        raise NotImplementedError

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
                self.poll()
                if time.monotonic() - self._swept > min(_SWEEP_SECONDS, self.settings.stale_seconds / 4):
                    self._sweep()
                while self.has_capacity():
                    claim = self.store.claim(self.name)
                    if claim is None:
                        break
                    log.info("job %s begins", claim.job)
                    self.begin(claim)
            except MIVSPoolError as error:  # a database that is away may come back
                log.warning("%s", error)
            except Exception:
                log.exception("the runner failed at something and goes on")

    def _sweep(self) -> None:
        self._swept = time.monotonic()
        for job in self.store.interrupt_stale(self.settings.stale_seconds):
            log.warning("job %s gave no sign of life and was interrupted", job)
        self.uploads.delete_old()


@dataclass
class _Child:
    claim: Claim
    process: subprocess.Popen[bytes]
    log: Path
    earlier: bytes  # the log of earlier attempts
    pushed: int = 0
    beaten: float = 0.0
    cancelled_at: float | None = None


class LocalRunner(Supervisor):
    """Up to ``workers`` processes on this machine."""

    def __init__(self, store: Store, uploads: Uploads) -> None:
        super().__init__(store, uploads)
        self._children: list[_Child] = []
        self._folder = tempfile.TemporaryDirectory(prefix="mivspool-jobs-")
        self._polled = 0.0

    def has_capacity(self) -> bool:
        """Whether a process is free."""
        return len(self._children) < self.settings.workers

    def begin(self, claim: Claim) -> None:
        """Spawn the process of a job: a new interpreter, so that nothing of this one is shared with it."""
        path = Path(self._folder.name) / f"{claim.job}-{claim.attempt}.log"
        command = [sys.executable, "-m", "mivspool.service.worker", claim.job, str(claim.attempt)]
        with path.open("wb") as output:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                command, stdin=subprocess.PIPE, stdout=output, stderr=output,  # stdin: see parent.py
                env=environment(self.settings), start_new_session=True,
            )  # fmt: skip
        earlier = self.store.load(claim.job, "log") or b""
        self._children.append(_Child(claim, process, path, earlier))

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
                self._children.remove(child)
                self._reap(child)

    def end_all(self) -> None:
        """Ask every process to end, and end those that do not."""
        for child in self._children:
            child.process.terminate()
        deadline = time.monotonic() + END_SECONDS
        for child in self._children:
            try:
                child.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()
            self._push_log(child)
            self._reap(child, "the backend was stopped")
        self._children.clear()
        self._folder.cleanup()

    def _reap(self, child: _Child, why: str | None = None) -> None:
        if child.process.stdin is not None:
            child.process.stdin.close()
        code = child.process.returncode
        ended = f"was ended by signal {-code}" if code < 0 else f"ended with status {code}"
        reason = why or f"its process {ended}"
        if self.store.interrupt(child.claim, reason):
            log.warning("job %s was interrupted: %s", child.claim.job, reason)
        child.log.unlink(missing_ok=True)

    def _beat(self, child: _Child) -> None:
        """A process that lives but is busy starting, or starved of the processor, is not dead."""
        if time.monotonic() - child.beaten > self.settings.stale_seconds / 10:
            child.beaten = time.monotonic()
            with suppress(Lost):  # then _overdue ends it
                self.store.beat(child.claim)

    def _overdue(self, child: _Child) -> bool:
        if child.cancelled_at is None:
            job = self.store.get(child.claim.job)
            gone = job is None or job.attempt != child.claim.attempt or job.state != "running"
            if gone or job.cancel:  # type: ignore[union-attr]
                child.cancelled_at = time.monotonic()
            return False
        return time.monotonic() - child.cancelled_at > CANCEL_SECONDS

    def _push_log(self, child: _Child) -> None:
        size = child.log.stat().st_size
        if size != child.pushed:
            child.pushed = size
            self.store.save_log(child.claim.job, (child.earlier + child.log.read_bytes())[-MOST_LOG:])
