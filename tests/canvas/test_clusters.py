"""What the site says of a cluster is what the library pools: S, the weights of Eq. 12, the rows of SᵀAS (Eq. 3)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from mivspool.canvas.payload import trace_data
from mivspool.levels import step
from mivspool.sparse import Adjacency
from tests.canvas.node import answers, needs_node
from tests.canvas.test_js import drawn


def dense(adjacency: Adjacency) -> NDArray[np.float64]:
    found = np.zeros((adjacency.num_nodes,) * 2)
    index, weight = adjacency.with_diagonal()
    found[tuple(index.numpy())] = weight.numpy()
    return found


@needs_node
def test_clusters_are_those_of_the_library() -> None:
    random = np.random.default_rng(11)
    levels = [level for _ in range(20) for level in step(drawn(random), "uniform", seed=3, levels=3)]
    asked = []
    for level in levels:
        n = len(level.nodes)
        loops = np.diag(dense(level.adjacency))
        trace = trace_data(level, np.zeros((n, 2)))
        asked.append({"trace": trace, "loops": loops.tolist() if loops.any() else None})
    assert sum(question["loops"] is not None for question in asked) > 5
    for level, answer in zip(levels, answers("clusters.mjs", asked), strict=True):
        assert answer["kept"] == level.survivors.tolist()
        cluster = level.trace.cluster.numpy()
        assert [answer["kept"][c] for c in answer["column"]] == cluster.tolist()
        rows = np.zeros((len(answer["kept"]),) * 2)
        for home, found in enumerate(answer["clusters"]):
            members = np.flatnonzero(cluster == answer["kept"][home])
            assert sorted(found["members"]) == members.tolist()
            score = level.score.numpy()[found["members"]]
            assert found["shares"] == pytest.approx(score / score.sum())
            for entry in found["row"]:
                rows[home, entry["to"]] = entry["weight"]
                block = entry["block"]
                between = dense(level.adjacency)[np.ix_(block["rows"], block["columns"])]
                assert np.array_equal(block["values"], between), "what SᵀAS multiplies out to"
                assert between.sum() == pytest.approx(entry["weight"])
                assert sorted(block["rows"]) == members.tolist()
                assert entry["to"] == home or entry["weight"] == sum(
                    weight for _, _, weight in entry["edges"]
                )
        assert rows == pytest.approx(dense(level.reduced))
