"""docs/handout.md: exercises for every chapter, and answers that are what the library gives."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from mivspool.graphs import open_source
from mivspool.graphs.collections.teaching import PRESETS
from mivspool.graphs.graph import Graph
from mivspool.lecture.chapters import CHAPTERS
from mivspool.levels import step

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "handout.md").read_text(encoding="utf-8")


def test_every_chapter_has_an_exercise_with_an_answer() -> None:
    parts = re.split(r"^### Chapter (\d): ", TEXT.partition("\n## A class")[0], flags=re.MULTILINE)[1:]
    assert [int(number) for number in parts[::2]] == list(range(1, len(CHAPTERS) + 1))
    numbers = []
    for part in parts[1::2]:
        exercises = re.findall(r"^\*\*(\d+)\. .+?\*\*.+?\?? \*.+?\*$", part, re.MULTILINE | re.DOTALL)
        assert exercises
        numbers += [int(number) for number in exercises]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_answers_are_what_the_library_gives() -> None:
    grid = step(PRESETS["grid"].graph(), "uniform")[0]
    assert len(grid.reduced_nodes) == 60
    karate = open_source("karate")
    hubs = step(karate, "degree")[0]
    settled = dict(zip(hubs.nodes, hubs.trace.settled_at.tolist(), strict=True))
    assert len(hubs.reduced_nodes) == 4
    assert settled["33"] == settled["0"] == settled["32"] == 1
    assert "32" not in hubs.reduced_nodes
    drawn = [step(karate, "uniform", seed=seed)[0] for seed in range(10)]
    assert {len(level.reduced_nodes) for level in drawn} == {15, 17, 18, 19, 20}
    assert {level.num_iterations for level in drawn} == {2, 3}
    path = Graph("path", tuple("01234"), np.array([[0, 1, 2, 3], [1, 2, 3, 4]]))
    assert step(path, (0.9, 0.2, 0.8, 0.3, 0.7))[0].cluster.tolist() == [0, 0, 1, 1, 2]
    bridge = step(PRESETS["bridge"].graph(), PRESETS["bridge"].score)[0]
    assert bridge.to_json()["reduced"]["edges"] == [["1", "6", 1.0], ["1", "1", 20.0], ["6", "6", 20.0]]
    rising = step(PRESETS["rising-path"].graph(), PRESETS["rising-path"].score)[0]
    assert rising.num_iterations == 6
