"""``mivspool app``: who may reach it, and that nothing of it outlives it."""

from __future__ import annotations

import contextlib
from pathlib import Path

import psutil
import pytest

from mivspool.service.store import Store
from mivspool.settings import Settings
from tests.app.apps import is_free, started
from tests.app.browser import chromium
from tests.service.backends import until

pytestmark = pytest.mark.slow


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
    tmp_path: Path, flags: tuple[str, ...], environment: dict[str, str], says: str | None
) -> None:
    with started(tmp_path, *flags, **environment) as app:
        assert f"MIVSPool at {app.address} " in app.said
        if says is None:
            assert len(app.said.splitlines()) == 1
        else:
            assert says in app.said
        assert "a-token-of-the-tests" not in app.said
        assert app.asked_outside == ""


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
