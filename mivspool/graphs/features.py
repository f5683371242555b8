"""From the vertices of a data set to a network's input; ``fit_graph`` does the same for any one graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import InputError
from mivspool.graphs.columns import fill
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.elements import ELEMENTS
from mivspool.graphs.fit import Candidate, Fit, fit_graph, label_candidates
from mivspool.graphs.labels import MOST_COLUMNS
from mivspool.graphs.schema import QUANTILES, InputSchema, Training

__all__ = ["KINDS", "Candidate", "Fit", "InputSchema", "dataset_features", "fit_graph", "label_candidates"]

KINDS = ("auto", "labels", "attributes", "degree")
_WIDEST_DEGREE = 200


def dataset_features(
    dataset: Dataset, train_index: Sequence[int] | NDArray[np.int64] | None = None, kind: str = "auto"
) -> tuple[NDArray[np.float32], InputSchema]:
    """Input of a whole data set, float32 [N, d], and the schema that makes the same of any other graph.

    ``train_index``: the graphs whose mean, deviation and largest degree are used (default: all).
    ``kind``: "labels" one-hot, "attributes" standardised, "degree" one-hot; "auto" takes the labels (where at
    most ``labels.MOST_COLUMNS`` differ) and attributes the data set has, and the degree where it has neither.
    Raises InputError for another ``kind``, for labels that are too many, and where there is no graph to train on.
    """
    if kind not in KINDS:
        raise InputError(f"there are no features {kind!r}: choose one of {', '.join(KINDS)}")
    chosen = np.arange(len(dataset)) if train_index is None else np.asarray(train_index, dtype=np.int64)
    if not len(chosen):
        raise InputError("features need at least one training graph")
    training = np.zeros(len(dataset), dtype=bool)
    training[chosen] = True
    vertex = np.repeat(training, dataset.num_nodes)
    degree = dataset.degree
    labels = _vocabulary(dataset) if kind in {"auto", "labels"} else None
    if labels is not None and len(labels) > MOST_COLUMNS:
        if kind == "labels":
            raise InputError(
                f"{dataset.name} has {len(labels):,} different vertex labels, and at most {MOST_COLUMNS} can be "
                "features: choose attributes or degree"
            )
        labels = None
    attributes = _standards(dataset, vertex) if kind in {"auto", "attributes"} else ()
    if kind == "labels" and labels is None:
        raise InputError(f"{dataset.name} has no vertex labels: choose other features")
    if kind == "attributes" and not attributes:
        raise InputError(f"{dataset.name} has no vertex attributes: choose other features")
    widest = None
    if labels is None and not attributes:
        widest = int(min(degree[vertex].max(initial=0), _WIDEST_DEGREE))
    code = _codes(dataset, labels)
    schema = InputSchema(
        node_labels=labels,
        attributes=attributes,
        max_degree=widest,
        training=_training(dataset, chosen, vertex, degree, code, len(labels or ())),
        elements=labels is not None and set(labels) <= set(ELEMENTS),
        dataset=dataset.name,
    )
    return fill(schema, code, dataset.node_attributes, degree), schema


def _vocabulary(dataset: Dataset) -> tuple[str, ...] | None:
    """The labels that occur: one that no vertex has could not be learned."""
    if dataset.node_label is None or dataset.label_names is None:
        return None
    return tuple(dataset.label_names[k] for k in np.unique(dataset.node_label).tolist())


def _codes(dataset: Dataset, labels: tuple[str, ...] | None) -> NDArray[np.int64] | None:
    if labels is None or dataset.node_label is None:
        return None
    return np.searchsorted(np.unique(dataset.node_label), dataset.node_label).astype(np.int64)


def _standards(dataset: Dataset, vertex: NDArray[np.bool_]) -> tuple[tuple[str, float, float], ...]:
    if dataset.node_attributes is None:
        return ()
    standards = []
    for name, column in zip(dataset.attribute_names, dataset.node_attributes.T, strict=True):
        values = column[vertex]
        values = values[np.isfinite(values)]
        mean = float(values.mean()) if len(values) else 0.0
        deviation = float(values.std()) if len(values) else 0.0
        standards.append((name, mean, deviation if deviation > 1e-12 * max(1.0, abs(mean)) else 1.0))
    return tuple(standards)


def _training(
    dataset: Dataset,
    chosen: NDArray[np.int64],
    vertex: NDArray[np.bool_],
    degree: NDArray[np.int64],
    code: NDArray[np.int64] | None,
    num_labels: int,
) -> Training:
    sizes = dataset.num_nodes[chosen]
    mean_degree = 2 * dataset.num_edges[chosen] / np.maximum(sizes, 1)
    share: tuple[float, ...] = ()
    distance = 1.0
    if code is not None:
        whole = np.bincount(code[vertex], minlength=num_labels) / max(int(vertex.sum()), 1)
        graph = np.repeat(np.arange(len(dataset)), dataset.num_nodes)
        table = np.zeros((len(dataset), num_labels))
        np.add.at(table, (graph, code), 1)
        own = table[chosen] / np.maximum(sizes, 1)[:, None]
        distance = float(np.quantile(np.abs(own - whole).sum(axis=1) / 2, 0.99))
        share = tuple(whole.tolist())
    return Training(len(chosen), _five(sizes), _five(mean_degree), share, distance)


def _five(values: NDArray[Any]) -> tuple[float, float, float, float, float]:
    low, few, middle, many, high = np.quantile(values, QUANTILES).tolist()
    return low, few, middle, many, high
