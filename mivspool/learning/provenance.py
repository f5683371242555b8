"""Which code made a run: the commit, whether the tree was changed, and a digest of the numbers the code makes."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from dataclasses import replace
from functools import lru_cache

import torch

from mivspool.errors import InputError
from mivspool.graphs import load_dataset
from mivspool.learning.runs import RunConfig, settings_of
from mivspool.learning.runs.config import NetworkSettings
from mivspool.learning.training import train
from mivspool.places import checkout

_PROBE = RunConfig("MAO", blocks=2, hidden=16, batch_size=32, max_epochs=3, fold=0, device="cpu", threads=1)
# what a probe takes of a run: its kind of network, not its size
_SIZES = ("blocks", "hidden", "dropout")


_digests: dict[str, str] = {}


def numbers(config: RunConfig) -> str:
    """A digest of the numbers that this code makes of a run's method and network: 12 hexadecimal digits.

    It is that of the weights after three epochs of one small run on MAO, computed once per process and kind of network:
    it changes where the numbers do, and not where code moves. Another kind of processor gives another.
    """
    kept = {name: getattr(config, name) for name in settings_of(NetworkSettings) if name not in _SIZES}
    probe = replace(_PROBE, **kept)
    if probe.config_id not in _digests:
        network = train(probe, dataset=load_dataset(probe.dataset)).network
        digest = hashlib.sha256()
        for name, value in sorted(network.state_dict().items()):
            digest.update(name.encode() + value.numpy().tobytes())
        _digests[probe.config_id] = digest.hexdigest()[:12]
    return _digests[probe.config_id]


def processor() -> str:
    """The kind of processor, as far as it decides the last bits of a sum: "x86_64 AVX512"."""
    return f"{platform.machine()} {torch.backends.cpu.get_cpu_capability()}"


def changed_files() -> list[str]:
    """The files of the checkout that differ from its commit; empty where no commit is known.

    Files under ``results/`` do not count, and of files that git does not know those of the package alone.
    """
    status = _git("status", "--porcelain", "--untracked-files=all", "--no-renames") or ""
    found = [(line[:2], line[3:].strip('"')) for line in status.splitlines()]
    return [
        path
        for state, path in found
        if not path.startswith("results/") and (state != "??" or path.startswith("mivspool/"))
    ]


def require_clean() -> None:
    """Raise InputError where the tree is changed: a line would name a commit that did not make it."""
    changed = changed_files()
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise InputError(
            f"the code differs from its commit ({changed[0]}{more}), so nobody could repeat these runs: commit first, "
            "or add --allow-dirty"
        )


@lru_cache(maxsize=1)
def commit() -> str | None:
    """The commit of a checkout, with a + where files have been changed since; None of an installed copy."""
    head = _git("rev-parse", "--short=12", "HEAD")
    return head and head.strip() + ("+" if changed_files() else "")


def _git(*words: str) -> str | None:
    """What git says of the checkout; None for an installed copy, and where there is no git or no repository."""
    root = checkout()
    if root is None:  # a repository it was installed in is another's
        return None
    command = ["git", "-C", str(root), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout
