"""torch.compile of a network with our parts runs, and gives what the network gives without it."""

from __future__ import annotations

import pytest
import torch

from mivspool import meer
from mivspool.arrays.segments import readout
from mivspool.learning.network import Classifier, NetworkConfig
from mivspool.pooling import METHODS, SCORES, method
from tests.pooling.drawn import CHANNELS, awkward, features

CHOICES = [(name, None) for name, entry in METHODS.items() if not entry.takes_score]
CHOICES += [(name, score) for name, entry in METHODS.items() if entry.takes_score for score in SCORES]


@pytest.fixture(autouse=True)
def fresh():
    torch.compiler.reset()
    yield
    torch.compiler.reset()


class Network(torch.nn.Module):
    """A layer between what torch.compile does compile; ``inside``: on an Adjacency."""

    def __init__(self, layer, inside):
        super().__init__()
        self.first, self.layer, self.inside = torch.nn.Linear(CHANNELS, CHANNELS), layer, inside

    def forward(self, x, adjacency, edge_index, batch, size):
        x = self.first(x).relu()
        if self.inside:
            pooled = self.layer.pool(x, adjacency, batch, size)
        else:
            pooled = self.layer(x, edge_index, None, batch, size)
        return readout(pooled.x.sin(), pooled.batch, size) * 2, pooled.edge_weight


def same(network, *given):
    """The network, compiled and not: its results and gradients agree, call after call."""
    compiled = torch.compile(network, backend="eager")
    for _ in range(2):
        found = []
        for run in (network, compiled):
            network.zero_grad()
            out, weight = run(*given)
            out.square().sum().backward()
            found.append([out, weight, *(p.grad for p in network.parameters() if p.grad is not None)])
        assert len(found[0]) == len(found[1]) > 2
        for one, other in zip(*found, strict=True):
            torch.testing.assert_close(other, one)


# one layer with everything, one with a gradient in its weights, one that is dense: called on an Adjacency too
INSIDE = [("mivspool", "multiview"), ("mvpool-sl", None), ("diffpool", None)]


@pytest.mark.parametrize(
    ("choice", "inside"),
    [(choice, False) for choice in CHOICES] + [(choice, True) for choice in INSIDE],
    ids=lambda part: ":".join(filter(None, part)) if isinstance(part, tuple) else "inside" * part,
)
def test_a_compiled_network_gives_what_it_gives_uncompiled(choice, inside):
    name, score = choice
    torch.manual_seed(3)
    layer = method(name).make(CHANNELS, **({"score": score} if score else {})).eval()
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes, dtype=torch.float32)
    same(Network(layer, inside), x, adjacency, adjacency.edge_index, batch, size)


def test_many_layers_on_many_graphs_in_one_compiled_network():
    """More than the compiler looks at before it gives up."""
    torch.manual_seed(3)
    names = [name for name in METHODS if name not in ("diffpool", "ndp")]
    layers = torch.nn.ModuleList(method(name).make(CHANNELS).eval() for name in names)

    def summed(x, edge_index):
        return sum(layer(x * 2, edge_index).x.sum() for layer in layers)

    compiled = torch.compile(summed, backend="eager")
    for n in range(2, 12):
        ring = torch.stack([torch.arange(n), (torch.arange(n) + 1) % n])
        edge_index = torch.cat([ring, ring.flip(0)], 1)
        x = features(n, dtype=torch.float32)
        torch.testing.assert_close(compiled(x, edge_index), summed(x, edge_index))


@pytest.mark.parametrize("backend", ["inductor", "eager"])
def test_a_compiled_layer_gives_what_it_gives_uncompiled(backend):
    torch.manual_seed(3)
    layer = method("mivspool").make(CHANNELS)
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes, dtype=torch.float32)
    given = x, adjacency.edge_index, None, batch, size
    expected, found = layer(*given), torch.compile(layer, backend=backend)(*given)
    torch.testing.assert_close(found.x, expected.x)
    assert torch.equal(found.edge_index, expected.edge_index)
    assert torch.equal(found.survivor, expected.survivor)


@pytest.mark.parametrize("name", ["mivspool", "none", "structure-blind"])
def test_the_classifier_is_compiled(name):
    torch.manual_seed(3)
    network = Classifier(NetworkConfig(CHANNELS, 2, name, blocks=2, hidden=8)).eval()
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes, dtype=torch.float32)
    expected = network(x, adjacency, batch, size)
    torch.testing.assert_close(torch.compile(network, backend="eager")(x, adjacency, batch, size), expected)


def test_meers_algorithm_within_compiled_code():
    adjacency, _, _ = awkward()
    score = torch.rand(adjacency.num_nodes, generator=torch.Generator().manual_seed(0))

    def kept(edge_index, score):
        return meer.select(edge_index, score * 2) & meer.trace(edge_index, score * 2).survivor

    found = torch.compile(kept, backend="eager")(adjacency.edge_index, score)
    assert torch.equal(found, meer.select(adjacency.edge_index, score))
