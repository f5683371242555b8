"""The released models as the site's pages run them: the description of each network, its weights, and its words."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from mivspool.graphs.collection import origin_of
from mivspool.graphs.elements import ELEMENTS
from mivspool.graphs.fit import WORDS, collection_title
from mivspool.graphs.graph import Graph
from mivspool.learning.layers import Layer
from mivspool.learning.models import Model, list_models, load_model
from mivspool.messages import bare

METHODS, SCORES = ("mivspool", "mivspool-comp"), ("multiview",)
"""The poolings and scores that a page can run (``canvas/js/model/network.js``)."""


def runs_in_page(layers: Sequence[Layer]) -> bool:
    """Whether a page can run a network of these layers."""
    return all(
        layer.name in METHODS and layer.options.get("score") in SCORES
        for layer in layers
        if layer.kind == "pooling"
    )


def released() -> list[Model]:
    """The released models that a page can run, by name."""
    names = [info.name for info in list_models(kept=False) if info.released and not info.problem]
    return [model for model in map(load_model, names) if runs_in_page(model.classifier.layers)]


def network(model: Model) -> tuple[dict[str, Any], str]:
    """The description that a page drives the network by, and its weights: float32, little-endian, in base64."""
    state = {
        name: tensor.detach().numpy().astype("<f4")
        for name, tensor in model.classifier.state_dict().items()
        if tensor.is_floating_point()
    }
    tensors, at = {}, 0
    for name, values in state.items():
        rows = values.shape[0] if values.ndim == 2 else 1
        tensors[name] = [at, rows, values.size // rows]
        at += values.size
    config = model.classifier.config
    description = {
        "layers": [
            {"kind": layer.kind, "name": layer.name, "options": _options(layer)}
            for layer in model.classifier.layers
        ],
        "config": {"use_weights": config.use_weights, "use_diagonal": config.use_diagonal},
        "tensors": tensors,
    }
    weights = np.concatenate([values.ravel() for values in state.values()])
    return description, base64.b64encode(weights.tobytes()).decode("ascii")


def schema_of(model: Model) -> dict[str, Any]:
    """What a model's input must be, as a page checks it."""
    return model.schema.to_dict() | {"learned": collection_title(model.schema.dataset)}


def of_graph(graph: Graph) -> dict[str, Any]:
    """What a page must know of a graph to fit it to a model."""
    origin = origin_of(graph)
    return {
        "name": graph.name,
        "collection": graph.collection,
        "origin": origin and {"name": origin.name, "title": origin.title, "about": origin.about},
        "label": graph.label,
        "ids": list(graph.nodes),
        "edges": graph.edges.T.ravel().tolist(),
        "attributes": {
            name: [None if value != value else value for value in values]
            for name, values in graph.node_attributes.items()
        },
    }


def fitting() -> dict[str, Any]:
    """What a page says of a graph that does not fit, and the elements by atomic number."""
    return {"words": {name: bare(text) for name, text in WORDS.items()}, "elements": ELEMENTS}


def _options(layer: Layer) -> dict[str, Any]:
    return {name: value for name, value in layer.options.items() if name != "dropout"}
