"""Streamlit with the app, behind its access control, in the process that asks for it (``mivspool app``)."""

from __future__ import annotations

import logging
import sys
import threading
import time
from pathlib import Path

import uvicorn.config
from starlette.middleware import Middleware
from streamlit.starlette import App

from app.server import hosted
from app.server.access import Access
from app.server.opened import open_backend
from mivspool.colours import for_streamlit
from mivspool.connections import bounded
from mivspool.errors import BackendError, UnavailableError
from mivspool.hosts import Hosts
from mivspool.settings import STREAMLIT, settings

log = logging.getLogger(__name__)

AGAIN_SECONDS = 5.0  # between two tries to open the backend while its database is away
TRIES = 720  # after that the first visitor opens it
MAIN = Path(__file__).resolve().parent.with_name("main.py")


def serve(host: str, port: int, hosts: Hosts, token: str | None, reached: bool, frames: str) -> None:
    """Serve until interrupted; jobs that wait do not wait for a visitor."""
    hosted.guarded, hosted.frames = True, frames
    if not settings().backend_url:
        threading.Thread(target=_open_backend, name="mivspool-open", daemon=True).start()
    sys.argv = [str(MAIN)]  # where Streamlit looks for .streamlit/config.toml
    uvicorn.config.HTTP_PROTOCOLS["auto"] = bounded(settings().limits)  # type: ignore[assignment]
    middleware = [Middleware(Access, hosts=hosts, token=token, reached=reached, frames=frames)]
    options = {**STREAMLIT, **for_streamlit(), "server.address": host, "server.port": port}
    App(MAIN, middleware=middleware).run(config=options)


def _open_backend() -> None:
    for _ in range(TRIES):
        try:
            open_backend()
            return
        except UnavailableError as error:
            log.warning("%s", error)
        except BackendError as error:  # it will not mend itself; the pages say it too
            log.error("%s", error)
            return
        time.sleep(AGAIN_SECONDS)
