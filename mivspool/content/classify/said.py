"""What a model is, and how accurate, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from mivspool.content import shared
from mivspool.content.classify import words
from mivspool.graphs.classes import class_title
from mivspool.messages import fill


class About(Protocol):
    """What is said of a model: of the library's (``learning.models.ModelInfo``), and of the API's."""

    @property
    def name(self) -> str: ...  # noqa: D102 - as of ModelInfo
    @property
    def dataset(self) -> str | None: ...  # noqa: D102 - as of ModelInfo
    @property
    def method(self) -> str | None: ...  # noqa: D102 - as of ModelInfo
    @property
    def score(self) -> str | None: ...  # noqa: D102 - as of ModelInfo
    @property
    def network(self) -> str | None: ...  # noqa: D102 - as of ModelInfo
    @property
    def accuracy(self) -> float | None: ...  # noqa: D102 - as of ModelInfo
    @property
    def job(self) -> str | None: ...  # noqa: D102 - as of ModelInfo


class Measured(Protocol):
    """How accurate a model is (``learning.confidence.Assessment``), shares from 0 to 1."""

    @property
    def accuracy(self) -> float: ...  # noqa: D102 - as of Assessment
    @property
    def graphs(self) -> int: ...  # noqa: D102 - as of Assessment
    @property
    def low(self) -> float: ...  # noqa: D102 - as of Assessment
    @property
    def high(self) -> float: ...  # noqa: D102 - as of Assessment
    @property
    def majority(self) -> float: ...  # noqa: D102 - as of Assessment
    @property
    def majority_class(self) -> str: ...  # noqa: D102 - as of Assessment


def model_title(model: About) -> str:
    """What a menu calls a model."""
    if model.accuracy is None:
        return model.name
    return f"{model.name} · {fill(words.MODEL_RIGHT, accuracy=model.accuracy)}"


def model_about(model: About) -> str:
    """What a model was made of, and how accurate it is, in a line."""
    parts = [model.name]
    if model.dataset:
        parts.append(fill(words.MODEL_TRAINED, dataset=shared.dataset_title(model.dataset)))
    parts.append(shared.method_title(model.method or "") + (f", {model.score}" if model.score else ""))
    if model.network:
        parts.append(model.network)
    if model.accuracy is not None:
        parts.append(fill(words.MODEL_ACCURACY, accuracy=model.accuracy))
    return " · ".join(parts) + (f" · {words.MODEL_KEPT}" if model.job else "")


def assessed(found: Measured | None, names: Mapping[str, str]) -> str:
    """How accurate a model is, and beside what; ``names``: of its classes by label, where they have some."""
    if found is None:
        return words.UNASSESSED
    return fill(
        words.ASSESSED,
        accuracy=100 * found.accuracy,
        graphs=found.graphs,
        low=100 * found.low,
        high=100 * found.high,
        larger=class_title(found.majority_class, names),
        majority=100 * found.majority,
    )


def layer_rows(layers: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The layers of a network (``Layer.to_dict``) as rows of text, their heads first."""
    rows = [
        (
            words.LAYER_KINDS.get(layer["kind"], layer["kind"]),
            layer["name"],
            "–" if layer["level"] is None else layer["level"],
            f"{layer['inputs']} → {layer['outputs']}",
            layer["shape"],
        )
        for layer in layers
    ]
    return [[str(cell) for cell in row] for row in (words.LAYER_COLUMNS, *rows)]
