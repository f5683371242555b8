"""Start the app on a free port of this machine: for the browser tests and the benchmarks."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

from mivspool.settings import STREAMLIT_HEALTH

ROOT = Path(__file__).resolve().parents[2]
_START_SECONDS = 180.0


def free_port() -> int:
    """A port of the loopback address that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(environment: Mapping[str, str] | None = None, log: Path | None = None) -> Iterator[str]:
    """The address of an app that runs as long as the block does. Raises RuntimeError if it does not start."""
    port = free_port()
    command = [sys.executable, "-m", "mivspool", "app", "--no-browser", "--port", str(port)]
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(log.open("w")) if log else subprocess.DEVNULL
        server = subprocess.Popen(  # noqa: S603, our own command
            command,
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            wait(server, f"http://127.0.0.1:{port}{STREAMLIT_HEALTH}")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def wait(server: subprocess.Popen[bytes], health: str) -> None:
    """Return when the server answers at the address ``health``. Raises RuntimeError if it does not start."""
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"the app ended with status {server.returncode} while starting")
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(health, timeout=2).close()  # noqa: S310, our own address
            return
        time.sleep(0.05)
    raise RuntimeError(f"the app did not answer within {_START_SECONDS:.0f} s")
