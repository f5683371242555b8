"""A short sample of tests/soak/kills.py: whatever is killed, a job goes on by itself and ends as if undisturbed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.kills import campaign


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_jobs_go_on_by_themselves_whatever_is_killed(tmp_path: Path) -> None:
    kinds = ["worker", "database", "backend"]
    report = campaign(tmp_path, epochs=60, seed=4, kinds=kinds)
    assert set(report.kills) >= {"worker", "backend"}  # and the database where PostgreSQL is installed
    assert report.attempts > report.kills["worker"]
