"""Tests of one group run in one process: pytest-xdist 3.8 beside pytest 9.2 spreads them, and says nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = """
import os
import pathlib
import pytest

@pytest.mark.xdist_group({group!r})
@pytest.mark.parametrize("number", range(6))
def test_it_runs(number):
    with (pathlib.Path(__file__).parent / {group!r}).open("a") as file:
        print(os.getpid(), file=file)
"""


def test_a_group_is_run_by_one_process(tmp_path: Path) -> None:
    for group in ("first", "second"):
        (tmp_path / f"test_{group}.py").write_text(TESTS.format(group=group))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--dist",
        "loadgroup",
        "--rootdir",
        str(tmp_path),
    ]
    within = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [*command, str(tmp_path)], cwd=tmp_path, env=within, capture_output=True, text=True, check=False
    )
    assert "12 passed" in done.stdout, done.stdout + done.stderr
    first, second = ((tmp_path / group).read_text().split() for group in ("first", "second"))
    assert len(first) == len(second) == 6
    assert len(set(first)) == len(set(second)) == 1
