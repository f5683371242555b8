"""The two ways to the application: over HTTP, or inside this process. Both carry the same requests.

FastAPI is asynchronous, Streamlit and the command line are not. Inside the process the application lives on an
event loop of its own in one background thread, which opens and closes it as a server would; callers hand their
requests over and wait.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Protocol, Self
from urllib.parse import quote

import httpx
from fastapi import FastAPI

from mivspool.certificates import ADVICE, is_distrust, trusted
from mivspool.errors import BackendError

# connecting is quick or hopeless; classifying a large file may take its time
TIMEOUT = httpx.Timeout(300.0, connect=5.0)


def path_part(name: str) -> str:
    """A name as one part of a path."""
    return quote(str(name), safe="") or "%20"


class Transport(Protocol):
    """Sends one request and gives the whole answer."""

    def send(self, method: str, path: str, **parts: Any) -> httpx.Response:
        """``parts``: params, json, files, headers as httpx takes them. Raises BackendError when unreachable."""
        ...

    def close(self) -> None:
        """Give everything back; a second time does nothing."""
        ...


class Remote:
    """A backend at an address. Raises InputError where SSL_CERT_FILE names no certificates."""

    def __init__(self, address: str, headers: dict[str, str]) -> None:
        try:
            self._client = httpx.Client(
                base_url=address, headers=headers, timeout=TIMEOUT, trust_env=False, verify=trusted()
            )
        except (httpx.InvalidURL, ValueError, TypeError) as error:
            raise BackendError(
                f"{address!r} is not the address of a backend: use one like http://host:8630"
            ) from error
        self.address = address

    def send(self, method: str, path: str, **parts: Any) -> httpx.Response:
        """Over HTTP."""
        try:
            return self._client.request(method, path, **parts)
        except httpx.TimeoutException as error:
            raise BackendError(
                f"the backend at {self.address} takes too long to answer: try again later"
            ) from error
        except (httpx.TransportError, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            if is_distrust(error):
                raise BackendError(f"the backend at {self.address} is not used: {ADVICE}") from error
            raise BackendError(
                f"the backend at {self.address} cannot be reached ({error}): start it with `mivspool serve`, or unset "
                "MIVSPOOL_BACKEND_URL to work inside this process"
            ) from error

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


class Local:
    """The application inside this process."""

    def __init__(self, app: FastAPI, headers: dict[str, str]) -> None:
        self._app, self._headers = app, headers
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._failed: BaseException | None = None
        self._ending = asyncio.Event()
        self._thread = threading.Thread(target=self._live, name="mivspool-backend", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._failed is not None:
            raise self._failed
        atexit.register(self.close)

    def send(self, method: str, path: str, **parts: Any) -> httpx.Response:
        """Through the application's own interface, without a network."""
        return self._run(self._client.request(method, path, **parts))

    def close(self) -> None:
        """Close the application and its thread."""
        atexit.unregister(self.close)
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._ending.set)
            self._thread.join()

    def _run(self, work: Coroutine[Any, Any, httpx.Response]) -> httpx.Response:
        if not self._thread.is_alive():
            work.close()
            raise BackendError("the backend inside this process has been closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _live(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._ready.set()
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    async def _serve(self) -> None:
        transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
        try:
            async with (
                self._app.router.lifespan_context(self._app),
                httpx.AsyncClient(
                    transport=transport, base_url="http://localhost", headers=self._headers, trust_env=False
                ) as self._client,
            ):
                self._ready.set()
                await self._ending.wait()
        except BaseException as error:
            if self._ready.is_set():
                raise
            self._failed = error


class Closing:
    """Something with ``close()`` that can be used with ``with``."""

    def close(self) -> None:
        """Give everything back."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
