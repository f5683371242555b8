"""Training and evaluation: submit a job, watch it, end it, go on with it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from typing import Annotated

import anyio
import anyio.to_thread
from fastapi import APIRouter, Depends, Header, Path, Query
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent

from mivspool.errors import AccessError, DatasetError, InputError, JobError
from mivspool.graphs.datasets import find_dataset
from mivspool.service import recorded
from mivspool.service.backend import Address, Backend, Here, Owner, TrainingAllowed
from mivspool.service.bodies import SMALL, json_body, takes
from mivspool.service.confusion import confusion
from mivspool.service.jobs_schemas import (
    Confusion,
    EventDocument,
    Events,
    JobDocument,
    JobRequest,
    Kind,
    Progress,
    RecordDocument,
    check_run,
)
from mivspool.service.problems import Refusal
from mivspool.service.routes import problems
from mivspool.service.scrub import scrub, scrub_all
from mivspool.service.states import QUEUED, RESUMABLE, UNFINISHED, State
from mivspool.service.store import Event, Job
from mivspool.service.uploads import PREFIX

log = logging.getLogger(__name__)

router = APIRouter(prefix="/jobs", tags=["jobs"])

Id = Annotated[str, Path(pattern=r"^[0-9a-z]{1,32}$", examples=["b5e1c6a2d0f34a7e"])]
After = Annotated[int, Query(ge=0, le=2**31 - 1, description="only events with a higher number")]
_POLL_SECONDS = 0.5  # seconds between two queries for new events of a stream


def visible(here: Here, owner: Owner, job: Id) -> Job:
    """The job, if this visitor may see it."""
    found = here.store.get(job)
    if found is None or not (found.owner == owner or found.shared):
        raise Refusal(404, JobError(f"there is no job {job!r}"))
    return found


def own(here: Here, owner: Owner, job: Id) -> Job:
    """The job, if this visitor may change it."""
    found = visible(here, owner, job)
    if found.owner != owner:
        raise Refusal(403, AccessError("this job belongs to another visitor"))
    return found


Visible = Annotated[Job, Depends(visible)]
Own = Annotated[Job, Depends(own)]


def document(here: Backend, job: Job, owner: str) -> JobDocument:
    """What is told of a job, with its place where it waits."""
    return documents(here, [job], owner)[0]


def documents(here: Backend, jobs: Sequence[Job], owner: str) -> list[JobDocument]:
    """The same of several."""
    places = here.store.places() if any(job.state == QUEUED for job in jobs) else {}
    expected = here.expected_starts(sorted(places, key=places.__getitem__)) if places else {}
    return [_document(job, owner, places.get(job.id), expected.get(job.id)) for job in jobs]


def _document(job: Job, owner: str, place: int | None, expected: float | None) -> JobDocument:
    return JobDocument(
        id=job.id, kind=job.kind, state=job.state, title=job.title, request=job.request,
        mine=job.owner == owner, shared=job.shared, created=job.created, started=job.started,
        finished=job.finished, attempt=job.attempt, cancelling=job.cancel and job.state in UNFINISHED,
        place=place, expected_start=None if place is None else expected,
        resumable=job.state in RESUMABLE, progress=Progress.model_validate(job.progress),
        last_event=job.last_event, result=job.result, error=scrub(job.error) if job.error else None,
    )  # fmt: skip


def event_document(event: Event) -> EventDocument:
    """What is told of an event."""
    return EventDocument(n=event.n, time=event.time, kind=event.kind, data=scrub_all(event.data))


@router.post(
    "",
    status_code=201,
    dependencies=[TrainingAllowed],
    responses=problems(404, 409, 413, 415),
    openapi_extra=takes(JobRequest, "JobRequest"),
)
def submit(
    here: Here,
    owner: Owner,
    address: Address,
    request: Annotated[JobRequest, json_body(JobRequest, SMALL)],
) -> JobDocument:
    """Queue a training or an evaluation; it runs when it is its turn."""
    check_run(request, here.settings.limits)
    _check_dataset(here, request.config().dataset, owner)
    job = here.store.submit(
        request.kind,
        request.model_dump(mode="json", exclude={"shared"}),
        title=request.title,
        owner=owner,
        address=address,
        shared=request.shared,
        progress=Progress(runs_total=request.total).model_dump(exclude_none=True),
    )
    log.info("job %s is queued: %s", job.id, job.title, extra={"job": job.id, "state": job.state})
    return document(here, job, owner)


@router.post("/prepare", status_code=204, dependencies=[TrainingAllowed], responses=problems())
def prepare(here: Here) -> None:
    """Say that a job is likely to come: a process makes ready, so that the next one begins within two seconds."""
    here.prepare()


@router.get("", responses=problems())
def list_jobs(
    here: Here,
    owner: Owner,
    state: Annotated[list[State], Query(default_factory=list, max_length=10)],
    kind: Annotated[list[Kind], Query(default_factory=list, max_length=10)],
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> list[JobDocument]:
    """The visitor's jobs and those shared with everyone, the newest first."""
    found = here.store.all(owner, states=state, kinds=kind, limit=limit, offset=offset)
    return documents(here, found, owner)


@router.get("/{job}", responses=problems(404))
def one(here: Here, owner: Owner, found: Visible) -> JobDocument:
    """One job with its place in the queue or its progress, and its result once it is done."""
    return document(here, found, owner)


@router.post("/{job}/cancel", responses=problems(404, 409))
def cancel(here: Here, owner: Owner, found: Own) -> JobDocument:
    """End a job: one that waits at once, one that runs within two seconds. It can be resumed."""
    return document(here, here.store.cancel(found.id), owner)


@router.post("/{job}/resume", dependencies=[TrainingAllowed], responses=problems(404, 409))
def resume(here: Here, owner: Owner, address: Address, found: Own) -> JobDocument:
    """Queue a job again that ended early; it goes on where its last checkpoint was written."""
    return document(here, here.store.resume(found.id, address), owner)


@router.delete("/{job}", status_code=204, responses=problems(404, 409))
def delete(here: Here, found: Own) -> None:
    """Forget a job that is not running, with its events, its log and its checkpoint. A kept model stays."""
    here.store.delete(found.id)


@router.get("/{job}/log", response_class=PlainTextResponse, responses=problems(404))
def read_log(here: Here, found: Visible) -> PlainTextResponse:
    """What the job has written, without the server's paths."""
    content = here.store.load(found.id, "log") or b""
    return PlainTextResponse(scrub(content.decode(errors="replace")))


@router.get("/{job}/runs", responses=problems(404))
def finished_runs(here: Here, found: Visible) -> list[dict[str, object]]:
    """The finished runs of a job, a line of `results/` each."""
    return [dict(line) for line in here.store.runs(found.id).values()]


@router.get("/{job}/confusion", responses=problems(404, 409))
def confusion_matrix(here: Here, found: Visible) -> Confusion:
    """The confusion matrix of the test graphs, summed over the runs that are done."""
    return confusion(here.store.runs(found.id), found)


@router.get("/{job}/events", responses=problems(404))
def read_events(
    here: Here, found: Visible, after: After = 0, limit: Annotated[int, Query(ge=1, le=10_000)] = 1000
) -> Events:
    """The events after a number. The state was read before them: when it is final, so is an empty list."""
    events = here.store.events(found.id, after, limit)
    return Events(
        events=[event_document(event) for event in events],
        last=events[-1].n if events else after,
        state=found.state,
    )


@router.get("/{job}/events/stream", response_class=EventSourceResponse, responses=problems(404))
async def stream_events(
    here: Here,
    found: Visible,
    after: After = 0,
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
) -> AsyncIterator[ServerSentEvent]:
    """The same as server-sent events, until the job has ended. A browser that reconnects misses nothing.

    When the backend is stopped, the last event is `stopping`; the job goes on when it is started again.
    """
    if last_event_id and last_event_id.isascii() and last_event_id.isdigit():
        after = max(after, min(int(last_event_id), 2**31 - 1))
    while True:
        job, events = await anyio.to_thread.run_sync(_poll, here, found.id, after)
        for event in events:
            after = event.n
            yield ServerSentEvent(data=event_document(event), event=event.kind, id=str(event.n))
        if job is None or (job.state not in UNFINISHED and job.last_event <= after):
            return
        if here.ending.is_set():
            yield ServerSentEvent(data={}, event="stopping", id=str(after))
            return
        if not events:
            await anyio.sleep(_POLL_SECONDS)


@router.get("/{job}/record", response_model=RecordDocument, responses=problems(404))
def read_record(
    here: Here,
    found: Visible,
    after: Annotated[
        int, Query(ge=-1, le=2**31 - 1, description="only later epochs; −1: from the untrained network")
    ] = -1,
) -> JSONResponse:
    """What the network of a training makes of the watched graphs, epoch by epoch: scores, survivors, probabilities.

    Each epoch holds what has changed since the one before it. The state was read before them.
    """
    return JSONResponse(recorded.load(here.store, found, after))


def _poll(here: Backend, job: str, after: int) -> tuple[Job | None, list[Event]]:
    found = here.store.get(job)
    return found, here.store.events(job, after)


def _check_dataset(here: Backend, name: str, owner: str) -> None:
    if name.startswith(PREFIX):
        classes = here.catalogue.find(name, owner).summary.get("classes")
        if classes is None:
            raise DatasetError(f"{name} cannot be trained on: upload a zip in the layout of the TU data sets")
        if classes < 2:
            raise DatasetError(f"{name} has one class: there is nothing to learn")
    elif find_dataset(name) is None:
        raise Refusal(404, InputError(f"there is no data set {name[:60]!r}"))
