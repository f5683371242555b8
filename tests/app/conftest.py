"""One app for all browser tests, and pages that watch what they ask for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from app import backend
from app.server.start import running
from mivspool.service.client import default_client
from mivspool.settings import settings
from tests.app.browser import STILL, chromium, wait_for_graph


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home: Path = tmp_path_factory.mktemp("home")
    # one thread each: the tests run side by side
    with running({"MIVSPOOL_HOME": str(home), "OMP_NUM_THREADS": "1"}, log=home / "app.log") as url:
        yield url


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    # not for the session: Playwright keeps an event loop running, which other packages' tests must not meet
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with chromium() as found:
        yield found.new_context()  # one for all: Streamlit's scripts are then read once


@pytest.fixture
def visitor(browser: Any) -> Iterator[Callable[[], Any]]:
    """Makes a context for each visitor, with cookies and storage of its own (one Playwright per process is allowed)."""
    made: list[Any] = []

    def meet() -> Any:
        made.append(browser.browser.new_context())
        return made[-1]

    yield meet
    for context in made:
        context.close()


@pytest.fixture
def own_backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """A function that makes the app's modules, in this process, begin anew: with a backend of its own and no caches."""
    monkeypatch.setenv("MIVSPOOL_HOME", str(tmp_path))
    monkeypatch.setenv("MIVSPOOL_WORKERS", "0")
    monkeypatch.delenv("MIVSPOOL_BACKEND_URL", raising=False)

    def begin() -> None:
        settings.cache_clear()
        default_client.cache_clear()
        st.cache_data.clear()
        st.cache_resource.clear()

    yield begin
    backend._client().close()
    monkeypatch.undo()
    begin()


@pytest.fixture(autouse=True)
def _main_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is run here (AppTest) becomes ``__main__``; a process that other tests start would import it."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


class Watched:
    """Opens pages of the app and keeps what they asked for and what went wrong in them."""

    def __init__(self, context: Any, address: str) -> None:
        self.context, self.address = context, address
        self.outside: list[str] = []
        self.errors: list[str] = []
        self.pages: list[Any] = []

    def open(
        self,
        link: str = "",
        *,
        width: int = 1280,
        height: int = 900,
        graph: bool = True,
        scheme: str = "light",
        still: bool = True,
    ) -> Any:
        page = self.context.new_page()
        if still:
            page.add_init_script(STILL)
        self.pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.set_default_timeout(90_000)  # a busy machine is slow, not wrong
        page.on("request", self._asked)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{self.address}/{link}")
        if graph:
            wait_for_graph(page, timeout=120)
        return page

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.address, self.address.replace("http", "ws"), "blob:", "data:")):
            self.outside.append(request.url)


@pytest.fixture
def app(browser: Any, address: str) -> Iterator[Watched]:
    watched = Watched(browser, address)
    yield watched
    for page in watched.pages:
        page.close()
    assert watched.outside == [], "nothing may be asked for outside this machine"
    assert watched.errors == []
