"""Jobs on a Ray cluster whose workers, nodes, driver and head are killed, and whose backend answers throughout.

``python -m tests.soak.ray [KILLS]``. As tests/soak/kills.py. A head that was killed is started again at its old
address, with a node, as somebody who runs a cluster would.
"""

from __future__ import annotations

import os
import random
import shlex
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from app.server.start import free_port
from tests.service import postgres
from tests.service.backends import until
from tests.soak.kills import JOB, Report, Server, disturb, serving

EACH = ("--block", "--num-cpus=1", f"--object-store-memory={100 * 1024**2}", "--include-log-monitor=false")
# Ray gives a head that has gone a minute to come back; what this measures is what follows
IMPATIENT = {
    "RAY_gcs_rpc_server_reconnect_timeout_s": "5",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",
}


class RayCluster:
    """A head and one node, with one CPU each.

    `ray start` starts them, as somebody would who runs a cluster. A process that knew the former head of an address
    does not speak to the next one there: a cluster has an id.
    """

    def __init__(self) -> None:
        self.address = f"127.0.0.1:{free_port()}"
        self.start()

    def start(self) -> None:
        """Start both."""
        port = self.address.partition(":")[2]
        self._head = _start(
            "--head", f"--port={port}", "--include-dashboard=false", "--node-ip-address=127.0.0.1"
        )
        until(lambda: _listens(self.address))
        self.add_node()

    def add_node(self) -> None:
        """One node more."""
        self._node = _start(f"--address={self.address}", "--node-ip-address=127.0.0.1")

    def kill_node(self) -> None:
        """The node that is not the head."""
        _end(self._node)

    def kill(self) -> None:
        """The head, and what is left of its node, which is of no use without it."""
        _end(self._head)
        _end(self._node)


def _start(*arguments: str) -> subprocess.Popen[bytes]:
    """A node, which is started again when it ends: on a busy machine Ray's own processes give each other up."""
    command = shlex.join([sys.executable, "-m", "ray.scripts.scripts", "start", *arguments, *EACH])
    again = ["sh", "-c", f"while true; do {command}; sleep 1; done"]
    return subprocess.Popen(again, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _end(started: subprocess.Popen[bytes]) -> None:
    """Kill all processes of a node."""
    with suppress(psutil.NoSuchProcess):
        own = psutil.Process(started.pid)
        for one in (own, *own.children(recursive=True)):  # first what would start them again
            with suppress(psutil.NoSuchProcess):
                one.kill()
    started.wait()


def _listens(address: str) -> bool:
    host, port = address.split(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


@contextmanager
def running() -> Iterator[RayCluster]:
    """A cluster for as long as the block lasts."""
    made = RayCluster()
    try:
        yield made
    finally:
        made.kill()


def _processes(of: int, named: str) -> list[psutil.Process]:
    found = []
    for one in psutil.Process(of).children(recursive=True):
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            if named in " ".join(one.cmdline()):
                found.append(one)
    return found


def _kill(processes: list[psutil.Process]) -> bool:
    for one in processes:
        with suppress(psutil.NoSuchProcess):
            one.kill()
            return True
    return False


def campaign(home: Path, seed: int, kills: int) -> Report:
    """As often as asked, the head once in eight. Raises AssertionError when something is lost."""
    random_, binaries = random.Random(seed), postgres.find_binaries()
    assert binaries is not None, "PostgreSQL is not installed here"
    os.environ.update(IMPATIENT)
    with ExitStack() as stack:
        address = postgres.new_database(stack.enter_context(postgres.server(binaries)), "jobs")
        cluster = stack.enter_context(running())
        settings = {
            "MIVSPOOL_DATABASE_URL": address,
            "MIVSPOOL_EXECUTOR": "ray",
            "RAY_ADDRESS": cluster.address,
        }
        server = stack.enter_context(serving(home, settings))

        def node() -> bool:
            cluster.kill_node()
            cluster.add_node()
            return True

        def head() -> bool:
            cluster.kill()
            _answers(server, 8.0)  # longer than Ray waits for a head
            cluster.start()
            return True

        def driver() -> bool:
            return _kill(_processes(server.process.pid, "mivspool.service.ray_runner"))

        def task() -> bool:
            return _kill(_processes(os.getpid(), "ray::run_task"))

        def backend() -> bool:
            server.kill()
            server.start()
            return True

        can = {"node": node, "head": head, "driver": driver, "task": task, "backend": backend}
        chosen = random_.choices([*can], [2, 1, 2, 2, 1], k=kills)
        job: dict[str, Any] = {**JOB, "max_epochs": 100, "folds": [0, 1, 2]}
        return disturb(server, address, can, chosen, random_, job, "evaluate", 6)


def _answers(server: Server, seconds: float) -> None:
    """The backend answers all this time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert server.client.health().executor == "ray"
        time.sleep(0.2)


def main(kills: int = 40) -> Report:
    """The whole campaign: with the 60 of tests/soak/kills.py a hundred."""
    with tempfile.TemporaryDirectory() as home:
        return campaign(Path(home), seed=int(time.time()), kills=kills)


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:2])))
