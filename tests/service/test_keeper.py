"""What runs in a process of its own: started again whenever it ends, not while it could do nothing, never left over."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
import pytest

from mivspool.errors import BackendError
from mivspool.service import keeper as keeper_module
from mivspool.service.keeper import Keeper
from mivspool.settings import Settings
from tests.service.backends import until

# leaves its number, and ends as its argument says
PROGRAM = """
import os, sys
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n")
if sys.argv[2] == "wait":
    sys.stdin.read()
os._exit(1)
"""


def command(file: Path, end: str) -> list[str]:
    return [sys.executable, "-S", "-c", PROGRAM, str(file), end]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(keeper_module, "AGAIN_SECONDS", 0.02)
    return Settings(home=tmp_path)


def numbers(file: Path) -> list[int]:
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def test_it_is_started_again_whenever_it_ends(settings: Settings, tmp_path: Path) -> None:
    keeper = Keeper(command(tmp_path / "ended", "at once"), settings, lambda: None)
    keeper.start()
    until(lambda: len(numbers(tmp_path / "ended")) > 2)
    keeper.stop()
    assert len(set(numbers(tmp_path / "ended"))) == len(numbers(tmp_path / "ended"))


def test_it_ends_with_its_keeper(settings: Settings, tmp_path: Path) -> None:
    keeper = Keeper(command(tmp_path / "waits", "wait"), settings, lambda: None)
    keeper.start()
    (number,) = until(lambda: numbers(tmp_path / "waits"))
    assert keeper.works()
    keeper.stop()
    assert not keeper.works()
    assert not psutil.pid_exists(number)
    assert numbers(tmp_path / "waits") == [number]


def test_it_waits_until_it_could_do_something(settings: Settings, tmp_path: Path) -> None:
    answers = iter(["", "the cluster has gone", "the cluster has gone", ""])
    asked = []

    def check() -> None:
        asked.append(1)
        if message := next(answers, ""):
            raise BackendError(message)

    keeper = Keeper(command(tmp_path / "waits", "wait"), settings, check)
    keeper.start()
    until(lambda: numbers(tmp_path / "waits"))
    keeper.stop()
    assert len(asked) == 4


def test_what_could_never_do_anything_is_told_at_once(settings: Settings, tmp_path: Path) -> None:
    def check() -> None:
        raise BackendError("there is no cluster")

    with pytest.raises(BackendError, match="no cluster"):
        Keeper(command(tmp_path / "never", "wait"), settings, check)
    assert not numbers(tmp_path / "never")
