"""Gradients of gradients: right through every method and every compiled function, whatever the loss.

A loss that is linear in the result must not cut the history (its gradient carries none), nor may a result that is used
in one part only.
"""

from __future__ import annotations

import pytest
import torch

from mivspool.arrays.segments import gated, readout, spread, weighted_mean
from mivspool.learning.convolution import GCN
from mivspool.pooling import METHODS, SCORES, method
from mivspool.pooling.parts.directions import share
from mivspool.pooling.parts.structure import learned
from mivspool.pooling.scores.multiview import MultiView
from mivspool.sparse import Adjacency, Propagation
from tests.pooling.drawn import CHANNELS, awkward, features, of_edges

CHOICES = [(name, None) for name, entry in METHODS.items() if not entry.takes_score]
CHOICES += [(name, score) for name, entry in METHODS.items() if entry.takes_score for score in SCORES]
BATCH = torch.tensor([0, 0, 0, 2, 2, 3])
GRAPH = of_edges([(0, 1), (1, 2), (2, 0), (3, 4)], 6)


def drawn(*shape, seed=0):
    return torch.randn(
        *shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64
    ).requires_grad_()


@pytest.mark.parametrize("loss", [torch.sum, lambda out: out.sin().sum()], ids=["linear", "curved"])
@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: ":".join(filter(None, choice)))
def test_the_second_derivative_of_a_layer_is_that_of_finite_differences(choice, loss):
    name, score = choice
    torch.manual_seed(3)
    options = {"score": score} if score else {}
    if name == "diffpool":
        options["clusters"] = 4
    layer = method(name).make(CHANNELS, **options).double().eval()
    adjacency, batch, size = awkward()

    def value(x):
        pooled = layer.pool(x, adjacency, batch, size)
        out = pooled.x
        if layer.weighted:
            out = pooled.adjacency.normalised(use_weights=True, use_diagonal=True, dtype=out.dtype) @ out
        total = loss(out)
        return total if pooled.auxiliary_loss is None else total + pooled.auxiliary_loss

    x, along = features(adjacency.num_nodes), features(adjacency.num_nodes, seed=1)
    inputs = [x.clone().requires_grad_(), *layer.parameters()]
    first = torch.autograd.grad(value(inputs[0]), inputs, create_graph=True, allow_unused=True)
    slope = (first[0] * along).sum()
    second = (
        torch.autograd.grad(slope, inputs, allow_unused=True) if slope.requires_grad else [None] * len(inputs)
    )
    step = 1e-5
    for part, given in enumerate(inputs):
        ends = []
        for sign in (1, -1):
            shifted = (x + sign * step * along).requires_grad_()
            moved = [shifted, *inputs[1:]]
            found = torch.autograd.grad(value(shifted), moved[part], allow_unused=True)[0]
            ends.append(torch.zeros_like(given) if found is None else found)
        expected = (ends[0] - ends[1]) / (2 * step)
        ours = torch.zeros_like(given) if second[part] is None else second[part]
        torch.testing.assert_close(ours, expected, atol=1e-6, rtol=1e-5)


def multiview(along, *parameters):
    score = MultiView(CHANNELS).double()
    names = [name for name, _ in score.named_parameters()]
    given = dict(zip(names, parameters, strict=True))
    return torch.func.functional_call(_Of(score), {f"score.{k}": v for k, v in given.items()}, (along,))


class _Of(torch.nn.Module):
    def __init__(self, score):
        super().__init__()
        self.score = score

    def forward(self, along):
        return self.score.raw(along, GRAPH, BATCH, 4)


def structure(of_row, of_col, bonus):
    rowptr, col = torch.tensor([0, 2, 5, 7]), torch.tensor([0, 1, 0, 1, 2, 1, 2])
    made = learned(rowptr, col, of_row, of_col, bonus, 0.2)
    return made.weight, made.loops


def propagated(x, half, loops):
    once = GRAPH.row < GRAPH.col
    transposed = torch.argsort(GRAPH.col * GRAPH.num_nodes + GRAPH.row)
    weight = torch.zeros(GRAPH.num_entries, dtype=torch.float64).masked_scatter(once, half.exp())
    weight = weight + weight.index_select(0, transposed)
    graph = Adjacency(GRAPH.rowptr, GRAPH.col, weight, loops.exp())
    return graph.normalised(use_weights=True, use_diagonal=True, dtype=torch.float64) @ x


def convolved(x, weight, bias):
    layer = GCN(3, 4).double()
    return torch.func.functional_call(layer, {"weight": weight, "bias": bias}, (x, None))


CLUSTER = torch.tensor([0, 1, 0, 2, 1, 1])
KIND = torch.tensor([3, 0, 0, 1, 3, 0])
FUNCTIONS = {
    "share": (lambda x, d: share(x, d), (drawn(6, 3), drawn(2, 3))),
    "share, the product alone": (lambda x, d: share(x, d)[1], (drawn(6, 3), drawn(1, 3))),
    "share, features without a gradient": (lambda d: share(drawn(6, 3).detach(), d), (drawn(2, 3),)),
    "readout": (lambda x: readout(x, BATCH, 5), (drawn(6, 3),)),
    "spread": (lambda rows: spread(rows, KIND), (drawn(4, 3),)),
    "gated": (lambda x, gate: gated(x, torch.tensor([0, 2, 5]), gate), (drawn(6, 3), drawn(3))),
    "gated, the features turned": (
        lambda x, gate: gated(x.T, torch.tensor([0, 2, 5]), gate),
        (drawn(3, 6), drawn(3)),
    ),
    "weighted mean": (
        lambda x, score: weighted_mean(x, score.exp(), CLUSTER, 3),
        (drawn(6, 3), drawn(6)),
    ),
    "weighted mean, the features turned": (
        lambda x, score: weighted_mean(x.T, score.exp(), CLUSTER, 3),
        (drawn(3, 6), drawn(6)),
    ),
    "weighted mean of rows": (
        lambda x, score: weighted_mean(x, score.exp(), CLUSTER, 3, KIND),
        (drawn(4, 3), drawn(6)),
    ),
    "weighted mean of some": (
        lambda x, score: weighted_mean(x, score.exp(), torch.tensor([0, -1, 0, 1, -1, 1]), 2),
        (drawn(6, 3), drawn(6)),
    ),
    "convolution": (convolved, (drawn(6, 3), drawn(3, 4, seed=1), drawn(4, seed=2))),
    "propagation": (lambda x: GRAPH.normalised(dtype=torch.float64) @ x, (drawn(6, 3),)),
    "propagation, learned": (propagated, (drawn(6, 3), drawn(4, seed=1), drawn(6, seed=2))),
    "propagation, a learned diagonal": (
        lambda x, own: Propagation(GRAPH, torch.ones(8, dtype=torch.float64), own) @ x,
        (drawn(6, 3), drawn(6, seed=1)),
    ),
    "structure": (structure, (drawn(3), drawn(3, seed=1), drawn(7, seed=2))),
    "multiview score": (
        multiview,
        (drawn(6, 2), *(drawn(*p.shape, seed=i) for i, p in enumerate(MultiView(CHANNELS).parameters()))),
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_and_their_gradients_against_finite_differences(name):
    function, inputs = FUNCTIONS[name]
    assert torch.autograd.gradcheck(function, inputs)
    if name == "multiview score":  # p and the GCN's weight enter before ``along``
        assert torch.autograd.gradgradcheck(function, inputs, atol=1e-4)
        return
    assert torch.autograd.gradgradcheck(function, inputs)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_first_derivative_is_the_same_whether_its_history_is_kept(name):
    function, inputs = FUNCTIONS[name]
    out = function(*inputs)
    out = out if isinstance(out, tuple) else (out,)
    along = [torch.randn_like(part) for part in out]
    plain = torch.autograd.grad(out, inputs, along, retain_graph=True, allow_unused=True)
    kept = torch.autograd.grad(out, inputs, along, create_graph=True, allow_unused=True)
    for one, other in zip(plain, kept, strict=True):
        torch.testing.assert_close(one, other)
