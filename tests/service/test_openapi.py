"""The OpenAPI document: complete, with examples that work, and true to what the application answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from pydantic import TypeAdapter
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from mivspool.service.app import create_app
from mivspool.service.jobs_schemas import JobRequest
from mivspool.service.page import page
from mivspool.service.schemas import ClassifyRequest, KeepModel, ScoresRequest
from tests.service.conftest import Make

EXAMPLES = 8  # of each route; `make soak` draws more


@pytest.fixture(scope="module")
def app(make_settings: Make) -> Iterator[FastAPI]:
    made = create_app(make_settings(workers=0, max_waiting_jobs=10**6, max_jobs=10**6))
    yield made
    made.state.backend.close()


@pytest.fixture(scope="module")
def document(app: FastAPI) -> dict[str, Any]:
    return app.openapi()


@pytest.fixture(scope="module")
def api(app: FastAPI) -> Any:
    return schemathesis.openapi.from_asgi("/v1/openapi.json", app)


def test_answers_are_as_documented(api: Any) -> None:
    checks = [
        schemathesis.checks.not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    count = 0
    for found in api.get_all_operations():
        operation = found.ok()
        count += 1

        @settings(
            max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
        )
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            case.call_and_validate(checks=checks)

        check()
    assert count > 15


def test_every_route_tells_of_its_problems(document: dict[str, Any]) -> None:
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            where = f"{verb} {path}"
            assert operation["summary"], where
            assert operation["description"], where
            problems = {s: a for s, a in operation["responses"].items() if s.startswith(("4", "5"))}
            assert {"401", "422", "429", "500"} <= set(problems), where
            for answer in problems.values():
                assert list(answer["content"]) == ["application/problem+json"], where
    assert "Problem" in document["components"]["schemas"]
    assert "prefixItems" not in str(document)
    assert "HTTPValidationError" not in document["components"]["schemas"]


def test_examples_are_valid(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for name, kind in (
        ("ClassifyRequest", ClassifyRequest), ("ScoresRequest", ScoresRequest), ("KeepModel", KeepModel),
        ("TrainRequest", JobRequest), ("EvaluateRequest", JobRequest),
    ):  # fmt: skip
        assert schemas[name]["examples"], name
        for example in schemas[name]["examples"]:
            TypeAdapter(kind).validate_python(example)


def test_the_page_is_plain(document: dict[str, Any]) -> None:
    text = page(document)
    for path in document["paths"]:
        assert path in text
    assert "<script" not in text
    assert "http" not in text.replace("http://127.0.0.1:8630", "").replace("HTTP", "")
