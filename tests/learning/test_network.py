"""The classifier: a graph's logits do not depend on its batch, the blind network sees no edges, gradients hold."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional

from mivspool.arrays import threads
from mivspool.errors import InputError
from mivspool.graphs import dataset_features, load_dataset
from mivspool.learning.batches import Resident
from mivspool.learning.network import Classifier, NetworkConfig, architectures
from mivspool.sparse import Adjacency


def network(data: Resident, **options) -> Classifier:
    torch.manual_seed(0)
    return Classifier(NetworkConfig(data.x.size(1), 2, **{"hidden": 16, **options})).eval()


def logits(model: Classifier, data: Resident, graphs) -> torch.Tensor:
    batch = data.cut(graphs)
    with torch.no_grad():
        return model(batch.x, batch.adjacency, batch.batch, batch.batch_size, batch.propagated)


@pytest.fixture(scope="module")
def data(toy) -> Resident:
    return Resident(toy, dataset_features(toy)[0])


@pytest.mark.parametrize("method", sorted(architectures()))
def test_logits_alone_are_the_logits_in_any_batch(data, method):
    model = network(data, method=method)
    whole = logits(model, data, np.arange(40))
    shuffled = np.random.default_rng(0).permutation(40)
    torch.testing.assert_close(logits(model, data, shuffled), whole[shuffled], atol=1e-5, rtol=0)
    for graph in (0, 1, 17):
        torch.testing.assert_close(logits(model, data, [graph])[0], whole[graph], atol=1e-5, rtol=0)


def proteins(dataset, count: int | None):
    data = Resident(dataset, dataset_features(dataset)[0])
    graphs = np.arange(len(dataset))
    return data, graphs if count is None else np.random.default_rng(0).choice(graphs, count, replace=False)


@pytest.mark.parametrize("count", [100, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.parametrize("score", ["multiview", "attention"])
def test_logits_of_proteins_alone_are_those_in_a_batch(tu, score, count):
    data, graphs = proteins(tu("PROTEINS"), count)
    model = network(data, score=score, hidden=128)
    together = torch.cat(
        [logits(model, data, part) for part in np.array_split(graphs, max(len(graphs) // 256, 1))]
    )
    alone = torch.cat([logits(model, data, [graph]) for graph in graphs])
    torch.testing.assert_close(alone, together, atol=1e-5, rtol=0)


@pytest.mark.parametrize(
    "options",
    [{}, {"network": "multilevel"}, {"score": "attention", "use_weights": True}, {"method": "mvpool-sl"}],
    ids=str,
)
def test_logits_and_gradients_are_the_same_to_the_bit_by_any_number_of_threads(options):
    dataset = load_dataset("MAO")
    data = Resident(dataset, dataset_features(dataset)[0])
    assert data.kind is not None  # rows that vertices share
    found = {}
    for number in (1, 2, 3, 8):
        with threads.splitting(number):
            model = network(data, dropout=0.0, **options).train()
            batch = data.cut(np.arange(68))
            out = model.of_batch(batch).logits
            functional.cross_entropy(out, batch.target).backward()
            found[number] = [out, *(p.grad for p in model.parameters() if p.grad is not None)]
    for number in (2, 3, 8):
        assert all(torch.equal(a, b) for a, b in zip(found[number], found[1], strict=True)), number


def test_propagating_once_beforehand_changes_nothing(data):
    model = network(data)
    batch = data.cut(np.arange(9))
    known = model(batch.x, batch.adjacency, batch.batch, 9, batch.propagated)
    torch.testing.assert_close(model(batch.x, batch.adjacency, batch.batch, 9), known)


@pytest.mark.parametrize("method", sorted(architectures()))
def test_vertices_that_share_a_row_change_neither_logits_nor_gradients(toy, method):
    data = Resident(toy, np.ones((int(toy.ptr[-1]), 2), np.float32))
    assert data.kind is not None
    assert 4 * len(data.rows) <= len(data.x)
    torch.testing.assert_close(data.rows[data.kind], data.propagated, atol=0, rtol=0)
    model = network(data, method=method)
    batch = data.cut(np.arange(20))
    found = []
    for out in (
        model.of_batch(batch),
        model.detailed(batch.x, batch.adjacency, batch.batch, 20, batch.propagated),
    ):
        model.zero_grad()
        out.logits.square().sum().backward()
        found.append((out.logits, [p.grad for p in model.parameters() if p.grad is not None]))
    (logits_of_rows, of_rows), (plain_logits, plain) = found
    torch.testing.assert_close(logits_of_rows, plain_logits, atol=1e-5, rtol=1e-4)
    assert len(of_rows) == len(plain)
    for ours, theirs in zip(of_rows, plain, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-3)


def test_rows_that_differ_are_not_looked_up():
    dataset = load_dataset("MAO")
    data = Resident(dataset, np.random.default_rng(0).random((int(dataset.ptr[-1]), 3)).astype(np.float32))
    assert data.kind is None
    assert data.rows is data.propagated


def test_the_structure_blind_network_does_not_see_the_edges(data):
    model = network(data, method="structure-blind")
    batch = data.cut(np.arange(12))
    without = Adjacency(
        torch.zeros(batch.x.size(0) + 1, dtype=torch.int64), torch.empty(0, dtype=torch.int64)
    )
    seen = model(batch.x, batch.adjacency, batch.batch, 12, batch.propagated)
    torch.testing.assert_close(model(batch.x, without, batch.batch, 12), seen)
    order = torch.cat([torch.randperm(int(n)) + int(torch.nonzero(batch.batch == g)[0])
                       for g, n in enumerate(torch.bincount(batch.batch))])  # fmt: skip
    torch.testing.assert_close(model(batch.x[order], batch.adjacency, batch.batch, 12), seen)


def test_the_other_networks_do(data):
    batch = data.cut(np.arange(12))
    without = Adjacency(
        torch.zeros(batch.x.size(0) + 1, dtype=torch.int64), torch.empty(0, dtype=torch.int64)
    )
    for method in ("mivspool", "none"):
        model = network(data, method=method)
        assert not torch.allclose(
            model(batch.x, without, batch.batch, 12), model(batch.x, batch.adjacency, batch.batch, 12)
        )


@pytest.mark.parametrize("options", [{}, {"score": "projection"}, {"score": "attention"}, {"method": "none"},
                                     {"use_diagonal": True, "use_weights": False}])  # fmt: skip
def test_gradients_against_finite_differences(data, options):
    model = network(data, hidden=4, blocks=2, **options).double()
    batch = data.cut([0, 1, 2])
    names = [name for name, _ in model.named_parameters()]

    def compute(*values):
        parameters = dict(zip(names, values, strict=True))
        arguments = (batch.x.double(), batch.adjacency, batch.batch, 3)
        return torch.func.functional_call(model, parameters, arguments)

    parameters = [p.detach().clone().requires_grad_() for p in model.parameters()]
    assert torch.autograd.gradcheck(compute, parameters, fast_mode=True)


def test_every_level_is_there_in_the_detailed_pass(data):
    model = network(data, blocks=3)
    batch = data.cut(np.arange(5))
    out = model.detailed(batch.x, batch.adjacency, batch.batch, 5)
    assert len(out.levels) == len(out.inputs) == 3
    for before, level in zip(out.inputs, out.levels, strict=True):
        assert level.survivor.numel() == before.num_nodes
        assert level.cluster.max() + 1 == level.x.size(0)
    assert out.logits.shape == (5, 2)


def test_a_network_is_built_again_from_plain_data():
    config = NetworkConfig(3, 2, method="gpool", blocks=4)
    assert NetworkConfig.from_dict(config.to_dict()) == config
    assert config.score is None


@pytest.mark.parametrize(
    "wrong", [{"method": "nothing"}, {"score": "luck"}, {"blocks": 0}, {"dropout": 1.0}, {"in_channels": 0}]
)
def test_a_network_that_cannot_be_is_refused(wrong):
    with pytest.raises(InputError):
        NetworkConfig(**{"in_channels": 3, "num_classes": 2, **wrong})


def test_unknown_settings_are_refused():
    with pytest.raises(InputError, match="colour"):
        NetworkConfig.from_dict({"in_channels": 3, "num_classes": 2, "colour": 1})
