"""The app's process: jobs that wait begin with it, before anybody opens a page."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from app.server import run
from mivspool.hosts import Hosts
from mivspool.service.runner import LocalRunner
from mivspool.service.store import Store
from mivspool.settings import settings
from tests.service.backends import until


def test_jobs_that_wait_begin_with_the_process(
    own_backend: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MIVSPOOL_WORKERS", "1")
    own_backend()
    store = Store(settings())
    job = store.submit("train", {"dataset": "MAO"}, title="a test").id

    def nobody_comes(*_: object, **__: object) -> None:
        until(lambda: [event.kind for event in store.events(job)] == ["queued", "started"])

    program = [sys.executable, "-S", "-c", "import sys; sys.stdin.read()"]
    monkeypatch.setattr(LocalRunner, "command", lambda *_: program)
    monkeypatch.setattr(run.App, "run", nobody_comes)
    monkeypatch.setattr(sys, "argv", ["mivspool", "app"])
    run.serve("127.0.0.1", 0, Hosts("", reached=False), None, reached=False, frames="")
    store.close()
