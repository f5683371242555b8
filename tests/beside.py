"""The sample files that a checkout may have beside it, each with what a reader is expected to make of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

_CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"
_LISTS = ("cases.json", "second.json")
FILES = _CASES / "files"
_ABSENT = pytest.mark.skip(reason="no folder ../shared/cases beside this checkout")


def samples() -> list[Any]:
    """Every sample as a parameter: ``{"file": …, "expect": {…}}``; one that is skipped where there are none."""
    if not all((_CASES / name).exists() for name in _LISTS):
        return [pytest.param(None, id="none", marks=[_ABSENT, pytest.mark.needs_data])]
    cases: list[dict[str, Any]] = []
    for name in _LISTS:
        cases += json.loads((_CASES / name).read_text("utf-8"))
    assert len(cases) > 80
    return [pytest.param(case, id=case["file"], marks=pytest.mark.needs_data) for case in cases]
