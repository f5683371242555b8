"""Scores are written with as many decimals as tell neighbours apart: the same in the canvas and in figures."""

from __future__ import annotations

import numpy as np

from mivspool import figures
from mivspool.canvas.payload import trace_data
from mivspool.graphs import load_classic
from mivspool.graphs.graph import Graph
from mivspool.levels import Level, step
from tests.canvas.node import answers, needs_node
from tests.canvas.test_js import drawn


def levels() -> list[Level]:
    random = np.random.default_rng(5)
    graphs = [*(drawn(random) for _ in range(8)), load_classic("karate")]
    found = [step(graph, score)[0] for graph in graphs for score in ("uniform", "degree", "multiview")]
    near = Graph("near", ("a", "b", "c"), np.array([[0, 1], [1, 2]]))
    for scores in ([0.5, 0.5, 0.25], [0.12341, 0.12349, 0.2], [0.5, 0.5000000001, 0.2], [1.0, 2.0, 3.0]):
        found.append(step(near, scores)[0])
    return found


def test_neighbours_whose_scores_differ_are_written_differently() -> None:
    for level in levels():
        texts = figures.scores(level)
        decimals = {len(text.partition(".")[2]) for text in texts}
        assert len(decimals) == 1, "one number of decimals per graph"
        compared = level.score if level.rounded is None else level.rounded
        alike = [
            (u, v)
            for u, v in level.adjacency.edge_index.T.tolist()
            if texts[u] == texts[v] and compared[u] != compared[v]
        ]
        assert not alike or decimals == {6}
        if decimals - {0, 2}:  # no more than that takes
            fewer = [f"{value:.{decimals.copy().pop() - 1}f}" for value in level.score.tolist()]
            assert any(
                fewer[u] == fewer[v] and compared[u] != compared[v]
                for u, v in level.adjacency.edge_index.T.tolist()
            )


@needs_node
def test_the_canvas_writes_the_same() -> None:
    all_levels = levels()
    traces = [trace_data(level, np.zeros((len(level.nodes), 2))) for level in all_levels]
    assert answers("scores.mjs", traces) == [figures.scores(level) for level in all_levels]
