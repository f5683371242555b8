"""What a model needs of a vertex, and what the graphs it learned from were like; JSON in and out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mivspool.errors import ModelError
from mivspool.graphs.labels import MOST_COLUMNS

QUANTILES = (0.0, 0.05, 0.5, 0.95, 1.0)
Quantiles = tuple[float, float, float, float, float]


@dataclass(frozen=True)
class Training:
    """The training graphs in figures: quantiles at 0, 5, 50, 95 and 100 per cent.

    ``label_share``: share of all training vertices with each label of the vocabulary.
    ``label_distance``: 99 of 100 training graphs differ from these shares by no more (total variation).
    """

    graphs: int
    vertices: Quantiles
    mean_degree: Quantiles
    label_share: tuple[float, ...] = ()
    label_distance: float = 1.0


@dataclass(frozen=True)
class InputSchema:
    """The columns of a model's input, in this order: labels one-hot, attributes standardised, degree one-hot.

    - ``node_labels``: the vocabulary, or None where the model needs no labels
    - ``attributes``: (name, mean, deviation) of each attribute, from the training graphs
    - ``max_degree``: degrees 0 … max_degree one-hot, the last meaning "that many or more"; or None
    - ``elements``: the labels are chemical elements by their symbols
    - ``dataset``: the data set it was made from
    """

    node_labels: tuple[str, ...] | None
    attributes: tuple[tuple[str, float, float], ...]
    max_degree: int | None
    training: Training
    elements: bool = False
    dataset: str = ""

    @property
    def num_features(self) -> int:
        """Columns of the input."""
        degree = 0 if self.max_degree is None else self.max_degree + 1
        return len(self.node_labels or ()) + len(self.attributes) + degree

    @property
    def reads_degrees_alone(self) -> bool:
        """Whether nothing but its edges says what a graph is."""
        return self.node_labels is None and not self.attributes

    def to_dict(self) -> dict[str, Any]:
        """Plain data for ``config.json``."""
        return {
            "node_labels": None if self.node_labels is None else list(self.node_labels),
            "attributes": [{"name": n, "mean": m, "std": s} for n, m, s in self.attributes],
            "max_degree": self.max_degree,
            "elements": self.elements,
            "dataset": self.dataset,
            "training": {
                "graphs": self.training.graphs,
                "vertices": list(self.training.vertices),
                "mean_degree": list(self.training.mean_degree),
                "label_share": list(self.training.label_share),
                "label_distance": self.training.label_distance,
            },
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> InputSchema:
        """The schema ``to_dict`` wrote. Raises ModelError where a part is missing or impossible."""
        try:
            training = data["training"]
            labels = data["node_labels"]
            degree = data["max_degree"]
            schema = cls(
                node_labels=None if labels is None else tuple(str(label) for label in labels),
                attributes=tuple(
                    (str(a["name"]), float(a["mean"]), float(a["std"])) for a in data["attributes"]
                ),
                max_degree=None if degree is None else int(degree),
                elements=bool(data.get("elements", False)),
                dataset=str(data.get("dataset", "")),
                training=Training(
                    graphs=int(training["graphs"]),
                    vertices=_quantiles(training["vertices"]),
                    mean_degree=_quantiles(training["mean_degree"]),
                    label_share=tuple(float(share) for share in training.get("label_share", ())),
                    label_distance=float(training.get("label_distance", 1.0)),
                ),
            )
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise ModelError(f"the model's input schema cannot be read ({error!r})") from error
        _check(schema)
        return schema


def _quantiles(values: Any) -> Quantiles:
    low, few, middle, many, high = (float(value) for value in values)
    return low, few, middle, many, high


def _check(schema: InputSchema) -> None:
    labels = schema.node_labels or ()
    if len(set(labels)) != len(labels):
        raise ModelError("the model's input schema names a vertex label twice")
    if not all(math.isfinite(m) and math.isfinite(s) and s > 0 for _, m, s in schema.attributes):
        raise ModelError("the model's input schema has a mean or deviation that is no number above zero")
    if len(labels) > MOST_COLUMNS:
        raise ModelError(
            f"the model's input schema has {len(labels):,} vertex labels, and there may be at most {MOST_COLUMNS}"
        )
    if schema.max_degree is not None and not 0 <= schema.max_degree < MOST_COLUMNS:
        raise ModelError(
            f"the model's input schema has the largest degree {schema.max_degree:,}, and a one-hot code has at most "
            f"{MOST_COLUMNS} columns"
        )
    if schema.num_features == 0:
        raise ModelError("the model's input schema asks for no labels, attributes or degrees")
    if schema.training.label_share and len(schema.training.label_share) != len(labels):
        raise ModelError("the model's input schema has another number of label shares than labels")
