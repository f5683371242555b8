"""The API, one file per subject. A route declares its responses; the work is done elsewhere."""

from typing import Any

from mivspool.service.problems import MEDIA_TYPE

_REASONS = {
    400: "The backend does not understand the request",
    401: "The token is missing or wrong",
    403: "Not allowed here",
    404: "Not found",
    409: "The job cannot do that now",
    413: "Too large",
    415: "The content type is wrong",
    422: "Something in the request cannot be used",
    429: "Too many requests",
    500: "The backend failed",
    503: "Not now: the backend is busy, or its database does not answer",
    507: "No space is left on the backend's disk",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problem documents that a route may answer with, beside those that any may."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": _REASONS[status], "content": content}
        for status in sorted({400, 401, 403, 422, 429, 500, 503, 507, *statuses})
    }
