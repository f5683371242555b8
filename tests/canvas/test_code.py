"""Pseudocode of Meer's algorithm: the lines that are carried out are lit, and what they say is true."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mivspool.canvas.payload import trace_data
from mivspool.canvas.strings import CANVAS
from mivspool.levels import step
from tests.canvas.node import answers, needs_node
from tests.canvas.test_js import drawn

pytestmark = needs_node
TRUTH = {"true": True, "false": False}


def test_the_values_of_a_line_are_those_of_the_library() -> None:
    random = np.random.default_rng(5)
    levels = [
        level
        for trial in range(20)
        for level in step(drawn(random), "uniform", seed=trial, complement=trial % 3 == 0, levels=2)
    ]
    traces = [trace_data(level, np.zeros((len(level.nodes), 2))) for level in levels]
    told = 0
    for level, answer in zip(levels, answers("code.mjs", {"strings": CANVAS, "traces": traces}), strict=True):
        trace = level.trace
        for place in answer["said"]:
            k = place["step"]
            for line in place["now"]:
                assert line in answer["lines"]
            for v, values in enumerate(place["values"]):
                assert set(values) <= set(place["now"])
                candidate = 1 <= k <= level.num_iterations and bool(trace.candidates(k - 1)[v])
                assert candidate or not {"best", "survive", "eliminate"} & set(values)
                if "best" in values:
                    start, end = level.part(k, 1).arrows
                    best = int(end[start == v][0]) if v in start else v
                    assert values["best"].endswith(f"({level.nodes[best]})")
                if "survive" in values:
                    assert TRUTH[values["survive"].split(" = ")[1]] == bool(trace.survivors(k)[v])
                if "eliminate" in values:
                    said = re.fullmatch(r"q\S+ = (true|false)( by (\S+))?", values["eliminate"])
                    assert said, values["eliminate"]
                    assert TRUTH[said[1]] == bool(trace.candidates(k)[v])
                    assert bool(said[2]) == (
                        not bool(trace.candidates(k)[v]) and not bool(trace.survivors(k)[v])
                    )
                if "assign" in values:
                    assert values["assign"] == f"{level.nodes[v]} → {level.nodes[int(trace.cluster[v])]}"
                told += len(values)
    assert told > 2000


@pytest.mark.parametrize("complement", [False, True])
def test_by_parts_one_line_is_lit_at_a_time_and_by_iterations_three(complement: bool) -> None:
    (level,) = step(drawn(np.random.default_rng(3)), "uniform", complement=complement, levels=1)
    trace = trace_data(level, np.zeros((len(level.nodes), 2)))
    (answer,) = answers("code.mjs", {"strings": CANVAS, "traces": [trace]})
    lit: dict[bool, list[list[str]]] = {False: [], True: []}
    for place in answer["said"]:
        lit[place["part"] > 0].append(place["now"])
    once, T = ["best", "survive", "eliminate"], level.num_iterations
    end = [["complement"]] * bool(level.trace.added.any()) + [["assign"], ["pool"]]
    assert lit[False] == [["start"], *[once] * T, *end]
    assert lit[True] == [["start"], *[[line] for line in once] * T, *end]
    assert set(answer["lines"]) <= set(CANVAS["code"])
