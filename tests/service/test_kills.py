"""A short sample of tests/soak/kills.py: a killed worker or backend loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.kills import campaign


@pytest.mark.slow
def test_killed_jobs_end_as_if_nothing_had_happened(tmp_path: Path) -> None:
    report = campaign(tmp_path, kills=2, epochs=60, seed=4)
    assert sum(report.kills.values()) == 2
    assert report.attempts >= 2
