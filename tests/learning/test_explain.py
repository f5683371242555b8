"""Explanations: what is held is the graph's own pass, what is left out is classified anew, and sums are complete."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch

from mivspool.errors import LimitError, ModelError
from mivspool.graphs import Dataset, Graph, dataset_features, fit_graph
from mivspool.learning import explain as explaining
from mivspool.learning.explain import Held, copies, faithfulness, integrated_gradients, rank_correlation
from mivspool.learning.inference import Inputs
from mivspool.learning.models import Model, load_model, save_model
from mivspool.learning.network import Classifier, NetworkConfig
from mivspool.learning.recommended import RECOMMENDED
from mivspool.sparse import Adjacency

captum = pytest.importorskip("captum.attr", reason="captum is not installed (mivspool[app])")


def classifier(channels: int, **settings: object) -> Classifier:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        return Classifier(NetworkConfig(channels, 2, hidden=16, **settings)).eval()  # type: ignore[arg-type]


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
        held = Held(network, passed)
        given = torch.from_numpy(own)
        logits = held(torch.stack([given, torch.zeros_like(given), given]))
        assert torch.allclose(logits[0], passed.out.logits[0], atol=1e-4)
        assert torch.allclose(logits[0], logits[2], atol=1e-6)  # a copy does not see the others
        found = integrated_gradients(network, passed, own, 0)
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
    gaps = [abs(integrated_gradients(network, passed, own, 0, steps).gap) for steps in (2, 256)]
    assert gaps[1] < gaps[0] / 2


def test_the_integral_is_one_worked_out_by_hand(mao: Dataset) -> None:
    """Against gradients of the held pass in a plain sum of midpoints, without Captum."""
    _, schema = dataset_features(mao)
    network = classifier(schema.num_features)
    graph = mao[5]
    own = fit_graph(graph, schema).x
    passed = Inputs.join([(own, graph.edges)]).forward(network)
    held, x = Held(network, passed), torch.from_numpy(own)
    steps = 400
    points = ((torch.arange(steps) + 0.5) / steps)[:, None, None] * x
    points.requires_grad_()
    logits = held(points)
    (slope,) = torch.autograd.grad((logits[:, 1] - logits[:, 0]).sum(), points)
    by_hand = (slope.mean(0) * x).sum(1).numpy()
    found = integrated_gradients(network, passed, own, 1)
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
    """A network that counts the first feature: its vertices matter in the order of that feature."""
    n = 12
    edges = np.array([np.arange(n - 1), np.arange(1, n)])
    graph = Graph("path", tuple(map(str, range(n))), edges)
    value = np.linspace(0, 3, n)
    x = np.stack([value, np.ones(n)], 1).astype(np.float32)

    class Counts(Classifier):
        def detailed(self, x, adjacency, batch, batch_size, propagated=None, kind=None):  # type: ignore[no-untyped-def]
            out = super().detailed(x, adjacency, batch, batch_size, propagated, kind)
            total = x.new_zeros(batch_size).index_add(0, batch, x[:, 0])
            return replace(out, logits=torch.stack([total * 0, total - 4], 1))

    network = Counts(NetworkConfig(2, 2, hidden=4)).eval()
    right = faithfulness(network, graph, x, 1, value)
    wrong = faithfulness(network, graph, x, 1, -value)
    assert right.low > 0 > wrong.high
    assert right.gain == pytest.approx(right.random - right.area)
    assert right.random == pytest.approx(wrong.random)  # the same random orders


def test_agreement_is_of_ranks() -> None:
    one = np.array([0.1, 0.5, -0.2])
    assert rank_correlation(one, one**3) == pytest.approx(1)
    assert rank_correlation(one, -one) == pytest.approx(-1)
    assert rank_correlation(one, np.zeros(3)) is None


def test_small_and_large_graphs_and_other_methods(mao: Dataset, tmp_path: Path, model: Model) -> None:
    lone = Graph("lone", ("a",), np.zeros((2, 0), dtype=np.int64), node_attributes={"label": ("C",)})
    found = model.explain(lone)
    assert found.leaving_out is None
    assert found.faithful == {}
    assert found.gradients is not None
    assert len(found.gradients) == 1
    n = 3000
    long = Graph(
        "long",
        tuple(map(str, range(n))),
        np.array(list(pairwise(range(n)))).T,
        node_attributes={"label": ("C",) * n},
    )
    with pytest.raises(LimitError, match="fewer vertices"):
        model.explain(long)
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
        Held(network, passed)
