"""What holds for every pooling method of the registry."""

from __future__ import annotations

import math
from contextlib import nullcontext
from pathlib import Path

import pytest
import torch

from mivspool.arrays.segments import readout
from mivspool.arrays.table import tensors_alone
from mivspool.errors import InputError
from mivspool.pooling import METHODS, SCORES, method
from mivspool.pooling.parts.measure import renumber
from mivspool.sparse import Adjacency
from tests.pooling.drawn import CHANNELS, awkward, features, of_edges, part_of, single

CHOICES = [(name, None) for name, entry in METHODS.items() if not entry.takes_score]
CHOICES += [(name, score) for name, entry in METHODS.items() if entry.takes_score for score in SCORES]


@pytest.fixture(params=CHOICES, ids=lambda choice: ":".join(filter(None, choice)))
def layer(request):
    """A layer in double precision, so that ties are ties of the method and not of rounding."""
    name, score = request.param
    torch.manual_seed(3)
    options = {"score": score} if score else {}
    if name == "diffpool":
        options["clusters"] = 4
    return method(name).make(CHANNELS, **options).double().eval()


def test_shapes_and_batches(layer):
    adjacency, batch, size = awkward()
    n = adjacency.num_nodes
    pooled = layer.pool(features(n), adjacency, batch, size)
    assert pooled.x.shape[0] == pooled.batch.numel() == pooled.adjacency.num_nodes
    assert pooled.batch_size == size
    assert bool((pooled.batch[1:] >= pooled.batch[:-1]).all())
    assert pooled.edge_index.shape[1] == pooled.edge_weight.numel()
    Adjacency.from_edge_index(pooled.edge_index, pooled.edge_weight, pooled.x.size(0))  # symmetric
    assert bool((pooled.batch[pooled.edge_index[0]] == pooled.batch[pooled.edge_index[1]]).all())
    if pooled.cluster is None:
        assert layer.kind == "complete"
        assert pooled.selection.assignment.shape[0] == n
        return
    kept = pooled.cluster >= 0
    assert bool(kept.all()) == (layer.kind == "hard") or pooled.x.size(0) == n
    assert torch.equal(pooled.batch[pooled.cluster[kept]], batch[kept])
    assert int(pooled.survivor.sum()) == pooled.x.size(0)
    # a survivor is in its own cluster, and clusters are numbered in the order of their survivors
    assert torch.equal(pooled.cluster[pooled.survivor], torch.arange(pooled.x.size(0)))
    # no graph with vertices is pooled to nothing
    assert torch.equal(torch.unique(pooled.batch), torch.unique(batch))


def test_no_vertices_at_all(layer):
    adjacency = of_edges([], 0)
    pooled = layer.pool(features(0), adjacency, torch.empty(0, dtype=torch.int64), 1)
    assert pooled.adjacency.col.numel() == 0
    assert bool(pooled.x.isfinite().all())


def test_gradients_are_finite_and_reach_the_features(layer):
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes).requires_grad_()
    pooled = layer.pool(x, adjacency, batch, size)
    out = pooled.x
    if layer.weighted:
        out = pooled.adjacency.normalised(use_weights=True, use_diagonal=True, dtype=out.dtype) @ out
    loss = out.square().sum()
    if pooled.auxiliary_loss is not None:
        assert bool(pooled.auxiliary_loss.isfinite())
        loss = loss + pooled.auxiliary_loss
    loss.backward()
    assert bool(x.grad.isfinite().all())
    assert float(x.grad.abs().sum()) > 0
    for name, parameter in layer.named_parameters():
        assert parameter.grad is not None, name
        assert bool(parameter.grad.isfinite().all()), name


def test_the_numbering_of_the_vertices_does_not_matter(layer):
    """Where scores differ; uniform scores and NDP's random cut belong to the vertex's number, not to the vertex."""
    adjacency = of_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 6), (6, 7), (7, 8), (3, 8)], 9)
    if getattr(layer, "score_name", None) == "degree":
        pytest.skip("degrees tie")
    if getattr(layer, "score_name", None) == "uniform":
        pytest.skip("uniform scores are drawn by number")
    x, (batch, size) = features(9), single(9)
    pooled = layer.pool(x, adjacency, batch, size)
    for seed in range(5):
        order = torch.randperm(9, generator=torch.Generator().manual_seed(seed))
        other = layer.pool(x[order], renumber(adjacency, order), batch, size)
        if pooled.survivor is None:
            expected, place = pooled.selection.assignment[order], torch.arange(pooled.x.size(0))
            torch.testing.assert_close(other.selection.assignment, expected)
        else:
            assert torch.equal(other.survivor, pooled.survivor[order])
            # reduced vertex k of the renumbered graph is reduced vertex place[k] of the first
            place = pooled.cluster[order[other.survivor]]
        torch.testing.assert_close(other.x, pooled.x[place])
        torch.testing.assert_close(dense_of(other), dense_of(pooled)[place][:, place])


def test_a_graph_in_a_batch_is_the_graph_alone(layer):
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes)
    together = layer.pool(x, adjacency, batch, size)
    for graph in range(size):
        own, alone = part_of(adjacency, batch, graph)
        if alone.num_nodes == 0:
            continue
        pooled = layer.pool(x[own], alone, *single(alone.num_nodes))
        reduced = together.batch == graph
        torch.testing.assert_close(pooled.x, together.x[reduced])
        torch.testing.assert_close(dense_of(pooled), dense_of(together)[reduced][:, reduced])
        if pooled.survivor is not None:
            assert torch.equal(pooled.survivor, together.survivor[own])


def test_a_layer_gives_the_same_without_compiled_passes(layer):
    """As on a GPU, but on the CPU: every operation in torch operations, gradients included."""
    found = []
    for way in (nullcontext, tensors_alone):
        adjacency, batch, size = awkward()
        x = features(adjacency.num_nodes).requires_grad_()
        with way():
            pooled = layer.pool(x, adjacency, batch, size)
            matrix = pooled.adjacency.normalised(use_weights=True, use_diagonal=True, dtype=x.dtype)
            out = readout(matrix @ pooled.x, pooled.batch, size)
            (slope,) = torch.autograd.grad(out.sin().sum(), x)
        found.append((out, slope, pooled.edge_index, pooled.edge_weight, pooled.batch))
    for ours, theirs in zip(*found, strict=True):
        torch.testing.assert_close(theirs, ours)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
def test_cpu_and_gpu_agree(layer):
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes)
    here = layer.pool(x, adjacency, batch, size)
    there = layer.to("cuda").pool(x.cuda(), adjacency.to("cuda"), batch.cuda(), size)
    torch.testing.assert_close(there.x.cpu(), here.x)
    assert torch.equal(there.edge_index.cpu(), here.edge_index)
    torch.testing.assert_close(there.edge_weight.cpu(), here.edge_weight)


def test_tensors_as_in_pytorch_geometric(layer):
    adjacency, batch, size = awkward()
    x = features(adjacency.num_nodes)
    inside = layer.pool(x, adjacency, batch, size)
    outside = layer(x, adjacency.edge_index, None, batch, size)
    torch.testing.assert_close(outside.x, inside.x)
    assert torch.equal(outside.edge_index, inside.edge_index)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("name", METHODS)
def test_features_that_are_not_finite_are_refused_and_their_vertex_named(name, wrong):
    x = features(4)
    x[2, 1] = wrong
    edge_index = torch.tensor([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]])
    with pytest.raises(InputError, match=f"vertex 2.*{wrong}"):
        method(name).make(CHANNELS).double()(x, edge_index)


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64])
@pytest.mark.parametrize("name", METHODS)
def test_features_that_are_no_real_numbers_are_refused(name, dtype):
    with pytest.raises(InputError, match="floating point"):
        method(name).make(CHANNELS)(torch.ones(2, CHANNELS, dtype=dtype), torch.tensor([[0, 1], [1, 0]]))


@pytest.mark.parametrize("wrong", [math.nan, math.inf])
@pytest.mark.parametrize(("name", "score"), [c for c in CHOICES if c[1] is None or SCORES[c[1]].learned])
def test_what_a_layer_has_learned_is_refused_where_it_is_not_finite(name, score, wrong):
    """A diverged layer is told from a good one by every call of the public face; the message names a vertex."""
    layer = method(name).make(CHANNELS, **({"score": score} if score else {})).double()
    if not list(layer.parameters()):
        pytest.skip("nothing is learned")
    for parameter in layer.parameters():
        parameter.data.fill_(wrong)
    with pytest.raises(InputError, match="vertex 0"):
        layer(features(4), torch.tensor([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]]))


def test_every_method_has_a_page_that_names_it():
    root = Path(__file__).resolve().parents[2]
    index = (root / "docs/methods/README.md").read_text(encoding="utf-8")
    for entry in METHODS.values():
        assert (root / entry.docs).exists()
        assert f"`{entry.name}`" in index


def test_unknown_names_are_refused_with_the_known_ones():
    with pytest.raises(InputError, match="gpool"):
        method("topk")
    with pytest.raises(TypeError):
        method("gpool").make(3, unknown=1)


def dense_of(pooled):
    matrix = torch.zeros(pooled.x.size(0), pooled.x.size(0), dtype=torch.float64)
    return matrix.index_put(tuple(pooled.edge_index), pooled.edge_weight.detach().double())
