"""Scores as values: directions of unit length, a sigmoid that is never 0, and scores that are given."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from mivspool.errors import InputError

# a sigmoid may round to 0; a score may not
SMALLEST = 2.0**-20


def unit(weight: Tensor) -> Tensor:
    """p / ‖p‖, [C]; 0 where p is 0."""
    norm: Tensor = weight.norm()
    return weight / norm.clamp(min=torch.finfo(weight.dtype).eps)


def project(x: Tensor, weight: Tensor) -> Tensor:
    """X·p / ‖p‖, [N]; 0 where p is 0."""
    return x @ unit(weight)


def positive(logit: Tensor) -> Tensor:
    """sigmoid, kept away from 0; the logits' [N]."""
    return torch.sigmoid(logit).clamp(min=SMALLEST)


def check_given(score: Tensor, nodes: Sequence[str] | None = None) -> Tensor:
    """Scores by hand or from a file, [N]: each finite and positive, or an InputError that names the vertex."""
    wrong = torch.nonzero(~(score.isfinite() & (score > 0))).reshape(-1)
    if wrong.numel():
        vertex = int(wrong[0])
        name = repr(nodes[vertex]) if nodes is not None else vertex
        raise InputError(
            f"the score of vertex {name} is {score[vertex].item()}: a score must be finite and positive"
        )
    return score
