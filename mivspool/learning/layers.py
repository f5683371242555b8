"""A network as a list of layers: plain data, of which ``Classifier`` builds its modules and a page draws its picture.

A network is a file of ``networks/`` that says which choice it makes of each kind; a run may make another
(``NetworkSettings``), and :func:`describe` gives the layers of the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from mivspool.registry import Registry

if TYPE_CHECKING:
    from mivspool.learning.runs import NetworkConfig

AUTO = "auto"
CHOICES = {
    "convolution": ("gcn", "gin"),
    "normalisation": ("off", "batch"),
    "reduction": ("mean", "sum"),
    "readouts": ("mean-max", "mean-max-sum"),
    "readout_at": ("pooled", "first-and-pooled", "convolved"),
    "join": ("sum", "concatenate"),
}
"""What a network chooses, by the setting of that name."""
MLP = (128, 64)
"""The hidden layers of the MLP at the end."""

Kind = Literal["convolution", "normalisation", "pooling", "readout", "join", "mlp"]


@dataclass(frozen=True)
class Layer:
    """One layer: ``inputs`` → ``outputs`` columns.

    ``level``: how many poolings are before it, so that its rows are the vertices of that level; None: a row per
    graph. ``options``: what else distinguishes it, plain data.
    """

    kind: Kind
    name: str
    level: int | None
    inputs: int
    outputs: int
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def shape(self) -> str:
        """The shape of what it gives: N vertices, N₁ after one pooling, B graphs."""
        level = self.level
        if level is not None and self.kind == "pooling":
            level += 1
        if level is None or self.kind == "readout":
            rows = "B"
        else:
            rows = "N" + "".join(chr(0x2080 + int(digit)) for digit in str(level or ""))
        return f"{rows} × {self.outputs}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with the shape."""
        return asdict(self) | {"options": dict(self.options), "shape": self.shape}


@dataclass(frozen=True)
class Network:
    """A network; a module of ``networks/`` holds one as ``NETWORK``.

    ``name``: what the command line and the API call it; ``title`` and ``about`` (a sentence) are for people. ``own``:
    its choice of each of ``CHOICES``. ``blind_sums``: its structure-blind form is an MLP on the sum of the features;
    otherwise the same layers without edges and pooling.
    """

    name: str
    title: str
    about: str
    own: Mapping[str, str]
    blind_sums: bool = False
    place: int = 100


NETWORKS: Registry[Network] = Registry("mivspool.learning.networks", "NETWORK", "mivspool.networks")
"""Every network by name; another package adds one by an entry point of the group ``mivspool.networks``."""


def describe(config: NetworkConfig) -> tuple[Layer, ...]:
    """The layers of a network, from the features to the logits."""
    network = NETWORKS[config.network]
    choice = {
        name: own if getattr(config, name) == AUTO else getattr(config, name)
        for name, own in network.own.items()
    }
    blind = config.method == "structure-blind"
    if blind and network.blind_sums:
        summed = Layer("readout", "sum", 0, config.in_channels, config.in_channels, {"of": ["sum"]})
        joined = Layer("join", "sum", None, config.in_channels, config.in_channels, {"readouts": 1})
        return (summed, joined, _mlp(config, config.in_channels))
    normalised = choice["normalisation"] == "batch"
    readouts = choice["readouts"].split("-")
    layers: list[Layer] = []
    read: list[Layer] = []

    def convolve(level: int) -> None:
        inputs = config.hidden if layers else config.in_channels
        options = {"edges": not blind, "residual": choice["convolution"] == "gin" and inputs == config.hidden}
        layers.append(Layer("convolution", choice["convolution"], level, inputs, config.hidden, options))
        if normalised:
            layers.append(Layer("normalisation", "batch", level, config.hidden, config.hidden))

    def readout(level: int) -> None:
        name, width = " ‖ ".join(readouts), len(readouts) * config.hidden
        read.append(Layer("readout", name, level, config.hidden, width, {"of": readouts}))
        layers.append(read[-1])

    for block in range(config.blocks):
        level = block if config.pools else 0
        convolve(level)
        if choice["readout_at"] == "convolved" or (choice["readout_at"] == "first-and-pooled" and not block):
            readout(level)
        if config.pools:
            about = {"score": config.score} if config.score else {}
            if config.reduces:
                about["reduction"] = choice["reduction"]
            layers.append(Layer("pooling", config.method, level, config.hidden, config.hidden, about))
            level += 1
        if choice["readout_at"] != "convolved":
            readout(level)
    if choice["readout_at"] == "convolved":
        convolve(level)
        readout(level)
    width = read[0].outputs * (len(read) if choice["join"] == "concatenate" else 1)
    layers.append(Layer("join", choice["join"], None, read[0].outputs, width, {"readouts": len(read)}))
    if normalised:
        layers.append(Layer("normalisation", "batch", None, width, width))
    return (*layers, _mlp(config, width))


def _mlp(config: NetworkConfig, inputs: int) -> Layer:
    options = {"hidden": list(MLP), "dropout": config.dropout}
    return Layer("mlp", "mlp", None, inputs, config.num_classes, options)
