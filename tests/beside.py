"""The sample files that a checkout may have beside it, each with what a reader is expected to make of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

_CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"
FILES = _CASES / "files"
_ABSENT = pytest.mark.skip(reason="no folder ../shared/cases beside this checkout")


def samples() -> list[Any]:
    """Every sample as a parameter: ``{"file": …, "expect": {…}}``; one that is skipped where there are none."""
    if not (_CASES / "cases.json").exists():
        return [pytest.param(None, id="none", marks=[_ABSENT, pytest.mark.needs_data])]
    cases: list[dict[str, Any]] = json.loads((_CASES / "cases.json").read_text("utf-8"))
    assert len(cases) > 40
    return [pytest.param(case, id=case["file"], marks=pytest.mark.needs_data) for case in cases]
