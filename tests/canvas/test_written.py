"""Of a graph that is read in a page, the page makes what the site writes of its own graphs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mivspool.graphs import open_source
from mivspool.graphs.graph import Graph
from mivspool.lecture import challenges
from mivspool.levels import own_scores
from mivspool.site.graphs import GIVEN, written
from tests.canvas.node import answers, needs_node
from tests.canvas.test_js import graph_of
from tests.canvas.test_meer import FOUND
from tests.canvas.test_read import told

pytestmark = needs_node


def graphs() -> list[Graph]:
    """With labels, with numbers of which some are missing, with scores, with neither; one vertex alone."""
    path = graph_of(9, [(v, v + 1) for v in range(7)])
    numbers = {
        "charge": (0.5, None, 2, -1, 0, 0, 3.25, 1, 1),
        "few": (1, *[None] * 8),
        "score": tuple(range(1, 10)),
    }
    made = [
        open_source("MAO:3"),
        open_source("karate"),
        path,
        replace(path, node_attributes=numbers),
        replace(path, node_attributes={"label": ("C", "", None, "O", 6.0, "é", "C", " ", "N")}),
        graph_of(1, []),
        graph_of(300, [(v, (v * v + 1) % 300) for v in range(300) if v != (v * v + 1) % 300]),
    ]
    return [one if one.positions is not None else replace(one, positions=np.arange(2.0 * one.num_nodes).reshape(-1, 2))
            for one in made]  # fmt: skip


def asked(graphs: list[Graph]) -> list[Any]:
    return list(
        answers("written.mjs", {"sizes": challenges.MOST_VERTICES, "graphs": [told(one) for one in graphs]})
    )


def test_a_read_graph_has_the_levels_that_the_library_gives_it() -> None:
    made = graphs()
    for graph, answer in zip(made, asked(made), strict=True):
        own = own_scores(graph)
        scores: dict[str, Any] = {} if own is None else {GIVEN: tuple(own.tolist())}
        scores |= {"uniform": "uniform", "degree": "degree"}
        assert list(answer["levels"]) == list(scores)
        for name, score in scores.items():
            expected = written(graph, score)
            assert len(answer["levels"][name]) == len(expected)
            for found, level in zip(answer["levels"][name], expected, strict=True):
                for key in (*FOUND, "ids", "labels", "edges", "weight", "score", "size"):
                    assert found["trace"][key] == level["trace"][key], (name, key)
                for key in ("loops", "hard", "checks"):
                    assert found[key] == level[key], key
                assert found.get("features", {}).get("names") == level.get("features", {}).get("names")
                if "features" in level:
                    values = found["features"]["values"]
                    assert np.asarray(values) == pytest.approx(
                        np.asarray(level["features"]["values"]), abs=2e-3
                    )


def test_a_graph_without_places_is_laid_out() -> None:
    ring = graph_of(12, [(v, (v + 1) % 12) for v in range(12)])
    apart = graph_of(6, [(0, 1), (1, 2), (3, 4)])
    large = graph_of(900, [(v, v + 1) for v in range(899)])
    for graph, answer in zip((ring, apart, large), asked([ring, apart, large]), strict=True):
        at = np.array([answer["at"]["x"], answer["at"]["y"]]).T
        assert np.isfinite(at).all()
        far = np.linalg.norm(at[:, None] - at[None], axis=2) + 9 * np.eye(len(at))
        assert far.min() > 0.2, "no vertex lies under another"
        ends = at[graph.edges]
        assert 0.3 < np.median(np.linalg.norm(ends[0] - ends[1], axis=1)) < 1.7, "an edge is about one long"
