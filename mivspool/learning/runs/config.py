"""The settings of a run, each declared once, and the identifier of a configuration.

To add a setting, add a field with ``setting(default, label, help)``: to ``NetworkSettings`` where a saved model must
know it, else to ``RunConfig``. It is then an option of ``mivspool train`` and ``evaluate``, a field of the API, a
control of the Train page, a row of docs/settings.md, and part of the identifier of those configurations that use
another value than the default. So a default never changes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Self

from mivspool.errors import InputError
from mivspool.learning.layers import AUTO, CHOICES, NETWORKS
from mivspool.learning.runs.setting import API, COMMAND_LINE, setting, settings_of

BASELINES = {"none": "no pooling", "structure-blind": "structure-blind"}
"""The networks that are no pooling method, with their titles."""

MOST_WATCHED = 12
"""Graphs whose passes a run records, at most (``learning/record.py``)."""
MOST_WATCHED_VERTICES = 3_000
"""Vertices of all of these together."""


def _choice(name: str, label: str, help: str) -> Any:
    """A setting that is one of a network's choices (``layers.CHOICES``); auto: the network's own."""
    about = f"{help}; auto: the network's own."
    return setting(AUTO, label, about, choices=(AUTO, *CHOICES[name]), faces=(COMMAND_LINE, API))


def architectures() -> dict[str, str]:
    """Everything a classifier can be built with: name → title."""
    from mivspool.pooling import METHODS  # PyTorch: `mivspool train --help` does without

    return {name: entry.title for name, entry in METHODS.items()} | BASELINES


@dataclass(frozen=True, kw_only=True)
class NetworkSettings:
    """What a network is built from, whatever the data. Raises InputError for what cannot be."""

    method: str = setting(
        "mivspool", "Method",
        "Pooling between the convolutions; none (no pooling) and structure-blind are there for comparison.",
        first=True,
    )  # fmt: skip
    score: str | None = setting(
        "multiview", "Score", "What decides which vertices survive, in the methods that take a score.", first=True
    )  # fmt: skip
    blocks: int = setting(
        3, "Blocks (K)", "Number of blocks, each a convolution followed by a pooling.",
        at_least=1, at_most=10, grid=(3, 4, 5), first=True,
    )  # fmt: skip
    hidden: int = setting(
        128, "Channels", "Dimension of each vertex's representation.",
        at_least=1, at_most=1024, offered=(16, 32, 64, 128, 256), first=True,
    )  # fmt: skip
    dropout: float = setting(
        0.5, "Dropout", "Share of the values that are set to zero at random after the first layer of the MLP.",
        at_least=0, below=1, offered=(0.0, 0.25, 0.5, 0.75), first=True,
    )  # fmt: skip
    use_weights: bool = setting(
        True, "Edge weights of A′",
        "Whether the next convolution uses how many original edges each edge stands for.", first=True,
    )  # fmt: skip
    use_diagonal: bool = setting(
        False, "Diagonal of A′", "Whether the next convolution uses how many edges lie inside each cluster.",
        first=True,
    )  # fmt: skip
    options: Mapping[str, Any] = setting(
        {}, "Options", "Keyword arguments of the pooling method.", faces=(), first=True
    )  # fmt: skip
    network: str = setting("paper", "Network", "The layers around the pooling.", choices=tuple(NETWORKS))
    convolution: str = _choice("convolution", "Convolution", "Convolution of each block")
    normalisation: str = _choice(
        "normalisation", "Normalisation", "What follows each convolution, and the joined readouts"
    )
    reduction: str = _choice(
        "reduction", "Reduction", "How Eq. 12 reduces a cluster in MIVSPool, by mean or sum weighted by score"
    )
    readouts: str = _choice("readouts", "Readouts", "What each readout takes of the vertices of a graph")
    readout_at: str = _choice(
        "readout_at", "Levels read",
        "Where readouts are: after each pooling, also before the first, or after each convolution and one more",
    )  # fmt: skip
    join: str = _choice("join", "Joining", "How the readouts of the levels become one")

    def __post_init__(self) -> None:
        for name, one in settings_of(type(self)).items():
            object.__setattr__(self, name, one.convert(getattr(self, name)))
        object.__setattr__(self, "score", _score(self.method, self.score))
        own = NETWORKS[self.network].own
        for name in CHOICES:
            if getattr(self, name) == own[name] or self._without_effect(name):
                object.__setattr__(self, name, AUTO)  # one network has one description, and one identifier

    def _without_effect(self, name: str) -> bool:
        """Whether a choice changes nothing of this network."""
        if self.method == "structure-blind" and NETWORKS[self.network].blind_sums:
            return True
        return name == "reduction" and not self.reduces

    @property
    def is_paper(self) -> bool:
        """Whether the layers are the paper's."""
        return self.network == "paper" and all(getattr(self, name) == AUTO for name in CHOICES)

    @property
    def pools(self) -> bool:
        """Whether there is a pooling method."""
        return self.method not in BASELINES

    @property
    def reduces(self) -> bool:
        """Whether its pooling method takes a reduction."""
        from mivspool.pooling import METHODS  # PyTorch: see architectures

        return self.pools and METHODS[self.method].takes_reduction

    def to_dict(self) -> dict[str, Any]:
        """Plain data, every field."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """What ``to_dict`` wrote, or the part of it that differs from the defaults. Raises InputError."""
        unknown = sorted(set(data) - {f.name for f in fields(cls)})
        if unknown:
            raise InputError(f"there is no setting {', '.join(map(repr, unknown))}")
        missing = [
            f.name for f in fields(cls) if f.default is f.default_factory is MISSING and f.name not in data
        ]
        if missing:
            raise InputError(f"the setting {missing[0]} is missing")
        return cls(**data)


@dataclass(frozen=True)
class NetworkConfig(NetworkSettings):
    """What a classifier is built from: the settings of its network, the data's dimensions, and a seed.

    ``in_channels``, ``num_classes``: of features and classes. ``seed``: for scores that are drawn. Raises InputError
    for what cannot be.
    """

    in_channels: int
    num_classes: int
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("in_channels", "num_classes"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, it is {getattr(self, name)}")


@dataclass(frozen=True)
class RunConfig(NetworkSettings):
    """One training run; ``to_dict`` and ``from_dict`` go through JSON. Raises InputError for what cannot be.

    docs/settings.md lists the settings with their ranges and defaults. ``fold`` of ``folds`` tests, the next one
    validates; None: nothing is held out for a test.
    """

    dataset: str = setting(
        MISSING, "Data set",
        "A data set by name, or your own in the layout of the TU data sets (folder, zip or upload).",
        example="MAO", of_run=True,
    )  # fmt: skip
    lr: float = setting(
        1e-3, "Learning rate", "Step size of Adam.",
        above=0, below=10, offered=(1e-2, 1e-3, 1e-4, 1e-5), grid=(1e-3, 1e-4, 1e-5), first=True,
    )  # fmt: skip
    weight_decay: float = setting(
        1e-4, "Weight decay", "How strongly Adam shrinks the weights.",
        at_least=0, below=10, offered=(0.0, 1e-3, 1e-4, 1e-5), grid=(1e-3, 1e-4, 1e-5), first=True,
    )  # fmt: skip
    batch_size: int = setting(
        512, "Batch size", "Graphs per training step.",
        at_least=1, at_most=100_000, offered=(32, 64, 128, 256, 512, 1024), first=True,
    )  # fmt: skip
    max_epochs: int = setting(
        1000, "Max. epochs", "Passes over the training graphs, at most.",
        at_least=1, at_most=100_000, first=True,
    )  # fmt: skip
    patience: int = setting(
        100, "Patience", "Training stops after this many epochs without a lower validation loss.",
        at_least=1, at_most=100_000, first=True,
    )  # fmt: skip
    features: str = setting(
        "auto", "Vertex features", "What the network reads of each vertex; auto: labels and attributes, else degrees.",
        choices=("auto", "labels", "attributes", "degree"), first=True,
    )  # fmt: skip
    folds: int = setting(
        10, "Folds", "Number of folds that the graphs are split into.",
        at_least=2, option="num-folds", faces=(COMMAND_LINE,), first=True,
    )  # fmt: skip
    fold: int | None = setting(
        0, "Test fold", "The graphs of this fold are the test set; those of the next decide when to stop.",
        at_least=0, at_most=9, of_run=True,
    )  # fmt: skip
    repeat: int = setting(
        0, "Split seed", "Another number splits the graphs into other folds.",
        at_least=0, at_most=10_000, of_run=True,
    )  # fmt: skip
    seed: int | None = setting(
        None, "Seed", "Seed of all that is random in the run; by default 1000 × split seed + test fold.",
        at_least=0, at_most=2**31 - 1, faces=(COMMAND_LINE, API), of_run=True,
    )  # fmt: skip
    device: str = setting(
        "cpu", "Device", "cpu, cuda, cuda:N, or auto for a GPU where there is one.",
        faces=(COMMAND_LINE,), of_run=True,
    )  # fmt: skip
    threads: int | None = setting(
        None, "Threads", "Threads of PyTorch in each process.", at_least=1, faces=(COMMAND_LINE,), of_run=True
    )  # fmt: skip

    @property
    def run_seed(self) -> int:
        """The seed in use: the same for every method on the same fold of the same repeat."""
        return self.seed if self.seed is not None else 1000 * self.repeat + (self.fold or 0)

    def stated(self) -> dict[str, Any]:
        """The settings as a line of results states them: a later one only where it differs from its default."""
        return {
            name: getattr(self, name)
            for name, one in settings_of(type(self)).items()
            if one.first or one.of_run or getattr(self, name) != one.default
        }

    def changed(self, without: Collection[str] = ()) -> dict[str, Any]:
        """The settings of the configuration, but for method and score, that differ from the paper's reference."""
        return {
            name: getattr(self, name)
            for name, one in settings_of(type(self)).items()
            if not one.of_run
            and name not in {"method", "score", *without}
            and getattr(self, name) != one.default
        }

    @property
    def config_id(self) -> str:
        """12 hexadecimal digits: equal for runs that differ in data, fold, repeat, seed, device and threads alone.

        Made of the settings there were when the first runs were published, and of later ones where they differ from
        their default: a new setting leaves every identifier as it was.
        """
        data = {
            name: value for name, value in self.stated().items() if not settings_of(type(self))[name].of_run
        }
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:12]

    def architecture(self, in_channels: int, num_classes: int) -> NetworkConfig:
        """The network of this run."""
        own = {name: getattr(self, name) for name in settings_of(NetworkSettings)}
        return NetworkConfig(in_channels, num_classes, seed=self.run_seed, **own)


SETTINGS = settings_of(RunConfig)
"""Every setting of a run by name."""


def _score(method: str, score: str | None) -> str | None:
    """The score of a method that takes one, else None. Raises InputError for a method or score that there is not."""
    from mivspool.pooling import METHODS, SCORES  # PyTorch: see architectures
    from mivspool.pooling import method as pooling

    if method not in BASELINES:
        pooling(method)
    if method not in METHODS or not METHODS[method].takes_score:
        return None
    if score not in SCORES:
        raise InputError(f"there is no score {score!r}; there are: {', '.join(SCORES)}")
    return score
