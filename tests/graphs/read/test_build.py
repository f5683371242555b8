"""What a reader fills costs no more than in proportion, whatever a file holds."""

import sys

import pytest

from mivspool.errors import LimitError
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.settings import Limits


def builder():
    return Builder(Context("x", Limits()), "x", "x", declared=False)


def steps(function):
    """How many lines of the package a call runs."""
    found = 0

    def trace(frame, event, _):
        nonlocal found
        if "mivspool" not in frame.f_code.co_filename:
            return None
        found += event == "line"
        return trace

    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(None)
    return found


def namesakes(n):
    """Vertices whose keys differ and whose ids all read the same, beside some that read as their new names would."""
    made = builder()
    for i in range(n):
        made.node(("a", i), None, "a")
        made.node(("b", i), None, f"a ({2 * i})")
    return made


def test_names_are_made_different_in_linear_time():
    few, many = (steps(namesakes(n).finish) for n in (100, 400))
    assert many < 5 * few
    nodes = namesakes(400).finish().nodes
    assert len(set(nodes)) == len(nodes) == 800


def test_repairs_are_told_once_and_not_compared_with_each_other():
    compared = 0

    class Sentence(str):
        def __eq__(self, other):
            nonlocal compared
            compared += 1
            return str(self) == str(other)

        __hash__ = str.__hash__

    made = builder()
    made.node("a")
    for i in range(2000):
        made.say(Sentence(f"sentence {i}"))
        made.say(Sentence(f"sentence {i}"))
    assert compared < 3 * 2000
    repairs = made.finish().repairs
    assert repairs[0] == "sentence 0"
    assert len(repairs) < 200
    assert "more" in repairs[-1]


def test_columns_that_are_all_but_empty_are_refused():
    made = builder()
    for i in range(20_000):
        made.node(str(i))
    for k in range(1000):
        made.node_value(k, f"attribute {k}", 1)
    with pytest.raises(LimitError, match="attributes"):
        made.finish()


def test_sparse_columns_of_a_small_graph_are_kept():
    made = builder()
    for i in range(500):
        made.node_value(made.node(str(i)), f"attribute {i}", i)
    assert len(made.finish().node_attributes) == 500
