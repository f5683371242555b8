"""What a backend shows of itself: an id for each request, metrics, one JSON document per event, spans."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from mivspool.errors import BackendError, UnavailableError
from mivspool.service import readiness
from mivspool.service.app import create_app
from mivspool.service.backend import Backend
from mivspool.service.guard import VISITOR_HEADER, owner_of
from mivspool.service.logs import REQUESTS, JsonLines
from mivspool.service.observe import HEADER
from tests import web
from tests.service.backends import connected, served, until
from tests.service.conftest import Make

TOKEN = "a-token-of-the-tests"
VISITOR = "ann-0123456789abcdef"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
Sample = tuple[str, frozenset[tuple[str, str]]]


@pytest.fixture(scope="module")
def backend() -> list[Backend]:
    return []


@pytest.fixture(scope="module")
def address(make_settings: Make, backend: list[Backend]) -> Iterator[str]:
    given = make_settings(token=TOKEN, workers=0)
    with served(given, public=True, on_backend=backend.append) as found:
        yield found


@pytest.fixture
def http(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, headers=BEARER, timeout=60) as client:
        yield client


def metrics(http: httpx.Client) -> dict[Sample, float]:
    answer = http.get("/metrics")
    assert answer.status_code == 200
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def requests(found: dict[Sample, float], **labels: str) -> float:
    wanted = set(labels.items())
    return sum(
        value for (name, has), value in found.items()
        if name == "mivspool_request_seconds_count" and wanted <= has
    )  # fmt: skip


def test_requests_are_counted_by_route_and_status(http: httpx.Client) -> None:
    before = metrics(http)
    for path in ("/v1/jobs/abc", "/v1/jobs/def", "/v1/datasets/none/graphs/0", "/nowhere", "/elsewhere"):
        assert http.get(path).status_code == 404
    assert http.put("/v1/jobs").status_code == 405
    assert http.request("PROPFIND", "/v1/jobs").status_code == 405
    assert http.get("/v1/health", headers={"Authorization": "Bearer wrong"}).status_code == 401
    after = metrics(http)

    def more(**labels: str) -> float:
        return requests(after, **labels) - requests(before, **labels)

    assert more(route="/v1/jobs/{job}", method="GET", status="404") == 2
    assert more(route="/v1/datasets/{name}/graphs/{index}", status="404") == 1
    assert more(route="none", status="404") == 2
    assert more(status="405") == 2
    assert more(method="other") == 1
    assert more(status="401") == 1
    assert more(route="/metrics", status="200") == 1
    wrong = ("mivspool_wrong_tokens_total", frozenset())
    assert after[wrong] - before[wrong] == 1


def test_labels_are_few_whatever_is_asked(http: httpx.Client) -> None:
    http.get("/v1/jobs/0000")
    http.get("/somewhere")
    metrics(http)
    before = len(metrics(http))
    for i in range(1, 50):
        http.get(f"/v1/jobs/{i:04}")
        http.get(f"/somewhere/{i}")
    assert len(metrics(http)) == before


def test_jobs_by_state_and_the_longest_wait(http: httpx.Client, backend: list[Backend]) -> None:
    def of(found: dict[Sample, float], state: str) -> float:
        return found["mivspool_jobs", frozenset({("state", state)})]

    before = metrics(http)
    assert before["mivspool_longest_wait_seconds", frozenset()] == 0
    job = http.post("/v1/jobs", json={"kind": "train", "dataset": "MAO"}).json()["id"]
    after = metrics(http)
    assert of(after, "queued") == of(before, "queued") + 1
    assert after["mivspool_longest_wait_seconds", frozenset()] > 0
    http.post(f"/v1/jobs/{job}/cancel")
    last = metrics(http)
    assert of(last, "queued") == of(before, "queued")
    assert of(last, "cancelled") == of(before, "cancelled") + 1
    assert last["process_resident_memory_bytes", frozenset()] > 10**6


def test_without_a_database_the_metrics_say_so(
    http: httpx.Client, backend: list[Backend], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> Any:
        raise UnavailableError("the job database does not answer")

    monkeypatch.setattr(readiness, "KEPT_SECONDS", 0.0)
    part = ("mivspool_ready", frozenset({("part", "database")}))
    until(lambda: metrics(http)[part] == 1)
    monkeypatch.setattr(backend[0].store.database, "read", away)
    until(lambda: metrics(http)[part] == 0)
    found = metrics(http)
    assert not [name for name, _ in found if name == "mivspool_jobs"]
    assert requests(found) > 0


def test_whoever_may_not_use_the_backend_does_not_read_its_metrics(address: str, make_settings: Make) -> None:
    assert web.get(f"{address}/metrics").status_code == 401
    with served(make_settings(workers=0)) as open_one:
        assert web.get(f"{open_one}/metrics").status_code == 200
        assert web.get(f"{open_one}/metrics", headers={"X-Forwarded-For": "10.0.0.1"}).status_code == 403


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=200))
def test_an_id_is_taken_over_only_if_it_is_well_formed(address: str, text: str) -> None:
    back = web.get(f"{address}/healthz", headers={HEADER: text}).headers[HEADER]
    good = text.isascii() and 0 < len(text) <= 128 and text[0].isalnum()
    good = good and not set(text) - set("._=-") - set("".join(c for c in text if c.isalnum()))
    assert (back == text) == good
    assert back.isprintable()
    assert 0 < len(back) <= 128


def test_every_answer_has_an_id_of_its_own(http: httpx.Client) -> None:
    answers = [http.get("/v1/health"), http.get("/nowhere"), http.get("/", headers={"Authorization": "x"})]
    assert len({answer.headers[HEADER] for answer in answers}) == 3


def test_a_failure_names_its_request(make_settings: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Any:
        raise RuntimeError("a fault of ours")

    found: list[Backend] = []
    with connected("in-process", make_settings(workers=0), on_backend=found.append) as client:
        monkeypatch.setattr(type(found[0].store), "counts", broken)
        answer = client._transport.send("GET", "/v1/health", headers={HEADER: "of-the-proxy"})
    assert answer.status_code == 500
    assert answer.headers[HEADER] == "of-the-proxy"
    assert "of-the-proxy" in answer.json()["detail"]


class Lines(logging.Handler):
    """What a log in JSON would hold."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonLines())
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = self.format(record)
        assert "\n" not in text
        self.lines.append(json.loads(text))


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    handler, logger = Lines(), logging.getLogger("mivspool")
    logger.addHandler(handler)
    levels = {one: one.level for one in (logger, logging.getLogger(REQUESTS))}
    for one in levels:
        one.setLevel(logging.INFO)
    yield handler.lines
    for one, level in levels.items():
        one.setLevel(level)
    logger.removeHandler(handler)


def test_a_request_s_events_have_its_id(make_settings: Make, lines: list[dict[str, Any]]) -> None:
    with connected("http", make_settings(workers=0)) as client:
        body = {"kind": "train", "dataset": "MAO"}
        answer = client._transport.send("POST", "/v1/jobs", json=body, headers={HEADER: "the-first"})
        job = answer.json()["id"]
        client._transport.send(
            "GET", f"/v1/jobs/{job}?a=secret", headers={HEADER: "the-second", VISITOR_HEADER: VISITOR}
        )
        client._transport.send("GET", "/healthz")
    assert all({"time", "level", "logger", "message"} <= set(one) for one in lines)
    (queued,) = [one for one in lines if one.get("state") == "queued"]
    assert (queued["job"], queued["request"]) == (job, "the-first")
    first, second = (one for one in lines if one["logger"] == REQUESTS)
    assert (first["method"], first["path"], first["status"]) == ("POST", "/v1/jobs", 201)
    assert (second["request"], second["job"], second["status"]) == ("the-second", job, 200)
    assert first["seconds"] >= 0
    assert second["path"] == "/v1/jobs/{job}"
    for text in (VISITOR, owner_of(VISITOR), "127.0.0.1", "secret"):
        assert text not in json.dumps(lines)


def test_the_log_names_no_visitor_whom_an_administrator_names(
    make_settings: Make, lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = owner_of(VISITOR)
    found: list[Backend] = []
    with connected("http", make_settings(workers=0, admin_token=TOKEN), on_backend=found.append) as client:
        admin = client.administration(TOKEN)
        admin.set_quota(visitor, 1)
        admin.forget(visitor)
        with pytest.raises(BackendError):
            client.administration("wrong").forget(visitor)
        monkeypatch.setattr(found[0].uploads, "forget", None)
        with pytest.raises(BackendError, match="Something went wrong"):
            admin.forget(visitor)
    paths = [one["path"] for one in lines if one["logger"] == REQUESTS]
    route = "/v1/admin/visitors/{visitor}"
    assert paths == [f"{route}/quota", route, "none", route]
    assert visitor not in json.dumps(lines)


def test_an_error_is_one_line_with_its_traceback(lines: list[dict[str, Any]]) -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logging.getLogger("mivspool.test").exception("it\nfailed")
    assert lines[-1]["message"] == "it\nfailed"
    assert "ValueError: two\nlines" in lines[-1]["exception"]


def test_the_page_for_people_takes_the_token_as_a_password(address: str) -> None:
    with httpx.Client(base_url=address, timeout=60) as http:
        asked = http.get("/")
        assert asked.status_code == 401
        assert "Basic realm=" in asked.headers["www-authenticate"]
        for path in ("/", "/v1/openapi.json"):
            assert http.get(path, auth=("anyone", TOKEN)).status_code == 200
            assert http.get(path, auth=("anyone", "wrong")).status_code == 401
        text = http.get("/", auth=("", TOKEN)).text
        assert "Authorization: Bearer $MIVSPOOL_TOKEN" in text
        assert TOKEN not in text
        # a browser sends a password by itself, also from a page of another site: it opens nothing else
        for verb, path in (
            ("GET", "/v1/jobs"),
            ("POST", "/v1/jobs"),
            ("DELETE", "/v1/visitor"),
            ("POST", "/"),
        ):
            assert http.request(verb, path, auth=("anyone", TOKEN)).status_code == 401


def test_a_request_is_a_span_of_the_trace_that_it_names(make_settings: Make) -> None:
    sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="OpenTelemetry is the user's own")
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    from mivspool.service import spans

    kept = InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    trace = "0af7651916cd43dd8448eb211c80319c"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "_tracer", provider.get_tracer("mivspool"))
        with connected("in-process", make_settings(workers=0)) as client:
            parent = {"traceparent": f"00-{trace}-b7ad6b7169203331-01"}
            client._transport.send("GET", "/v1/jobs/abc", headers=parent)
        with spans.job_span("abc", 2):
            pass
    request, job = kept.get_finished_spans()
    assert request.name == "GET /v1/jobs/{job}"
    assert f"{request.context.trace_id:032x}" == trace
    assert request.attributes["http.response.status_code"] == 404
    assert dict(job.attributes) == {"mivspool.job": "abc", "mivspool.attempt": 2}


def test_a_request_that_is_a_span_already_is_no_second_one(make_settings: Make) -> None:
    """As where FastAPI, which has spans of its own, or the server is instrumented. FastAPI's end with the answer."""
    sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="OpenTelemetry is the user's own")
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from opentelemetry.trace import SpanKind, use_span

    from mivspool.service import spans

    kept = InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    app = create_app(make_settings(workers=0), run_jobs=False)

    async def instrumented(scope: Any, receive: Any, send: Any) -> None:
        span = provider.get_tracer("theirs").start_span("theirs", kind=SpanKind.SERVER)

        async def ending(message: Any) -> None:
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                span.end()

        with use_span(span):
            await app(scope, receive, ending)

    async def ask() -> None:
        transport = httpx.ASGITransport(instrumented)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            await client.get("/healthz", headers={HEADER: "the-first"})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "_tracer", provider.get_tracer("mivspool"))
        asyncio.run(ask())
    (request,) = kept.get_finished_spans()
    assert request.name == "GET /healthz"
    assert request.attributes["mivspool.request"] == "the-first"


def test_without_opentelemetry_nothing_is_missing(
    make_settings: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mivspool.service.spans._tracer", None)
    with connected("in-process", make_settings(workers=0)) as client:
        assert client.health().status == "ok"
