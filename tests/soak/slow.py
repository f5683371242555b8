"""Requests that are left half open, and what others have of the backend and the app meanwhile.

``python -m tests.soak.slow [COUNT]``: so many against each (1,500 by default), of each kind a third, by a process that
may open 1,024 files until it asks for more.
"""

from __future__ import annotations

import resource
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from app.server.start import running
from mivspool.settings import STREAMLIT_HEALTH, Limits
from tests.soak.kills import serving

COUNT = 1500
HEALTHY = 1.0  # seconds within which the probe answers
_STARTING = 120  # times that the probe is asked, at most, until it answers as quickly as it does at rest
HALF = (
    b"",
    b"GET /v1/health HTT",
    b"POST /v1/classify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
)


def attacked(address: str, path: str, count: int) -> str:
    """What the probe at ``path`` took while so many requests were half open, until all were given up."""
    where = urlsplit(address)
    took: list[float] = []
    client = HTTPConnection(str(where.hostname), where.port, timeout=60)

    def ask() -> float:
        """The seconds that the probe took, on a connection of its own."""
        start = time.monotonic()
        client.request("GET", path)
        answer = client.getresponse()
        assert (answer.status, answer.read()) == (200, b"ok")
        client.close()
        took.append(time.monotonic() - start)
        return took[-1]

    for _ in range(_STARTING):  # the models are loaded beside the first requests
        if ask() < HEALTHY / 10 and len(took) > 20 and max(took[-20:]) < HEALTHY / 10:
            break
        time.sleep(0.5)
    before, begin = max(took[-20:]), time.monotonic()
    took.clear()
    with ExitStack() as stack:
        opened = []
        for k in range(count):
            one = stack.enter_context(socket.create_connection((str(where.hostname), int(where.port or 0))))
            one.sendall(HALF[k % len(HALF)])
            one.setblocking(False)
            opened.append(one)
            if k % 50 == 0:
                ask()
        while opened:
            opened = [one for one in opened if _is_open(one)]
            ask()
            time.sleep(0.2)
    seconds = time.monotonic() - begin
    found = (
        f"{count:,} half-open requests, all given up after {seconds:.0f} s; {path} {len(took)} times meanwhile, "
        f"within {max(took):.2f} s, {sorted(took)[len(took) // 2]:.3f} s at the median (before: within {before:.2f} s)"
    )
    assert max(took) < HEALTHY, found
    assert seconds < 4 * Limits().request_seconds, found
    return found


def _is_open(one: socket.socket) -> bool:
    try:
        return bool(one.recv(4096))
    except BlockingIOError:
        return True
    except OSError:
        return False


def main(count: int = COUNT) -> list[str]:
    """What was found, a line each. Raises AssertionError where the probe took more than a second."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))  # what servers begin with
    attacks: list[tuple[str, Callable[[ExitStack], str], str]] = [
        (
            "backend",
            lambda stack: (
                stack.enter_context(serving(Path(stack.enter_context(tempfile.TemporaryDirectory())))).address
            ),
            "/healthz",
        ),
        ("app", lambda stack: stack.enter_context(running()), STREAMLIT_HEALTH),
    ]
    found = []
    for what, start, path in attacks:
        with ExitStack() as stack:
            address = start(stack)
            resource.setrlimit(
                resource.RLIMIT_NOFILE, (min(hard, 2 * count + 1024), hard)
            )  # ours, not theirs
            found.append(f"{what}: {attacked(address, path, count)}")
            resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
        print(found[-1], flush=True)
    return found


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
