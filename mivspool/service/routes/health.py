"""Whether the backend is there, and what it allows."""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter

from mivspool import __version__
from mivspool.errors import InputError
from mivspool.service.backend import Here
from mivspool.service.routes import problems
from mivspool.service.schemas import Health
from mivspool.service.states import QUEUED, RUNNING

router = APIRouter(tags=["health"])


@cache
def device_name(wanted: str) -> str:
    """The device that models run on, with a GPU's name."""
    import torch

    from mivspool.learning.training import pick_device

    try:
        device = pick_device(wanted)
    except InputError as error:
        return error.message
    return f"{device} ({torch.cuda.get_device_name(device)})" if device.type == "cuda" else str(device)


@router.get("/health", responses=problems())
def health(here: Here) -> Health:
    """What this backend is and what it allows."""
    settings = here.settings
    counts = here.store.counts()
    return Health(
        version=__version__,
        device=device_name(settings.device),
        executor=settings.executor,
        training=settings.allow_training,
        uploads=settings.allow_uploads,
        keep_uploads_days=settings.keep_uploads_days,
        separate_visitors=here.separate,
        max_upload_bytes=settings.limits.bytes,
        waiting_jobs=counts.get(QUEUED, 0),
        running_jobs=counts.get(RUNNING, 0),
    )
