"""Backends for tests: the same application inside the process and over HTTP, on either database."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import uvicorn

from mivspool.cli.serve import listen
from mivspool.connections import bounded
from mivspool.service.app import create_app
from mivspool.service.backend import Backend
from mivspool.service.client import Client
from mivspool.service.transport import Local
from mivspool.settings import Settings

T = TypeVar("T")


@contextmanager
def served(
    settings: Settings, *, on_backend: Callable[[Backend], object] = lambda _: None, **options: Any
) -> Iterator[str]:
    """The address of a real HTTP server, in a thread; ``on_backend`` is given what it holds."""
    app = create_app(settings, **options)
    on_backend(app.state.backend)
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(
        app, http=bounded(settings.limits), log_level="warning", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    until(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def connected(
    transport: str,
    settings: Settings,
    *,
    on_backend: Callable[[Backend], object] = lambda _: None,
    **options: Any,
) -> Iterator[Client]:
    """A client of a backend with these settings; ``on_backend`` is given the backend itself."""
    if transport == "in-process":
        with Client(settings, **options) as client:
            assert isinstance(client._transport, Local)
            on_backend(client._transport._app.state.backend)
            yield client
    else:
        with (
            served(settings, on_backend=on_backend, **options) as address,
            Client(settings.model_copy(update={"backend_url": address})) as client,
        ):
            yield client


def until(condition: Callable[[], T], seconds: float = 180.0) -> T:
    """Wait for something to become true, asking less often the longer it takes: asking costs what it waits for."""
    begin = time.monotonic()
    while (waited := time.monotonic() - begin) < seconds:
        found = condition()
        if found:
            return found
        time.sleep(min(0.02 + waited / 20, 0.5))
    raise AssertionError(f"it did not happen within {seconds:.0f} s")
