"""Requests to classify: the model alone, and the whole way through the backend in process.

A graph of 40 vertices, and one of 200,000, which is sent as arrays; beside it the same graph sent as JSON.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from benchmarks.harness import clock, document, row
from mivspool.graphs.graph import Graph

MODEL = "mao-mivspool"
LARGE = 200_000


def run(cpu_time: bool = False, rounds: int = 41) -> dict[str, Any]:
    """A row for each way; every request is another graph, so that nothing is answered from a cache."""
    from mivspool.learning.models import load_model
    from mivspool.service.client import Client

    torch.set_num_threads(1)
    model = load_model(MODEL)
    with Client(run_jobs=False) as client:
        _wait_until_loaded()
        ways: dict[str, Callable[[Graph], object]] = {
            "model.classify": lambda graph: model.classify([graph]),
            "client.classify, in process": lambda graph: client.classify(graph, MODEL, levels=False),
            "client.classify with every level, in process": lambda graph: client.classify(graph, MODEL),
        }
        now = clock(cpu_time)
        times: dict[str, list[float]] = {what: [] for what in ways}
        for turn in range(rounds + 3):
            for k, (what, call) in enumerate(ways.items()):  # in turn, so that all meet the same machine
                graph = molecule(40, turn * len(ways) + k)
                start = now()
                call(graph)
                times[what].append(1000 * (now() - start))
        rows = [_row(what, taken) for what, taken in times.items()]
        rows += _large(client, cpu_time)
    return document("classify", rows, cpu_time)


def _wait_until_loaded() -> None:
    """The backend loads its models beside the requests, which would be measured with them."""
    from mivspool.service.library import WARMING

    for thread in threading.enumerate():
        if thread.name == WARMING:
            thread.join()


def _row(what: str, times: list[float]) -> dict[str, Any]:
    kept = times[3:]
    note = f"the first {times[0]:.0f} ms, 90 % under {np.quantile(kept, 0.9):.1f} ms"
    return row(f"{what}, one graph of 40 vertices", float(np.median(kept)), note)


def _large(client: Any, cpu_time: bool, rounds: int = 3) -> list[dict[str, Any]]:
    """The class of a large graph, and its class and the scores of every level: as arrays, and as JSON."""
    from mivspool.service.schemas import Classified, GraphDocument, Scores

    graph = labelled(LARGE, 3 * LARGE)

    def class_alone() -> tuple[Classified]:
        return (client.classify(graph, MODEL, levels=False)[0],)

    def as_arrays() -> tuple[Classified, Scores]:
        return client.classify(graph, MODEL, levels=False)[0], client.scores(graph, MODEL)

    def as_json() -> tuple[Classified, Scores]:
        body = {"model": MODEL, "graph": GraphDocument.of(graph).model_dump()}
        classes = {"model": MODEL, "graphs": [GraphDocument.of(graph).model_dump()], "levels": False}
        found = client._many(Classified, "POST", "/classify", json=classes)[0]
        return found, client._one(Scores, "POST", "/classify/scores", json=body)

    now = clock(cpu_time)
    times: dict[Any, list[float]] = {class_alone: [], as_arrays: [], as_json: []}
    answers = {}
    for _ in range(rounds):
        for call, taken in times.items():
            start = now()
            answers[call] = [one.model_dump(exclude_none=True) for one in call()]
            taken.append(1000 * (now() - start))
    alone, ours, peer = (float(np.median(taken)) for taken in times.values())
    size = f"{graph.num_nodes:,} vertices and {graph.num_edges:,} edges"
    of_both = {
        "what": f"class and scores of every level, in process, {size}",
        "ours_ms": ours,
        "peer": "the same as JSON",
        "peer_ms": peer,
        "ratio": peer / ours,
        "equal": answers[as_arrays] == answers[as_json],
        "note": "",
    }
    return [row(f"class, in process, {size}", alone), of_both]


def labelled(n: int, m: int) -> Graph:
    """About m random edges between n vertices with a molecule's labels."""
    draw = np.random.default_rng(1)
    ends = np.sort(draw.integers(0, n, (2, m)), axis=0)
    edges = np.unique(ends[:, ends[0] < ends[1]], axis=1)
    return Graph(
        name=f"{n:,} vertices",
        nodes=tuple(f"v{v}" for v in range(n)),
        edges=edges.astype(np.int64),
        node_attributes={"label": tuple(draw.choice(list("CCCCNO"), n).tolist())},
    )


def molecule(n: int, seed: int) -> Graph:
    """A random tree with a few rings, of carbon, nitrogen and oxygen."""
    draw = random.Random(seed)
    pairs = {(draw.randrange(max(0, v - 4), v), v) for v in range(1, n)}
    pairs |= {(v, v + 5) for v in range(0, n - 5, 9)}
    edges = np.array(sorted(pairs), dtype=np.int64).T
    return Graph(
        name=f"molecule {seed}",
        nodes=tuple(str(v) for v in range(n)),
        edges=edges,
        node_attributes={"label": tuple(draw.choice("CCCCNO") for _ in range(n))},
    )
