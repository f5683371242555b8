"""The lecture's exercises: what the library says of right, wrong and unreadable answers; the handout has the same."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mivspool import meer
from mivspool.errors import InputError
from mivspool.graphs.graph import Graph
from mivspool.lecture import exercises
from mivspool.lecture.chapters import CHAPTERS
from mivspool.lecture.exercises import EXERCISES, Exercise
from mivspool.sparse import Adjacency
from tests.pooling.drawn import graphs
from tools import handout

# by hand: a right answer to each part, and what a wrong one is told
ANSWERS: dict[str, list[tuple[str, dict[str, str]]]] = {
    "Grid": [
        ("72", {"60": "chessboard", "100": "each pair"}),
        ("29", {"20": "not yet 144", "36": "already account"}),
        ("60", {"59": "read the number", "72": "read the number"}),
    ],
    "Two sets": [
        ("2", {"1": "contains the centre", "9": "another leaf could be added"}),
        ("1, 2, 3, 4, 5, 6, 7, 8", {"1 2 3": "4 has no neighbour", "0": "contains 0", "0, 1": "contains 0"}),
    ],
    "The clique": [
        ("1", {"0": "not maximal", "2": "eliminates all"}),
        ("4", {"1": "half of the 8", "8": "no further"}),
    ],
    "How many iterations?": [("6", {"5": "two vertices", "12": "two vertices"}), ("51", {"50": "two vertices"})],
    "Is “less than 5” a law?": [
        (
            "It holds for the means with random scores, not for every graph",
            {"It holds for every graph": "takes six", "It holds for the means whatever the scores": "5.3"},
        )
    ],
    "Greedy": [
        ("3, 1, 5", {"3 1": "is missing", "3, 4, 1": "3 survives in iteration 1", "0 3 5": "eliminates it"}),
    ],
    "A tie": [
        ("1, 2", {"1": "the score of 2", "0, 1, 2": "0 has the score 0.3, and its neighbour 1 0.8"}),
        ("1, 3", {"1, 2": "2 does not survive: its neighbour 1 survives in iteration 1", "1": "missing"}),
    ],
    "Renumbering": [("2", {"1": "left", "3": "two opposite"}), ("3", {"2": "second vertex", "4": "one at most"})],
    "Hubs": [
        ("0 33", {"0, 32, 33": "32 is adjacent to 33", "33": "0 survives as well"}),
        ("4", {"3": "read the number", "15": "hubs"}),
    ],
    "Assignment": [
        ("0, 2, 4", {"0, 3": "3 does not survive", "0 2": "in iteration 1, 4 is a candidate"}),
        ("0", {"2": "0 has the highest score: 0.9, 2 only 0.8", "3": "the surviving neighbours of 1 are 0 and 2"}),
        ("2", {"4": "2 has the highest score: 0.8, 4 only 0.7"}),
        ("5", {"3": "exactly one 1", "15": "exactly one 1"}),
    ],
    "What is in SᵀAS?": [
        ("20", {"10": "from both ends", "25": "elsewhere"}),
        ("1", {"0": "one edge", "2": "single edge"}),
        ("42", {"21": "counts twice", "100": "no more"}),
    ],
    "Shapes": [("D₁SD₂", {"D₂D₁S": "D₂ has n′ columns and D₁ has n rows", "SD₁D₂": "S has n′ columns"})],
    "Top-k against MIVSPool": [
        ("0, 1, 2, 6, 8", {"0 1 2 6": "rounded up, is 5", "0 1 2 6 7": "8 has a higher score than 7: 0.89"}),
        ("2", {"1": "there is none", "5": "adjacent to each other"}),
        ("1", {"0": "has a component", "2": "inside one"}),
    ],
}  # fmt: skip


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.title)
def test_right_answers_are_right_and_wrong_ones_are_told_why(exercise: Exercise) -> None:
    for part, (right, wrong) in zip(exercise.parts, ANSWERS[exercise.title], strict=True):
        verdict = part.answer(right)
        assert verdict.correct, (part.label, verdict.why)
        assert verdict.why
        for text, why in wrong.items():
            verdict = part.answer(text)
            assert not verdict.correct, (part.label, text)
            assert why in verdict.why, (part.label, text, verdict.why)


def test_every_exercise_is_of_a_chapter_and_its_graph_is_there() -> None:
    assert [
        name for chapter in CHAPTERS for name in [one.title for _, one in exercises.of(chapter.name)]
    ] == [one.title for one in EXERCISES], "in the order of the chapters"
    assert set(ANSWERS) == {one.title for one in EXERCISES}


@pytest.mark.parametrize("text", ["", "  ", "a lot", "1.5", "9" * 600, "١٢x"])
def test_what_is_no_answer_is_asked_for_again(text: str) -> None:
    for exercise in EXERCISES:
        for part in exercise.parts:
            with pytest.raises(InputError):
                part.answer(text)


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12), (" 1,000 ", 1000), ("−3", -3), ("+7", 7), ("12 000", 12_000)]
)
def test_numbers_are_read_as_they_are_written(text: str, number: int) -> None:
    assert exercises.read_number(text) == number


def test_a_vertex_that_there_is_not_is_named() -> None:
    with pytest.raises(InputError, match=r"no vertex '9': write ids from a to c"):
        exercises.read_vertices("a, 9", ("a", "b", "c"))
    assert exercises.read_vertices("{a, c}", ("a", "b", "c")) == {"a", "c"}


@given(graphs(), st.data())
def test_a_set_is_right_exactly_if_it_is_independent_and_maximal(
    adjacency: Adjacency, data: st.DataObject
) -> None:
    index = adjacency.edge_index.numpy()
    names = tuple(f"v{v}" for v in range(adjacency.num_nodes))
    chosen = data.draw(st.sets(st.sampled_from(names)))
    verdict = exercises.maximal_independent(Graph("", names, index[:, index[0] < index[1]]), chosen)
    mask = torch.tensor([vertex in chosen for vertex in names])
    assert verdict.correct == (meer.independent(adjacency, mask) and meer.maximal(adjacency, mask))
    if not verdict.correct:
        assert ("(Eq. 8)" in verdict.why) == (not meer.independent(adjacency, mask))


def test_the_handout_is_up_to_date() -> None:
    text = handout.PAGE.read_text(encoding="utf-8")
    assert handout.page(text) == text, "run `make docs`"
