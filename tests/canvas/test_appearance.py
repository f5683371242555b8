"""Colour and size of a network's vertices by a value: what is the same looks the same, and states are still seen."""

from __future__ import annotations

from typing import Any

import pytest

from mivspool.canvas.appearance import OTHERS, colour_by, size_by
from mivspool.canvas.network import level_network
from mivspool.colours import CATEGORIES, GREY, SCALE
from mivspool.graphs import load_classic
from mivspool.levels import step

LEVEL = step(load_classic("karate"), "degree")[0]


def fills(network: Any) -> list[str]:
    return [node["color"]["background"] for node in network.nodes]


def test_few_values_have_a_colour_each_and_the_state_keeps_shape_and_border() -> None:
    made, before = level_network(LEVEL), level_network(LEVEL)
    clubs: list[Any] = ["a", "b"] * 17
    assert colour_by(made, clubs) == [("a", CATEGORIES[0]), ("b", CATEGORIES[1])]
    assert fills(made) == [CATEGORIES[0], CATEGORIES[1]] * 17
    for node, old in zip(made.nodes, before.nodes, strict=True):
        assert node["shape"] == old["shape"]
        assert node["color"]["border"] == old["color"]["border"]
        assert node["color"]["highlight"]["background"] == node["color"]["background"]


def test_the_most_frequent_are_told_apart_and_the_others_are_said_to_be_grey() -> None:
    made = level_network(LEVEL)
    values: list[Any] = [f"v{k % 10}" for k in range(32)] + [None, "v9"]
    meaning = colour_by(made, values)
    assert [text for text, _ in meaning] == ["v0", "v1", "v9", "v2", "v3", "v4", "v5", OTHERS]
    assert meaning[-1] == (OTHERS, GREY["light"])
    assert len({colour for _, colour in meaning}) == len(meaning)
    assert fills(made)[6] == fills(made)[32] == GREY["light"]
    # an order that is given decides, whatever of it is there
    assert colour_by(made, values, [f"v{k}" for k in range(10)])[2] == ("v2", CATEGORIES[2])


def test_many_numbers_are_a_scale_whose_ends_are_said() -> None:
    made = level_network(LEVEL)
    assert colour_by(made, [float(v) for v in range(34)]) == [("0", SCALE[0]), ("33", SCALE[1])]
    assert (fills(made)[0], fills(made)[-1]) == SCALE
    assert len(set(fills(made))) == 34
    few: list[Any] = [1, 2] * 17
    assert [text for text, _ in colour_by(made, few)] == ["1", "2"], "few numbers are kinds"


@pytest.mark.parametrize("values", [[3.0] * 34, [None] * 34])
def test_where_nothing_differs_nothing_is_larger(values: list[Any]) -> None:
    made = level_network(LEVEL)
    size_by(made, values)
    assert len({node["size"] for node in made.nodes}) == 1


def test_the_area_grows_with_the_value() -> None:
    made = level_network(LEVEL)
    size_by(made, [float(v) for v in range(33)] + [None])
    sizes = [node["size"] for node in made.nodes]
    assert sizes[:33] == sorted(sizes[:33])
    assert sizes[33] == sizes[0]
    areas = [size**2 for size in sizes[:33]]
    assert areas[16] == pytest.approx((areas[0] + areas[32]) / 2, rel=0.01)
