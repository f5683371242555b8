"""The classifier of the paper: K blocks of GCN, ReLU and pooling, a readout after each, an MLP on their sum.

Two networks more than the paper has: ``none`` (no pooling) and ``structure-blind`` (the MLP on each graph's summed
features), so that a reader sees what the pooling and the edges bring.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from mivspool.arrays.segments import readout, spread
from mivspool.learning.batches import Batch
from mivspool.learning.convolution import GCN
from mivspool.learning.runs import BASELINES, NetworkConfig, architectures
from mivspool.pooling import MIVSPool, Pooled, method
from mivspool.sparse import Adjacency

__all__ = ["BASELINES", "Classifier", "Forward", "NetworkConfig", "architectures"]


@dataclass(eq=False)
class Forward:
    """All that one pass computed: ``logits`` [B, classes] and every pooled level, from the first block to the last.

    ``inputs[k]`` is the adjacency that block k worked on, ``features[k]`` [N, hidden] what its pooling was given (with
    ``kind``, ``features[0]`` are rows [U, hidden]);
    ``auxiliary_loss`` the sum of the methods' own losses.
    """

    logits: Tensor
    levels: list[Pooled]
    inputs: list[Adjacency]
    features: list[Tensor]
    auxiliary_loss: Tensor | None


class Classifier(nn.Module):
    """Graphs in, logits out. ``config``: what it is built from."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        blind = config.method == "structure-blind"
        widths = [] if blind else [config.in_channels] + [config.hidden] * (config.blocks - 1)
        self.convolutions = nn.ModuleList(GCN(width, config.hidden) for width in widths)
        self.poolings = nn.ModuleList(self._pooling(level) for level in range(len(widths)))
        first = config.in_channels if blind else 2 * config.hidden
        self.mlp = nn.Sequential(
            nn.Linear(first, 128), nn.ReLU(), nn.Dropout(config.dropout),
            nn.Linear(128, 64), nn.ReLU(),
            nn.Linear(64, config.num_classes),
        )  # fmt: skip

    def _pooling(self, level: int) -> nn.Module:
        config = self.config
        if config.method in BASELINES:
            return nn.Identity()
        entry = method(config.method)
        options = dict(config.options)
        if entry.takes_score:
            options["score"] = config.score
        options |= {name: {"seed": config.seed, "level": level}[name] for name in entry.takes}
        return entry.make(config.hidden, **options)

    def forward(
        self,
        x: Tensor,
        adjacency: Adjacency,
        batch: Tensor,
        batch_size: int,
        propagated: Tensor | None = None,
    ) -> Tensor:
        """Logits [B, classes] of x [N, in_channels]; ``batch`` int64 [N] sorted.

        ``propagated``: D^(-1/2) (A + I) D^(-1/2) x, where it is known already.
        """
        return self.detailed(x, adjacency, batch, batch_size, propagated).logits

    def of_batch(self, batch: Batch) -> Forward:
        """One pass over a batch of a data set; its features are fetched only where they are looked at."""
        graphs = batch.adjacency, batch.batch, batch.batch_size
        if not self.convolutions:
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
        if not self.convolutions:
            summed = x.new_zeros(batch_size, x.size(1)).index_add(0, batch, x)
            return Forward(self.mlp(summed), levels, inputs, features, None)
        total: Tensor | None = None
        loss: Tensor | None = None
        weighted = False  # whether the pooling before this block wants its weights and diagonal used
        for convolution, pooling in zip(self.convolutions, self.poolings, strict=True):
            inputs.append(adjacency)
            if propagated is not None:
                x = convolution(propagated, None)
                propagated = None
                if kind is not None and not isinstance(pooling, MIVSPool):
                    x, kind = spread(x, kind), None
            else:
                matrix = adjacency.normalised(
                    use_weights=self.config.use_weights or weighted,
                    use_diagonal=self.config.use_diagonal or weighted,
                    dtype=x.dtype,
                )
                x = convolution(x, matrix)
            features.append(x)
            if not isinstance(pooling, nn.Identity):
                pooled: Pooled
                if kind is None:
                    pooled = pooling.pool(x, adjacency, batch, batch_size)  # type: ignore[operator]
                else:
                    pooled = pooling.pool_rows(x, kind, adjacency, batch, batch_size)  # type: ignore[operator]
                    kind = None
                levels.append(pooled)
                x, adjacency, batch = pooled.x, pooled.adjacency, pooled.batch
                weighted = bool(pooling.weighted)
                if pooled.auxiliary_loss is not None:
                    loss = pooled.auxiliary_loss if loss is None else loss + pooled.auxiliary_loss
            seen = readout(x, batch, batch_size)
            total = seen if total is None else total + seen
        assert total is not None
        return Forward(self.mlp(total), levels, inputs, features, loss)
