"""What is said of a changed graph without Python is what Python says; a link gives the changed graph back."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import pytest

from mivspool.canvas.payload import trace_data
from mivspool.graphs.graph import Graph
from mivspool.lecture import challenges
from mivspool.levels import feature_names, features, step
from mivspool.site.graphs import MOST_LEVELS, written
from tests.canvas.node import answers, needs_node
from tests.canvas.test_edits import changes
from tests.canvas.test_js import graph_of
from tests.canvas.test_meer import FOUND


def of(content: dict[str, Any]) -> Graph:
    """The graph that JavaScript describes."""
    attributes = (
        {} if content["labels"] is None else {"label": tuple(label or "" for label in content["labels"])}
    )
    pairs = np.array(content["edges"], dtype=np.int64).reshape(-1, 2).T
    at = np.array([content["x"], content["y"]], dtype=np.float64).T * [1, -1]
    return Graph(name="", nodes=tuple(content["ids"]), edges=pairs, node_attributes=attributes, positions=at)


@needs_node
def test_a_changed_graphs_levels_are_the_librarys_and_its_link_gives_it_back() -> None:
    asked = [question | {"sizes": challenges.MOST_VERTICES} for _, _, question in changes(8, 120)]
    for question, answer in zip(asked, answers("levels.mjs", asked), strict=True):
        blank = [""] * len(answer["graph"]["ids"])  # words that are all taken away again are none
        assert answer["read"] | {"labels": answer["read"]["labels"] or blank} == answer["graph"] | {
            "labels": answer["graph"]["labels"] or blank
        }
        assert bool(question["edits"]) or answer["link"] == ""
        made = of(answer["graph"])
        expected = written(
            made, tuple(answer["graph"]["score"]), complement=question["complement"], levels=MOST_LEVELS
        )
        assert len(answer["levels"]) == len(expected)
        for found, told in zip(answer["levels"], expected, strict=True):
            for name in (*FOUND, "ids", "edges", "weight", "score", "size"):
                assert found["trace"][name] == told["trace"][name], name
            assert found["trace"]["reduced"]["edges"] == told["trace"]["reduced"]["edges"]
            for name in ("loops", "hard", "checks"):
                assert found[name] == told[name], name
            assert found["metrics"] == {name: told["metrics"][name] for name in found["metrics"]}
        names = [level["trace"]["id"] for level in answer["levels"]]
        assert len(set(names)) == len(names)


@needs_node
def test_features_follow_their_vertices_and_of_a_new_one_nothing_is_known() -> None:
    (level,) = step(graph_of(3, [(0, 1), (1, 2)]), [3.0, 2.0, 1.0])
    trace = trace_data(level, np.zeros((3, 2)))
    known = {"ids": ["v0", "v1", "v2"], "names": ["charge"], "values": [[0.5], [1.5], [-2]]}
    edits = [["remove", 0], ["vertex", 0, 1, 0.5]]
    labelled = trace | {"labels": ["N", "C", "C"]}
    degrees = known | {"names": ["degree"]}
    asked = [
        {"trace": trace, "edits": edits, "known": known},
        {"trace": labelled, "edits": [*edits, ["label", 1, "O"]], "known": known},
        {"trace": trace, "edits": edits, "known": degrees},
    ]
    own, labels, degree = (answer["features"] for answer in answers("levels.mjs", asked))
    assert own == {"names": ["charge"], "values": [[1.5], [-2], None]}
    assert labels == {"names": ["C", "O"], "values": [[1, 0], [0, 1], [0, 0]]}
    assert degree["values"] == pytest.approx(np.array([[0.707], [0.707], [-1.414]]))


@needs_node
def test_a_graph_of_many_names_has_the_features_it_has_without_them() -> None:
    n = 257
    (level,) = step(graph_of(n, [(0, v) for v in range(1, n)]), [float(v + 1) for v in range(n)])
    trace = trace_data(level, np.zeros((n, 2)), labels=[f"name {v}" for v in range(n)])
    degrees = {"ids": trace["ids"], "names": ["degree"], "values": [[0]] * n}
    (answer,) = answers("levels.mjs", [{"trace": trace, "edits": [], "known": degrees}])
    assert answer["features"]["names"] == ["degree"]


@needs_node
def test_features_of_missing_labels_are_those_of_python() -> None:
    labels = ["C", "", "O", " ", "C", " O "]
    n = len(labels)
    graph = Graph(
        name="path",
        nodes=tuple(f"v{i}" for i in range(n)),
        edges=np.stack([np.arange(n - 1), np.arange(1, n)]),
        node_attributes={"label": tuple(labels)},
    )
    (level,) = step(graph, "degree")
    known = {"ids": list(graph.nodes), "names": ["degree"], "values": [[0]] * n}
    for shown in (labels, [label.strip() for label in labels]):
        trace = trace_data(level, np.zeros((n, 2)), labels=shown)
        (answer,) = answers("levels.mjs", [{"trace": trace, "edits": [], "known": known}])
        assert answer["features"]["names"] == list(feature_names(graph))
        assert answer["features"]["values"] == features(graph).tolist()


WRONG: list[Any] = [
    None,
    5,
    {"gone": [0, 1, 2]},
    {"gone": [1, 0]},
    {"gone": [3]},
    {"gone": "0"},
    {"more": [["", "", 0, 0, 1]]},
    {"more": [["v1", "", 0, 0, 1]]},
    {"more": [["x", "", 0, 0, 0]]},
    {"more": [["x" * 1000, "", 0, 0, 1]]},
    {"more": [["x", "", 0, 0, 1]] * 30_000},
    {"score": [[0, -1]]},
    {"score": [[0, "1"]]},
    {"score": [[3, 1]]},
    {"score": [0]},
    {"at": [[0, 1]]},
    {"label": [[0, 5]]},
    {"edge": [0, 0]},
    {"edge": [0]},
    {"edge": [0, 3]},
    {"edge": [0.5, 1]},
]


@needs_node
def test_what_is_no_change_is_refused() -> None:
    (level,) = step(graph_of(3, [(0, 1), (1, 2)]), [3.0, 2.0, 1.0])
    trace = trace_data(level, np.zeros((3, 2)))
    texts = [base64.urlsafe_b64encode(json.dumps(wrong).encode()).decode().rstrip("=") for wrong in WRONG]
    texts += ["!", "%%%", "AAAA", "_w"]
    for text, answer in zip(
        texts, answers("levels.mjs", [{"trace": trace, "text": text} for text in texts]), strict=True
    ):
        assert answer == "RangeError", text[:60]
