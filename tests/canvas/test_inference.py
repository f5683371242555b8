"""A network in the page gives the logits that the library gives, and keeps the vertices that the library keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from mivspool.graphs import load_dataset
from mivspool.graphs.fit import fit_graph
from mivspool.graphs.graph import Graph
from mivspool.learning.inference import Inputs, clusters_of, without
from mivspool.learning.inside import inside
from mivspool.learning.models import Model, load_model
from mivspool.learning.network import Classifier
from mivspool.site.models import released, runs_in_page
from tests.canvas.inference import asked, compare, passed, some
from tests.canvas.node import answers, needs_node

MOST = 10  # graphs of a data set; `python -m tools.site` takes 500
ALIKE = 1e-4  # logits


def check(model: Model, graphs: list[Graph], otherwise: int) -> None:
    """Logits alike, and at most so many graphs that are pooled otherwise."""
    found = compare(model, graphs)
    assert found.largest < ALIKE
    assert found.otherwise <= otherwise


@needs_node
def test_every_molecule_of_mao_has_the_librarys_logits_and_survivors() -> None:
    model = load_model("mao-mivspool")
    check(model, some("MAO", 500), 2)


@needs_node
@pytest.mark.parametrize("name", [model.name for model in released() if model.name != "mao-mivspool"])
def test_graphs_of_a_data_set_have_the_librarys_logits_and_survivors(
    name: str, tu: Callable[[str], object]
) -> None:
    model = load_model(name)
    tu(model.schema.dataset)
    check(model, some(model.schema.dataset, MOST), 2)


def untrained(**settings: Any) -> Model:
    """The model of MAO with another network, of random weights: batch statistics and biases too."""
    model = load_model("mao-mivspool")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        made = Classifier(replace(model.classifier.config, **settings))
        with torch.no_grad():
            for name, tensor in made.state_dict().items():
                if name.endswith("running_var"):
                    tensor.uniform_(0.5, 2)
                elif name.endswith(("running_mean", "bias")):
                    tensor.normal_(0, 0.2)
    return replace(model, classifier=made.eval())


@needs_node
@pytest.mark.parametrize(
    "settings",
    [
        {"network": "multilevel"},
        {"method": "mivspool-comp", "use_diagonal": True},
        {"network": "multilevel", "method": "none", "score": None},
        {"method": "structure-blind", "score": None},
        {"network": "multilevel", "method": "structure-blind", "score": None, "blocks": 2},
        {
            "readouts": "mean-max-sum",
            "join": "concatenate",
            "readout_at": "first-and-pooled",
            "reduction": "sum",
        },
    ],
    ids=str,
)
def test_other_descriptions_run_too(settings: dict[str, Any]) -> None:
    model = untrained(**settings)
    assert runs_in_page(model.classifier.layers)
    check(model, some("MAO", 12), 1)


def test_a_score_that_a_page_does_not_know_is_not_offered() -> None:
    assert not runs_in_page(untrained(score="attention").classifier.layers)
    assert not runs_in_page(untrained(method="gpool", score=None).classifier.layers)


def check_opened(model: Model, graph: Graph, vertex: str) -> None:
    """Every number of the network opened at a vertex.

    Where no labels tell vertices apart, either of two that are alike but for rounding may be named as a maximum's.
    """
    opened = {"ids": list(graph.nodes), "at": graph.index[vertex]}
    question = asked(model, [graph])
    question["graphs"][0]["opened"] = opened
    ((found,),) = answers("network.mjs", [question])
    expected = inside(
        model.classifier, Inputs.join([(fit_graph(graph, model.schema).x, graph.edges)]), graph, vertex
    )
    assert len(found["inside"]) == len(expected)
    for layer, told in zip(expected, found["inside"], strict=True):
        layer.pop("level")
        if not model.schema.node_labels and "maximum_vertex" in layer:
            assert set(told.pop("maximum_vertex")) <= set(graph.nodes)
            layer.pop("maximum_vertex")
        assert alike(told, layer), (layer["kind"], told, layer)


def alike(found: Any, expected: Any) -> bool:
    """Whether two documents say the same, numbers to 1e-4."""
    if isinstance(expected, dict):
        return set(found) == set(expected) and all(alike(found[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(alike, found, expected))
    if isinstance(expected, float):
        return bool(found == pytest.approx(expected, abs=ALIKE, rel=1e-4))
    return bool(found == expected)


@needs_node
@pytest.mark.parametrize("name", ["mao-mivspool", "dd-structure"])
def test_the_network_opened_at_a_vertex_has_the_librarys_numbers(name: str) -> None:
    graph = load_dataset("MAO")[3]
    for vertex in graph.nodes[:2]:
        check_opened(load_model(name), graph, vertex)


@needs_node
@pytest.mark.parametrize(
    "settings",
    [
        {"network": "multilevel"},
        {
            "readouts": "mean-max-sum",
            "join": "concatenate",
            "readout_at": "first-and-pooled",
            "reduction": "sum",
        },
    ],
    ids=str,
)
def test_other_networks_open_too(settings: dict[str, Any]) -> None:
    graph = load_dataset("MAO")[3]
    check_opened(untrained(**settings), graph, graph.nodes[0])


@needs_node
def test_a_cluster_is_left_out_and_a_probability_calibrated_as_in_the_library() -> None:
    model = load_model("mao-mivspool")
    graph = load_dataset("MAO")[3]
    fit = fit_graph(graph, model.schema)
    members = clusters_of(passed(model, [graph]).levels(0, graph.nodes), graph.num_nodes)[0]
    calibrator = model.calibrator
    assert calibrator is not None
    slope, shift = calibrator.line
    question = asked(model, [graph], keep=(~members).tolist())
    question["calibration"] = {"slope": slope, "shift": shift, "predictions": calibrator.predictions}
    ((found,),) = answers("network.mjs", [question])
    expected = without(model.classifier, fit.x, graph.edges, members)
    np.testing.assert_allclose(found["left"], expected, atol=1e-5)
    np.testing.assert_allclose(
        found["calibrated"], calibrator.probabilities(found["probabilities"]), atol=1e-12
    )
