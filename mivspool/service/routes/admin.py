"""Administration, with the administrator's token: all jobs and visitors, and what one visitor may keep."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request

from mivspool.errors import AccessError, JobError
from mivspool.service.backend import Backend, Here
from mivspool.service.bodies import SMALL, json_body, takes
from mivspool.service.guard import ADMIN, EVERYONE
from mivspool.service.jobs_schemas import AdminJob
from mivspool.service.problems import Refusal
from mivspool.service.quotas import Quota, set_quota
from mivspool.service.routes import problems
from mivspool.service.routes.jobs import Id, documents
from mivspool.service.schemas import QuotaDocument, VisitorDocument
from mivspool.service.states import State
from mivspool.service.store import Job
from mivspool.service.visitors import Use, all_use, use_of

log = logging.getLogger(__name__)

ENDED = "an administrator of this backend has ended it"
_EVERYONE = "everyone"  # the name of EVERYONE in paths


async def _administers(request: Request) -> None:
    if not request.state.admin:  # the guard has refused already
        raise Refusal(403, AccessError("this needs the administrator's token"))


router = APIRouter(prefix=ADMIN.removeprefix("/v1"), tags=["admin"], dependencies=[Depends(_administers)])

Visitor = Annotated[
    str,
    Path(
        pattern=r"^([0-9a-f]{32}|everyone)$",
        examples=["9b74c9897bac770ffc029102a200c5de"],
        description="a visitor as the list names them",
    ),
]


@router.get("/jobs", responses=problems())
def list_jobs(
    here: Here,
    state: Annotated[list[State], Query(default_factory=list, max_length=10)],
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> list[AdminJob]:
    """The jobs of all visitors, the newest first."""
    return _documents(here, here.store.all(states=state, limit=limit, offset=offset))


@router.post("/jobs/{job}/cancel", responses=problems(404, 409))
def cancel(here: Here, job: Id) -> AdminJob:
    """End any job. It is interrupted and says who ended it; its visitor can resume it."""
    _job(here, job)
    found = here.store.cancel(job, ENDED)
    log.info("an administrator ends job %s", job, extra={"job": job})
    return _documents(here, [found])[0]


@router.delete("/jobs/{job}", status_code=204, responses=problems(404, 409))
def delete(here: Here, job: Id) -> None:
    """Forget any job that is not running."""
    _job(here, job)
    here.store.delete(job)
    log.info("an administrator deletes job %s", job, extra={"job": job, "state": "deleted"})


@router.get("/visitors", responses=problems())
def list_visitors(here: Here) -> list[VisitorDocument]:
    """Everybody of whom something is kept or decided, whoever keeps most first."""
    with here.store.database.read() as db:
        return [_visitor(here, one) for one in all_use(db)]


@router.delete("/visitors/{visitor}", status_code=204, responses=problems())
def forget(here: Here, visitor: Visitor) -> None:
    """Delete all that is kept of a visitor at once: jobs, also those that run, uploads and kept models."""
    here.forget(_owner(visitor))
    log.info("an administrator deletes the data of a visitor")


@router.put(
    "/visitors/{visitor}/quota",
    responses=problems(413, 415),
    openapi_extra=takes(QuotaDocument, "QuotaDocument"),
)
def decide(
    here: Here, visitor: Visitor, given: Annotated[QuotaDocument, json_body(QuotaDocument, SMALL)]
) -> VisitorDocument:
    """Decide what one visitor may keep; what is left out is as the settings say."""
    owner = _owner(visitor)
    with here.store.database.write() as db:
        set_quota(db, owner, Quota(given.waiting_jobs, given.bytes))
        return _visitor(here, use_of(db, owner))


def _job(here: Backend, job: str) -> Job:
    found = here.store.get(job)
    if found is None:
        raise Refusal(404, JobError(f"there is no job {job!r}"))
    return found


def _documents(here: Backend, jobs: Sequence[Job]) -> list[AdminJob]:
    return [
        AdminJob(**document.model_dump(), visitor=job.owner or _EVERYONE, address=job.address)
        for job, document in zip(jobs, documents(here, jobs, ""), strict=True)
    ]


def _owner(visitor: str) -> str:
    return EVERYONE if visitor == _EVERYONE else visitor


def _visitor(here: Backend, use: Use) -> VisitorDocument:
    decided, settings = use.quota, here.settings
    return VisitorDocument(
        visitor=use.owner or _EVERYONE,
        jobs=use.jobs,
        unfinished_jobs=use.unfinished,
        uploads=use.uploads,
        models=use.models,
        bytes=use.bytes,
        most_waiting_jobs=settings.max_waiting_jobs if decided.waiting_jobs is None else decided.waiting_jobs,
        most_bytes=settings.visitor_bytes if decided.bytes is None else decided.bytes,
    )
