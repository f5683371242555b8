"""Turns: what takes much memory is done by a few at once, and who would wait too long is told so (503)."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import anyio.to_thread

from mivspool.errors import UnavailableError
from mivspool.settings import Limits


class Turns:
    """At most ``limits.readers`` at once; ``limits.waiting`` more wait for at most ``limits.wait_seconds``."""

    def __init__(self, limits: Limits) -> None:
        self._seconds = limits.wait_seconds
        self._present = threading.BoundedSemaphore(limits.readers + limits.waiting)
        self._turn = threading.BoundedSemaphore(limits.readers)
        self._most = limits.readers + limits.waiting

    @contextmanager
    def taken(self) -> Iterator[None]:
        """A turn, waited for in this thread. Raises UnavailableError."""
        self._enter()
        try:
            yield
        finally:
            self._leave()

    @asynccontextmanager
    async def awaited(self) -> AsyncIterator[None]:
        """A turn, waited for beside the event loop, in threads of its own. Raises UnavailableError."""
        limiter = anyio.CapacityLimiter(self._most)
        await anyio.to_thread.run_sync(self._enter, limiter=limiter)
        try:
            yield
        finally:
            self._leave()

    def _enter(self) -> None:
        if self._present.acquire(blocking=False):
            if self._turn.acquire(timeout=self._seconds):
                return
            self._present.release()
        raise UnavailableError("the backend is busy with other requests: try again in a moment")

    def _leave(self) -> None:
        self._turn.release()
        self._present.release()
