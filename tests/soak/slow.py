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
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from app.server.start import running
from mivspool.settings import STREAMLIT_HEALTH, Limits
from tests.soak.kills import serving

COUNT = 1500
HEALTHY = 1.0  # seconds within which the probe answers
HALF = (
    b"",
    b"GET /v1/health HTT",
    b"POST /v1/classify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
)


def attacked(address: str, path: str, count: int) -> str:
    """What the probe at ``path`` took while so many requests were half open, until all were given up."""
    where = urlsplit(address)
    worst, asked = 0.0, 0

    def ask() -> None:
        nonlocal worst, asked
        start = time.monotonic()
        httpx.get(address + path, timeout=60).raise_for_status()
        worst, asked = max(worst, time.monotonic() - start), asked + 1

    begin = time.monotonic()
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
    assert worst < HEALTHY, f"{path} took {worst:.2f} s"
    assert seconds < 4 * Limits().request_seconds
    return (
        f"{count:,} half-open requests, all given up after {seconds:.0f} s; {path} {asked} times meanwhile, "
        f"within {worst:.2f} s"
    )


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
