"""The states of a job."""

from __future__ import annotations

from typing import Literal, get_args

State = Literal["queued", "running", "done", "failed", "cancelled", "interrupted"]
STATES: tuple[State, ...] = get_args(State)

QUEUED, RUNNING, DONE = "queued", "running", "done"
FAILED, CANCELLED, INTERRUPTED = "failed", "cancelled", "interrupted"
UNFINISHED = (QUEUED, RUNNING)
RESUMABLE = (FAILED, CANCELLED, INTERRUPTED)
