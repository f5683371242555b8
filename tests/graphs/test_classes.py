"""Classes: a published meaning fits the data set's own counts; else, a class is called by its label."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mivspool.errors import ReadError
from mivspool.graphs.classes import class_names, class_of, class_source, class_title
from mivspool.graphs.collection import collection_of, origin_of
from mivspool.graphs.datasets import DATASETS
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.parts.tu import parse_tu
from mivspool.graphs.source import open_source

PUBLISHED = {
    "MAO": {"MAO inhibitor": 38},
    "MUTAG": {"mutagenic": 125},
    "DD": {"enzyme": 691},
    "PROTEINS": {"enzyme": 663},
}


def graph(collection: str | None, label: str | None, name: str = "MAO:3") -> Graph:
    return Graph(name, ("0",), np.zeros((2, 0), dtype=np.int64), label=label, collection=collection)


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
    assert class_of(graph("MAO", "0", "whatever")) == class_title("0", class_names("MAO"))
    assert class_of(graph("NCI1", "0")) == "class 0"
    assert class_of(graph(None, "0")) == "class 0", "a file that is called as a graph of ours is none of them"
    assert class_of(graph("MAO", None)) == ""
    # another set of that name: its classes are other ones, and nothing is guessed
    assert class_names("MAO", ["yes", "no"]) == {}


def test_what_a_graph_is_called_decides_nothing() -> None:
    """A file star.csv is no star of ours; graphs of ours say themselves what they are."""
    for name in ("star", "random", "MAO:3"):
        assert origin_of(graph(None, None, name)) is None
    for source in ("star", "MAO:3", "preset:tie", "random:20:30:1"):
        made = open_source(source)
        assert origin_of(made) is collection_of(source) is not None


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
