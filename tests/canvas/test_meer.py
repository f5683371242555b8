"""Meer's walk in the browser is the library's: thousands of graphs, ties among them, answered by node."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from mivspool import meer
from mivspool.canvas.payload import trace_data
from mivspool.levels import Level, step
from mivspool.pooling.parts.values import positive
from tests.canvas.node import answers, needs_node
from tests.canvas.test_js import drawn, graph_of

GRAPH = ("ids", "labels", "x", "y", "edges", "weight", "score", "size", "rounded")
FOUND = ("rank", "T", "settled", "survivor", "added", "cluster", "cluster_size")


def checked(levels: list[tuple[Level, bool, bool]]) -> None:
    """``levels``: with whether the order is a learned score's, and whether the complement was asked for."""
    told, asked = [], []
    for level, learned, complement in levels:
        n = len(level.nodes)
        sizes = (np.arange(n) % 3 + 1).tolist() if level.level else None
        told.append(trace_data(level, np.zeros((n, 2)), sizes=sizes, learned=learned))
        graph = {name: told[-1][name] for name in GRAPH}
        asked.append({"graph": graph, "options": {"learned": learned, "complement": complement}})
    for (level, *_), trace, found in zip(levels, told, answers("walks.mjs", asked), strict=True):
        assert {name: found[name] for name in FOUND} == {name: trace[name] for name in FOUND}
        assert found["ties"] == int(level.trace.ties_broken[0])
        assert found["reduced"]["edges"] == trace["reduced"]["edges"]
        assert found["reduced"]["weight"] == pytest.approx(trace["reduced"]["weight"])


@needs_node
@pytest.mark.parametrize("complement", [False, True])
@pytest.mark.parametrize("graphs", [160, pytest.param(1200, marks=pytest.mark.slow)])
def test_random_graphs_with_every_score(graphs: int, complement: bool) -> None:
    random = np.random.default_rng(graphs)
    levels = []
    for trial in range(graphs):
        graph = drawn(random)
        tied = (random.integers(1, 4, graph.num_nodes) / 4).tolist()  # ties abound
        score: Any = tied if trial % 2 else ("multiview", "degree", "uniform", "attention")[trial // 2 % 4]
        pooled = step(graph, score, seed=trial, complement=complement, levels=1 + trial % 2)
        levels += [(level, score in ("multiview", "attention"), complement) for level in pooled]
    checked(levels)


@needs_node
def test_every_graph_of_four_vertices_with_tied_scores() -> None:
    pairs = list(itertools.combinations(range(4), 2))
    levels = []
    for chosen in itertools.product((False, True), repeat=len(pairs)):
        graph = graph_of(4, [pair for pair, there in zip(pairs, chosen, strict=True) if there])
        for score in ((1, 1, 1, 1), (1, 2, 1, 2), (2, 1, 1, 2), (1, 2, 3, 4), (4, 2, 3, 1)):
            for complement in (False, True):
                levels += [(level, False, complement) for level in step(graph, score, complement=complement)]
    checked(levels)


@needs_node
def test_stars_paths_cliques_isolated_vertices_and_one_vertex() -> None:
    n = 40
    shapes = {
        "path": [(i, i + 1) for i in range(n - 1)],
        "star": [(0, i) for i in range(1, n)],
        "clique": list(itertools.combinations(range(n), 2)),
        "none": [],
        "two parts": [(i, i + 2) for i in range(n - 2) if i % 20 < 17],
    }
    levels = []
    for pairs in shapes.values():
        graph = graph_of(n, pairs)
        given: tuple[Any, ...] = (
            [float(i + 1) for i in range(n)],
            [1.0] * n,
            [1.0 + i % 3 for i in range(n)],
            "multiview",
        )
        for score in given:
            for complement in (False, True):
                levels += [
                    (level, score == "multiview", complement)
                    for level in step(graph, score, complement=complement, levels=3)
                ]
    levels += [(level, False, False) for level in step(graph_of(1, []), [0.5])]
    checked(levels)


@needs_node
def test_an_empty_graph_has_an_empty_trace() -> None:
    empty = {"ids": [], "labels": None, "x": [], "y": [], "edges": [], "weight": None, "score": []}
    (found,) = answers("walks.mjs", [{"graph": empty, "options": {"complement": True}}])
    assert found["T"] == found["ties"] == 0
    assert found["survivor"] == found["reduced"]["edges"] == []


def saturated(level: Level, random: np.random.Generator) -> Level:
    """The level with values that a sigmoid cannot tell apart, of both signs, many of them equal."""
    value = torch.from_numpy(random.integers(-30, 31, len(level.nodes)) * 2.0)
    key = meer.learned_key(value, level.adjacency)
    course = meer.trace(level.adjacency, key)
    score, rounded = positive(value.float()).double(), meer.rounded(value)
    return replace(level, score=score, key=key, trace=course, rounded=rounded)


@needs_node
def test_the_order_is_that_before_a_sigmoid_that_has_saturated() -> None:
    random = np.random.default_rng(3)
    checked([(saturated(step(drawn(random), "degree")[0], random), True, False) for _ in range(200)])
