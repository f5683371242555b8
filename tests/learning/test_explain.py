"""Explanations: what is held is the graph's own pass, what is left out is classified anew, and sums are complete."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from mivspool.errors import LimitError, ModelError
from mivspool.graphs import Dataset, Graph, dataset_features, fit_graph
from mivspool.learning import explain as explaining
from mivspool.learning import inference
from mivspool.learning.explain import Held, copies, faithfulness, integrated_gradients, rank_correlation
from mivspool.learning.inference import Inputs, Passed, without
from mivspool.learning.models import Model, load_model, save_model
from mivspool.learning.network import Classifier, NetworkConfig
from mivspool.learning.recommended import RECOMMENDED
from mivspool.sparse import Adjacency

captum = pytest.importorskip("captum.attr", reason="captum is not installed (mivspool[app])")


def classifier(channels: int, **settings: object) -> Classifier:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        return Classifier(NetworkConfig(channels, 2, hidden=16, **settings)).eval()


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"score": "attention"},
        {"score": "uniform", "use_weights": True, "use_diagonal": True},
        {"score": "multiview", "options": {"complement": True, "temperature": 0.5}},
        {"network": RECOMMENDED.network},
        {"method": "none", "score": None},
    ],
)
def test_what_is_held_is_the_networks_own_pass(settings: dict[str, object], mao: Dataset) -> None:
    _, schema = dataset_features(mao)
    network = classifier(schema.num_features, **settings)
    for i in (0, 3, 40):
        graph = mao[i]
        own = fit_graph(graph, schema).x
        passed = Inputs.join([(own, graph.edges)]).forward(network)
        held = Held(passed)
        given = torch.from_numpy(own)
        logits = held(torch.stack([given, torch.zeros_like(given), given]))
        assert torch.allclose(logits[0], passed.out.logits[0], atol=1e-4)
        assert torch.allclose(logits[0], logits[2], atol=1e-6)  # a copy does not see the others
        found = integrated_gradients(passed, own, 0)
        odds = (logits[:2, 0] - logits[:2, 1]).tolist()
        assert [found.log_odds, found.baseline] == pytest.approx(odds, abs=1e-4)
        assert odds[0] - odds[1] - found.vertices.sum() == pytest.approx(found.gap, abs=2e-4)
        assert abs(found.gap) < 0.02 * max(1.0, float(np.abs(found.vertices).sum()))


def test_more_points_close_the_gap(mao: Dataset) -> None:
    _, schema = dataset_features(mao)
    network = classifier(schema.num_features)
    graph = mao[3]
    own = fit_graph(graph, schema).x
    passed = Inputs.join([(own, graph.edges)]).forward(network)
    gaps = [abs(integrated_gradients(passed, own, 0, steps).gap) for steps in (2, 256)]
    assert gaps[1] < gaps[0] / 2


def test_the_integral_is_one_worked_out_by_hand(mao: Dataset) -> None:
    """Against gradients of the held pass in a plain sum of midpoints, without Captum."""
    _, schema = dataset_features(mao)
    network = classifier(schema.num_features)
    graph = mao[5]
    own = fit_graph(graph, schema).x
    passed = Inputs.join([(own, graph.edges)]).forward(network)
    held, x = Held(passed), torch.from_numpy(own)
    steps = 400
    points = ((torch.arange(steps) + 0.5) / steps)[:, None, None] * x
    points.requires_grad_()
    logits = held(points)
    (slope,) = torch.autograd.grad((logits[:, 1] - logits[:, 0]).sum(), points)
    by_hand = (slope.mean(0) * x).sum(1).numpy()
    found = integrated_gradients(passed, own, 1)
    assert found.vertices == pytest.approx(by_hand, abs=0.02 * float(np.abs(by_hand).max()))


def test_copies_are_the_same_graph_side_by_side(mao: Dataset) -> None:
    edges = torch.from_numpy(mao[3].edges)
    one = Adjacency.from_edge_index(torch.cat([edges, edges.flip(0)], 1), num_nodes=mao[3].num_nodes)
    three = copies(one, 3)
    shifted = [one.edge_index + k * one.num_nodes for k in range(3)]
    assert torch.equal(three.edge_index, torch.cat(shifted, 1))


def test_an_explanation_says_what_leaving_out_says(model: Model, mao: Dataset) -> None:
    graph = mao[3]
    found = model.explain(graph)
    result = model.classify([graph])[0]
    assert found.predicted == result.predicted
    assert found.probability == pytest.approx(max(result.probabilities))
    assert found.nodes == graph.nodes
    place = model.classes.index(found.predicted)
    for v in (0, 4, graph.num_nodes - 1):
        keep = np.arange(graph.num_nodes) != v
        number = {old: new for new, old in enumerate(np.flatnonzero(keep).tolist())}
        pairs = [(number[a], number[b]) for a, b in graph.edges.T.tolist() if v not in (a, b)]
        labels = tuple(label for u, label in enumerate(graph.node_attributes["label"]) if u != v)
        nodes = tuple(name for u, name in enumerate(graph.nodes) if u != v)
        rest = Graph("rest", nodes, np.array(pairs).T, node_attributes={"label": labels})
        without = model.classify([rest])[0].probabilities[place]
        assert found.leaving_out is not None
        assert found.leaving_out[v] == pytest.approx(found.probability - without, abs=1e-6)
    for level, clusters in enumerate(found.clusters):
        left = {one.cluster: one for one in model.leave_out(graph, level)}
        assert sorted(v for one in clusters for v in one.vertices) == sorted(graph.nodes)
        for one in clusters:
            if one.leaving_out is None:
                assert len(one.vertices) == graph.num_nodes
                continue
            assert one.vertices == left[one.survivor].vertices
            fall = found.probability - left[one.survivor].probabilities[place]
            assert one.leaving_out == pytest.approx(fall, abs=1e-6)
    assert found.gradients is not None
    for clusters in found.clusters:  # a level loses no part of the sum
        assert sum(one.gradients or 0.0 for one in clusters) == pytest.approx(sum(found.gradients))
    assert set(found.faithful) == {"leaving_out", "gradients"}
    assert found.to_json()["faithful"]["gradients"]["orders"] == explaining.RANDOM_ORDERS


def test_an_order_that_is_known_to_matter_is_faithful() -> None:
    """Where the probability falls with what is removed, the order of the vertices' share in it is faithful."""
    value = np.linspace(0, 3, 12)
    asked: list[int] = []

    def probability(removed: NDArray[np.bool_]) -> NDArray[np.float64]:
        asked.append(len(removed))
        return np.asarray(1 / (1 + np.exp(4 - (~removed) @ value)))

    whole = float(probability(np.zeros((1, 12), dtype=bool))[0])
    found = faithfulness(probability, {"right": value, "wrong": -value}, whole)
    right, wrong = found["right"], found["wrong"]
    assert right.low > 0 > wrong.high
    assert right.gain == pytest.approx(right.random - right.area)
    assert right.random == wrong.random
    assert asked == [1, (2 + explaining.RANDOM_ORDERS) * 11], "the random orders are classified once"
    alone = faithfulness(probability, {"right": value}, whole)
    assert alone["right"] == right, "what is said of a method does not depend on the others"


def test_agreement_is_of_ranks() -> None:
    one = np.array([0.1, 0.5, -0.2])
    assert rank_correlation(one, one**3) == pytest.approx(1)
    assert rank_correlation(one, -one) == pytest.approx(-1)
    assert rank_correlation(one, np.zeros(3)) is None


@pytest.mark.parametrize("extra", [0, 60])
def test_the_whole_graph_is_classified_once_and_its_parts_as_often_as_is_said(
    model: Model, mao: Dataset, monkeypatch: pytest.MonkeyPatch, extra: int
) -> None:
    graph = mao[3]
    n = graph.num_nodes
    rng = np.random.default_rng(0)
    more = np.array([sorted(rng.choice(n, 2, replace=False)) for _ in range(extra)]).reshape(-1, 2).T
    edges = np.unique(np.concatenate([graph.edges, more], 1), axis=1)
    graph = replace(graph, edges=edges.astype(np.int64))
    sizes: list[int] = []
    at_once: list[int] = []
    forward = Inputs.forward

    def spy(self: Inputs, classifier: Classifier) -> Passed:
        sizes.extend(self.sizes)
        at_once.append(sum(self.sizes) + self.edges.size(1) if len(self.sizes) > 1 else 0)
        return forward(self, classifier)

    monkeypatch.setattr(Inputs, "forward", spy)
    whole = model.explain(graph)
    assert sizes.count(n) == 1
    assert len(sizes) + explaining.STEPS + 2 <= explaining.classifications(n)
    monkeypatch.setattr(inference, "MOST_VERTICES", 200)
    monkeypatch.setattr(explaining, "_AT_ONCE", 200)
    at_once.clear()
    parts = model.explain(graph)
    assert len(at_once) > 10
    assert max(at_once) <= 200, "edges count as vertices do"
    assert parts.leaving_out == pytest.approx(whole.leaving_out, abs=1e-6)
    assert parts.gradients == pytest.approx(whole.gradients, abs=1e-4)


def test_vertices_in_one_cluster_at_two_levels_are_left_out_once() -> None:
    """A single vertex, its cluster, and the same cluster on the next level: one classification, one value."""
    network = classifier(2)
    x = np.random.default_rng(0).normal(size=(4, 2)).astype(np.float32)
    edges = np.array([[0, 1], [1, 2]])
    removed = np.array([[1, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [1, 1, 1, 1]], dtype=bool)
    found = without(network, x, edges, removed)
    assert found.shape == (4, 2)
    assert (found[0] == found[2]).all()
    assert np.isnan(found[3]).all(), "nothing remains to classify"
    assert not np.isnan(found[:3]).any()
    assert without(network, x, edges, removed[:0]).shape == (0, 2)


@pytest.mark.parametrize("pairs", [pairwise(range(3000)), combinations(range(400), 2)], ids=["long", "dense"])
def test_a_graph_that_would_take_too_long_is_refused_with_what_to_do(
    model: Model, pairs: Iterable[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    edges = np.array(list(pairs)).T
    n = int(edges.max()) + 1
    graph = Graph("large", tuple(map(str, range(n))), edges, node_attributes={"label": ("C",) * n})
    monkeypatch.setattr(explaining, "without", lambda *_: pytest.fail("it was explained"))
    with pytest.raises(
        LimitError, match=f"{n:,} vertices and .* edges.*: choose a smaller graph, or leave out"
    ):
        model.explain(graph)


def test_small_graphs_and_other_methods(mao: Dataset, tmp_path: Path, model: Model) -> None:
    lone = Graph("lone", ("a",), np.zeros((2, 0), dtype=np.int64), node_attributes={"label": ("C",)})
    found = model.explain(lone)
    assert found.leaving_out is None
    assert found.faithful == {}
    assert found.gradients is not None
    assert len(found.gradients) == 1
    _, schema = dataset_features(mao)
    network = classifier(schema.num_features, method="gpool", score=None)
    other = load_model(save_model(tmp_path / "gpool", network, schema, ["0", "1"], {"dataset": "MAO"}))
    found = other.explain(mao[3])
    assert found.gradients is None
    assert found.gap is None
    assert found.agreement is None
    assert set(found.faithful) == {"leaving_out"}
    passed = Inputs.join([(fit_graph(mao[3], schema).x, mao[3].edges)]).forward(network)
    with pytest.raises(ModelError, match="MIVSPool"):
        Held(passed)
