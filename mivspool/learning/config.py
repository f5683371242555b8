"""What a training run is made of, and the identifier of its configuration."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from mivspool.errors import InputError
from mivspool.learning.network import BASELINES, NetworkConfig
from mivspool.pooling import METHODS, SCORES, method

# what distinguishes runs of one configuration
_RUN_ONLY = ("dataset", "repeat", "fold", "seed", "device", "threads")


@dataclass(frozen=True)
class RunConfig:
    """One training run; ``to_dict`` and ``from_dict`` go through JSON. Raises InputError for what cannot be.

    ``dataset``: a registered name, or the path of a folder or zip in TU layout. ``method``, ``score``, ``blocks``,
    ``hidden``, ``dropout``, ``use_weights``, ``use_diagonal``, ``options``: the network (NetworkConfig).
    ``features``: "auto", "labels", "attributes" or "degree". ``max_epochs``, ``patience``: training stops when the
    validation loss has not improved for ``patience`` epochs. ``fold`` of ``folds`` tests, the next one validates;
    None: nothing is held out for a test. ``repeat`` chooses the folds, ``seed`` (default: from repeat and fold) all
    that is random in the run. ``device``: cpu, cuda, cuda:N or auto. ``threads``: of torch; None leaves them.
    """

    dataset: str
    method: str = "mivspool"
    score: str | None = "multiview"
    blocks: int = 3
    hidden: int = 128
    dropout: float = 0.5
    use_weights: bool = True
    use_diagonal: bool = False
    lr: float = 1e-3
    weight_decay: float = 1e-4
    batch_size: int = 512
    features: str = "auto"
    max_epochs: int = 1000
    patience: int = 100
    folds: int = 10
    fold: int | None = 0
    repeat: int = 0
    seed: int | None = None
    device: str = "cpu"
    threads: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.method not in BASELINES:
            method(self.method)
        if self.method not in METHODS or not METHODS[self.method].takes_score:
            object.__setattr__(self, "score", None)
        elif self.score not in SCORES:
            raise InputError(f"there is no score {self.score!r}; there are: {', '.join(SCORES)}")
        for name in ("blocks", "hidden", "batch_size", "max_epochs", "patience"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, it is {getattr(self, name)}")
        if not 0 < self.lr < 10:
            raise InputError(f"lr must be above 0 and below 10, it is {self.lr}")
        if not 0 <= self.weight_decay < 10:
            raise InputError(f"weight_decay must be at least 0 and below 10, it is {self.weight_decay}")
        if self.repeat < 0:
            raise InputError(f"repeat must be at least 0, it is {self.repeat}")

    @property
    def run_seed(self) -> int:
        """The seed in use: the same for every method on the same fold of the same repeat."""
        return self.seed if self.seed is not None else 1000 * self.repeat + (self.fold or 0)

    @property
    def config_id(self) -> str:
        """12 hexadecimal digits: equal for runs that differ in data, fold, repeat, seed, device and threads alone."""
        data = {key: value for key, value in self.to_dict().items() if key not in _RUN_ONLY}
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:12]

    def network(self, in_channels: int, num_classes: int) -> NetworkConfig:
        """The network of this run."""
        return NetworkConfig(
            in_channels=in_channels,
            num_classes=num_classes,
            method=self.method,
            score=self.score,
            blocks=self.blocks,
            hidden=self.hidden,
            dropout=self.dropout,
            use_weights=self.use_weights,
            use_diagonal=self.use_diagonal,
            seed=self.run_seed,
            options=self.options,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self) | {"options": dict(self.options)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RunConfig:
        """What ``to_dict`` wrote, or the part of it that differs from the defaults."""
        unknown = sorted(set(data) - {f.name for f in fields(cls)})
        if unknown:
            raise InputError(f"a run has no setting {', '.join(map(repr, unknown))}")
        if "dataset" not in data:
            raise InputError("a run needs a data set")
        return cls(**data)
