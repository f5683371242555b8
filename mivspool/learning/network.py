"""The classifier: the layers of a description (``layers.py``) as modules, and the pass of a batch through them.

The description "paper" is the paper's network: K blocks of GCN, ReLU and pooling, a readout after each, an MLP on their
sum. Two methods more than the paper has: ``none`` (no pooling) and ``structure-blind`` (no edges either), so that a
reader sees what the pooling and the edges bring.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from mivspool.arrays.segments import readout, spread
from mivspool.learning.batches import Batch
from mivspool.learning.convolution import GCN, GIN
from mivspool.learning.layers import Layer, describe
from mivspool.learning.normalisation import Normalisation
from mivspool.learning.runs import BASELINES, NetworkConfig, architectures
from mivspool.pooling import MIVSPool, Pooled, method
from mivspool.sparse import Adjacency, Propagation

__all__ = ["BASELINES", "Classifier", "Forward", "NetworkConfig", "architectures"]

_CONVOLUTIONS: dict[str, type[nn.Module]] = {"gcn": GCN, "gin": GIN}


@dataclass(eq=False)
class Forward:
    """All that one pass computed: ``logits`` [B, classes] and every pooled level, from the first block to the last.

    ``inputs[k]`` is the adjacency that pooling k was given, ``features[k]`` [N, hidden] the features (with ``kind``,
    ``features[0]`` are rows [U, hidden]);
    ``auxiliary_loss`` the sum of the methods' own losses.
    """

    logits: Tensor
    levels: list[Pooled]
    inputs: list[Adjacency]
    features: list[Tensor]
    auxiliary_loss: Tensor | None


class Classifier(nn.Module):
    """Graphs in, logits out. ``config``: what it is built from; ``layers``: its description."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config, self.layers = config, describe(config)
        # a released model's weights are found by these names, and drawn in this order
        self.convolutions = nn.ModuleList(
            _CONVOLUTIONS[layer.name](layer.inputs, layer.outputs) for layer in self._of("convolution")
        )
        self.poolings = nn.ModuleList(map(self._pooling, self._of("pooling")))
        self.mlp = _mlp(*self._of("mlp"))
        self.normalisations = nn.ModuleList(
            Normalisation(layer.inputs) for layer in self._of("normalisation")
        )

    def _of(self, kind: str) -> list[Layer]:
        return [layer for layer in self.layers if layer.kind == kind]

    def _pooling(self, layer: Layer) -> nn.Module:
        entry = method(layer.name)
        options = {**self.config.options, **layer.options}
        options |= {name: {"seed": self.config.seed, "level": layer.level}[name] for name in entry.takes}
        return entry.make(layer.inputs, **options)

    def forward(
        self,
        x: Tensor,
        adjacency: Adjacency,
        batch: Tensor,
        batch_size: int,
        propagated: Tensor | None = None,
    ) -> Tensor:
        """Logits [B, classes] of x [N, in_channels]; ``batch`` int64 [N] sorted.

        ``propagated``: D^(-1/2) (A + I) D^(-1/2) x, where it is known already; a GCN that comes first uses it.
        """
        return self.detailed(x, adjacency, batch, batch_size, propagated).logits

    def of_batch(self, batch: Batch) -> Forward:
        """One pass over a batch of a data set; its features are fetched only where they are looked at."""
        graphs = batch.adjacency, batch.batch, batch.batch_size
        if not _propagates(self.layers[0]):
            return self.detailed(batch.x, *graphs)
        known = batch.propagated if batch.kind is None else batch.source.rows
        return self.detailed(known, *graphs, known, batch.kind)

    def detailed(
        self,
        x: Tensor,
        adjacency: Adjacency,
        batch: Tensor,
        batch_size: int,
        propagated: Tensor | None = None,
        kind: Tensor | None = None,
    ) -> Forward:
        """The same with every level; arguments as in :meth:`forward`.

        ``kind`` int64 [N]: vertex v has row ``kind[v]`` of ``propagated`` [U, in_channels] (``Resident``).
        """
        levels: list[Pooled] = []
        inputs: list[Adjacency] = []
        features: list[Tensor] = []
        read: list[Tensor] = []
        loss: Tensor | None = None
        weighted = False  # whether the pooling before this block wants its weights and diagonal used
        convolutions, poolings, normalisations = (
            iter(modules) for modules in (self.convolutions, self.poolings, self.normalisations)
        )
        if not _propagates(self.layers[0]):
            propagated = None
        for layer in self.layers:
            if layer.kind == "convolution":
                if propagated is not None:
                    x, propagated = next(convolutions)(propagated, None), None
                else:
                    x = next(convolutions)(x, self.matrix(layer, adjacency, weighted, x.dtype))
                continue
            if layer.kind == "pooling":
                pooling: Any = next(poolings)
                if kind is not None and not isinstance(pooling, MIVSPool):
                    x, kind = spread(x, kind), None
                inputs.append(adjacency)
                features.append(x)
                pooled: Pooled
                if kind is None:
                    pooled = pooling.pool(x, adjacency, batch, batch_size)
                else:
                    pooled = pooling.pool_rows(x, kind, adjacency, batch, batch_size)
                    kind = None
                levels.append(pooled)
                x, adjacency, batch = pooled.x, pooled.adjacency, pooled.batch
                weighted = bool(pooling.weighted)
                if pooled.auxiliary_loss is not None:
                    loss = pooled.auxiliary_loss if loss is None else loss + pooled.auxiliary_loss
                continue
            if kind is not None:
                x, kind = spread(x, kind), None
            if layer.kind == "normalisation":
                x = next(normalisations)(x)
            elif layer.kind == "readout":
                read.append(read_out(layer.options["of"], x, batch, batch_size))
            elif layer.kind == "join":
                x = joined(layer.name, read)
            else:
                x = self.mlp(x)
        return Forward(x, levels, inputs, features, loss)

    def matrix(
        self, layer: Layer, adjacency: Adjacency, weighted: bool, dtype: torch.dtype
    ) -> Propagation | None:
        """What a convolution multiplies the features by, [N, N]; None for the identity.

        ``weighted``: whether the pooling before it has weights and a diagonal that must be used.
        """
        if not layer.options["edges"]:
            return None
        make = adjacency.summing if layer.name == "gin" else adjacency.normalised
        return make(
            use_weights=self.config.use_weights or weighted,
            use_diagonal=self.config.use_diagonal or weighted,
            dtype=dtype,
        )


def _mlp(layer: Layer) -> nn.Sequential:
    first, second = layer.options["hidden"]
    return nn.Sequential(
        nn.Linear(layer.inputs, first), nn.ReLU(), nn.Dropout(layer.options["dropout"]),
        nn.Linear(first, second), nn.ReLU(),
        nn.Linear(second, layer.outputs),
    )  # fmt: skip


def _propagates(layer: Layer) -> bool:
    """Whether a layer begins with the product that ``Resident`` holds ready."""
    return layer.name == "gcn" and bool(layer.options["edges"])


def read_out(of: list[str], x: Tensor, batch: Tensor, batch_size: int) -> Tensor:
    """A readout of x [N, C] over each graph, [B, len(of) · C].

    The sum that stands beside mean and max is scaled, Σ x / √n: it tells the size of a graph without growing as fast.
    """
    if of == ["sum"]:
        return x.new_zeros(batch_size, x.size(1)).index_add(0, batch, x)
    out = readout(x, batch, batch_size)
    if "sum" not in of:
        return out
    root = torch.bincount(batch, minlength=batch_size).to(x.dtype).sqrt()
    return torch.cat([out, out[:, : x.size(1)] * root.unsqueeze(1)], dim=1)


def joined(name: str, read: list[Tensor]) -> Tensor:
    """The readouts of all levels, each [B, C], as one: their sum, or side by side."""
    if name == "concatenate":
        return torch.cat(read, dim=1)
    total = read[0]
    for one in read[1:]:
        total = total + one
    return total
