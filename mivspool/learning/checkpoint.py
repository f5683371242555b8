"""A training run on disk: one safetensors file, with the state that is no tensor as JSON in its header."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from mivspool.errors import InputError
from mivspool.files import whole

_VERSION = 1


def save(path: Path, tensors: dict[str, Tensor], state: dict[str, Any]) -> None:
    """Written at once or not at all."""
    from safetensors.torch import save as to_bytes

    data = to_bytes(
        {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()},
        metadata={"mivspool": json.dumps({"version": _VERSION, **state})},
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path) as file:
        file.write(data)


def load(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
    """What ``save`` wrote, on the CPU; None where there is no file. Raises InputError for any other file."""
    from safetensors import SafetensorError, safe_open

    if not path.exists():
        return None
    try:
        with safe_open(str(path), framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            state = json.loads((file.metadata() or {})["mivspool"])
    except (SafetensorError, KeyError, ValueError, OSError) as error:
        raise InputError(f"{path.name} is not a checkpoint of a training run ({error}): delete it") from error
    if state.get("version") != _VERSION:
        raise InputError(f"{path.name} was written by another version of mivspool: delete it to start again")
    return tensors, state


def pack(network: nn.Module, best: dict[str, Tensor], optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Every tensor of a run under a flat name: weights, best weights, the optimiser's moments, random state."""
    tensors = {f"weight.{name}": value for name, value in network.state_dict().items()}
    tensors |= {f"best.{name}": value for name, value in best.items()}
    for index, moments in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{index}.{key}": torch.as_tensor(value) for key, value in moments.items()}
    tensors["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    return tensors


def unpack(
    tensors: dict[str, Tensor], network: nn.Module, optimiser: torch.optim.Optimizer
) -> dict[str, Tensor]:
    """Put ``pack``'s tensors back where they came from; returns the best weights."""
    network.load_state_dict(_part(tensors, "weight."))
    state = optimiser.state_dict()
    moments: dict[int, dict[str, Tensor]] = {}
    for name, value in _part(tensors, "optimiser.").items():
        index, key = name.split(".", 1)
        moments.setdefault(int(index), {})[key] = value
    optimiser.load_state_dict({**state, "state": moments})
    torch.set_rng_state(tensors["random.cpu"])
    if "random.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["random.cuda"])
    return _part(tensors, "best.")


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
