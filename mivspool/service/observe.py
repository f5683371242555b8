"""Each request has an id, and leaves a line in the log, a count and a span, also where it is refused."""

from __future__ import annotations

import logging
import re
import secrets
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mivspool.service.guard import ALIVE, READY
from mivspool.service.logs import REQUESTS, request_id, route_of
from mivspool.service.metrics import Metrics
from mivspool.service.spans import request_span

log = logging.getLogger(REQUESTS)

HEADER = "X-Request-ID"
_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._=-]{0,127}")
METRICS = "/metrics"
_PROBES = {ALIVE, READY, METRICS}  # asked every few seconds: in the log where they fail


class Observe:
    """ASGI middleware, outside all others. The id, a proxy's where it is well-formed, goes back with the answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and take note of its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get(HEADER, "")
        identity = given if _WELL_FORMED.fullmatch(given) else secrets.token_hex(16)
        scope.setdefault("state", {})["request_id"] = identity
        before = request_id.set(identity)
        begin, status, seconds = time.perf_counter(), 500, None

        try:
            with request_span(scope["method"], headers) as span:

                def tell() -> None:
                    route = route_of(scope)
                    span.update_name(f"{scope['method']} {route}")
                    span.set_attribute("http.request.method", scope["method"])
                    span.set_attribute("http.route", route)
                    span.set_attribute("http.response.status_code", status)
                    span.set_attribute("mivspool.request", identity)

                async def noted(message: Message) -> None:
                    nonlocal status, seconds
                    if message["type"] == "http.response.start":
                        status, seconds = message["status"], time.perf_counter() - begin
                        MutableHeaders(scope=message)[HEADER] = identity
                        tell()  # now: a span of FastAPI's own ends with the answer
                    await send(message)

                try:
                    await self.app(scope, receive, noted)
                finally:
                    if seconds is None:
                        tell()
        finally:
            # without the beginning of an answer it has failed
            taken = time.perf_counter() - begin if seconds is None else seconds
            route = route_of(scope)
            self.metrics.request(scope["method"], route, status, taken)
            about = {"method": scope["method"], "path": route, "status": status}
            job = scope.get("path_params", {}).get("job")
            quiet = scope["path"] in _PROBES and status < 500
            log.log(
                logging.DEBUG if quiet else logging.INFO,
                "%s %s: %s",
                scope["method"],
                route,
                status,
                extra={**about, "seconds": round(taken, 4), **({"job": job} if job else {})},
            )
            request_id.reset(before)
