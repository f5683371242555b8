"""Bodies in JSON: bounded, and checked beside the event loop up to the first errors.

FastAPI would parse and check a body on the event loop, and everyone would wait for the largest. A route takes
``Annotated[KIND, json_body(KIND)]`` instead, and says what it takes with ``openapi_extra=takes(KIND)``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal

import anyio.to_thread
from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError

from mivspool.errors import BackendError, LimitError
from mivspool.service.backend import Here
from mivspool.service.problems import Refusal

SMALL = 64 * 1024  # bytes that are checked at once: handing them to a thread would take longer
_SCHEMAS = "#/components/schemas/"
_documented: dict[str, TypeAdapter[Any]] = {}


def json_body(kind: Any, most: int | None = None) -> Any:
    """The dependency that gives a route its body as ``kind``; ``most``: bytes, where the settings' are too many."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)

    async def read(request: Request, here: Here) -> AsyncIterator[Any]:
        _check_type(request)
        content = await _content(request, most or here.settings.limits.body_bytes)
        if len(content) <= SMALL:
            yield validated(adapter, content)
            return
        async with here.bodies.awaited():
            yield await anyio.to_thread.run_sync(validated, adapter, content)

    return Depends(read)


def takes(kind: Any, name: str) -> dict[str, Any]:
    """What the OpenAPI document says of a route that takes ``kind``, called ``name`` there."""
    _documented[name] = TypeAdapter(kind)
    schema = {"$ref": _SCHEMAS + name}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def schemas() -> dict[str, Any]:
    """The schemas of all bodies and their parts, for the OpenAPI document."""
    inputs: list[tuple[str, Literal["validation", "serialization"], TypeAdapter[Any]]]
    inputs = [(name, "validation", adapter) for name, adapter in _documented.items()]
    made, document = TypeAdapter.json_schemas(inputs, ref_template=_SCHEMAS + "{model}")
    return {**{name: made[name, "validation"] for name, _, _ in inputs}, **document.get("$defs", {})}


def validated(adapter: TypeAdapter[Any], content: bytes) -> Any:
    """The body. Raises RequestValidationError with what is wrong and where."""
    try:
        return adapter.validate_json(content)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in found]) from None


def _check_type(request: Request) -> None:
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != "application/json":
        raise Refusal(415, BackendError("send the body as application/json"), kind="request")


async def _content(request: Request, most: int) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise LimitError(f"at most {most:,} bytes are taken in this request")
        parts.append(part)
    return b"".join(parts)
