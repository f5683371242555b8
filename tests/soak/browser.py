"""The browser tests of the app and the canvas, round after round: one that fails now and then hides a fault, or is one.

``python -m tests.soak.browser [ROUNDS] [--load] [--logs FOLDER]``: ``--load`` keeps every core busy beside them. Each
round leaves its output in the folder, and a line in docs/soak-browser.jsonl: the commit, what failed, and how many
cores other processes used meanwhile. Rounds that are stopped go on another time; docs/soak.md has the sums.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from mivspool.messages import count
from tests.soak.record import record

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = ROOT / "docs" / "soak-browser.jsonl"
TESTS = [sys.executable, "-m", "pytest", "tests/app", "tests/canvas", "-n", "3", "--dist", "loadgroup", "-q"]
BESIDE = 1 / 3  # of all cores, which others use on average: what the tests leave to a busy process per core
_EVERY = 5.0  # seconds between two looks at the other processes
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_SUM = re.compile(r"^.*\d+ (?:passed|failed|error).* in [0-9.]+s.*$", re.MULTILINE)
_COUNTED = re.compile(r"(\d+) (passed|skipped)")


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


class Others:
    """The processor time of all processes but a round's own, while it is entered; short-lived ones may be missed."""

    def __init__(self) -> None:
        self.own: set[int] = set()
        self.seconds = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Others:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        before = self._times()
        while not self._ended.wait(_EVERY):
            now = self._times()
            self.seconds += sum(taken - before.get(one, 0.0) for one, taken in now.items())
            before = now

    def _times(self) -> dict[tuple[int, float], float]:
        fields = ["pid", "ppid", "create_time", "cpu_times"]
        found = [one.info for one in psutil.process_iter(fields) if one.info["cpu_times"] is not None]
        parents = {one["pid"]: one["ppid"] for one in found}
        return {
            (one["pid"], one["create_time"]): one["cpu_times"].user + one["cpu_times"].system
            for one in found
            if not self._is_own(one["pid"], parents)
        }

    def _is_own(self, pid: int, parents: dict[int, int]) -> bool:
        """Whether a process is of the round; its children stay so when it ends before them."""
        line = []
        while pid and pid not in self.own:
            line.append(pid)
            pid = parents.get(pid, 0)
        if pid:
            self.own.update(line)
        return bool(pid)


def one_round(log: Path) -> dict[str, Any]:
    """Run the tests once: what is to be known of the round."""
    start = time.monotonic()
    with Others() as others, log.open("w", encoding="utf-8") as out:
        process = subprocess.Popen(TESTS, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
        others.own.add(process.pid)
        status = process.wait()
    seconds = time.monotonic() - start
    text = log.read_text(encoding="utf-8")
    counted = {what: int(number) for line in _SUM.findall(text) for number, what in _COUNTED.findall(line)}
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="minutes"),
        "commit": commit.stdout.strip(),
        "status": status,
        "passed": counted.get("passed", 0),
        "skipped": counted.get("skipped", 0),
        "failed": _FAILED.findall(text),
        "seconds": round(seconds),
        "cores": os.cpu_count(),
        "cores_of_others": round(others.seconds / seconds, 2),
    }


def summary(rounds: list[dict[str, Any]]) -> list[str]:
    """What the rounds found, a line each."""
    failed = Counter(name for one in rounds for name in one["failed"])
    lines = []
    for what, some in (
        ("beside a load on all cores", [r for r in rounds if _beside(r)]),
        ("beside less than that", [r for r in rounds if not _beside(r)]),
    ):
        if some:
            good = sum(one["status"] == 0 for one in some)
            of_others = sum(one["cores_of_others"] for one in some) / len(some)
            longest = max(one["seconds"] for one in some)
            lines.append(
                f"{what}: {count(len(some), 'round')}, {good} without a failure; they used {of_others:.1f} of "
                f"{some[0]['cores']} cores on average; {longest} s at most"
            )
    last = [*itertools.takewhile(lambda one: one["status"] == 0, reversed(rounds))]
    loaded = sum(map(_beside, last))
    lines.append(
        f"the last {count(len(last), 'round')} had no failure, {loaded} of them beside a load on all cores"
    )
    return [*lines, *(f"{name} failed {count(times, 'time')}" for name, times in failed.most_common())]


def _beside(one: dict[str, Any]) -> bool:
    return bool(one["cores_of_others"] >= BESIDE * one["cores"])


def main(arguments: list[str]) -> list[str]:
    """Run the rounds that are asked for; what all rounds so far have found."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.browser", description=__doc__)
    parser.add_argument("rounds", type=int, nargs="?", default=10)
    parser.add_argument("--load", action="store_true", help="keep every core busy beside them")
    parser.add_argument("--logs", type=Path, help="folder for what each round says (a temporary one)")
    given = parser.parse_args(arguments)
    logs = given.logs or Path(tempfile.mkdtemp(prefix="mivspool-soak-"))
    logs.mkdir(parents=True, exist_ok=True)
    print(f"each round's output: {logs}", flush=True)
    with busy((os.cpu_count() or 1) if given.load else 0):
        for _ in range(given.rounds):
            found = one_round(logs / f"round-{datetime.datetime.now(datetime.UTC):%Y%m%dT%H%M%S}.log")
            line = json.dumps(found)
            with ROUNDS.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
            print(line, flush=True)
            assert found["status"] == 0, f"a round failed, and its output is in {logs}: {found['failed']}"
    made = [json.loads(line) for line in ROUNDS.read_text(encoding="utf-8").splitlines()]
    return [
        f"{count(len(made), 'round')} of tests/app and tests/canvas (docs/soak-browser.jsonl):",
        *summary(made),
    ]


if __name__ == "__main__":
    found = main(sys.argv[1:])
    print("\n".join(found))
    record("browser", f"python -m tests.soak.browser {' '.join(sys.argv[1:])}".strip(), found)
