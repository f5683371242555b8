"""Streamlit with the app, behind its access control, in the process that asks for it (``mivspool app``)."""

from __future__ import annotations

import importlib
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio.to_thread
import uvicorn.config
from starlette.middleware import Middleware
from streamlit.starlette import App

from app.server import garbage, hosted
from app.server.access import Access
from app.server.opened import open_backend
from mivspool.colours import for_streamlit
from mivspool.connections import bounded
from mivspool.errors import MIVSPoolError, UnavailableError
from mivspool.hosts import Hosts
from mivspool.settings import STREAMLIT, settings

log = logging.getLogger(__name__)

AGAIN_SECONDS = 5.0  # between two tries to open the backend while its database is away
TRIES = 720  # after that the first visitor opens it
MAIN = Path(__file__).resolve().parent.with_name("main.py")
# what main.py and Step import; tests/app/test_run.py tells what is missing
_FIRST_PAGE = (
    "app.components.history",
    "app.components.leaving",
    "app.step.page",
    "app.ui.theme",
    "mivspool.lecture.paper",
)


def serve(host: str, port: int, hosts: Hosts, token: str | None, reached: bool, frames: str) -> None:
    """Serve until interrupted. Whoever asks before the app is ready waits until it is."""
    hosted.guarded, hosted.frames = True, frames
    sys.argv = [str(MAIN)]  # where Streamlit looks for .streamlit/config.toml
    uvicorn.config.HTTP_PROTOCOLS["auto"] = bounded(settings().limits)  # type: ignore[assignment]
    middleware = [Middleware(Access, hosts=hosts, token=token, reached=reached, frames=frames)]
    options = {**STREAMLIT, **for_streamlit(), "server.address": host, "server.port": port}

    @asynccontextmanager
    async def lifespan(_: App) -> AsyncIterator[None]:
        # uvicorn would only note the signal, and end when it has begun
        before = {one: signal.signal(one, lambda *_: os._exit(0)) for one in (signal.SIGINT, signal.SIGTERM)}
        await anyio.to_thread.run_sync(get_ready)
        for one, handler in before.items():
            signal.signal(one, handler)
        yield

    App(MAIN, middleware=middleware, lifespan=lifespan).run(config=options)


def get_ready() -> None:
    """Do what the first visitor would wait for: import Step, open the backend, ask it for what Step opens with.

    Jobs that wait begin with the backend. While its database is away the app serves all the same, and tries again.
    """
    for name in _FIRST_PAGE:
        importlib.import_module(name)
    if not _open_backend():
        threading.Thread(target=_go_on_opening, name="mivspool-open", daemon=True).start()
    garbage.collect()  # sets aside what was imported


def _go_on_opening() -> None:
    for _ in range(TRIES):
        time.sleep(AGAIN_SECONDS)
        if _open_backend():
            return


def _open_backend() -> bool:
    """Open the backend and, in this process, ask it for what Step opens with; False if a later try may do better."""
    from app import sources
    from app.state import PROPERTIES
    from app.step.page import FIRST_MODEL

    graph = next(str(one.default) for one in PROPERTIES if one.name == "graph")
    try:
        client = open_backend()
        if not settings().backend_url:  # nobody waits here for one elsewhere
            client.classify(sources.load(graph), FIRST_MODEL)
    except UnavailableError as error:
        log.warning("%s", error)
        return False
    except MIVSPoolError as error:  # it will not mend itself; the pages say it too
        log.error("%s", error)
    return True
