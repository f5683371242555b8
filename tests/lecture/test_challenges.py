"""Challenges: as hard as they say, the same for everyone, never the graph that was just seen."""

from __future__ import annotations

import pytest

from mivspool.graphs.collections.teaching import PRESETS, preset_of
from mivspool.graphs.source import open_source
from mivspool.lecture.challenges import HARDEST, Challenge, difficulty, draw
from mivspool.levels import Level, step


def level_of(challenge: Challenge) -> Level:
    graph = open_source(challenge.source)
    preset = preset_of(challenge.source)
    score = challenge.score or (preset.score if preset else "uniform")
    return step(graph, score, seed=challenge.seed)[0]


@pytest.mark.parametrize("hard", range(1, HARDEST + 1))
def test_each_is_as_hard_as_it_was_asked_to_be_and_the_same_again(hard: int) -> None:
    drawn = [draw(hard, number) for number in range(12)]
    assert all(difficulty(level_of(challenge)) == hard for challenge in drawn)
    assert drawn == [draw(hard, number) for number in range(12)]
    assert len(set(drawn)) > 6


def test_never_the_same_graph_twice_in_a_row() -> None:
    first = draw(1, 5)
    assert draw(1, 5, besides=first.source).source != first.source


def test_ties_that_matter_are_hardest_and_long_paths_are_hard() -> None:
    def hardness(name: str) -> int:
        return difficulty(step(PRESETS[name].graph(), PRESETS[name].score)[0])

    assert hardness("star-centre") == 1
    assert hardness("rising-path") == HARDEST
    assert hardness("equal-hexagon") == HARDEST
