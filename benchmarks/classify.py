"""One request to classify a graph of 40 vertices: the model alone, and the whole way through the backend in process."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch

from benchmarks.harness import clock, document
from mivspool.graphs.graph import Graph

MODEL = "mao-mivspool"


def run(cpu_time: bool = False, rounds: int = 41) -> dict[str, Any]:
    """A row for each way; every request is another graph, so that nothing is answered from a cache."""
    from mivspool.learning.models import load_model
    from mivspool.service.client import Client

    torch.set_num_threads(1)
    model = load_model(MODEL)
    rows = []
    with Client(run_jobs=False) as client:
        for what, call in (
            ("model.classify", lambda graph: model.classify([graph])),
            ("client.classify, in process", lambda graph: client.classify(graph, MODEL, levels=False)),
            ("client.classify with every level, in process", lambda graph: client.classify(graph, MODEL)),
        ):
            now = clock(cpu_time)
            times = []
            for seed in range(rounds + 3):
                graph = molecule(40, seed)
                start = now()
                call(graph)
                times.append(1000 * (now() - start))
            kept = times[3:]
            rows.append(
                {
                    "what": f"{what}, one graph of 40 vertices",
                    "ours_ms": float(np.median(kept)),
                    "peer": None,
                    "peer_ms": None,
                    "ratio": None,
                    "equal": None,
                    "note": f"the first {times[0]:.0f} ms, 90 % under {np.quantile(kept, 0.9):.1f} ms",
                }
            )
    return document("classify", rows, cpu_time)


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
