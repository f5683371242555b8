"""/readyz names what does not work, to whoever asks, and asks the parts themselves once per second at most."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivspool.errors import UnavailableError
from mivspool.service import readiness
from mivspool.service.backend import Backend
from mivspool.service.client import Client
from tests.service.backends import connected, until
from tests.service.conftest import Make


def away(*_: object, **__: object) -> Any:
    raise UnavailableError("the job database does not answer")


def full(*_: object, **__: object) -> Any:
    raise OSError(errno.ENOSPC, "No space left on device")


def ask(client: Client) -> tuple[int, dict[str, Any]]:
    answer = client._transport.send("GET", "/readyz")
    return answer.status_code, answer.json()


@pytest.mark.parametrize("transport", ["in-process", "http"])
def test_it_names_the_part_that_does_not_work(
    make_settings: Make, transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "KEPT_SECONDS", 0.0)
    found: list[Backend] = []
    given = make_settings(token="a-token-of-the-tests")
    with connected(transport, given, on_backend=found.append) as client:
        until(lambda: ask(client)[0] == 200)
        assert ask(client)[1] == {
            "ready": True, "database": "ok", "disk": "ok", "runner": "ok", "device": "cpu"
        }  # fmt: skip
        breaks: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
            "database": (lambda p: p.setattr(found[0].store.database, "read", away), "does not answer"),
            "disk": (lambda p: p.setattr(readiness.tempfile, "NamedTemporaryFile", full), "No space left"),
            "runner": (lambda p: p.setattr(found[0].runner, "works", lambda: False), "is not running"),
        }
        for part, (broken, says) in breaks.items():
            with monkeypatch.context() as patch:
                broken(patch)
                status, parts = ask(client)
            assert status == 503
            assert says in parts.pop(part)
            assert parts == {
                "ready": False,
                "device": "cpu",
                **{name: "ok" for name in breaks if name != part},
            }
        assert ask(client)[0] == 200


def test_a_disk_that_is_nearly_full(make_settings: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = Backend(make_settings(), run_jobs=False)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(1, 1, 1))
    assert readiness.Readiness(backend).ask() == {
        "database": None,
        "disk": "MIVSPOOL_HOME is nearly full",
        "runner": None,
        "device": None,
    }
    backend.close()


def test_a_device_that_is_not_there(make_settings: Make) -> None:
    backend = Backend(make_settings(device="cuda:99"), run_jobs=False)
    found = readiness.Readiness(backend).ask()
    assert found.pop("device") == "there is no cuda:99 on this machine: use cpu or auto"
    assert set(found.values()) == {None}
    backend.close()


def test_many_who_ask_cost_one_look(make_settings: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = Backend(make_settings(), run_jobs=False)
    asked = readiness.Readiness(backend)
    looks: list[Path] = []
    monkeypatch.setattr(
        shutil, "disk_usage", lambda path: looks.append(path) or shutil._ntuple_diskusage(1, 1, 1)
    )
    for _ in range(100):
        asked.ask()
    assert len(looks) == 1
    backend.close()


def test_a_home_that_is_not_there_yet_is_made(make_settings: Make, tmp_path: Path) -> None:
    """With its database elsewhere, a backend has written nothing into it."""
    backend = Backend(make_settings(home=tmp_path / "new" / "home"), run_jobs=False)
    assert readiness.Readiness(backend).ask()["disk"] is None
    assert (tmp_path / "new" / "home").is_dir()
    backend.close()
