"""How much memory is free, so that a method with dense matrices says no before it allocates them."""

from __future__ import annotations

import os
from pathlib import Path

import torch

from mivspool.errors import InputError

_UNKNOWN = 4 * 2**30


def demand(needed: float, device: torch.device, method: str, what: str, advice: str) -> None:
    """Raise InputError where ``needed`` bytes are more than what is free on ``device``.

    The message: ``method`` needs so much for ``what``, so much is free: ``advice``.
    """
    free = available(device)
    if needed > free:
        raise InputError(
            f"{method} needs about {size(needed)} for {what}, and {size(free)} are free: {advice}"
        )


def available(device: torch.device) -> int:
    """Free bytes on the device: of the GPU, or of this machine within its container's limit."""
    found = of_gpu(device)
    if found is None:
        return min(_of_machine(), _of_container())
    return found[0] + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)


def of_gpu(device: torch.device) -> tuple[int, int] | None:
    """Bytes of a GPU that no process has taken, and all that it has; None for a processor."""
    if device.type != "cuda":
        return None
    free, total = torch.cuda.mem_get_info(device)
    return int(free), int(total)


def size(number: float) -> str:
    """Bytes for a person: "3.2 GB"."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:,.1f} GB"


def _of_machine() -> int:
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", {}):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return _UNKNOWN


def _of_container() -> int:
    limit, used = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")
    if limit.exists() and used.exists() and limit.read_text().strip() != "max":
        return max(int(limit.read_text()) - int(used.read_text()), 0)
    return 2**62
