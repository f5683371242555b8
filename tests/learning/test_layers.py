"""A network is its list of layers: what the list says is what is built, and the paper's is what it always was."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from mivspool.arrays.segments import readout
from mivspool.graphs import dataset_features
from mivspool.learning import paper
from mivspool.learning.batches import Resident
from mivspool.learning.convolution import GCN
from mivspool.learning.layers import AUTO, CHOICES, NETWORKS, describe
from mivspool.learning.network import Classifier, NetworkConfig, architectures
from mivspool.learning.normalisation import Normalisation
from mivspool.learning.runs import RunConfig
from mivspool.learning.training import predict
from mivspool.pooling import MIVSPool
from mivspool.sparse import Adjacency

COMPARED = [*paper.METHODS, "none", "structure-blind"]
SINGLE = [(name, value) for name, values in CHOICES.items() for value in values]


@pytest.fixture(scope="module")
def data(toy) -> Resident:
    return Resident(toy, dataset_features(toy)[0])


def network(data: Resident, **options) -> Classifier:
    torch.manual_seed(0)
    return Classifier(NetworkConfig(data.x.size(1), 2, **{"hidden": 16, **options}))


def train(model: nn.Module, logits, batches) -> None:
    """A few steps of Adam on batches of the data."""
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    for batch in batches:
        optimiser.zero_grad()
        functional.cross_entropy(logits(batch), batch.target).backward()
        optimiser.step()


class Written(nn.Module):
    """The paper's network as its text has it, without a list of layers."""

    def __init__(self, in_channels: int, hidden: int, score: str) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(GCN(width, hidden) for width in (in_channels, hidden, hidden))
        self.poolings = nn.ModuleList(MIVSPool(hidden, score, level=level) for level in range(3))
        self.mlp = nn.Sequential(
            nn.Linear(2 * hidden, 128),
            nn.ReLU(),
            nn.Dropout(0.5),
            nn.Linear(128, 64),
            nn.ReLU(),
            nn.Linear(64, 2),
        )

    def forward(self, batch):
        x, adjacency, of, total = batch.propagated, batch.adjacency, batch.batch, 0
        for k, (convolution, pooling) in enumerate(zip(self.convolutions, self.poolings, strict=True)):
            matrix = adjacency.normalised(use_weights=True, dtype=x.dtype) if k else None
            pooled = pooling.pool(convolution(x, matrix), adjacency, of, batch.batch_size)
            x, adjacency, of = pooled.x, pooled.adjacency, pooled.batch
            total = total + readout(x, of, batch.batch_size)
        return self.mlp(total)


@pytest.mark.parametrize("score", ["multiview", "attention", "uniform"])
def test_the_papers_network_is_to_the_bit_what_its_text_says(data, score):
    assert data.kind is None
    ours = network(data, score=score)
    torch.manual_seed(0)
    theirs = Written(data.x.size(1), 16, score)
    assert list(ours.state_dict()) == list(theirs.state_dict())
    batches = [data.cut(part) for part in np.array_split(np.random.default_rng(0).permutation(40), 4)]
    torch.manual_seed(1)
    train(ours, lambda batch: ours.of_batch(batch).logits, batches)
    torch.manual_seed(1)
    train(theirs, theirs, batches)
    for name, value in ours.state_dict().items():
        assert torch.equal(value, theirs.state_dict()[name]), name


def test_the_papers_layers():
    layers = describe(NetworkConfig(7, 2, blocks=2, hidden=16))
    assert [(layer.kind, layer.name, layer.shape) for layer in layers] == [
        ("convolution", "gcn", "N × 16"),
        ("pooling", "mivspool", "N₁ × 16"),
        ("readout", "mean ‖ max", "B × 32"),
        ("convolution", "gcn", "N₁ × 16"),
        ("pooling", "mivspool", "N₂ × 16"),
        ("readout", "mean ‖ max", "B × 32"),
        ("join", "sum", "B × 32"),
        ("mlp", "mlp", "B × 2"),
    ]
    assert layers[1].options == {"score": "multiview", "reduction": "mean"}


@pytest.mark.parametrize("method", sorted(architectures()))
@pytest.mark.parametrize("name", list(NETWORKS))
def test_every_layer_takes_what_the_one_before_it_gives(name, method):
    layers = describe(NetworkConfig(7, 3, network=name, method=method))
    vertices = [layer for layer in layers if layer.kind in ("convolution", "pooling")]
    assert all(one.outputs == two.inputs for one, two in pairwise(vertices))
    joined = next(layer for layer in layers if layer.kind == "join")
    read = [layer for layer in layers if layer.kind == "readout"]
    assert {layer.outputs for layer in read} == {joined.inputs}
    assert joined.options["readouts"] == len(read)
    assert joined.outputs == joined.inputs * (len(read) if joined.name == "concatenate" else 1)
    assert (layers[-1].kind, layers[-1].inputs, layers[-1].outputs) == ("mlp", joined.outputs, 3)


@pytest.mark.parametrize("method", sorted(architectures()))
@pytest.mark.parametrize("name", [name for name in NETWORKS if name != "paper"])
def test_a_graphs_logits_do_not_depend_on_its_batch(data, name, method):
    model = network(data, network=name, method=method, blocks=2)
    batches = [data.cut(np.arange(40)), data.cut(np.arange(20))]
    train(model, lambda batch: model.of_batch(batch).logits, batches)
    whole = predict(model, data.cut(np.arange(40)))
    for graph in (0, 1, 17):
        torch.testing.assert_close(predict(model, data.cut([graph]))[0], whole[graph], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize(("name", "value"), SINGLE)
def test_each_choice_is_built_and_has_the_gradients_of_its_plain_form(toy, data, name, value):
    """On rows that many vertices share, the pass over the rows is the pass over the vertices."""
    shared = Resident(toy, np.ones((int(toy.ptr[-1]), 2), np.float32))
    assert shared.kind is not None
    model = network(shared, **{name: value}).eval()
    batch = shared.cut(np.arange(20))
    found = []
    for out in (model.of_batch(batch), model.detailed(batch.x, batch.adjacency, batch.batch, 20)):
        model.zero_grad()
        out.logits.square().sum().backward()
        found.append((out.logits, [p.grad for p in model.parameters()]))
    (rows, of_rows), (plain, of_plain) = found
    torch.testing.assert_close(rows, plain, atol=1e-5, rtol=1e-4)
    for ours, theirs in zip(of_rows, of_plain, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-3)
    assert (getattr(model.config, name) == AUTO) == (NETWORKS["paper"].own[name] == value)


@pytest.mark.parametrize(
    "options", [{}, {"convolution": "gcn"}, {"method": "none"}, {"method": "structure-blind"}]
)
def test_gradients_against_finite_differences(data, options):
    model = network(data, network="multilevel", hidden=4, blocks=1, **options).double().eval()
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):  # at 0 a vertex without features stands on the kink of its ReLU
            nn.init.normal_(parameter)
    batch = data.cut([0, 1, 2])
    names = [name for name, _ in model.named_parameters()]

    def compute(*values):
        arguments = (batch.x.double(), batch.adjacency, batch.batch, 3)
        return torch.func.functional_call(model, dict(zip(names, values, strict=True)), arguments)

    parameters = [p.detach().clone().requires_grad_() for p in model.parameters()]
    assert torch.autograd.gradcheck(compute, parameters, fast_mode=True)


def test_the_twins_have_as_many_readouts_and_parameters_within_5_percent():
    def of(method):
        config = NetworkConfig(37, 2, network="multilevel", method=method)
        read = [layer.shape for layer in describe(config) if layer.kind == "readout"]
        return read, sum(parameter.numel() for parameter in Classifier(config).parameters())

    readouts, parameters = of("mivspool")
    assert len(readouts) == 4
    for method in COMPARED:
        other, count = of(method)
        assert other == readouts, method
        assert count == pytest.approx(parameters, rel=0.05), method


def test_the_structure_blind_twin_does_not_see_the_edges(data):
    model = network(data, network="multilevel", method="structure-blind").eval()
    batch = data.cut(np.arange(12))
    n = batch.x.size(0)
    without = Adjacency(torch.zeros(n + 1, dtype=torch.int64), torch.empty(0, dtype=torch.int64))
    out = model(batch.x, batch.adjacency, batch.batch, 12)
    torch.testing.assert_close(model(batch.x, without, batch.batch, 12), out)


def test_a_gin_sums_over_neighbours(data):
    model = network(data, network="multilevel").eval()
    batch = data.cut(np.arange(3))
    n, (row, col) = batch.x.size(0), batch.adjacency.edge_index
    dense = torch.eye(n)
    dense[row, col] = 1
    first = model.convolutions[0]
    by_hand = (dense @ batch.x @ first.first.weight + first.first.bias).relu()
    by_hand = (by_hand @ first.second.weight + first.second.bias).relu()
    torch.testing.assert_close(first(batch.x, batch.adjacency.summing()), by_hand)


def test_weights_and_diagonal_of_the_reduced_graph_are_summed_where_they_are_wanted():
    edges = torch.tensor([[0, 1, 1, 2, 2, 3, 0, 2], [1, 0, 2, 1, 3, 2, 2, 0]])
    reduced = Adjacency.from_edge_index(edges, num_nodes=4).contract(torch.tensor([0, 0, 1, 1]), 2)
    x = torch.tensor([[1.0], [10.0]])
    assert (reduced.summing() @ x).tolist() == [[11.0], [11.0]]
    assert (reduced.summing(use_weights=True) @ x).tolist() == [[21.0], [12.0]]
    assert (reduced.summing(use_weights=True, use_diagonal=True) @ x).tolist() == [[23.0], [32.0]]


def test_one_row_alone_can_be_trained_on():
    layer = Normalisation(3).train()
    assert torch.isfinite(layer(torch.ones(1, 3))).all()
    assert layer.running_mean.tolist() == [0, 0, 0]


def test_one_network_has_one_identifier():
    own = NETWORKS["paper"].own
    assert (
        RunConfig("MAO", **own).config_id
        == RunConfig("MAO", network="paper").config_id
        == RunConfig("MAO").config_id
    )
    assert RunConfig("MAO", method="gpool", reduction="sum") == RunConfig("MAO", method="gpool")
    assert RunConfig("MAO", method="structure-blind", join="concatenate") == RunConfig(
        "MAO", method="structure-blind"
    )
    changed = {RunConfig("MAO", **{name: value}).config_id for name, value in SINGLE if own[name] != value}
    assert len(changed) == sum(own[name] != value for name, value in SINGLE)
    assert RunConfig("MAO").config_id not in changed


@pytest.mark.parametrize("name", list(NETWORKS))
def test_every_network_says_what_it_is_and_makes_every_choice(name):
    entry = NETWORKS[name]
    assert (entry.name, set(entry.own)) == (name, set(CHOICES))
    assert all(value in CHOICES[choice] for choice, value in entry.own.items())
    assert entry.title
    assert entry.about.endswith(".")
