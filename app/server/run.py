"""Streamlit with the app, behind its access control, in the process that asks for it (``mivspool app``)."""

from __future__ import annotations

import sys
from pathlib import Path

from starlette.middleware import Middleware
from streamlit.starlette import App

from app.server.access import Access
from mivspool.colours import for_streamlit
from mivspool.hosts import Hosts
from mivspool.settings import STREAMLIT

MAIN = Path(__file__).resolve().parent.with_name("main.py")


def serve(host: str, port: int, hosts: Hosts, token: str | None, reached: bool) -> None:
    """Serve until interrupted."""
    sys.argv = [str(MAIN)]  # where Streamlit looks for .streamlit/config.toml
    middleware = [Middleware(Access, hosts=hosts, token=token, reached=reached)]
    options = {**STREAMLIT, **for_streamlit(), "server.address": host, "server.port": port}
    App(MAIN, middleware=middleware).run(config=options)
