"""The administrator's way to the backend, for the page and the command line: ``Client.administration(token)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import httpx
from pydantic import TypeAdapter

from mivspool.service.jobs_schemas import AdminJob
from mivspool.service.schemas import VisitorDocument
from mivspool.service.transport import path_part

_PAGE = 1000  # jobs that are asked for at once
_jobs = TypeAdapter(list[AdminJob])
_visitors = TypeAdapter(list[VisitorDocument])


class Administration:
    """``send`` sends a request with a token. Every method raises BackendError where it is not the administrator's."""

    def __init__(self, send: Callable[..., httpx.Response]) -> None:
        self._send = send

    def jobs(self, *, states: Sequence[str] = (), limit: int = 100, offset: int = 0) -> list[AdminJob]:
        """The jobs of all visitors, the newest first: at most 1000 of them."""
        params = {"state": list(states), "limit": limit, "offset": offset}
        return _jobs.validate_json(self._send("GET", "/admin/jobs", params=params).content)

    def all_jobs(self, *, states: Sequence[str] = ()) -> list[AdminJob]:
        """All of them, however many there are."""
        found: dict[str, AdminJob] = {}  # a job that comes meanwhile moves the others on
        offset = 0
        while some := self.jobs(states=states, limit=_PAGE, offset=offset):
            found |= {job.id: job for job in some}
            offset += len(some)
        return list(found.values())

    def cancel(self, job: str) -> AdminJob:
        """End any job. Raises JobError."""
        return AdminJob.model_validate_json(
            self._send("POST", f"/admin/jobs/{path_part(job)}/cancel").content
        )

    def delete_job(self, job: str) -> None:
        """Forget any job that is not running. Raises JobError."""
        self._send("DELETE", f"/admin/jobs/{path_part(job)}")

    def visitors(self) -> list[VisitorDocument]:
        """Everybody of whom something is kept, whoever keeps most first."""
        return _visitors.validate_json(self._send("GET", "/admin/visitors").content)

    def forget(self, visitor: str) -> None:
        """Delete all that is kept of a visitor."""
        self._send("DELETE", f"/admin/visitors/{path_part(visitor)}")

    def set_quota(
        self, visitor: str, waiting_jobs: int | None = None, bytes: int | None = None
    ) -> VisitorDocument:
        """Decide what a visitor may keep; None: as the settings say."""
        body = {"waiting_jobs": waiting_jobs, "bytes": bytes}
        answer = self._send("PUT", f"/admin/visitors/{path_part(visitor)}/quota", json=body)
        return VisitorDocument.model_validate_json(answer.content)
