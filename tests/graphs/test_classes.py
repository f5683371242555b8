"""Classes: a published meaning fits the data set's own counts; else, a class is called by its label."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mivspool.errors import ReadError
from mivspool.graphs.classes import class_names, class_of, class_source, class_title
from mivspool.graphs.datasets import DATASETS
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.parts.tu import parse_tu

PUBLISHED = {
    "MAO": {"inhibits monoamine oxidase": 38},
    "MUTAG": {"mutagenic": 125},
    "DD": {"enzyme": 691},
    "PROTEINS": {"enzyme": 663},
}


def graph(name: str, label: str | None) -> Graph:
    return Graph(name, ("0",), np.zeros((2, 0), dtype=np.int64), label=label)


def test_what_is_published_is_named_with_its_source() -> None:
    assert {name for name, one in DATASETS.items() if one.class_names} == set(PUBLISHED)
    for name in PUBLISHED:
        assert len(class_names(name)) == 2
        assert class_source(name).endswith(".")
    assert class_names("NCI1") == {} == class_names("no such set")
    assert class_source("NCI1") == ""


@pytest.mark.parametrize("name", ["MAO", "MUTAG", "DD", "PROTEINS"])
def test_a_meaning_has_as_many_graphs_as_its_authors_count(tu: Any, name: str) -> None:
    dataset = tu(name)
    names = class_names(name, dataset.classes)
    assert set(dataset.classes) == set(names)
    counts = {names[label]: int((dataset.target == k).sum()) for k, label in enumerate(dataset.classes)}
    for title, number in PUBLISHED[name].items():
        assert counts[title] == number


def test_a_class_is_called_by_its_meaning_else_by_its_label() -> None:
    assert class_title("1", class_names("DD")) == "enzyme (class 1)"
    assert class_title("7", {}) == "class 7"
    assert class_of(graph("MAO:3", "0")) == "inhibits monoamine oxidase (class 0)"
    assert class_of(graph("NCI1:3", "0")) == "class 0"
    assert class_of(graph("a file of mine", "0")) == "class 0"
    assert class_of(graph("MAO", "0")) == "class 0"  # names no graph
    assert class_of(graph("MAO:3", None)) == ""
    # another set of that name: its classes are other ones, and nothing is guessed
    assert class_names("MAO", ["yes", "no"]) == {}


def test_an_own_data_set_names_its_classes() -> None:
    parts = {"A": b"1, 2\n2, 1\n", "graph_indicator": b"1\n1\n2\n3\n", "graph_labels": b"5\n-1\n5\n"}
    assert parse_tu("T", parts).classes == ("-1", "5")
    named = parse_tu("T", parts | {"graph_label_names": b"5, bindet, gut\n-1,nicht\n"})
    assert named.classes == ("nicht", "bindet, gut")
    assert [one.label for one in named] == ["bindet, gut", "nicht", "bindet, gut"]
    assert parse_tu("T", parts | {"graph_label_names": b"5, binds\n"}).classes == ("-1", "binds")
    for wrong, words in (
        (b"5 binds\n", "comma"),
        (b"\n4, binds\n", "'4'"),
        (b"5, same\n-1, same\n", "two classes"),
        (b"5, -1\n", "two classes"),
    ):
        with pytest.raises(ReadError, match=words):
            parse_tu("T", parts | {"graph_label_names": wrong})
