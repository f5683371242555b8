"""One app for all browser tests, and pages that watch what they ask for."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from app import backend
from app.server.start import running
from mivspool.service.client import default_client
from mivspool.settings import STREAMLIT_HEALTH, settings
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


class Tabs:
    """Pages that one test after the other uses: in a process that has read the app's scripts, opening a page takes a
    third less."""

    USES = 25  # then a page goes, with what its process has gathered

    def __init__(self, context: Any, address: str) -> None:
        self.context, self.address = context, address
        self.free: dict[bool, list[Any]] = {True: [], False: []}
        self.uses: Counter[Any] = Counter()

    def take(self, still: bool) -> Any:
        """A page as a new one would be, but for its process; ``still``: its motions stand still."""
        return self.free[still].pop() if self.free[still] else new_page(self.context, still)

    def put_back(self, page: Any, still: bool) -> None:
        """Empty a page for the next test."""
        self.uses[page] += 1
        if page.is_closed() or self.uses[page] >= self.USES:
            page.close()
            return
        page.mouse.move(0, 0)
        page.goto(f"{self.address}{STREAMLIT_HEALTH}")  # the app leaves, and keeps what it has to
        page.evaluate("() => { sessionStorage.clear(); localStorage.clear(); }")
        self.free[still].append(page)


def new_page(context: Any, still: bool) -> Any:
    page = context.new_page()
    if still:
        page.add_init_script(STILL)
    return page


@pytest.fixture(scope="package")
def tabs(browser: Any, address: str) -> Tabs:
    return Tabs(browser, address)


@pytest.fixture
def visitor(browser: Any) -> Iterator[Callable[[], Any]]:
    """Makes a context for each visitor, with cookies and storage of its own."""
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


# of a page and of the components in it
TEXT = """() => [document.body, ...document.querySelectorAll("*")]
  .map((e) => e === document.body ? e.innerText : e.shadowRoot)
  .filter(Boolean)
  .map((found) => found.nodeType ? "component: " + [...found.children].map((e) => e.innerText).join(" ") : found)
  .join("\\n\\n")"""


class Watched:
    """Opens pages of the app and keeps what they asked for and what went wrong in them."""

    def __init__(self, context: Any, address: str, tabs: Tabs | None = None) -> None:
        self.context, self.address, self.tabs = context, address, tabs
        self.outside: list[str] = []
        self.errors: list[str] = []
        self.pages: list[Any] = []
        self.shared: list[tuple[Any, bool]] = []

    def open(
        self,
        link: str = "",
        *,
        width: int = 1280,
        height: int = 900,
        graph: bool = True,
        scheme: str = "light",
        still: bool = True,
        own: bool = False,
    ) -> Any:
        """``own``: a page that no other test uses, for a test that listens to it."""
        page = self._page(still, own)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="no-preference")
        page.set_default_timeout(90_000)  # a busy machine is slow, not wrong
        page.on("request", self._asked)
        page.on("pageerror", self._failed)
        page.goto(f"{self.address}/{link}")
        if graph:
            wait_for_graph(page, timeout=120)
        return page

    def close(self) -> None:
        """Close the pages, or leave them to the next test."""
        for page in self.pages:
            page.close()
        for page, still in self.shared:
            page.remove_listener("request", self._asked)
            page.remove_listener("pageerror", self._failed)
            assert self.tabs is not None
            self.tabs.put_back(page, still)

    def _page(self, still: bool, own: bool) -> Any:
        if not own and self.tabs is not None and self.tabs.context is self.context:
            page = self.tabs.take(still)
            self.shared.append((page, still))
        else:
            page = new_page(self.context, still)
            self.pages.append(page)
        return page

    def _failed(self, error: Any) -> None:
        self.errors.append(str(error))

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.address, self.address.replace("http", "ws"), "blob:", "data:")):
            self.outside.append(request.url)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """What a page showed when its test failed is told with the failure."""
    report = yield
    watched = getattr(item, "funcargs", {}).get("app")
    if call.when == "call" and report.failed and isinstance(watched, Watched):
        for page in [*watched.pages, *(page for page, _ in watched.shared)]:
            shown = "it is closed" if page.is_closed() else page.evaluate(TEXT)
            report.sections.append((f"page {page.url}", shown))
        report.sections.append(("errors of its pages", "\n".join(watched.errors) or "none"))
    return report


@pytest.fixture
def app(browser: Any, address: str, tabs: Tabs) -> Iterator[Watched]:
    watched = Watched(browser, address, tabs)
    yield watched
    watched.close()
    assert watched.outside == [], "nothing may be asked for outside this machine"
    assert watched.errors == []
