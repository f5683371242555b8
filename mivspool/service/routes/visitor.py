"""What is kept of the visitor who asks, and its deletion."""

from __future__ import annotations

from fastapi import APIRouter

from mivspool.errors import AccessError
from mivspool.service.backend import Here, Owner
from mivspool.service.guard import EVERYONE
from mivspool.service.problems import Refusal
from mivspool.service.routes import problems
from mivspool.service.schemas import Kept
from mivspool.service.visitors import use_of

router = APIRouter(prefix="/visitor", tags=["visitor"])


def check_separate(owner: str) -> None:
    """Refuse where visitors are not told apart."""
    if owner == EVERYONE:
        detail = "this backend does not separate visitors: everything belongs to everyone (MIVSPOOL_SEPARATE_VISITORS)"
        raise Refusal(403, AccessError(detail))


@router.get("", responses=problems())
def kept(here: Here, owner: Owner) -> Kept:
    """What this backend keeps of this visitor, and for how long."""
    check_separate(owner)
    with here.store.database.read() as db:
        use = use_of(db, owner)
    return Kept(
        jobs=use.jobs,
        uploads=use.uploads,
        upload_bytes=use.upload_bytes,
        models=use.models,
        keep_jobs_days=here.settings.keep_jobs_days,
        keep_uploads_days=here.settings.keep_uploads_days,
    )


@router.delete("", status_code=204, responses=problems())
def forget(here: Here, owner: Owner) -> None:
    """Delete all of it at once: jobs, also those that run, uploads and kept models, also shared ones."""
    check_separate(owner)
    here.forget(owner)
