"""A page makes of a graph the input that the library makes of it, and refuses and warns in the same words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mivspool.errors import ModelError
from mivspool.graphs import open_source
from mivspool.graphs.fit import Fit, fit_graph
from mivspool.graphs.graph import Graph
from mivspool.learning.models import Model
from mivspool.site.models import about_graph, fitting, released, schema_of
from tests.canvas.node import answers, needs_node
from tests.canvas.test_js import graph_of

MODELS = released()


def labelled(n: int, **attributes: list[Any]) -> Graph:
    """A cycle with these attributes."""
    edges = [(v, (v + 1) % n) for v in range(n)] if n > 2 else []
    return replace(graph_of(n, edges), node_attributes={name: tuple(v) for name, v in attributes.items()})


def graphs() -> list[Graph]:
    """Molecules, graphs without labels, unknown and rare ones, attributes that look like labels and do not fit."""
    made = [
        open_source(source) for source in ("MAO:3", "MAO:0", "karate", "les-miserables", "petersen", "davis")
    ]
    n = 12
    carbon = ["C"] * n
    made += [
        labelled(n, element=[*carbon[2:], "H", "Xx"]),
        labelled(n, atomic_number=[6] * 10 + [7, 8.0]),
        labelled(n, symbol=["c", "n", " o "] * 4),
        labelled(n, label=["H"] * 8 + carbon[:4]),
        labelled(n, label=["H"] * 4 + carbon[:8]),
        labelled(n, label=[None, "", float("nan"), *carbon[3:]]),
        labelled(n, label=["F"] * n),
        labelled(n, colour=["it's", 'so "so"', "a" * 40, None] * 3),
        labelled(n, label=[True, False] * 6, **{"attribute 0": [1.5, None, "2", "x", "1e3", True] * 2}),
        labelled(n, label=[1, 2, 0] * 4, **{"Attribute 0": [float(v) for v in range(n)]}),
        labelled(n, label=["1", "2", "0"] * 4, **{"attribute 0": [None] * 8 + [1.0] * 4}),
        labelled(n, type=list(range(n)), name=[f"v{v}" for v in range(n)]),
        labelled(40, label=["C"] * 40),
        labelled(1, label=["C"]),
        labelled(0, label=[]),
        replace(labelled(n, label=["1"] * n), name="NCI1:3", collection="NCI1"),
        replace(labelled(n, label=["1"] * n), name="PROTEINS:3", collection="PROTEINS"),
    ]
    star = graph_of(150, [(0, v) for v in range(1, 150)])
    return [
        *made,
        star,
        replace(star, collection="karate"),
        graph_of(5, [(u, v) for u in range(5) for v in range(u)]),
    ]


def told(graph: Graph) -> dict[str, Any]:
    """A graph as a page has it."""
    return about_graph(graph) | {"ids": list(graph.nodes), "edges": graph.edges.T.ravel().tolist()}


def tried(graph: Graph, model: Model) -> Fit | str:
    """The library's input, or its sentence on why there is none."""
    try:
        return fit_graph(graph, model.schema)
    except ModelError as error:
        return error.message


@needs_node
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_a_page_fits_refuses_and_warns_as_the_library_does(model: Model) -> None:
    made = graphs()
    asked = [{"graph": told(graph), "schema": schema_of(model)} for graph in made]
    for graph, found in zip(made, answers("fit.mjs", {**fitting(), "asked": asked}), strict=True):
        expected = tried(graph, model)
        if isinstance(expected, str):
            assert found == {"refused": expected}
            continue
        assert "refused" not in found, (graph.node_attributes, found)
        np.testing.assert_allclose(found["x"], expected.x.ravel(), rtol=1e-6)
        assert found["coverage"] == pytest.approx(expected.coverage)
        assert found["label"] == expected.label_attribute
        for part in ("unknown", "outside", "warnings"):
            assert tuple(found[part]) == getattr(expected, part)


@needs_node
def test_decimals_are_pythons() -> None:
    draw = np.random.default_rng(3)
    values = [
        0.0,
        0.5,
        1.5,
        0.125,
        0.375,
        0.0625,
        2.125,
        2.45,
        1.65,
        1.55,
        -0.125,
        *draw.random(200).tolist(),
    ]
    values += (draw.integers(0, 4000, 200) / 32).tolist()
    asked = [[value, digits] for value in values for digits in (0, 1, 2, 3)]
    found = answers("fixed.mjs", asked)
    assert found == [f"{value:.{digits}f}" for value, digits in asked]
