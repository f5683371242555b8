"""The browser tests of the app and the canvas, round after round: one that fails now and then hides a fault, or is one.

``python -m tests.soak.browser [ROUNDS] [--load] [--logs FOLDER]``: ``--load`` keeps every core busy beside them. Each
round leaves its output in the folder.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.soak.record import record

ROOT = Path(__file__).resolve().parents[2]
TESTS = [sys.executable, "-m", "pytest", "tests/app", "tests/canvas", "-n", "2", "--dist", "loadgroup", "-q"]
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


@contextlib.contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that do nothing but compute."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def rounds(count: int, *, load: bool, logs: Path) -> list[str]:
    """The findings, a line each: how many rounds, and which tests failed how often."""
    failed: Counter[str] = Counter()
    bad, ends = 0, []
    with busy((os.cpu_count() or 1) if load else 0):
        for turn in range(1, count + 1):
            done = subprocess.run(TESTS, cwd=ROOT, capture_output=True, text=True, check=False)
            (logs / f"round-{turn}.log").write_text(done.stdout + done.stderr, encoding="utf-8")
            names = _FAILED.findall(done.stdout)
            failed.update(names)
            bad += done.returncode != 0
            ends.append(done.stdout.strip().splitlines()[-1].strip("= "))
            print(f"round {turn}, status {done.returncode}: {ends[-1]} {' '.join(names)}", flush=True)
    beside = f" beside a process that computes on each of {os.cpu_count()} cores" if load else ""
    return [
        f"{count} rounds of tests/app and tests/canvas{beside}: {count - bad} without a failure",
        *(f"{name} failed {times} times" for name, times in failed.most_common()),
        f"the last: {ends[-1]}",
    ]


def main(arguments: list[str]) -> list[str]:
    """Run the rounds that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.browser", description=__doc__)
    parser.add_argument("rounds", type=int, nargs="?", default=10)
    parser.add_argument("--load", action="store_true", help="keep every core busy beside them")
    parser.add_argument("--logs", type=Path, help="folder for what each round says (a temporary one)")
    given = parser.parse_args(arguments)
    logs = given.logs or Path(tempfile.mkdtemp(prefix="mivspool-soak-"))
    logs.mkdir(parents=True, exist_ok=True)
    print(f"each round's output: {logs}", flush=True)
    return rounds(given.rounds, load=given.load, logs=logs)


if __name__ == "__main__":
    found = main(sys.argv[1:])
    print("\n".join(found))
    record("browser", f"python -m tests.soak.browser {' '.join(sys.argv[1:])}".strip(), found)
