"""Imports are set aside from the collector, and what a session leaves behind is collected within seconds."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from app.server import garbage


class Cycle:
    """Garbage that only the collector finds."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(garbage, "_aside", 0)
    monkeypatch.setattr(garbage, "_last", 0.0)
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


def test_imports_are_set_aside_once_and_later_garbage_is_collected() -> None:
    before = weakref.ref(Cycle())
    garbage.collect()
    assert before() is None, "garbage is not set aside"
    aside = gc.get_freeze_count()
    assert aside > 10_000
    garbage.collect()
    assert gc.get_freeze_count() <= aside, "nothing was imported since"
    after = weakref.ref(Cycle())
    gc.collect()
    assert after() is None


def test_the_collector_runs_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(garbage.time, "monotonic", lambda: now)
    garbage.collect()
    made = weakref.ref(Cycle())
    now += garbage._EVERY - 0.1
    garbage.collect()
    assert made() is not None, "not after every run"
    now += 0.2
    garbage.collect()
    assert made() is None
