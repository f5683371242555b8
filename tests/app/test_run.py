"""The app's process: it answers once it is ready, and jobs that wait begin with it, before anybody opens a page."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from app.server import run
from mivspool.hosts import Hosts
from mivspool.service.runner import LocalRunner
from mivspool.service.store import Store
from mivspool.settings import settings
from tests.service.backends import until
from tests.test_house import ROOT


def serve(monkeypatch: pytest.MonkeyPatch, answering: Callable[[], None]) -> None:
    """Call ``run.serve``, with ``answering`` in the place of all that a server does once its port is open."""

    class Server:
        def __init__(
            self, *_: Any, lifespan: Callable[[Any], AbstractAsyncContextManager[None]], **__: Any
        ) -> None:
            self.lifespan = lifespan

        async def _run(self) -> None:
            async with self.lifespan(self):
                answering()

        def run(self, *, config: object) -> None:
            asyncio.run(self._run())

    monkeypatch.setattr(run, "App", Server)
    monkeypatch.setattr(sys, "argv", ["mivspool", "app"])
    run.serve("127.0.0.1", 0, Hosts("", reached=False), None, reached=False, frames="")


def test_jobs_that_wait_begin_with_the_process(
    own_backend: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MIVSPOOL_WORKERS", "1")
    own_backend()
    store = Store(settings())
    job = store.submit("train", {"dataset": "MAO"}, title="a test").id
    program = [sys.executable, "-S", "-c", "import sys; sys.stdin.read()"]
    monkeypatch.setattr(LocalRunner, "command", lambda *_: program)
    run.get_ready()
    until(lambda: [event.kind for event in store.events(job)] == ["queued", "started"])
    store.close()


# in a process of its own, where nothing is imported yet; what Streamlit's own kind of test needs is imported before
_FIRST_PAGE = """
import sys

import pytest
from numba.core import event
from streamlit.testing.v1 import AppTest

from app.server import run
from tests.app.test_run import serve

page = AppTest.from_file(str(run.MAIN), default_timeout=120)
imported, compiled = set(), []

class Heard(event.Listener):
    def on_start(self, heard):
        compiled.append(str(heard.data["dispatcher"]))
    def on_end(self, heard):
        pass

def answering():
    ready = set(sys.modules)
    with event.install_listener("numba:compile", Heard()):
        page.run()
    imported.update(set(sys.modules) - ready)

with pytest.MonkeyPatch.context() as patch:
    serve(patch, answering)
assert not page.exception, page.exception
assert page.session_state["state"]["model"] == "mao-mivspool", "it does not open as a trained network pools"
streamlits = ("streamlit", "PIL", "packaging")  # what Streamlit needs for a first page of any app
print("imported:", sorted(name for name in imported if name.partition(".")[0] not in streamlits))
print("compiled:", compiled)
"""


def test_the_first_page_imports_and_compiles_nothing(tmp_path: Any) -> None:
    """The app answers once it is ready, so that whoever opens it then waits for the page alone."""
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_PAGE],
        cwd=ROOT,
        env={**os.environ, "MIVSPOOL_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["imported: []", "compiled: []"]


_GETTING_READY = """
import time
from app.server import run
from mivspool.hosts import Hosts

def get_ready():
    print("getting ready", flush=True)
    time.sleep(600)

run.get_ready = get_ready
run.serve("127.0.0.1", 0, Hosts("", reached=False), None, reached=False, frames="")
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_while_it_gets_ready(how: signal.Signals) -> None:
    app = subprocess.Popen([sys.executable, "-c", _GETTING_READY], cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert app.stdout is not None
        assert app.stdout.readline() == b"getting ready\n"
        app.send_signal(how)
        assert app.wait(60) == 0
    finally:
        app.kill()
        app.communicate()
