"""Every kind of file and fault through what the pages do with an upload: the same graph as the reader's, pooled and
drawn, or the reader's sentence.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from app import pooled, sources
from app.classify import many
from app.components import assignment
from app.pooled import view
from app.sources import uploads
from app.step import exports
from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read import read_graphs
from tests.beside import FILES, samples
from tests.graphs.read.cases import CASES


@pytest.fixture(autouse=True)
def no_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_IN_LINK", 10**9)  # the link holds every file


def through_the_app(content: bytes, name: str) -> list[Any]:
    """The graphs of an upload, each shown as the Step page shows it. Raises ReadError as the page says it."""
    source = uploads.keep(content, name)
    file, _ = uploads.split(source)
    graphs = []
    for index in range(uploads.count(file)):
        named = uploads.join(file, index)
        assert sources.place(named).count == uploads.count(file)
        graph = sources.load(named)
        graphs.append(graph)
        if index < 3 and graph.num_nodes < 2_000:
            pooling = pooled.pool(named, "degree", 0, False, False)
            shown = view.viewport(pooling, 0)
            assert shown.trace["ids"] == list(graph.nodes)
            json.dumps(shown.trace, allow_nan=False)
            assert assignment.as_csv(shown.level).count(b"\n") > graph.num_nodes
            for form in ("node-link", "csv"):
                exports._writing(pooling, 0, "reduced", form)[0]()
    return graphs


@pytest.mark.parametrize(
    ("name", "content"),
    [pytest.param(name, content, id=name) for name, content, _ in CASES],
)
def test_each_kind_of_file(name: str, content: str | bytes) -> None:
    check(content.encode() if isinstance(content, str) else content, name)


def check(data: bytes, name: str) -> None:
    """The page makes of a file what the reader makes of it."""
    expected, refusal = read(data, name)
    graphs, unread = many._read(data, name)
    assert [g.nodes for _, g in graphs] == [g.nodes for g in expected]
    if refusal is not None:
        with pytest.raises(ReadError) as caught:
            through_the_app(data, name)
        assert (caught.value.message, caught.value.line) == (refusal.message, refusal.line)
        assert unread
        assert all(reason for _, reason in unread)
    else:
        found = through_the_app(data, name)
        assert [(g.nodes, g.edges.tolist(), g.repairs) for g in found] == [
            (g.nodes, g.edges.tolist(), g.repairs) for g in expected
        ]


def read(data: bytes, name: str) -> tuple[list[Graph], ReadError | None]:
    """What the reader makes of it: graphs, or why there are none."""
    try:
        return read_graphs(data, name), None
    except ReadError as error:
        return [], error


@pytest.mark.parametrize("case", samples())
def test_each_sample(case: dict[str, Any]) -> None:
    check((FILES / case["file"]).read_bytes(), case["file"])
