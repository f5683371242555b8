"""A graph that is changed in the canvas: its trace is the library's, and undoing everything gives the first one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from app.sources.edited import changed, plain_scores
from mivspool import meer
from mivspool.canvas.payload import trace_data
from mivspool.graphs import read_graphs
from mivspool.graphs.graph import Graph
from mivspool.graphs.write.formats.node_link import write as node_link
from mivspool.levels import SCORE_ATTRIBUTE, Level, step
from tests.canvas.node import answers, needs_node
from tests.canvas.test_js import drawn, graph_of
from tests.canvas.test_meer import FOUND, saturated


def edits_of(random: np.random.Generator, n: int, many: int) -> list[list[Any]]:
    """Changes that can be made one after the other to a graph of n vertices."""
    edits: list[list[Any]] = []
    for _ in range(many):
        v, u = (int(x) for x in random.integers(0, n, 2))
        kind = ("score", "edge", "edge", "vertex", "remove", "place", "label")[int(random.integers(0, 7))]
        if kind == "score":
            edits.append([kind, v, int(random.integers(1, 5)) / 4])
        elif kind == "edge" and u != v:
            edits.append([kind, v, u])
        elif kind == "vertex":
            edits.append([kind, *random.normal(size=2).round(3).tolist(), 0.5])
            n += 1
        elif kind == "remove" and n > 1:
            edits.append([kind, v])
            n -= 1
        elif kind == "place":
            edits.append([kind, v, *random.normal(size=2).round(3).tolist()])
        elif kind == "label":
            edits.append([kind, v, ("C", "N", "")[int(random.integers(0, 3))]])
    return edits


def changes(seed: int, many: int) -> Iterator[tuple[Graph, Level, dict[str, Any]]]:
    """Graphs, their first levels, and what JavaScript is asked: to change their traces."""
    random = np.random.default_rng(seed)
    for trial in range(many):
        graph = drawn(random)
        score: Any = ("multiview", "degree", "uniform", "attention")[trial % 4]
        complement = trial % 5 == 0
        (level,) = step(graph, score, seed=trial, complement=complement)
        if score == "attention" and not complement and trial % 8 == 3:
            level = saturated(level, random)
        at = random.normal(size=(graph.num_nodes, 2))
        trace = trace_data(level, at, learned=score in ("multiview", "attention"))
        edits = edits_of(random, graph.num_nodes, int(random.integers(0, 12)))
        yield graph, level, {"trace": trace, "edits": edits, "complement": complement}


def read_again(graph: Graph) -> Graph:
    (found,) = read_graphs(node_link(graph).encode(), "changed.json")
    return found


@needs_node
def test_any_changes_give_the_librarys_trace_and_can_be_undone() -> None:
    cases = list(changes(5, 250))
    asked = [question for _, _, question in cases]
    for (graph, level, question), answer in zip(cases, answers("edits.mjs", asked), strict=True):
        assert answer["undone"]
        assert answer["redone"]
        # nothing is changed by beginning to change
        assert {name: answer["first"][name] for name in FOUND} == {
            name: question["trace"][name] for name in FOUND
        }
        assert answer["plain"] == plain_scores(
            level.score.numpy(), meer.rank(level.key).numpy(), level.rounded
        )
        content = answer["graph"] | {"y": [-y for y in answer["graph"]["y"]]}
        made = read_again(changed(content, [graph]))
        assert list(made.nodes) == content["ids"]
        assert made.edges.T.ravel().tolist() == content["edges"]
        values = made.node_attributes[SCORE_ATTRIBUTE]
        (again,) = step(made, values, complement=question["complement"])
        told = trace_data(again, made.positions if made.positions is not None else np.zeros((0, 2)))
        for name in (*FOUND, "score"):
            assert answer["trace"][name] == told[name], name
        for name in ("x", "y"):  # sent with as many digits as a screen can show
            assert answer["trace"][name] == pytest.approx(told[name], abs=1e-2)


@needs_node
def test_what_a_change_did_is_said_of_each_vertex() -> None:
    (level,) = step(graph_of(5, [(0, 1), (1, 2), (2, 3), (3, 4)]), [5.0, 4.0, 3.0, 2.0, 1.0])
    trace = trace_data(level, np.zeros((5, 2)))  # 0, 2 and 4 survive
    asked = [
        {"trace": trace, "edits": [["score", 1, 9.0]], "complement": False},
        {"trace": trace, "edits": [["remove", 2]], "complement": False},
        {"trace": trace, "edits": [["place", 2, 1.0, 1.0]], "complement": False},
    ]
    raised, removed, moved = (answer["changes"] for answer in answers("edits.mjs", asked))
    assert raised == {"rises": [1, 3], "falls": [0, 2, 4], "lost": [], "moves": [], "T": [3, 2]}
    assert removed == {"rises": [2], "falls": [3], "lost": ["v2"], "moves": [], "T": [3, 1]}
    assert moved == {"rises": [], "falls": [], "lost": [], "moves": [], "T": [3, 3]}


def test_attributes_and_weights_of_the_original_stay_with_their_vertices() -> None:
    graph = Graph(
        name="original",
        nodes=("a", "b", "c"),
        edges=np.array([[0, 1], [1, 2]]),
        edge_weight=np.array([2.0, 5.0]),
        node_attributes={"label": ("N", "C", "C"), "charge": (1, None, 3)},
        edge_attributes={"bond": ("single", "double")},
        label="toxic",
        positions=np.zeros((3, 2)),
    )
    # a is gone, a new one stands between b and c, c is named anew
    content = {
        "ids": ["b", "c", "3"],
        "labels": ["C", "O", ""],
        "x": [0, 1, 2],
        "y": [0, 0, 1],
        "edges": [0, 1, 0, 2],
        "score": [0.5, 1, 2],
    }
    made = read_again(changed(content, [graph]))
    assert made.name == "original (edited)"
    assert made.label is None  # the class was the original's
    assert made.node_attributes["label"] == ("C", "O", None)
    assert made.node_attributes["charge"] == (None, 3, None)
    assert made.node_attributes[SCORE_ATTRIBUTE] == (0.5, 1, 2)
    assert made.edge_attributes["bond"] == ("double", None)
    assert made.edge_weight is not None
    assert made.edge_weight.tolist() == [5.0, 1.0]
