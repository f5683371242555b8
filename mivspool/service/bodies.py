"""Bodies in JSON, or with large graphs as arrays: bounded, and checked beside the event loop up to the first errors.

FastAPI would parse and check a body on the event loop, and everyone would wait for the largest. A route takes
``Annotated[KIND, json_body(KIND)]`` instead, and says what it takes with ``openapi_extra=takes(KIND)``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Any, Literal

import anyio.to_thread
from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError

from mivspool.errors import BackendError, LimitError
from mivspool.service.arrays import MEDIA_TYPE, unpack
from mivspool.service.backend import Here
from mivspool.service.problems import Refusal

SMALL = 64 * 1024  # bytes that are checked at once: handing them to a thread would take longer
_AS_ARRAYS = (
    "safetensors: the same document without edges and positions, as the bytes of its JSON in the uint8 array "
    "`document`; for its graph number i the arrays `edges_i` (int32 or int64 [2, E], places among the nodes), and "
    "where it has them `weights_i` (float [E], NaN: none) and `positions_i` (float [n, 2]); no other arrays"
)
_SCHEMAS = "#/components/schemas/"
_documented: dict[str, TypeAdapter[Any]] = {}


def json_body(kind: Any, most: int | None = None) -> Any:
    """The dependency that gives a route its body as ``kind``; ``most``: bytes, where the settings' are too many.

    A kind with graphs (``kind.take``) is also read from arrays (``arrays.py``).
    """
    adapter: TypeAdapter[Any] = TypeAdapter(kind)

    def read_arrays(content: bytes) -> Any:
        document, arrays = unpack(content)
        body = validated(adapter, document)
        body.take(arrays)
        return body

    async def read(request: Request, here: Here) -> AsyncIterator[Any]:
        parse = read_arrays if _as_arrays(request, kind) else partial(validated, adapter)
        content = await _content(request, most or here.settings.limits.body_bytes)
        if len(content) <= SMALL:
            yield parse(content)
            return
        async with here.bodies.awaited():
            yield await anyio.to_thread.run_sync(parse, content)

    return Depends(read)


def takes(kind: Any, name: str) -> dict[str, Any]:
    """What the OpenAPI document says of a route that takes ``kind``, called ``name`` there."""
    _documented[name] = TypeAdapter(kind)
    schema = {"$ref": _SCHEMAS + name}
    content: dict[str, Any] = {"application/json": {"schema": schema}}
    if hasattr(kind, "take"):
        content[MEDIA_TYPE] = {"schema": {"type": "string", "format": "binary", "description": _AS_ARRAYS}}
    return {"requestBody": {"required": True, "content": content}}


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


def _as_arrays(request: Request, kind: Any) -> bool:
    """Whether the body comes with arrays. Raises Refusal for what is neither that nor JSON."""
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given == MEDIA_TYPE and hasattr(kind, "take"):
        return True
    if given != "application/json":
        raise Refusal(415, BackendError("send the body as application/json"), kind="request")
    return False


async def _content(request: Request, most: int) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise LimitError(f"this request may have at most {most:,} bytes")
        parts.append(part)
    return b"".join(parts)
