"""One meaning of a missing label, whoever asks: features, the canvas, the site, a model, a file that is written."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import sources
from mivspool.canvas.notebook import _labels as notebook_labels
from mivspool.graphs import dataset_features, fit_graph, load_dataset
from mivspool.graphs.export import WRITERS, write_graph
from mivspool.graphs.graph import Graph
from mivspool.graphs.labels import label_text
from mivspool.graphs.read import read_graph
from mivspool.levels import feature_names, features, step
from mivspool.service.schemas import GraphDocument
from mivspool.settings import Limits
from mivspool.site.graphs import written

MISSING = [None, math.nan, "", "  ", "\t"]
labels = st.sampled_from([*MISSING, "C", "O", " C ", "None", "nan", 6, 6.0, 6.5, True])


def path(values: Any, **attributes: Any) -> Graph:
    n = len(values)
    at = np.arange(n - 1)
    columns = {"label": tuple(values)} | attributes
    return Graph("path", tuple(f"v{i}" for i in range(n)), np.stack([at, at + 1]), node_attributes=columns)


def texts_of(values: Any) -> list[str]:
    """What every face shows beside the ids."""
    return [label_text(value) for value in values]


@pytest.mark.parametrize("value", MISSING)
def test_what_is_missing(value: Any) -> None:
    assert label_text(value) == ""


@given(st.lists(labels, min_size=2, max_size=6))
@settings(max_examples=60)
def test_a_missing_label_is_no_class_of_its_own(values: list[Any]) -> None:
    graph = path(values)
    texts = texts_of(values)
    known = sorted(set(texts) - {""})
    x, names = features(graph), feature_names(graph)
    if not known:
        assert names == ("degree",)
        assert x.equal(features(Graph(graph.name, graph.nodes, graph.edges)))
        return
    assert names == tuple(known)
    assert x.tolist() == [[float(text == name) for name in names] for text in texts]


@given(st.lists(labels, min_size=2, max_size=6))
@settings(max_examples=60)
def test_every_face_shows_the_same_labels(values: list[Any]) -> None:
    graph = path(values)
    expected = texts_of(values)
    (level,) = step(graph, "degree")
    (trace,) = (entry["trace"] for entry in written(graph, "degree", levels=1))
    for shown in (notebook_labels(level), trace["labels"], sources.vertex_labels(graph)):
        assert shown == (expected if any(expected) else None)


def test_a_model_is_told_that_the_label_is_missing() -> None:
    schema = dataset_features(load_dataset("MAO"))[1]
    fit = fit_graph(path(["C", "N", "C", "C", "C", *MISSING[:4]]), schema)
    assert fit.unknown == ("no label",)
    assert not fit.x[5:].any()
    assert fit.x[:5].sum(axis=1).tolist() == [1] * 5


@pytest.mark.parametrize(
    "form",
    [
        "graphml",
        "node-link",
        "gexf",
        "gml",
        "plain",
    ],
)
@pytest.mark.parametrize("values", [["C", None, math.nan, "O"], [6.5, math.nan, None, 7.0]])
def test_what_is_missing_is_missing_in_a_file(form: str, values: list[Any], tmp_path: Any) -> None:
    graph = path(values)
    file = tmp_path / f"graph{WRITERS[form].extension}"
    file.write_text(write_graph(graph, form), encoding="utf-8")
    again = read_graph(file).node_attributes["label"]
    assert [label_text(value) for value in again] == texts_of(values)


def test_what_is_missing_is_missing_in_a_request() -> None:
    document = GraphDocument.of(path(["C", None, math.nan, "O"]))
    again = document.graph(Limits()).node_attributes["label"]
    assert texts_of(again) == ["C", "", "", "O"]


def test_a_missing_number_is_the_mean() -> None:
    """As for a model (``fit_graph``); an attribute that most vertices lack is no feature."""
    graph = Graph(
        "path", ("a", "b", "c", "d"), np.array([[0, 1, 2], [1, 2, 3]]),
        node_attributes={"charge": (1.0, None, 3.0, math.nan), "rare": (1.0, None, None, None)},
    )  # fmt: skip
    assert feature_names(graph) == ("charge",)
    assert features(graph)[:, 0].tolist() == [-1.0, 0.0, 1.0, 0.0]


def test_an_edge_that_lacks_a_value_has_an_empty_cell() -> None:
    graph = Graph(
        "path", ("a", "b", "c"), np.array([[0, 1], [1, 2]]), edge_attributes={"length": (math.nan, 2.5)}
    )
    assert write_graph(graph, "csv").splitlines() == ["source,target,length", "a,b,", "b,c,2.5"]
