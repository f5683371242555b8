"""What the canvas computes in the browser is what the library computes: shared vectors, answered by node."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from mivspool import meer
from mivspool.canvas.payload import trace_data
from mivspool.canvas.strings import CANVAS
from mivspool.graphs.graph import Graph
from mivspool.levels import Level, step
from tests.canvas.node import answers, carried, needs_node

STATES = ("candidate", "survivor", "non-survivor")


def graph_of(n: int, pairs: list[tuple[int, int]]) -> Graph:
    edges = np.asarray(sorted({(min(p), max(p)) for p in pairs if p[0] != p[1]}), dtype=np.int64).reshape(
        -1, 2
    )
    return Graph("test", tuple(f"v{i}" for i in range(n)), edges.T.copy())


def drawn(random: np.random.Generator) -> Graph:
    n = int(random.integers(1, 25))
    m = int(random.integers(0, 2 * n))
    return graph_of(n, [tuple(random.integers(0, n, 2).tolist()) for _ in range(m)])


def answered(levels: list[tuple[Level, bool]]) -> tuple[list[Any], list[Any]]:
    cases = []
    for level, learned in levels:
        trace = trace_data(level, np.zeros((len(level.nodes), 2)), learned=learned)
        asked = [[v, k] for v in range(len(level.nodes)) for k in range(level.num_iterations + 1)]
        cases.append({"trace": trace, "questions": asked})
    return cases, answers("vectors.mjs", {"strings": CANVAS, "cases": cases})


@pytest.fixture(scope="module")
def vectors() -> list[tuple[Level, bool]]:
    random = np.random.default_rng(7)
    levels: list[tuple[Level, bool]] = []
    for trial in range(60):
        graph = drawn(random)
        tied = (random.integers(1, 4, graph.num_nodes) / 4).tolist()  # ties abound
        score: Any = tied if trial % 2 else ("multiview", "degree", "uniform")[trial % 3]
        complement = trial % 5 == 0
        levels += [
            (level, score == "multiview")
            for level in step(graph, score, seed=trial, complement=complement, levels=2)
        ]
    return levels


@needs_node
def test_why_counts_and_states_are_the_librarys(vectors: list[tuple[Level, bool]]) -> None:
    cases, found_all = answered(vectors)
    for (level, _), case, answer in zip(vectors, cases, found_all, strict=True):
        for k in range(level.num_iterations + 1):
            course = level.trace
            masks = course.candidates(k), course.survivors(k), course.non_survivors(k)
            assert answer["counts"][k] == [int(mask.sum()) for mask in masks]
        for (vertex, k), found in zip(case["questions"], answer["whys"], strict=True):
            expected = meer.why(level.trace, level.adjacency, level.key, vertex, k)
            assert STATES[found["state"]] == expected.state
            assert (None if found["rival"] < 0 else found["rival"]) == expected.rival
            assert found["beatsRival"] == expected.beats_rival
            assert (None if found["eliminatedBy"] < 0 else found["eliminatedBy"]) == expected.eliminated_by
            assert found["assignedTo"] == expected.assigned_to
            assert found["settledAt"] == expected.settled_at
            assert found["added"] == expected.added


@needs_node
def test_the_parts_of_an_iteration_are_the_librarys(vectors: list[tuple[Level, bool]]) -> None:
    _, found_all = answered(vectors)
    for (level, _), answer in zip(vectors, found_all, strict=True):
        assert len(answer["parts"]) == 3 * level.num_iterations
        for found in answer["parts"]:
            expected = level.part(found["k"], found["part"])
            assert sorted(found["arrows"]) == sorted(expected.arrows.T.tolist())
            assert [state == 0 for state in found["states"]] == expected.candidate.tolist()
            assert [state == 1 for state in found["states"]] == expected.survivor.tolist()


@needs_node
def test_the_sentences_of_the_parts() -> None:
    graph = graph_of(4, [(0, 1), (1, 2), (2, 3)])
    (level,) = step(graph, [0.51, 0.83, 0.2, 0.1], levels=1)
    _, (answer,) = answered([(level, False)])
    assert [part["sentence"].partition(": ")[2] for part in answer["parts"]] == [
        "each candidate points to its best candidate neighbour, if that has a higher score; one points to none.",
        "one candidate points to none and survives, because no neighbouring candidate has a higher score.",
        "the new survivor eliminates two neighbours; one candidate remains.",
        "each candidate points to its best candidate neighbour, if that has a higher score; one points to none.",
        "one candidate points to none and survives, because no neighbouring candidate has a higher score.",
        "the new survivor has no neighbours left to eliminate; no candidates remain.",
    ]
    assert answer["parts"][1]["sentence"].startswith("Iteration 1 of 2, part 2 of 3: ")
    pointing, surviving = (part["said"] for part in answer["parts"][:2])
    assert pointing[0][0] == "v0 (0.51) points to v1 (0.83), its best candidate neighbour."
    assert pointing[1][0] == "v1 (0.83) points to none: no neighbouring candidate has a higher score."
    assert (
        surviving[0][1]
        == "Its neighbour v1 (0.83) has become a survivor, which eliminates v0 in this iteration."
    )


@needs_node
def test_every_sentence_is_filled_in(vectors: list[tuple[Level, bool]]) -> None:
    _, found_all = answered(vectors)
    for answer in found_all:
        texts = [*answer["sentences"], *(part["sentence"] for part in answer["parts"])]
        texts += [text for part in answer["parts"] for said in part["said"] for text in said]
        for found in answer["whys"]:
            texts += [found["now"], found["next"], *(text for row in found["rows"] for text in row)]
        for text in texts:
            assert text
            for broken in ("undefined", "null", "NaN", "{ ", "?", "|"):
                assert broken not in text, text


@needs_node
def test_the_sentences_of_a_small_graph() -> None:
    graph = graph_of(4, [(0, 1), (1, 2), (2, 3)])
    (level,) = step(graph, [0.51, 0.83, 0.2, 0.1], levels=1)
    _, (answer,) = answered([(level, False)])
    assert answer["kinds"] == ["iteration", "iteration", "iteration", "assign", "pool"]
    assert answer["sentences"][1] == (
        "Iteration 1 of 2: one vertex survives, because no neighbouring candidate has a higher score; "
        "two are eliminated; one candidate remains."
    )
    whys = {(w["vertex"], w["step"]): w for w in answer["whys"]}
    assert whys[1, 0]["next"] == (
        "In iteration 1 it becomes a survivor: its score, 0.83, exceeds those of its candidate neighbours v0 (0.51) "
        "and v2 (0.20)."
    )
    assert (
        whys[0, 1]["now"]
        == "v0 (0.51) was eliminated in iteration 1, because its neighbour v1 (0.83) survived."
    )
    assert whys[0, 1]["next"] == "It will be assigned to v1 (0.83), its only surviving neighbour (Eq. 11)."
    assert whys[3, 0]["next"] == (
        "In iteration 1 it stays a candidate: v2 has a higher score, but a lower one than v1 (0.83)."
    )
    assert (
        whys[3, 1]["next"] == "In iteration 2 it becomes a survivor: none of its neighbours is a candidate."
    )
    symbols, numbers = whys[1, 0]["rows"][0]
    assert symbols == "pv1(1) = pv1(0) ∨ (qv1(0) ∧ sv1 = max{sv1, sv0, sv2})"
    assert numbers == "= false ∨ (true ∧ 0.83 = max{0.83, 0.51, 0.20}) = true"


def test_playwright_brings_a_node() -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    assert carried() is not None, "the tests of the scripts would be skipped on a machine without node"


def _order(term: str) -> tuple[float, int]:
    """A number of the formula as it orders the vertices: its place decides where numbers are equal."""
    value, _, place = term.partition(" (")
    return float(value), -int(re.match(r"\d+", place)[0]) if place else 0


@needs_node
def test_the_formula_is_true_as_it_is_written(vectors: list[tuple[Level, bool]]) -> None:
    _, found_all = answered(vectors)
    seen = 0
    for answer in found_all:
        for found in answer["whys"]:
            numbers = found["rows"][0][1]
            read = re.fullmatch(r"= false ∨ \(true ∧ (.+?) = max\{(.+?)(?:, …)?\}\) = (true|false)", numbers)
            assert read, numbers
            own, *others = [_order(term) for term in read[2].split(", ")]
            assert own == _order(read[1])
            assert all(own > other for other in others) == (read[3] == "true"), numbers
            seen += len(set(others) | {own}) > 1
    assert seen > 100


@needs_node
def test_a_score_that_is_said_to_be_higher_is(vectors: list[tuple[Level, bool]]) -> None:
    _, found_all = answered(vectors)
    seen = 0
    for answer in found_all:
        for found in answer["whys"]:
            said = found["now"] + " " + found["next"]
            for own, other in re.findall(
                r"^\S+ \(([\d.]+)\) is a candidate\. Its candidate neighbour \S+ \(([\d.]+)\) has a higher",
                said,
            ):
                assert float(other) > float(own), said
                seen += 1
            for first, rival in re.findall(
                r"neighbour \S+ \(([\d.]+)\) .* (?:but a lower one than|but below) \S+ \(([\d.]+)\)", said
            ):
                assert float(rival) >= float(first), said
    assert seen > 20


@needs_node
def test_where_neighbours_tie_the_rule_says_that_the_order_is_strict(
    vectors: list[tuple[Level, bool]],
) -> None:
    """Otherwise both of them survive by the sentence: no neighbouring candidate of either has a higher score."""
    _, found_all = answered(vectors)
    seen = 0
    for (level, learned), answer in zip(vectors, found_all, strict=True):
        u, v = level.adjacency.edge_index.numpy()
        score = level.score.numpy()
        compared = np.rint(score * 2.0**meer.SCORE_BITS) if learned else score
        tied = bool((compared[u] == compared[v]).any())
        assert ("strict order" in answer["sentences"][0]) == tied
        seen += tied
    assert seen > 20
