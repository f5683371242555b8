"""What one visitor sends costs what it is worth: bodies are bounded, checked up to the first errors, and take turns."""

from __future__ import annotations

import asyncio
import json
import select
import socket
import threading
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import httpx
import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from mivspool.errors import BackendError, LimitError, UnavailableError
from mivspool.graphs.graph import Graph
from mivspool.service.app import create_app
from mivspool.service.arrays import MEDIA_TYPE, GraphArrays, pack
from mivspool.service.client import Client
from mivspool.service.schemas import ClassifyRequest, GraphDocument, ScoresRequest
from mivspool.service.transport import Local
from mivspool.settings import Limits
from tests import web
from tests.service.backends import connected, served, until
from tests.service.conftest import Make

MANY = 20_000
EDGES = b"a,b\nb,c\n"
WIDE = {
    "nodes": [f"a vertex with a long name, number {i}" for i in range(3000)]
}  # more than is checked at once
GRAPH = {"nodes": ["a"], "edges": []}


def many(name: str) -> dict[str, Any]:
    """A request in which each of many values is wrong, in one place."""
    names = {str(i): 1 for i in range(MANY)}
    wrong: dict[str, dict[str, Any]] = {
        "nodes": {"nodes": [[1]] * MANY},
        "edges": {"edges": [["a"]] * MANY},
        "values": {"node_attributes": {"x": [[]] * MANY}},
        "vertex attributes": {"node_attributes": names},
        "edge attributes": {"edge_attributes": names},
        "positions": {"positions": [[1]] * MANY},
        "repairs": {"repairs": [1.5, []] * MANY},
    }
    if name in wrong:
        return {"model": "tiny", "graphs": [{**GRAPH, **wrong[name]}]}
    return {
        "graphs": {"model": "tiny", "graphs": [1] * 9000},
        "references": {"model": "tiny", "references": [[]] * 9000},
        "mapping": {"model": "tiny", "graphs": [GRAPH], "mapping": {key: [] for key in names}},
    }[name]


PLACES = (
    "nodes", "edges", "values", "vertex attributes", "edge attributes", "positions", "repairs", "graphs",
    "references", "mapping",
)  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_checking_stops_at_the_first_errors(place: str) -> None:
    body = many(place)
    kinds: list[tuple[type, dict[str, Any]]] = [(ClassifyRequest, body)]
    if body.get("graphs") and isinstance(body["graphs"][0], dict):
        kinds.append((ScoresRequest, {**body, "graph": body["graphs"][0]}))
    for kind, given in kinds:
        with pytest.raises(ValidationError) as told:
            TypeAdapter(kind).validate_json(json.dumps(given))
        assert told.value.error_count() <= 20


@pytest.mark.parametrize("transport", ["in-process", "http"])
def test_a_body_has_a_limit_of_its_own(make_settings: Make, transport: str) -> None:
    narrow = make_settings(workers=0, limits=Limits(body_bytes=20_000))
    with connected(transport, narrow) as client:
        nodes = tuple(f"vertex number {i}" for i in range(2000))
        for call in (
            lambda: client.classify(Graph("wide", nodes, np.zeros((2, 0), dtype=np.int64)), "tiny"),
            lambda: client.scores(Graph("wide", nodes, np.zeros((2, 0), dtype=np.int64)), "tiny"),
        ):
            with pytest.raises(LimitError, match=r"20,000 bytes.*as a file"):
                call()
        path = "\n".join(f"{node},{i}" for i, node in enumerate(nodes)).encode()
        assert client.upload(path, "a-file-of-the-same-size.csv").graphs == 1


@pytest.mark.parametrize("path", ["/v1/jobs", "/v1/models"])
def test_a_request_without_a_graph_is_small(make_settings: Make, path: str) -> None:
    body = {"kind": "evaluate", "dataset": "MAO", "folds": [[]] * 100_000, "job": "0", "name": "x" * 300_000}
    with connected("http", make_settings(workers=0)) as client:
        assert client._transport.send("POST", path, json=body).status_code == 413


@pytest.mark.parametrize("path", ["/v1/classify", "/v1/classify/scores", "/v1/classify/without"])
def test_a_large_body_is_checked_beside_the_event_loop(
    make_settings: Make, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mivspool.service import bodies

    seen = []

    def validated(adapter: Any, content: bytes) -> Any:
        seen.append(threading.current_thread())
        return validate(adapter, content)

    validate = bodies.validated
    monkeypatch.setattr(bodies, "validated", validated)
    with connected("in-process", make_settings(workers=0)) as client:
        assert isinstance(client._transport, Local)
        client._transport.send("POST", path, json={"model": "tiny", "graph": WIDE, "graphs": [WIDE]})
        assert seen
        assert client._transport._thread not in seen


@pytest.mark.parametrize("form", ["JSON", "arrays"])
def test_a_graph_of_few_vertices_and_many_edges_is_built_beside_the_event_loop(
    make_settings: Make, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    build = GraphDocument.graph

    def graph(document: GraphDocument, limits: Limits) -> Graph:
        seen.append(threading.current_thread())
        return build(document, limits)

    monkeypatch.setattr(GraphDocument, "graph", graph)
    ends = np.array(np.triu_indices(80, 1), dtype=np.int64)
    dense = Graph("dense", tuple(map(str, range(80))), ends)
    with connected("in-process", make_settings(workers=0)) as client:
        assert isinstance(client._transport, Local)
        if form == "JSON":
            body = {"model": "tiny", "graphs": [GraphDocument.of(dense).model_dump()]}
            answer = client._transport.send("POST", "/v1/classify", json=body)
        else:
            document = {"model": "tiny", "graphs": [GraphDocument.without_arrays(dense).model_dump()]}
            content = pack(document, GraphArrays.of(dense).names(0))
            headers = {"Content-Type": MEDIA_TYPE}
            answer = client._transport.send("POST", "/v1/classify", content=content, headers=headers)
        assert answer.status_code == 200
        assert seen
        assert client._transport._thread not in seen


@pytest.fixture(params=["in-process", "http"])
def busy(request: pytest.FixtureRequest, make_settings: Make) -> Iterator[tuple[Client, Any]]:
    """A backend with one turn for readers and none who wait, and the backend itself."""
    narrow = make_settings(workers=0, limits=Limits(readers=1, waiting=0, wait_seconds=0))
    with connected(request.param, narrow, on_backend=(found := []).append) as client:
        yield client, found[0]


def test_who_reads_takes_turns(busy: tuple[Client, Any]) -> None:
    client, backend = busy
    kept = client.upload(EDGES, "kept.csv").name
    send = client._transport.send
    reading: list[Callable[[], httpx.Response]] = [
        lambda: send("POST", "/v1/datasets", files={"file": ("a.csv", EDGES)}),
        lambda: send("GET", f"/v1/datasets/{kept}/graphs/0"),
        lambda: send("GET", f"/v1/datasets/{kept}/graphs"),
        lambda: send("POST", "/v1/classify/scores", json={"model": "tiny", "reference": kept}),
        lambda: send("POST", "/v1/classify/file", files={"file": ("a.csv", EDGES)}, params={"model": "tiny"}),
        lambda: send("POST", "/v1/classify", json={"model": "tiny", "graphs": [WIDE]}),
        lambda: send("POST", "/v1/classify/scores", json={"model": "tiny", "graph": WIDE}),
        lambda: send("POST", "/v1/classify/without", json={"model": "tiny", "graph": WIDE}),
    ]
    with backend.bodies.taken(), backend.uploads.readers.taken():
        for call in reading:
            answer = call()
            assert answer.status_code == 503
            assert int(answer.headers["retry-after"]) > 0
        with pytest.raises(BackendError, match="try again"):
            client.upload(EDGES, "more.csv")
        small = client.classify("MAO:3", "tiny", levels=False)[0]  # what costs little waits for nobody
        assert small.predicted is not None
        assert send("GET", "/healthz").status_code == 200
    for call in reading:
        assert call().status_code != 503


@pytest.mark.parametrize(("path", "more"), [("explain", {}), ("inside", {"vertex": "0"}), ("without", {})])
def test_what_a_model_computes_outside_its_shelf_takes_turns(
    busy: tuple[Client, Any], path: str, more: dict[str, str]
) -> None:
    client, backend = busy
    body = {"model": "tiny", "reference": "MAO:3", **more}

    def ask() -> httpx.Response:
        return client._transport.send("POST", f"/v1/classify/{path}", json=body)

    with backend.computations.taken():
        answer = ask()
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert client.classify("MAO:3", "tiny", levels=False)[0].predicted is not None
    assert ask().status_code == 200


def test_a_file_is_not_copied_before_its_turn(busy: tuple[Client, Any]) -> None:
    _, backend = busy
    given = BytesIO(EDGES)
    with backend.uploads.readers.taken(), pytest.raises(UnavailableError):
        backend.uploads.add(given, "waiting.csv", "ann")
    assert given.tell() == 0
    assert backend.uploads.add(given, "waiting.csv", "ann").size == len(EDGES)


def test_all_bodies_together_are_bounded(make_settings: Make) -> None:
    """Those that arrive slowly are held in memory while they do."""
    head = b"POST /v1/classify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    start = head + b"Content-Length: 9002\r\n\r\n" + b" " * 9000
    with served(make_settings(workers=0, limits=Limits(body_bytes=10_000))) as address:
        host, port = address.removeprefix("http://").split(":")
        slow = [socket.create_connection((host, int(port)), timeout=60) for _ in range(12)]
        for one in slow:
            one.sendall(start)
        refused = until(lambda: select.select(slow, [], [], 0)[0])
        assert b" 503 " in refused[0].recv(100)
        assert web.get(f"{address}/healthz").text == "ok"
        slow[0].sendall(b"{}")
        assert b" 422 " in slow[0].recv(100)
        for one in slow:
            one.close()
        answer = until(
            lambda: (found := web.post(f"{address}/v1/classify", json={})).status_code == 422 and found
        )
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("path", "kind", "begins"),
    [
        ("/v1/classify", "application/json", b"{"),
        (
            "/v1/datasets",
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="f',
        ),
    ],
)
def test_who_leaves_in_the_middle_of_a_body_leaves_no_trace(
    make_settings: Make, path: str, kind: str, begins: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """A traceback for each would fill the log, and hold up the others while it is written."""
    app = create_app(make_settings(workers=0), run_jobs=False)
    headers = {"host": "localhost", "content-type": kind, "content-length": "1000"}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "headers": [(key.encode(), value.encode()) for key, value in headers.items()],
        "client": ("127.0.0.1", 1), "server": ("localhost", 80),
    }  # fmt: skip
    messages = iter(
        [{"type": "http.request", "body": begins, "more_body": True}, {"type": "http.disconnect"}]
    )
    sent: list[Any] = []

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 400
    assert caplog.text == ""
    app.state.backend.close()


def test_hostile_values_are_refused(make_settings: Make) -> None:
    deep = "[" * 5000 + "]" * 5000
    with connected("http", make_settings(workers=0)) as client:
        for content in (
            b"", b"{", b"\xff", b'"\\ud800"', f'{{"model": {deep}}}'.encode(), deep.encode(),
            ('{"model": "tiny", "graphs": [{"nodes": [1' + "0" * 5000 + "]}]}").encode(),
            b'{"model": "\\u0000", "graphs": [{"nodes": []}]}',
        ):  # fmt: skip
            headers = {"Content-Type": "application/json"}
            answer = client._transport.send("POST", "/v1/classify", content=content, headers=headers)
            assert 400 <= answer.status_code < 500, content[:60]
            assert answer.headers["content-type"] == "application/problem+json"
        for kind in ("text/plain", "multipart/form-data; boundary=x", ""):
            headers = {"Content-Type": kind}
            answer = client._transport.send("POST", "/v1/classify", content=b"{}", headers=headers)
            assert answer.status_code == 415
