"""Requests drawn from the OpenAPI document, valid and broken: no server error, no answer that is not documented.

``python -m tests.soak.api [EXAMPLES]``: so many of each route and each kind.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from mivspool.service.app import create_app
from mivspool.settings import Settings

CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    unsupported_method,
]


def main(examples: int = 200) -> str:
    """The whole document. Raises what schemathesis finds."""
    many = 10**6
    with tempfile.TemporaryDirectory() as folder:
        use = Settings(
            database_url=f"sqlite:///{Path(folder) / 'jobs.sqlite'}", workers=0, rate_per_minute=0,
            max_waiting_jobs=many, max_jobs=many,
        )  # fmt: skip
        app = create_app(use)
        api = schemathesis.openapi.from_asgi("/v1/openapi.json", app)
        count = sum(
            _route(found.ok(), mode, examples)
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
            for found in api.get_all_operations()
        )
        app.state.backend.close()
    return f"{count} kinds of request, {examples} of each at most: no server error, nothing undocumented"


def _route(operation: Any, mode: GenerationMode, examples: int) -> int:
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        case.call_and_validate(checks=CHECKS)

    try:
        check()
    except Unsatisfiable:  # nothing about this route can be wrong
        return 0
    return 1


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:2])))
