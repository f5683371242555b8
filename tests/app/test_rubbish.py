"""Imports are put aside from the collector, and what a session leaves behind is still collected."""

from __future__ import annotations

import gc
import weakref

import pytest

from app import rubbish


class Cycle:
    """Rubbish that only the collector finds."""

    def __init__(self) -> None:
        self.me = self


def test_imports_are_put_aside_once_and_later_rubbish_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rubbish, "_aside", 0)
    before = weakref.ref(Cycle())
    try:
        rubbish.put_imports_aside()
        assert before() is None, "rubbish is not put aside"
        aside = gc.get_freeze_count()
        assert aside > 10_000
        rubbish.put_imports_aside()
        assert gc.get_freeze_count() <= aside, "nothing was imported since"
        after = weakref.ref(Cycle())
        gc.collect()
        assert after() is None
    finally:
        gc.unfreeze()
