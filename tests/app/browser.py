"""A real browser for the tests of what a person sees."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Any

# nothing of the browser's own may ask for anything outside this machine
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
POLLING = 40  # milliseconds between two looks at a page: at each frame they would be most of its work
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")


# Streamlit's motions, which Chromium draws without a GPU here: a quarter of the time that a page takes
STILL = """new MutationObserver((_, observer) => {
  if (!document.documentElement) return;
  observer.disconnect();
  const style = document.createElement("style");
  style.textContent = "*, *::before, *::after { animation: none !important; transition: none !important; }";
  document.documentElement.append(style);
}).observe(document, { childList: true });"""


_SLOW = """(() => {
  const late = (given) => {
    const drawn = typeof given === "function" ? given : () => given;
    const queue = [];
    let last = 0;
    return (act) => {
      queue.push(act);
      last = Math.max(last, performance.now() + drawn());
      setTimeout(() => queue.shift()(), last - performance.now());
    };
  };
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    to = late(%s);
    from = late(%s);
    send(data) {
      const copy = data.slice();
      this.to(() => this.readyState === 1 && super.send(copy));
    }
    set onmessage(hear) {
      super.onmessage = (event) => this.from(() => hear(event));
    }
    addEventListener(type, hear, ...given) {
      super.addEventListener(type, type === "message" ? (event) => this.from(() => hear(event)) : hear, ...given);
    }
  };
})();"""


def slow(told: float | str, heard: float | str) -> str:
    """A script for a page whose messages to the server and from it are late, in their order.

    So many milliseconds each way; or a function in JavaScript that draws them.
    """
    return _SLOW % (told, heard)


def browser_path() -> str | None:
    """Where Chromium is: MIVSPOOL_CHROMIUM, or on the PATH; None where there is none."""
    return os.environ.get("MIVSPOOL_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """A Chromium, driven by Playwright, without a GPU."""
    with _playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


# Playwright allows one of itself per process, so browsers share it; the last one to end ends it, since its event loop
# must not meet tests that have one of their own
_shared = contextlib.ExitStack()
_users: list[Any] = []


@contextlib.contextmanager
def _playwright() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    playwright = _users[0] if _users else _shared.enter_context(sync_playwright())
    _users.append(playwright)
    try:
        yield playwright
    finally:
        _users.pop()
        if not _users:
            _shared.close()


def wait_for_graph(page: Any, timeout: float = 30) -> None:
    """Until the canvas of the page shows a graph."""
    page.wait_for_selector('.mivspool[data-layout="full"] .stage canvas', timeout=timeout * 1000)
    page.wait_for_function(
        """() => {
          const hosts = [...document.querySelectorAll('*')].filter((e) => e.shadowRoot);
          const box = hosts.map((e) => e.shadowRoot.querySelector('.mivspool[data-layout="full"]')).find(Boolean);
          return box && box.querySelector('.stage:not(.before)').view?.drawn;
        }""",
        timeout=timeout * 1000,
        polling=POLLING,
    )


def settled(page: Any, timeout: float = 90) -> None:
    """Until the page's script has ended, every canvas has drawn what it shows, and its cursor was told: that stays."""
    page.wait_for_function(
        """() => {
          const canvases = [...document.querySelectorAll('*')]
            .flatMap((e) => (e.shadowRoot ? [...e.shadowRoot.querySelectorAll('.mivspool')] : []))
            .filter((box) => box.store);
          const rests = (box) => {
            const { view } = box.querySelector('.stage:not(.before)');
            return view && !view.frame && !view.animation && box.report.timer === null;
          };
          return document.querySelector('.stApp').dataset.testScriptState === 'notRunning' && canvases.every(rests);
        }""",
        timeout=timeout * 1000,
        polling=POLLING,
    )


def serious(page: Any) -> list[str]:
    """What axe finds in a page that would stop a reader. axe comes with a package and is not fetched."""
    from axe_playwright_python.sync_playwright import Axe

    # preload: axe would ask for the style sheets once more, and a page may forbid that
    found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response
    return [
        f"{fault['id']}: {node['html'][:150]} {node['failureSummary'][:200]}"
        for fault in found["violations"]
        if fault["impact"] in {"serious", "critical"}
        for node in fault["nodes"]
    ]


def choose(page: Any, name: str, label: str = "Graph") -> None:
    """Choose from a menu; a click while the page is still being drawn can miss, and the menu then stays open."""
    from playwright.sync_api import TimeoutError as Missed

    option = page.get_by_role("option", name=name)
    for _ in range(5):
        if not option.count():
            page.get_by_role("combobox", name=label).click()
        option.click()
        try:
            option.wait_for(state="hidden", timeout=2_000)
        except Missed:
            continue
        return
    raise AssertionError(f"{name} could not be chosen")


def upload_box(page: Any) -> None:
    """Open the box for files, pasted text and a drawing; a click while the page is still being drawn can miss."""
    from playwright.sync_api import TimeoutError as Missed

    button = page.get_by_role("button", name="Upload", exact=True)
    text = page.get_by_label("or paste edges, SMILES")
    for _ in range(5):
        if not text.is_visible():
            button.click()
        try:
            text.wait_for(timeout=2_000)
        except Missed:
            continue
        return
    raise AssertionError("the box for uploads did not open")
