"""What one backend holds: settings, graphs, models, jobs; opened when first needed, closed once."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from mivspool.errors import AccessError
from mivspool.service.catalogue import Catalogue
from mivspool.service.problems import Refusal
from mivspool.service.scrub import told_in_full
from mivspool.service.turns import Turns
from mivspool.settings import Settings

if TYPE_CHECKING:
    from mivspool.service.expected import Expectation
    from mivspool.service.library import Library
    from mivspool.service.runner import Runner
    from mivspool.service.store import Store
    from mivspool.service.uploads import Uploads

log = logging.getLogger(__name__)


class Backend:
    """``run_jobs``: whether this backend also runs the jobs it takes in (and those that others left)."""

    def __init__(self, settings: Settings, *, run_jobs: bool = True, public: bool = False) -> None:
        self.settings = settings
        self.run_jobs = run_jobs and settings.allow_training
        self.separate = public if settings.separate_visitors is None else settings.separate_visitors
        self.catalogue = Catalogue(lambda: self.uploads)
        self.bodies = Turns(settings.limits)  # large requests, from their parsing to their answer
        self.computations = Turns(settings.limits)  # what models compute outside their shelf
        self._opening = threading.RLock()
        self._making = (
            threading.Lock()
        )  # of the library: the event loop asks for it, and must not wait for a database
        self._runner: Runner | None = None
        self.ending = threading.Event()  # the server is about to end: what goes on without an end has one now

    @property
    def store(self) -> Store:
        """The jobs' database."""
        with self._opening:
            return self._store

    @property
    def uploads(self) -> Uploads:
        """What visitors have uploaded."""
        with self._opening:
            return self._uploads

    @property
    def library(self) -> Library:
        """The models, and the shelf they run on."""
        with self._making:
            return self._library

    def expected_starts(self, order: Sequence[str]) -> dict[str, float]:
        """About how many seconds until each job of the queue begins; ``order``: the queue."""
        with self._opening:
            expectation = self._expectation
        return expectation.ask(order)

    @property
    def runner(self) -> Runner | None:
        """What runs the jobs here, once it has been started."""
        return self._runner

    @told_in_full()
    def open(self) -> None:
        """Open the database, try the object store, connect to the cluster if jobs run there. Raises BackendError."""
        with self._opening:
            self.store.objects.check()
            if self.run_jobs and self._runner is None:
                self._runner = self._make_runner()

    def start(self) -> None:
        """Open the database, begin to run jobs, and load the models beside that."""
        if not self.run_jobs:
            return
        self.open()
        assert self._runner is not None
        self._runner.start()
        self.library.start_warm()

    def forget(self, owner: str) -> None:
        """Delete all that is kept of a visitor at once: jobs, also those that run, uploads and kept models."""
        self.store.forget(owner)
        self.uploads.forget(owner)
        self.library.forget(owner)

    def prepare(self) -> None:
        """A job is likely to come."""
        if self._runner is not None:
            self._runner.prepare()

    def close(self) -> None:
        """Stop the jobs that run here (they are queued again), the models and the database."""
        if self._runner is not None:
            self._runner.stop()
        if "_library" in self.__dict__:
            self.library.close()
        if "_store" in self.__dict__:
            self.store.close()

    def _make_runner(self) -> Runner:
        """The runner of the settings' executor."""
        if self.settings.executor == "ray":
            from mivspool.service.keeper import Keeper
            from mivspool.service.ray_cluster import check_cluster

            command = [sys.executable, "-m", "mivspool.service.ray_runner"]
            return Keeper(command, self.settings, check_cluster)
        from mivspool.service.runner import LocalRunner

        return LocalRunner(self.store, self.uploads)

    @cached_property
    def _store(self) -> Store:
        from mivspool.service.store import Store

        return Store(self.settings)

    @cached_property
    def _expectation(self) -> Expectation:
        from mivspool.service.expected import Expectation

        return Expectation(self.store.times, self.settings.workers if self.run_jobs else 0)

    @cached_property
    def _uploads(self) -> Uploads:
        from mivspool.service.uploads import Uploads

        return Uploads(self.store.database, self.settings)

    @cached_property
    def _library(self) -> Library:
        from mivspool.service.library import Library

        return Library(self.settings, lambda: self.store.database, self.separate)


async def _backend(request: Request) -> Backend:
    backend = request.app.state.backend
    assert isinstance(backend, Backend)
    return backend


async def _owner(request: Request) -> str:
    return str(request.state.owner)


async def _address(request: Request) -> str | None:
    address: str | None = request.state.address
    return address


async def _uploads_allowed(request: Request) -> None:
    backend = await _backend(request)
    if not backend.settings.allow_uploads:
        raise Refusal(403, AccessError("uploads are switched off here (MIVSPOOL_ALLOW_UPLOADS)"))


async def _training_allowed(request: Request) -> None:
    backend = await _backend(request)
    if not backend.settings.allow_training:
        raise Refusal(403, AccessError("training is switched off here (MIVSPOOL_ALLOW_TRAINING)"))


Here = Annotated[Backend, Depends(_backend)]
Owner = Annotated[str, Depends(_owner)]
Address = Annotated[str | None, Depends(_address)]
UploadsAllowed = Depends(_uploads_allowed)
TrainingAllowed = Depends(_training_allowed)
