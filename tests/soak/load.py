"""Many clients that classify small graphs at once, beside a training job, and the backend's memory.

``python -m tests.soak.load [CLIENTS] [REQUESTS]``. The clients speak HTTP by hand over connections that stay open,
so that what is measured is the backend and not the client.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from mivspool.graphs import load_dataset
from mivspool.service.schemas import GraphDocument
from tests.soak.kills import JOB, Server, serving

MODEL = "mao-mivspool"
ALONE = 400  # requests of one client, for comparison


@dataclass
class Load:
    """What was measured; times in milliseconds."""

    clients: int
    latencies: list[float] = field(default_factory=list)
    seconds: float = 0.0
    cpu: float = 0.0  # of the backend's process, per request
    errors: int = 0

    @property
    def throughput(self) -> float:
        """Requests per second."""
        return len(self.latencies) / self.seconds

    def __str__(self) -> str:
        cuts = statistics.quantiles(self.latencies, n=100)
        return (
            f"{self.clients} clients, {len(self.latencies):,} requests: {self.throughput:.0f} per second, "
            f"p50 {cuts[49]:.0f} ms, p95 {cuts[94]:.0f} ms, p99 {cuts[98]:.0f} ms, {self.cpu:.1f} ms of the backend's "
            f"CPU per request, {self.errors} errors"
        )


def bodies() -> list[bytes]:
    """A request for each molecule of MAO, in full."""
    graphs = [GraphDocument.of(graph).model_dump() for graph in load_dataset("MAO")]
    return [json.dumps({"model": MODEL, "levels": False, "graphs": [graph]}).encode() for graph in graphs]


def drive(server: Server, clients: int, requests: int) -> Load:
    """``requests`` in all, from ``clients`` connections at once."""
    process = psutil.Process(server.process.pid)
    before = process.cpu_times()
    load = asyncio.run(_drive(server.address, clients, requests))
    after = process.cpu_times()
    load.cpu = (after.user + after.system - before.user - before.system) / requests * 1e3
    return load


async def _drive(address: str, clients: int, requests: int) -> Load:
    made = bodies()
    host, port = urlsplit(address).hostname, urlsplit(address).port
    load, left = Load(clients), iter(range(requests))

    async def client() -> None:
        reader, writer = await asyncio.open_connection(host, port)
        for i in left:
            body = made[i % len(made)]
            head = f"POST /v1/classify HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            start = time.perf_counter()
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            length = next(
                int(line.split(b":")[1])
                for line in answer.split(b"\r\n")
                if line.lower().startswith(b"content-length")
            )
            content = await reader.readexactly(length)
            load.latencies.append((time.perf_counter() - start) * 1e3)
            load.errors += not answer.startswith(b"HTTP/1.1 200") or b'"predicted"' not in content
        writer.close()

    start = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    load.seconds = time.perf_counter() - start
    return load


def memory(server: Server) -> float:
    """Resident memory of the backend's process in MB."""
    return float(psutil.Process(server.process.pid).memory_info().rss) / 1e6


def measure(home: Path, clients: int, requests: int) -> list[str]:
    """The findings, a line each. Raises AssertionError where an error or a leak was seen."""
    lines = []
    with serving(home) as server:
        drive(server, clients, 500)  # what happens once has happened
        alone = drive(server, 1, ALONE)
        together = drive(server, clients, 10 * ALONE)
        ratio = together.throughput / alone.throughput
        lines += [f"one at a time: {alone}", f"together: {together}", f"throughput: {ratio:.1f} times"]
        job = server.client.submit("train", **JOB, max_epochs=10**5).id
        while not server.client.job(job).progress.epoch:
            time.sleep(0.1)
        before = memory(server)
        beside = drive(server, clients, requests)
        after = memory(server)
        assert server.client.job(job).state == "running"
        server.client.cancel(job)
        lines += [
            f"beside a training job: {beside}",
            f"memory: {before:.0f} MB before, {after:.0f} MB after {requests:,} requests",
        ]
        assert alone.errors == together.errors == beside.errors == 0, lines
        assert after - before < 30, lines
        while server.client.job(job).state == "running":
            time.sleep(0.1)
    return lines


def main(clients: int = 50, requests: int = 10_000) -> list[str]:
    """The whole measurement."""
    with tempfile.TemporaryDirectory() as home:
        return measure(Path(home), clients, requests)


if __name__ == "__main__":
    print("\n".join(main(*map(int, sys.argv[1:3]))))
