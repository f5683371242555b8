"""The GPU that jobs run on: how much of its memory is free, so that a job waits for some instead of failing."""

from __future__ import annotations

from mivspool.errors import InputError


def memory_of(wanted: str) -> tuple[int, int] | None:
    """Free bytes and all bytes of the device that a setting names; None where it is no GPU, or there is none."""
    if wanted == "cpu":
        return None
    from mivspool.learning.training import pick_device
    from mivspool.pooling.parts.memory import of_gpu

    try:
        return of_gpu(pick_device(wanted))
    except InputError:  # a job says it
        return None


def begin_now(free: int, total: int, needed: int, beginning: int) -> bool:
    """Whether one more job may begin, beside ``beginning`` others that have not taken their memory yet.

    All are in bytes but ``beginning``. A GPU that never has as much as is ``needed`` takes one job at a time.
    """
    enough = min(needed, total * 3 // 4)
    return free - beginning * enough >= enough
