"""The classifier of the paper: K blocks of GCN, ReLU and pooling, a readout after each, an MLP on their sum.

Two networks more than the paper has: ``none`` (no pooling) and ``structure-blind`` (the MLP on each graph's summed
features), so that a reader sees what the pooling and the edges bring.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from torch import Tensor, nn

from mivspool.arrays.segments import readout, spread
from mivspool.errors import InputError
from mivspool.learning.batches import Batch
from mivspool.learning.convolution import GCN
from mivspool.pooling import METHODS, SCORES, MIVSPool, Pooled, method
from mivspool.sparse import Adjacency

BASELINES = {"none": "no pooling", "structure-blind": "structure-blind"}
"""The networks that are no pooling method, with their titles."""


def architectures() -> dict[str, str]:
    """Everything a classifier can be built with: name → title."""
    return {name: entry.title for name, entry in METHODS.items()} | BASELINES


@dataclass(frozen=True)
class NetworkConfig:
    """What a classifier is built from; ``to_dict`` and ``from_dict`` go through JSON.

    ``method``: a name of ``METHODS``, "none" or "structure-blind". ``score``: for the methods that take one.
    ``use_weights``, ``use_diagonal``: whether the GCN of the next block sees the weights and the diagonal of A'.
    ``options``: keyword arguments of the pooling method. ``seed``: for scores that are drawn.
    """

    in_channels: int
    num_classes: int
    method: str = "mivspool"
    score: str | None = "multiview"
    blocks: int = 3
    hidden: int = 128
    dropout: float = 0.5
    use_weights: bool = True
    use_diagonal: bool = False
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.method not in BASELINES:
            method(self.method)
        if self.method in METHODS and METHODS[self.method].takes_score:
            if self.score not in SCORES:
                raise InputError(f"there is no score {self.score!r}; there are: {', '.join(SCORES)}")
        else:
            object.__setattr__(self, "score", None)
        for name in ("in_channels", "num_classes", "blocks", "hidden"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, it is {getattr(self, name)}")
        if not 0 <= self.dropout < 1:
            raise InputError(f"dropout must be at least 0 and below 1, it is {self.dropout}")

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self) | {"options": dict(self.options)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> NetworkConfig:
        """What ``to_dict`` wrote; raises InputError for a key that is not known or missing."""
        unknown = sorted(set(data) - {f.name for f in fields(cls)})
        missing = sorted({"in_channels", "num_classes"} - set(data))
        if unknown or missing:
            raise InputError(f"a network cannot be built: unknown {unknown}, missing {missing}")
        return cls(**data)


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
