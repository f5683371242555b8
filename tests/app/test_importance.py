"""Why this class, by vertex: halos as wide as the importance, and sentences that say how far it can be trusted."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from app.components.importance import drawing, said_of, trusted
from mivspool.graphs import load_dataset
from mivspool.graphs.graph import Graph
from mivspool.graphs.molecules import bonds_of, halos, symbols_of
from mivspool.service.schemas import ExplanationDocument, FaithfulnessDocument

MOLECULE: Graph = load_dataset("MAO")[3]


def explanation(low: float = 0.1, high: float = 0.3, **more: Any) -> ExplanationDocument:
    faithful = FaithfulnessDocument(
        area=0.4, random=0.6, gain=(low + high) / 2, low=low, high=high, orders=20
    )
    made: dict[str, Any] = {
        "model": "m", "graph": "g", "predicted": "1", "probability": 0.9, "nodes": ["a", "b", "c"],
        "leaving_out": [0.2, -0.1, 0.0], "gradients": [1.5, -0.5, 0.25], "log_odds": 2.0, "baseline": 0.5,
        "gap": 0.25, "agreement": 0.5, "faithful": {"leaving_out": faithful, "gradients": faithful}, "clusters": [],
    }  # fmt: skip
    return ExplanationDocument(**made | more)


def test_a_halo_is_as_wide_as_a_vertex_matters() -> None:
    n = MOLECULE.num_nodes
    weights = np.zeros(n)
    weights[[0, 1, 2]] = 1.0, -0.25, 0.01
    assert MOLECULE.positions is not None
    svg = drawing(MOLECULE, MOLECULE.positions, weights, [""] * n, "<said>")
    assert "<said>" not in svg
    halo = re.findall(r'class="halo (for|against)" cx="[^"]+" cy="[^"]+" r="([^"]+)"', svg)
    assert [side for side, _ in halo] == ["for", "against"]  # one that hardly matters has none
    assert float(halo[0][1]) - 9 == pytest.approx(2 * (float(halo[1][1]) - 9), abs=0.2)  # area: √¼ = ½
    assert svg.count('class="dot"') == n
    assert svg.count('class="edge"') == MOLECULE.num_edges
    flat = drawing(MOLECULE, np.zeros((n, 2)), np.zeros(n), [""] * n, "")  # all at one place, none matters
    assert "nan" not in flat
    assert "halo" not in flat


def test_a_molecule_is_drawn_with_its_bonds_and_halos() -> None:
    symbols, bonds = symbols_of(MOLECULE, "label"), bonds_of(MOLECULE)
    assert symbols is not None
    assert bonds is not None
    weights = np.linspace(-1, 1, len(symbols))
    svg = halos(symbols, MOLECULE.edges, bonds, weights, "#4f46c8", "#6b6d76", "#1d1e22")
    assert svg.startswith("<svg")
    assert svg.count("<ellipse") == int((np.abs(weights) > 0.02).sum())
    plain = halos(symbols, MOLECULE.edges, bonds, np.zeros(len(symbols)), "#4f46c8", "#6b6d76", "#1d1e22")
    assert "<ellipse" not in plain
    assert symbols_of(MOLECULE, "no such attribute") is None
    karate = Graph("karate", ("a", "b"), np.array([[0], [1]]), node_attributes={"label": ("Mr Hi", "C")})
    assert symbols_of(karate, "label") is None
    assert bonds_of(karate) is None


def test_the_bonds_of_mutag_are_the_published_ones(tu: Any) -> None:
    dataset = tu("MUTAG")
    found = {bond for graph in dataset for bond in bonds_of(graph) or (None,)}
    assert found == {1.5, 1, 2, 3}


def test_the_sentence_names_what_speaks_for_and_against() -> None:
    said = said_of(explanation(), "leaving_out", {"1": "enzyme"}, {"a": "C"})
    assert said == (
        "enzyme (class 1): most in favour: a (C), +20.0 percentage points; most against it: b, −10.0 percentage points."
    )
    assert "a, +1.50, c, +0.25" in said_of(explanation(), "gradients", {}, {})
    assert "no vertex matters" in said_of(explanation(leaving_out=[0.0, 0.0, 0.0]), "leaving_out", {}, {})


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(0.1, 0.3, "Faithful:"), (-0.3, -0.1, "Not faithful:"), (-0.1, 0.1, "Not shown")],
)
def test_how_far_it_can_be_trusted_follows_the_interval(low: float, high: float, words: str) -> None:
    said = trusted(explanation(low, high), "leaving_out")
    assert said[0].startswith(words)
    assert f"{100 * low:.1f} to {100 * high:.1f}".replace("-", "−") in said[0]
    assert "0.50" in said[1]
    assert len(said) == 2
    last = trusted(explanation(low, high), "gradients")[-1]
    assert "1.50" in last
    assert "0.250" in last
    assert trusted(explanation(faithful={}, agreement=None), "leaving_out") == []
