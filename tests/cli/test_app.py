"""``mivspool app``: who may reach it, and that nothing of it outlives it."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import psutil
import pytest

from app.server import run
from mivspool.cli import main
from mivspool.service.store import Store
from mivspool.settings import Settings, settings
from tests.app.apps import is_free, started
from tests.app.browser import chromium
from tests.service.backends import until


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "environment", "says"),
    [
        ((), {}, None),
        (("--host", "0.0.0.0", "--public"), {}, "visitors are kept apart"),
        (("--host", "0.0.0.0"), {"MIVSPOOL_PUBLIC": "1"}, "visitors are kept apart"),
        (("--public",), {}, "visitors are kept apart"),
        (("--host", "0.0.0.0", "--token", "a-token-of-the-tests"), {}, "has the token"),
        (("--host", "0.0.0.0"), {"MIVSPOOL_APP_TOKEN": "a-token-of-the-tests"}, "has the token"),
        (("--host", "0.0.0.0"), {"MIVSPOOL_TOKEN": "a-token-of-the-tests"}, "has the token"),
        (("--host", "0.0.0.0", "--public"), {"MIVSPOOL_SEPARATE_VISITORS": "false"}, "see each other's"),
    ],
)  # fmt: skip
def test_the_start_says_who_is_let_in(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: tuple[str, ...],
    environment: dict[str, str],
    says: str | None,
) -> None:
    """Before anything is served, so nothing is; tests/app/test_access.py asks running servers."""
    served: list[tuple[object, ...]] = []
    monkeypatch.setattr(run, "serve", lambda *arguments: served.append(arguments))
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(os, "environ", {**os.environ, **environment})
    settings.cache_clear()
    assert main(["app", "--no-browser", "--port", "0", *flags]) == 0
    said = capsys.readouterr().out
    ((_, port, *_, reached, frames),) = served
    assert f"MIVSPool at http://127.0.0.1:{port} " in said
    assert len(said.splitlines()) == (1 if says is None else 2)
    assert reached == (says is not None)
    assert frames == ("*" if "--public" in flags or "MIVSPOOL_PUBLIC" in environment else "")
    assert (says or "") in said
    assert "a-token-of-the-tests" not in said


@pytest.mark.slow
@pytest.mark.browser
def test_a_killed_app_leaves_nothing_running(tmp_path: Path) -> None:
    home = tmp_path / "home"
    store = Store(Settings(home=home, database_url=f"sqlite:///{home / 'jobs.sqlite'}"))
    request = {
        "kind": "train",
        "dataset": "MAO",
        "blocks": 2,
        "hidden": 8,
        "max_epochs": 10**5,
        "patience": 10**5,
    }
    job = store.submit("train", request, title="without an end").id
    with started(tmp_path) as app, chromium() as browser:
        browser.new_page().goto(f"{app.address}/train?job={job}")  # the backend in the app takes the job up
        until(
            lambda: "mivspool.service.worker" in " ".join(command(each) for each in app.family()), seconds=200
        )
        family = app.family()
        app.process.kill()
        app.process.wait()
        until(lambda: is_free(app.port))
        until(lambda: not [left for left in family if command(left)])
    store.close()


def command(process: psutil.Process) -> str:
    """The command line of a process, empty when it has ended."""
    with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
        return " ".join(process.cmdline())
    return ""
