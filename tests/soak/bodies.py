"""Hostile bodies sent to a backend, and what they cost it: memory, and how long ``/healthz`` takes meanwhile.

``python -m tests.soak.bodies``
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from tests.soak.kills import Server, serving

EVERY = 0.05  # seconds between two looks at the backend
EDGES = 960_000  # of the large upload, about 13 MB
UPLOADS = 8
HEALTHY = 1.0  # seconds within which /healthz answers whatever a visitor sends


@dataclass
class Watch:
    """The backend while something was sent."""

    memory: int = 0  # bytes, the most that was resident
    health: float = 0.0  # seconds, the longest answer of /healthz

    def __str__(self) -> str:
        return f"{self.memory / 1e6:,.0f} MB, /healthz within {self.health:.2f} s"


def watched(server: Server, sends: Sequence[Callable[[], str]]) -> tuple[Watch, Counter[str]]:
    """Send everything at once; what the backend was meanwhile, and how often each answer came."""
    watch, over = Watch(), threading.Event()
    process = psutil.Process(server.process.pid)

    def poll() -> None:
        with httpx.Client(base_url=server.address, timeout=60) as client:
            while True:
                start = time.monotonic()
                client.get("/healthz").raise_for_status()
                watch.health = max(watch.health, time.monotonic() - start)
                watch.memory = max(watch.memory, process.memory_info().rss)
                if over.wait(EVERY):
                    return

    answers: list[str] = []
    watcher = threading.Thread(target=poll)
    senders = [threading.Thread(target=lambda send=send: answers.append(send())) for send in sends]
    watcher.start()
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    over.set()
    watcher.join()
    assert len(answers) == len(sends), "a request had no answer"
    return watch, Counter(answers)


def wrong_vertices(count: int) -> bytes:
    """A request to classify a graph whose vertices are all of the wrong type."""
    graph = {"nodes": [[1, 2, 3, 4, 5]] * count, "edges": []}
    return json.dumps({"model": "mao-mivspool", "graphs": [graph]}).encode()


def edge_list(seed: int) -> bytes:
    """A large edge list, another for each seed."""
    return b"".join(b"%d %d\n" % (k % 997_331 + seed, (k * 7919) % 996_001) for k in range(EDGES))


def main() -> list[str]:
    """Everything that was tried, one line each. Raises AssertionError where /healthz took more than a second."""
    found = []
    with tempfile.TemporaryDirectory() as home, serving(Path(home)) as server, ExitStack() as clients:

        def post(path: str, **request: object) -> Callable[[], str]:
            client = clients.enter_context(httpx.Client(base_url=server.address, timeout=120))
            return lambda: str(client.post(path, **request).status_code)

        def classified(count: int) -> Callable[[], str]:
            content = wrong_vertices(count)
            return post("/v1/classify", content=content, headers={"Content-Type": "application/json"})

        uploads = [
            post("/v1/datasets", files={"file": (f"edges {k}.txt", edge_list(k))}) for k in range(UPLOADS)
        ]
        for what, sends in (
            ("nothing, for comparison", [lambda: "waited" if time.sleep(2) is None else ""]),
            ("1,500,000 wrong vertices, over the limit", [classified(1_500_000)]),
            ("900,000 wrong vertices, under the limit", [classified(900_000)]),
            (f"{UPLOADS} uploads of {len(edge_list(0)) / 1e6:.0f} MB at once", uploads),
        ):
            start = time.monotonic()
            watch, answers = watched(server, sends)
            told = ", ".join(f"{times} × {answer}" for answer, times in sorted(answers.items()))
            found.append(f"{what}: {told} after {time.monotonic() - start:.1f} s; {watch}")
            print(found[-1], flush=True)
            assert watch.health < HEALTHY, found[-1]
    return found


if __name__ == "__main__":
    main()
