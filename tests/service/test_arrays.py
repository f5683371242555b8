"""A graph that is sent as arrays is the graph that JSON would have brought, and is checked as that is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mivspool.errors import InputError
from mivspool.graphs.graph import Graph, Reading
from mivspool.service.arrays import MEDIA_TYPE, GraphArrays, pack, unpack
from mivspool.service.client import Client
from mivspool.service.schemas import ClassifyRequest, GraphDocument, ScoresRequest
from mivspool.settings import Limits

LIMITS = Limits()
MODEL = "mao-mivspool"


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 8))
    pairs = draw(
        st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda e: e[0] < e[1]))
    )
    edges = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    m = edges.shape[1]
    number = st.floats(allow_nan=False, allow_infinity=False)
    weights = draw(st.none() | st.lists(number | st.just(np.nan), min_size=m, max_size=m))
    points = draw(st.none() | st.lists(st.tuples(number, number), min_size=n, max_size=n))
    ids = draw(st.lists(st.text(max_size=3), min_size=n, max_size=n, unique=True))
    value = st.none() | st.integers(-9, 9) | st.text(max_size=2)
    return Graph(
        name=draw(st.text(max_size=5)),
        nodes=tuple(ids),
        edges=edges,
        edge_weight=None if weights is None else np.array(weights, dtype=np.float64),
        node_attributes={"label": tuple(draw(st.lists(value, min_size=n, max_size=n)))},
        edge_attributes={"bond": tuple(draw(st.lists(value, min_size=m, max_size=m)))},
        label=draw(st.none() | st.text(max_size=3)),
        positions=None if points is None else np.array(points),
        repairs=("a loop was dropped",),
        read_as="Read as drawn.",
        readings=(Reading("matrix", "as a matrix"),),
        collection=draw(st.sampled_from([None, "MAO"])),
    )


def sent(graph: Graph) -> ClassifyRequest:
    """The request that a body with this graph as arrays becomes."""
    document = {"model": MODEL, "graphs": [GraphDocument.without_arrays(graph).model_dump()]}
    text, arrays = unpack(pack(document, GraphArrays.of(graph).names(0)))
    request = ClassifyRequest.model_validate_json(text)
    request.take(arrays)
    return request


@given(graphs())
def test_arrays_bring_what_json_brings(graph: Graph) -> None:
    by_json = GraphDocument.model_validate_json(GraphDocument.of(graph).model_dump_json()).graph(LIMITS)
    by_arrays = sent(graph).graphs[0].graph(LIMITS)
    for field in fields(Graph):
        one, other = (getattr(found, field.name) for found in (by_json, by_arrays))
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other)
        else:
            assert one == other, field.name


def small(**arrays: Any) -> Graph:
    """The graph a–b–c by a body in which these arrays stand in place of its own."""
    graph = Graph("abc", ("a", "b", "c"), np.array([[0, 1], [1, 2]]))
    body = {"model": MODEL, "graphs": [GraphDocument.without_arrays(graph).model_dump()]}
    text, given = unpack(pack(body, {"edges_0": graph.edges, **arrays}))
    request = ClassifyRequest.model_validate_json(text)
    request.take(given)
    return request.graphs[0].graph(LIMITS)


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"edges_0": np.array([[0], [3]])}, "outside its 3 vertices"),
        ({"edges_0": np.array([[0], [-1]])}, "outside its 3 vertices"),
        ({"edges_0": np.array([0, 1])}, r"of shape \[2, E\]"),
        ({"edges_0": np.array(1)}, r"of shape \[2, E\]"),
        ({"edges_0": np.zeros((3, 2), np.int32)}, r"of shape \[2, E\]"),
        ({"edges_0": np.zeros((2, 1))}, "whole numbers"),
        ({"weights_0": np.zeros(3)}, r"floats of shape \[2\]"),
        ({"weights_0": np.zeros(2, np.int64)}, r"floats of shape \[2\]"),
        ({"weights_0": np.array([1, np.inf])}, "infinite"),
        ({"weights_0": np.array([-np.inf, np.nan], np.float32)}, "infinite"),
        ({"positions_0": np.zeros((3, 3))}, r"floats of shape \[3, 2\]"),
        ({"positions_0": np.full((3, 2), np.inf)}, "not a finite number"),
        ({"weight_0": np.zeros(2)}, "belong to none of its graphs, for example 'weight_0'"),
        ({"edges_1": np.zeros((2, 1), np.int32)}, "'edges_1'"),
    ],
    ids=str,
)
def test_arrays_that_do_not_fit_are_refused_in_words(arrays: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        small(**arrays)


@pytest.mark.parametrize("number", ["Infinity", "-Infinity", "NaN", "1e999"])
def test_a_number_that_is_not_finite_is_refused_in_json_too(number: str) -> None:
    for rest in (f'"edges": [["a", "b", {number}]]', f'"positions": [[0, {number}], [1, 1]]'):
        with pytest.raises(ValidationError, match="finite number"):
            GraphDocument.model_validate_json(f'{{"nodes": ["a", "b"], {rest}}}')


def test_loops_and_edges_that_stand_twice_are_mended_and_said() -> None:
    graph = small(edges_0=np.array([[0, 1, 1, 2], [1, 0, 1, 1]], np.int32))
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert len(graph.repairs) == 2


def test_a_graph_in_both_forms_or_in_neither_is_refused() -> None:
    request = ClassifyRequest(model=MODEL, graphs=[GraphDocument(nodes=["a", "b"], edges=[("a", "b")])])
    with pytest.raises(InputError, match="twice"):
        request.take({"edges_0": np.zeros((2, 0), np.int32)})
    with pytest.raises(InputError, match="no array edges_0"):
        request.take({})
    with pytest.raises(InputError, match="'edges_0'"):
        ScoresRequest(model=MODEL, reference="MAO:3").take({"edges_0": np.zeros((2, 0), np.int32)})


@given(st.binary(max_size=200))
def test_any_other_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(InputError, match="safetensors"):
        unpack(content)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client(run_jobs=False) as made:
        yield made


def large(n: int = 4_000) -> Graph:
    """A path with labels and more vertices than are sent as JSON."""
    labels = tuple("CNO"[i % 3] for i in range(n))
    return Graph(
        "path",
        tuple(f"v{i}" for i in range(n)),
        np.array([range(n - 1), range(1, n)]),
        node_attributes={"label": labels},
    )


def test_a_large_graph_is_answered_as_its_document_is(client: Client) -> None:
    graph = large()
    document = GraphDocument.of(graph).model_dump()
    (by_arrays,) = client.classify(graph, MODEL, levels=False)
    body = {"model": MODEL, "graphs": [document], "levels": False}
    assert [by_arrays.model_dump()] == [
        {**by_arrays.model_dump(), **one} for one in client._send("POST", "/classify", json=body).json()
    ]
    assert by_arrays.predicted is not None
    by_json = client._send("POST", "/classify/scores", json={"model": MODEL, "graph": document})
    assert client.scores(graph, MODEL).model_dump(exclude_none=True) == by_json.json()


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"no safetensors", MEDIA_TYPE, 422),
        (pack({"model": MODEL}, {}), MEDIA_TYPE, 422),
        (pack({"model": MODEL}, {}), "application/zip", 415),
    ],
    ids=["other bytes", "no graph", "another kind"],
)
def test_a_body_that_is_none_is_refused(client: Client, content: bytes, kind: str, status: int) -> None:
    answer = client._transport.send("POST", "/v1/classify", content=content, headers={"Content-Type": kind})
    assert answer.status_code == status, answer.text
    assert json.loads(answer.text)["detail"]


def test_arrays_are_not_taken_where_no_graph_is(client: Client) -> None:
    answer = client._transport.send(
        "POST", "/v1/jobs", content=pack({}, {}), headers={"Content-Type": MEDIA_TYPE}
    )
    assert answer.status_code == 415
