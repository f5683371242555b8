"""Jobs on a Ray cluster whose workers, nodes, driver and head are killed, and whose backend answers throughout.

``python -m tests.soak.ray [KILLS]``. As tests/soak/kills.py. A head that was killed is started again at its old
address, with a node, as somebody who runs a cluster would.
"""

from __future__ import annotations

import os
import random
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
from tests.soak.kills import JOB, Report, Server, disturb, serving

EACH = {"num_cpus": 1, "object_store_memory": 100 * 1024**2, "include_log_monitor": False}
# Ray gives a head that has gone a minute to come back; what this measures is what follows
IMPATIENT = {
    "RAY_gcs_rpc_server_reconnect_timeout_s": "5",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",
}


class RayCluster:
    """A head and one node, with one CPU each."""

    def __init__(self) -> None:
        self.port = free_port()
        self.start()

    def start(self) -> None:
        """Start both."""
        from ray.cluster_utils import Cluster

        head = {**EACH, "include_dashboard": False, "no_monitor": True, "gcs_server_port": self.port}
        self._cluster = Cluster(initialize_head=True, head_node_args=head)
        self.address = self._cluster.address
        self.add_node()

    def add_node(self) -> None:
        """One node more."""
        self._cluster.add_node(**EACH)

    def kill_node(self) -> None:
        """The node that is not the head."""
        (node,) = self._cluster.worker_nodes
        self._cluster.remove_node(node, allow_graceful=False)

    def kill(self) -> None:
        """The head, and what is left of its node, which is of no use without it."""
        self._cluster.remove_node(self._cluster.head_node, allow_graceful=False)
        for node in list(self._cluster.worker_nodes):
            self._cluster.remove_node(node, allow_graceful=False)


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
