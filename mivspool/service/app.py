"""The FastAPI application: the same one behind ``mivspool serve`` and inside the process of the app."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio.to_thread
from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.middleware import Middleware

from mivspool import __version__
from mivspool.hosts import check_token
from mivspool.service import bodies, problems
from mivspool.service.backend import Backend
from mivspool.service.guard import ALIVE, DOCUMENT, PEOPLE, READY, Guard, check_admin_token
from mivspool.service.logs import PREFIX
from mivspool.service.metrics import Metrics
from mivspool.service.observe import METRICS, Observe
from mivspool.service.page import page
from mivspool.service.readiness import Readiness
from mivspool.service.routes import admin, classify, datasets, health, jobs, models, visitor
from mivspool.service.scrub import scrub
from mivspool.settings import Settings, settings

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_ABOUT = """Graph pooling by Maximal Independent Vertex Set: data sets, models, classification and training jobs.

Errors are problem details (RFC 9457). Where the backend has a token, every request carries it as
`Authorization: Bearer …`. A visitor is known by the header `X-MIVSPool-Visitor` or a cookie."""


def create_app(
    given: Settings | None = None, *, run_jobs: bool = True, public: bool = False, administers: bool = False
) -> FastAPI:
    """The application for these settings (the environment's by default).

    ``run_jobs``: also run the jobs, not only take them in. ``public``: it listens on more than this machine.
    ``administers``: whoever asks is the administrator (a command on the database's own machine).
    Raises BackendError for a token that can be guessed.
    """
    use = given or settings()
    if use.token:
        check_token(use.token)
    check_admin_token(use)
    backend = Backend(use, run_jobs=run_jobs, public=public)
    readiness = Readiness(backend)
    metrics = Metrics(backend, readiness)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await anyio.to_thread.run_sync(backend.start)
        try:
            yield
        finally:
            await anyio.to_thread.run_sync(backend.close)

    app = FastAPI(
        title="MIVSPool",
        version=__version__,
        description=_ABOUT,
        license_info={"name": "MIT", "identifier": "MIT"},
        openapi_url=DOCUMENT,
        docs_url=None,  # its page would load scripts from elsewhere; ours is below
        redoc_url=None,
        lifespan=lifespan,
        middleware=[
            Middleware(Observe, metrics=metrics),
            Middleware(
                Guard,
                settings=use,
                public=public,
                administers=administers,
                on_wrong_token=metrics.wrong_tokens.inc,
            ),
        ],
        separate_input_output_schemas=False,
    )
    app.state.backend = backend
    problems.install(app)
    for part in (health, datasets, models, classify, jobs, visitor, admin):
        app.include_router(part.router, prefix=PREFIX)
    _document_problems(app)

    @app.get(ALIVE, include_in_schema=False)
    async def alive() -> PlainTextResponse:
        return PlainTextResponse("ok")

    @app.get(READY, include_in_schema=False)
    def ready() -> JSONResponse:
        found = readiness.ask()
        parts = {name: "ok" if why is None else scrub(why) for name, why in found.items()}
        good = not any(found.values())
        if found["device"] is None:
            parts["device"] = health.device_name(backend.settings.device)
        return JSONResponse({"ready": good, **parts}, status_code=200 if good else 503)

    @app.get(METRICS, include_in_schema=False)
    def measured(request: Request) -> Response:
        content, kind = metrics.written(request.headers.get("accept", ""))
        return Response(content, headers={"Content-Type": kind})

    @app.get(PEOPLE, include_in_schema=False)
    async def documentation() -> HTMLResponse:
        text = page(app.openapi(), token=bool(use.token))
        return HTMLResponse(text, headers={"Content-Security-Policy": _POLICY})

    return app


def _document_problems(app: FastAPI) -> None:
    """Put the problem document and the token into the OpenAPI document, which only names them so far."""
    make = app.openapi

    def openapi() -> dict[str, object]:
        document = make()
        parts = document.setdefault("components", {})
        template = "#/components/schemas/{model}"
        parts.setdefault("schemas", {}).update(bodies.schemas())
        parts["schemas"].setdefault("Problem", problems.Problem.model_json_schema(ref_template=template))
        for unused in ("HTTPValidationError", "ValidationError"):
            parts["schemas"].pop(unused, None)
        parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}, {}]
        return document

    app.openapi = openapi  # type: ignore[method-assign]
