"""The released models as the site's pages run them: the description of each network, its weights, and its words."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from mivspool.content import shared
from mivspool.content.classify import said, words
from mivspool.graphs.classes import class_title
from mivspool.graphs.collection import origin_of
from mivspool.graphs.elements import ELEMENTS
from mivspool.graphs.fit import WORDS, collection_title
from mivspool.graphs.graph import Graph
from mivspool.learning.layers import Layer
from mivspool.learning.models import Model, ModelInfo, list_models, load_model

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


def titles() -> dict[str, str]:
    """What a menu calls each of them."""
    infos = _infos()
    return {model.name: said.model_title(infos[model.name]) for model in released()}


def _infos() -> dict[str, ModelInfo]:
    return {info.name: info for info in list_models(kept=False)}


def network(model: Model) -> dict[str, Any]:
    """``description``, by which a page drives the network, and its ``weights``: float32, little-endian, in base64."""
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
    return {"description": description, "weights": base64.b64encode(weights.tobytes()).decode("ascii")}


def schema_of(model: Model) -> dict[str, Any]:
    """What a model's input must be, as a page checks it."""
    return model.schema.to_dict() | {"learned": collection_title(model.schema.dataset)}


def about_graph(graph: Graph) -> dict[str, Any]:
    """What a page must know of a graph to fit it to a model, beside its vertices and edges."""
    origin = origin_of(graph)
    return {
        "name": graph.name,
        "collection": graph.collection,
        "origin": origin and {"name": origin.name, "title": origin.title, "about": origin.about},
        "label": graph.label,
        "attributes": {
            name: [None if value != value else value for value in values]
            for name, values in graph.node_attributes.items()
        },
    }


def fitting() -> dict[str, Any]:
    """What a page says of a graph that does not fit, and the elements by atomic number."""
    return {"words": WORDS, "elements": ELEMENTS}


_SAID = (
    "PREDICTED", "RIGHT", "WRONG", "IN_TRAINING_SET", "UNCALIBRATED", "CALIBRATION", "CLASSES_FROM", "OUTSIDE",
    "OUTSIDE_WHY", "OUTSIDE_ANYWAY", "OUTSIDE_OTHERS", "OUTSIDE_NONE", "OUTSIDE_ASKED", "NOTES", "REFUSED", "OTHERS",
    "NO_OTHERS", "BLOCK_CHOICE",
)  # fmt: skip
_SHARED = (
    "PROBABILITIES", "CALIBRATED", "RAW", "TRUE_CLASS", "TIES", "GRAPH_ABOUT", "LEFT_OUT_ASK", "LEFT_OUT_NONE",
    "LEFT_OUT_LITTLE", "LEFT_OUT_SENTENCE", "LEFT_OUT_FALLS", "LEFT_OUT_RISES", "LEFT_OUT_AND", "LEFT_OUT_AXIS",
    "LEFT_OUT_ALL", "LEFT_OUT_MORE", "LEFT_OUT_SPOKEN", "MORE",
)  # fmt: skip


def settings() -> dict[str, Any]:
    """What the page Classify says, and what it must know of each model before its weights are there."""
    infos = _infos()
    return {
        "models": [about(model, infos[model.name]) for model in released()],
        "fitting": fitting(),
        "words": {name.lower(): getattr(words, name) for name in _SAID}
        | {name.lower(): getattr(shared, name) for name in _SHARED},
        "inside": shared.LAYER_VALUES,
    }


def about(model: Model, info: ModelInfo) -> dict[str, Any]:
    """One model: its input, its classes, and what is said of it."""
    calibrator = model.calibrator
    slope, shift = calibrator.line if calibrator else (1.0, 0.0)
    return {
        "name": model.name,
        "about": said.model_about(info),
        "accuracy": info.accuracy or 0,
        "schema": schema_of(model),
        "classes": model.classes,
        "called": [model.class_names.get(label, label) for label in model.classes],
        "titles": [class_title(label, model.class_names) for label in model.classes],
        "source": model.info["class_source"],
        "layers": said.layer_rows(model.info["layers"]),
        "assessed": said.assessed(model.assessment, model.class_names),
        "calibration": calibrator and {"slope": slope, "shift": shift, "predictions": calibrator.predictions},
    }


def _options(layer: Layer) -> dict[str, Any]:
    return {name: value for name, value in layer.options.items() if name != "dropout"}
