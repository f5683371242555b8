"""``mivspool app`` as a person starts it, in a process that writes down whom it asks outside this machine."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from app.server.start import free_port
from tests.service.backends import until

# an audit hook hears of every connection and look-up of a name, whichever library makes it
WATCH = """
import os, sys
def heard(event, arguments):
    if event in {"socket.connect", "socket.sendto"}:
        address = arguments[1]
    elif event in {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}:
        address = arguments[:1]
    else:
        return
    host = address[0] if isinstance(address, tuple) else None  # a path: a socket of this machine
    if host and not str(host).startswith("127.") and host not in {"localhost", "::1", "0.0.0.0", "::"}:
        with open(os.environ["MIVSPOOL_TEST_OUTSIDE"], "a") as file:
            print(event, host, file=file)
sys.addaudithook(heard)
"""


@dataclass
class Started:
    """A running ``mivspool app``."""

    port: int
    process: subprocess.Popen[bytes]
    outside: Path
    output: Path

    @property
    def address(self) -> str:
        """Where this machine reaches it."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def asked_outside(self) -> str:
        """Connections and look-ups of names beyond this machine, one per line."""
        return self.outside.read_text() if self.outside.exists() else ""

    @property
    def said(self) -> str:
        """What it has printed so far."""
        return self.output.read_text()

    def family(self) -> list[psutil.Process]:
        """It and every process below it."""
        own = psutil.Process(self.process.pid)
        return [own, *own.children(recursive=True)]


@contextlib.contextmanager
def started(folder: Path, *flags: str, **environment: str) -> Iterator[Started]:
    """An app with these flags and settings, until the block ends."""
    (folder / "watch").mkdir(parents=True, exist_ok=True)
    (folder / "watch" / "sitecustomize.py").write_text(WATCH)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("MIVSPOOL_")}
    path = os.pathsep.join([str(folder / "watch"), inherited.get("PYTHONPATH", "")])
    outside, output = folder / "outside", folder / "output"
    own = {
        "PYTHONPATH": path,
        "PYTHONUNBUFFERED": "1",
        "OMP_NUM_THREADS": "1",
        "MIVSPOOL_HOME": str(folder / "home"),
        "MIVSPOOL_TEST_OUTSIDE": str(outside),
    }
    port = free_port()
    command = [sys.executable, "-m", "mivspool", "app", "--no-browser", "--port", str(port), *flags]
    with output.open("wb") as written:
        process = subprocess.Popen(
            command, env={**inherited, **own, **environment}, stdout=written, stderr=subprocess.STDOUT
        )
    app = Started(port, process, outside, output)
    family: list[psutil.Process] = []
    try:
        until(lambda: _answers(app))
        yield app
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            family = app.family()
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for left in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                left.kill()


def _answers(app: Started) -> bool:
    if app.process.poll() is not None:
        raise AssertionError(f"the app ended with status {app.process.returncode}: {app.said}")
    try:
        with urllib.request.urlopen(f"{app.address}/_stcore/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def is_free(port: int) -> bool:
    """Whether nothing listens on a port of this machine."""
    with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
        return True
    return False
