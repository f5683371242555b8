"""Errors as RFC 9457 problem details: one table from our errors to HTTP and, in the client, back again."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, NoReturn

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from mivspool.errors import (
    AccessError,
    BackendError,
    DatasetError,
    InputError,
    JobError,
    LimitError,
    MIVSPoolError,
    ModelError,
    ReadError,
    StorageError,
    UnavailableError,
    is_full,
)
from mivspool.service.logs import route_of
from mivspool.service.scrub import in_full, scrub

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
RETRY = {"Retry-After": "5"}  # seconds, with every 503 and 507
PREFIX = "urn:mivspool:problem:"

# kind → the error it stands for, the status when nothing else is said, and what a reader is told in general;
# the first kind of an error is what it is when nobody says which
KINDS: dict[str, tuple[type[MIVSPoolError], int, str]] = {
    "input": (InputError, 422, "The request contains something that cannot be used"),
    "read": (ReadError, 422, "The file cannot be read as a graph"),
    "limit": (LimitError, 413, "Too large"),
    "dataset": (DatasetError, 422, "The data set cannot be used"),
    "model": (ModelError, 422, "The model cannot be used for this"),
    "job": (JobError, 409, "The job cannot do that"),
    "failure": (BackendError, 500, "The backend failed"),
    "unavailable": (UnavailableError, 503, "Not now"),
    "storage": (StorageError, 507, "No space left"),
    "access": (AccessError, 403, "Not allowed"),
    "request": (BackendError, 400, "The backend does not understand the request"),
}


class Problem(BaseModel):
    """What went wrong, in the form of RFC 9457."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:mivspool:problem:model",
                    "title": "The model cannot be used for this",
                    "status": 404,
                    "detail": "there is no model 'mao'; there are: mao-mivspool",
                }
            ]
        }
    )

    type: str = Field(description="urn:mivspool:problem: and the kind of problem")
    title: str = Field(description="the kind of problem in words")
    status: int = Field(description="the HTTP status")
    detail: str = Field(description="a sentence: what is wrong, where, and what to do")
    line: int | None = Field(None, description="line of the file that the sentence is about")
    errors: list[dict[str, str]] | None = Field(None, description="each field that is wrong: where, message")


class Refusal(Exception):  # noqa: N818 - it is the answer, not a fault
    """An error of ours with an HTTP status of its own (404 for what is not there, 403 for what is not allowed)."""

    def __init__(
        self,
        status: int,
        error: MIVSPoolError,
        *,
        kind: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(error.message)
        self.status, self.error, self.headers = status, error, dict(headers or {})
        self.kind = kind or kind_of(error)


def kind_of(error: MIVSPoolError) -> str:
    """The row of KINDS for an error: its own class, or the nearest above it."""
    for cls in type(error).__mro__:
        for kind, (known, _, _) in KINDS.items():
            if known is cls:
                return kind
    return "input"


def problem(
    kind: str,
    detail: str,
    *,
    status: int | None = None,
    line: int | None = None,
    errors: list[dict[str, str]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """The response that tells of one problem."""
    _, usual, title = KINDS[kind]
    body = Problem(
        type=PREFIX + kind,
        title=title,
        status=status or usual,
        detail=scrub(detail),
        line=line,
        errors=errors,
    )
    return JSONResponse(
        body.model_dump(exclude_none=True), status_code=body.status, headers=headers, media_type=MEDIA_TYPE
    )


def raise_problem(status: int, body: Any) -> NoReturn:
    """Raise the error of ours that a problem document stands for (the client's side)."""
    if not isinstance(body, dict) or not isinstance(body.get("detail"), str):
        raise BackendError(f"the backend answered with status {status} and no explanation")
    kind = str(body.get("type", "")).removeprefix(PREFIX)
    cls = KINDS.get(kind, KINDS["failure"])[0]
    detail = body["detail"]
    listed = body.get("errors")
    if isinstance(listed, list) and listed:
        detail += ": " + "; ".join(
            f"{e.get('where')}: {e.get('message')}" for e in listed if isinstance(e, dict)
        )
    line = body.get("line")
    raise cls(detail, line=line if isinstance(line, int) else None)


def install(app: FastAPI) -> None:
    """Make every error of ``app`` a problem document, the framework's own errors too."""
    app.add_exception_handler(Refusal, _refusal)
    app.add_exception_handler(MIVSPoolError, _ours)
    app.add_exception_handler(OSError, _system)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(Exception, _failure)


async def _refusal(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refusal)
    given = error.error
    return problem(error.kind, given.message, status=error.status, line=given.line, headers=error.headers)


async def _ours(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, MIVSPoolError)
    if isinstance(error, UnavailableError) and error.__cause__ is not None:
        log.warning("%s %s: %s", request.method, route_of(request.scope), in_full(error))
    headers = RETRY if isinstance(error, UnavailableError) else None
    return problem(kind_of(error), error.message, line=error.line, headers=headers)


async def _system(request: Request, error: Exception) -> JSONResponse:
    """What the operating system refuses: a full disk is told, anything else is a failure."""
    if not is_full(error):
        return await _failure(request, error)
    log.error("%s %s: no space is left on a disk", request.method, route_of(request.scope))
    return await _ours(request, StorageError("the backend has no space left on its disk: try again later"))


async def _validation(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = [
        {"where": ".".join(str(part) for part in item["loc"]), "message": str(item["msg"])}
        for item in error.errors()[:20]
    ]
    return problem("input", "The request is not valid", errors=errors)


async def _gone(_: Request, error: Exception) -> JSONResponse:
    """Nobody reads it: the client left before its request was complete, which is no failure of ours."""
    assert isinstance(error, ClientDisconnect)
    return problem("request", "The request was incomplete", status=400)


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(
        error.__cause__, OSError
    ):  # a disk that is full, which FastAPI calls a form it cannot parse
        return await _system(request, error.__cause__)
    details = {
        404: "There is nothing at this address",
        405: f"{request.method} is not allowed here",
        413: "The request is larger than this backend takes",
    }
    kind = {413: "limit", 503: "unavailable"}.get(error.status_code, "request")
    detail = details.get(error.status_code, str(error.detail))
    headers = RETRY if error.status_code == 503 else error.headers
    return problem(kind, detail, status=error.status_code, headers=headers)


async def _failure(request: Request, error: Exception) -> JSONResponse:
    log.error("%s %s failed", request.method, route_of(request.scope), exc_info=error)
    identity = request.state.request_id
    detail = f"Something went wrong in the backend; its log says what (request {identity})"
    return problem("failure", detail, headers={"X-Request-ID": identity})
