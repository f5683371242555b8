"""Networks in the page beside the library's, graph by graph: what the tests and docs/site.md compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mivspool.graphs import load_dataset
from mivspool.graphs.fit import fit_graph
from mivspool.graphs.graph import Graph
from mivspool.learning.inference import Inputs, Passed
from mivspool.learning.models import Model
from mivspool.site.models import network
from tests.canvas.node import answers

NEAR = 1e-6  # of a rounding boundary: a learned value that lies so near one may be rounded to either side
UNIT = 2.0**-17


@dataclass(frozen=True)
class Compared:
    """Of ``graphs`` graphs, how many are pooled otherwise than by the library, and the largest difference of a logit
    of the others."""

    graphs: int
    otherwise: int
    largest: float


def asked(model: Model, graphs: Sequence[Graph], **more: Any) -> dict[str, Any]:
    """What network.mjs is asked."""
    return network(model) | {
        "graphs": [
            {
                "x": fit_graph(graph, model.schema).x.ravel().tolist(),
                "edges": graph.edges.T.ravel().tolist(),
                "weight": None,
                "n": graph.num_nodes,
                **more,
            }
            for graph in graphs
        ],
    }


def passed(model: Model, graphs: Sequence[Graph]) -> Passed:
    """The library's own pass."""
    parts = [(fit_graph(graph, model.schema).x, graph.edges) for graph in graphs]
    return Inputs.join(parts).forward(model.classifier)


def compare(model: Model, graphs: Sequence[Graph]) -> Compared:
    """The logits, scores and survivors of each graph beside the library's.

    Raises AssertionError where a score differs by more than 1e-6, or where a graph is pooled otherwise although no
    value lies near a rounding boundary.
    """
    out = passed(model, graphs)
    (found,) = answers("network.mjs", [asked(model, graphs)])
    otherwise, largest = 0, 0.0
    for i, (graph, one) in enumerate(zip(graphs, found, strict=True)):
        near = False
        for level, own in zip(out.levels(i, graph.nodes), one["levels"], strict=True):
            value = level.score.numpy()
            near |= bool((np.abs(np.mod(value / UNIT, 1) - 0.5) * UNIT < NEAR).any())
            if (level.survivors.tolist(), level.cluster.tolist()) != (own["kept"], own["cluster"]):
                assert near, f"{graph.name}, block {level.level + 1}"
                otherwise += 1
                break
            np.testing.assert_allclose(own["score"], value, atol=1e-6)
        else:
            apart = np.abs(np.array(one["logits"]) - out.out.logits[i].numpy()).max()
            largest = max(largest, float(apart))
            np.testing.assert_allclose(one["probabilities"], out.probabilities[i].numpy(), atol=1e-4)
    return Compared(len(graphs), otherwise, largest)


def some(dataset: str, most: int) -> list[Graph]:
    """At most so many graphs of a data set, evenly spread over it."""
    found = load_dataset(dataset)
    index = np.linspace(0, len(found) - 1, min(most, len(found))).round().astype(int)
    return [found[i] for i in index.tolist()]
