"""Whether a backend can do its work now, part by part: for a balancer's or an orchestrator's probe."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Callable

from sqlalchemy import text

from mivspool.errors import BackendError, MIVSPoolError, StorageError, UnavailableError
from mivspool.service.backend import Backend
from mivspool.settings import private_folder

KEPT_SECONDS = 1.0  # an answer is given again for as long: anybody may ask
FREE_BYTES = 64 * 1024**2


class Readiness:
    """``ask()``: the parts by name, each None or why it is not ready."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._parts: dict[str, Callable[[], None]] = {
            "database": self._database,
            "disk": self._disk,
            "runner": self._runner,
            "device": self._device,
        }
        if backend.settings.store_url:
            self._parts["objects"] = self._objects
        self._asking = threading.Lock()
        self._found: dict[str, str | None] = {}
        self._until = 0.0

    def ask(self) -> dict[str, str | None]:
        """What was found a moment ago, or now; one thread looks and the others wait for it."""
        with self._asking:
            if time.monotonic() >= self._until:
                self._found = {name: _why(part) for name, part in self._parts.items()}
                self._until = time.monotonic() + KEPT_SECONDS
            return self._found

    def _database(self) -> None:
        try:
            with self._backend.store.database.read() as db:
                db.execute(text("SELECT 1"))
        except UnavailableError as error:  # without its address: anybody may ask
            raise UnavailableError("the job database does not answer") from error

    def _objects(self) -> None:
        objects = self._backend.store.objects
        try:
            objects.check()
        except BackendError as error:  # without its address
            raise UnavailableError("the object store cannot be written") from error

    def _disk(self) -> None:
        home = private_folder(self._backend.settings.home)  # nothing may have been written there yet
        with tempfile.NamedTemporaryFile(dir=home, prefix=".mivspool-ready-"):
            pass
        if shutil.disk_usage(home).free < FREE_BYTES:
            raise StorageError("MIVSPOOL_HOME is nearly full")

    def _runner(self) -> None:
        runner = self._backend.runner
        if self._backend.run_jobs and (runner is None or not runner.works()):
            raise UnavailableError("the job runner is not running")

    def _device(self) -> None:
        from mivspool.learning.training import pick_device

        pick_device(self._backend.settings.device)


def _why(part: Callable[[], None]) -> str | None:
    try:
        part()
    except MIVSPoolError as error:
        return error.message
    except OSError as error:
        return f"MIVSPOOL_HOME cannot be written ({error.strerror})"
    return None
