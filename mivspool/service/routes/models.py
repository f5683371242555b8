"""Models: which there are, what they are for, keeping what a job has learned."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from mivspool.errors import JobError
from mivspool.service.backend import Here, Owner, TrainingAllowed
from mivspool.service.bodies import SMALL, json_body, takes
from mivspool.service.jobs_schemas import ModelRecord
from mivspool.service.problems import Refusal
from mivspool.service.routes import problems
from mivspool.service.routes.jobs import visible
from mivspool.service.schemas import KeepModel, ModelCard, ModelDocument

router = APIRouter(prefix="/models", tags=["models"])

Name = Annotated[str, Path(max_length=64, examples=["mao-mivspool"])]


@router.get("", responses=problems())
def list_models(here: Here, owner: Owner) -> list[ModelDocument]:
    """Every model that this visitor may use."""
    return here.library.all(owner)


@router.get("/{name}", responses=problems(404))
def one(here: Here, owner: Owner, name: Name) -> ModelCard:
    """A model's card: what it was trained on, the input it needs, how good it is, what it is not for."""
    return here.library.card(name, owner)


@router.get("/{name}/record", response_model=ModelRecord, responses=problems(404))
def record(here: Here, owner: Owner, name: Name) -> Response:
    """What the training of a released model did to one graph of each class, epoch by epoch."""
    return Response(here.library.record(name, owner), media_type="application/json")


@router.post(
    "",
    status_code=201,
    dependencies=[TrainingAllowed],
    responses=problems(404, 409, 413, 415),
    openapi_extra=takes(KeepModel, "KeepModel"),
)
def keep(
    here: Here, owner: Owner, request: Annotated[KeepModel, json_body(KeepModel, SMALL)]
) -> ModelDocument:
    """Keep what a finished training has learned; it can classify at once."""
    job = visible(here, owner, request.job)
    if job.kind != "train" or job.state != "done":
        raise JobError(f"the job {job.id} is not a finished training: only that produces a model")
    content = here.store.load(job.id, "model")
    if content is None:
        raise Refusal(404, JobError(f"the job {job.id} has no model: train it again"))
    return here.library.keep(job.id, content, request.name, owner, request.shared)


@router.delete("/{name}", status_code=204, responses=problems(404))
def delete(here: Here, owner: Owner, name: Name) -> None:
    """Delete a model that was kept from a job."""
    here.library.delete(name, owner)
