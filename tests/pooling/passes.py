"""Steps of training of one method, each checked: in ``make test`` a few, in ``make soak`` many."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mivspool.pooling import method
from tests.pooling.drawn import CHANNELS, awkward, features

PRECISIONS = (torch.float32, torch.float64, torch.bfloat16, "autocast")
ADJACENCY, BATCH, SIZE = awkward()
X = features(ADJACENCY.num_nodes, dtype=torch.float32)


def call(layer: Any, x: Tensor = X) -> Any:
    """A layer on graphs of every awkward kind."""
    return layer(x, ADJACENCY.edge_index, None, BATCH, SIZE)


def loss_of(pooled: Any) -> Tensor:
    """A number that all of a result enters."""
    total: Tensor = pooled.x.double().square().sum() + pooled.unpool().double().sum()
    return total if pooled.auxiliary_loss is None else total + pooled.auxiliary_loss.double()


def passes(name: str, precision: torch.dtype | str, count: int) -> None:
    """``count`` forward and backward passes of a method, each followed by a step of SGD.

    Raises AssertionError where a gradient or a weight is not finite, or the result has another type than x.
    """
    torch.manual_seed(3)
    autocast = precision == "autocast"
    kind = precision if isinstance(precision, torch.dtype) else torch.float32
    layer = method(name).make(CHANNELS, **({"clusters": 4} if name == "diffpool" else {})).to(kind)
    optimiser = torch.optim.SGD([*layer.parameters(), torch.nn.Parameter(torch.zeros(1))], lr=0.01)
    for _ in range(count):
        given = X.to(kind, copy=True).requires_grad_()
        with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
            pooled = call(layer, given)
        assert pooled.x.dtype == kind
        optimiser.zero_grad()
        loss_of(pooled).backward()
        assert given.grad is not None
        assert bool(given.grad.isfinite().all())
        torch.nn.utils.clip_grad_norm_(list(layer.parameters()), 1.0)
        optimiser.step()
    assert all(bool(p.isfinite().all()) for p in layer.parameters())
