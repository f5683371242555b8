"""The log of a server: lines for people, or one JSON document per event for what collects them.

What an event is about (``extra={"job": …, "state": …}``) stands in fields of their own, and the request within which it
happened in ``request``; both in the JSON form alone.
"""

from __future__ import annotations

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from starlette.types import Scope

PREFIX = "/v1"
"""The path under which all routes of the API lie."""

REQUESTS = "mivspool.requests"
"""The logger of requests: one line for each in the JSON form, none in the other."""

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that is being answered."""

_NO_ROUTE = "none"  # refused before it was looked for, or not there
_OF_EVERY_RECORD = {*logging.makeLogRecord({}).__dict__, "message", "asctime", "taskName"}


def route_of(scope: Scope) -> str:
    """A request's path as it is declared: there are few of them, and none names an upload or a visitor."""
    path = getattr(scope.get("route"), "path", None)
    if path is None:
        return _NO_ROUTE
    # a route of a router does not know the prefix under which the router was included
    within = scope["path"].startswith(f"{PREFIX}/") and not path.startswith(f"{PREFIX}/")
    return PREFIX + path if within else str(path)


class JsonLines(logging.Formatter):
    """One line per event, always with ``time`` (UTC), ``level``, ``logger`` and ``message``."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        request = request_id.get()
        if request is not None:
            line["request"] = request
        line |= {name: value for name, value in vars(record).items() if name not in _OF_EVERY_RECORD}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def configure(form: str) -> None:
    """Write this process's log to standard error, in the form of the setting ``log_format``: text or json."""
    handler = logging.StreamHandler()
    handler.setFormatter(
        JsonLines() if form == "json" else logging.Formatter("%(levelname)s %(name)s: %(message)s")
    )
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger(REQUESTS).setLevel(logging.INFO if form == "json" else logging.WARNING)
