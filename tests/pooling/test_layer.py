"""What every layer offers whatever its method: half precision, channels left open, resetting, pickles, plain scores."""

from __future__ import annotations

import copy
import pickle

import pytest
import torch
from torch_geometric.nn import GCNConv

from mivspool import meer
from mivspool.errors import InputError
from mivspool.pooling import METHODS, SCORES, MIVSPool, method
from mivspool.pooling.score import Score
from mivspool.sparse import Adjacency
from tests.pooling.drawn import CHANNELS
from tests.pooling.passes import ADJACENCY, BATCH, PRECISIONS, SIZE, X, call, loss_of, passes

CHOICES = [(name, None) for name, entry in METHODS.items() if not entry.takes_score]
CHOICES += [(name, score) for name, entry in METHODS.items() if entry.takes_score for score in SCORES]
LEARNED = [choice for choice in CHOICES if choice[1] is None or SCORES[choice[1]].learned]


@pytest.fixture(params=CHOICES, ids=lambda choice: ":".join(filter(None, choice)))
def make(request):
    """What makes a layer of one method and score for features of so many channels."""
    name, score = request.param

    def made(channels):
        torch.manual_seed(3)
        options = {"clusters": 4} if name == "diffpool" else {}
        return method(name).make(channels, **options, **({"score": score} if score else {}))

    return made


@pytest.mark.parametrize("own", [False, True], ids=["weights in float32", "weights in half precision"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_computed_in_float32_and_comes_back_in_its_type(make, dtype, own):
    layer = make(CHANNELS).eval()
    layer = layer.to(dtype) if own else layer
    x = X.to(dtype).requires_grad_()
    exact = copy.deepcopy(layer).float()
    found, expected = call(layer, x), call(exact, x.detach().float())
    assert found.x.dtype == dtype
    assert torch.equal(found.x, expected.x.to(dtype))
    assert torch.equal(found.edge_index, expected.edge_index)
    torch.testing.assert_close(found.edge_weight, expected.edge_weight)
    loss_of(found).backward()
    assert x.grad.dtype == dtype
    assert bool(x.grad.isfinite().all())
    assert all(p.grad is None or p.grad.dtype == p.dtype for p in layer.parameters())


def test_autocast_changes_nothing(make):
    layer = make(CHANNELS).eval()
    with torch.autocast("cpu", torch.bfloat16):
        found, half = call(layer), call(layer, X.bfloat16())
    expected = call(layer)
    assert found.x.dtype == torch.float32
    assert torch.equal(found.x, expected.x)
    assert torch.equal(found.edge_weight, expected.edge_weight)
    assert half.x.dtype == torch.bfloat16


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("name", METHODS)
def test_pass_after_pass_stays_finite(name, precision):
    """``python -m tests.soak passes`` makes 200 of each."""
    passes(name, precision, 50)


def test_channels_left_open_are_those_of_the_first_call(make):
    layer, expected = make(-1).double(), make(CHANNELS)
    assert layer.in_channels == -1
    call(layer.eval(), X.double())
    assert layer.in_channels == CHANNELS
    shapes = {name: p.shape for name, p in expected.named_parameters()}
    assert {name: p.shape for name, p in layer.named_parameters()} == shapes
    assert all(p.dtype == torch.float64 for p in layer.parameters())
    if shapes and not hasattr(layer, "loss_weight"):  # MEWISPool learns of entropies alone
        with pytest.raises(InputError):
            call(layer, torch.ones(X.size(0), CHANNELS + 1, dtype=torch.float64))


def test_weights_that_are_left_open_can_be_loaded(make):
    trained, layer = make(CHANNELS).eval(), make(-1)
    layer.load_state_dict(trained.state_dict())
    torch.testing.assert_close(call(layer.eval()).x, call(trained).x)


def test_an_optimiser_from_before_the_first_call_holds_the_weights_that_are_drawn():
    layer = MIVSPool(-1)
    before = list(map(id, layer.parameters()))
    call(layer)
    assert list(map(id, layer.parameters())) == before


def test_channels_that_there_cannot_be_are_refused():
    with pytest.raises(InputError, match="in_channels"):
        MIVSPool(-2)


def test_reset_draws_the_weights_as_at_first(make):
    layer = make(CHANNELS)
    first = copy.deepcopy(layer.state_dict())
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.fill_(7)
    torch.manual_seed(3)
    layer.reset_parameters()
    for name, value in layer.state_dict().items():
        assert torch.equal(value, first[name]), name


def test_reset_reaches_a_score_that_was_given():
    score = torch.nn.Sequential(torch.nn.Linear(CHANNELS, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
    layer = MIVSPool(CHANNELS, score)
    with torch.no_grad():
        score[0].weight.fill_(7)
    layer.reset_parameters()
    assert not bool((score[0].weight == 7).any())


def test_a_result_is_one_line_pickles_and_moves(make):
    pooled = call(make(CHANNELS).eval())
    for one in (pooled, pooled.selection, pooled.adjacency):
        assert "\n" not in repr(one)
        assert len(repr(one)) < 200
    for other in (pickle.loads(pickle.dumps(pooled)), pooled.to("cpu")):
        assert repr(other) == repr(pooled)
        assert torch.equal(other.x, pooled.x)
        assert torch.equal(other.edge_index, pooled.edge_index)
        assert torch.equal(other.edge_weight, pooled.edge_weight)
        trace, own = other.selection.trace, pooled.selection.trace
        assert (trace is None) == (own is None)
        if trace is not None and own is not None:
            assert torch.equal(trace.to("cpu").settled_at, own.settled_at)
            assert "\n" not in repr(trace)
            assert torch.equal(pickle.loads(pickle.dumps(trace)).cluster, own.cluster)


def test_a_result_moves_with_all_that_it_holds(make):
    """The device "meta" holds no values: what stays behind is still on the CPU."""
    moved = call(make(CHANNELS).eval()).to("meta")
    held = [moved.x, *(value for value in vars(moved.selection).values() if isinstance(value, torch.Tensor))]
    held += [moved.adjacency.rowptr, moved.adjacency.col]
    assert {one.device.type for one in held} == {"meta"}
    if moved.selection.make_trace is not None:
        graph, key, batch, *_ = moved.selection.make_trace.args
        assert {one.device.type for one in (graph, key, batch)} == {"meta"}


def test_unpooling_is_the_product_with_s(make):
    pooled = call(make(CHANNELS).eval())
    if pooled.cluster is None:
        own = torch.nn.functional.one_hot(BATCH, SIZE).float()
        s = (own.unsqueeze(2) * pooled.selection.assignment.unsqueeze(1)).flatten(1)
    else:
        s = torch.zeros(X.size(0), pooled.x.size(0))
        kept = torch.nonzero(pooled.cluster >= 0).reshape(-1)
        s[kept, pooled.cluster[kept]] = 1
    torch.testing.assert_close(pooled.unpool(), s @ pooled.x)


def weigh(x, edge_index, edge_weight, batch, batch_size, adjacency, *, bonus=0.0):
    """A score that asks for everything there is."""
    assert edge_index.shape == (2, adjacency.num_entries)
    assert edge_weight is None or edge_weight.shape == (adjacency.num_entries,)
    assert batch_size > int(batch.max())
    return x.sum(1) + bonus


PLAIN = {
    "a linear layer": lambda: torch.nn.Linear(CHANNELS, 1),
    "a convolution of PyTorch Geometric": lambda: GCNConv(CHANNELS, 1),
    "a network": lambda: torch.nn.Sequential(torch.nn.Linear(CHANNELS, 3), torch.nn.Linear(3, 1)),
    "a function": lambda: weigh,
    "a lambda": lambda: lambda x, edge_index: x.sum(1).index_add(0, edge_index[0], x[edge_index[1]].sum(1)),
}


@pytest.mark.parametrize("plain", PLAIN)
def test_a_plain_module_or_function_is_a_score(plain):
    """Vertices are ordered by its values, and the mean of a cluster is weighted by their sigmoids."""
    torch.manual_seed(3)
    score = PLAIN[plain]()
    layer = MIVSPool(CHANNELS, score)
    pooled = call(layer)
    if plain == "a linear layer":
        value = score(X).squeeze(1)
        assert torch.equal(
            pooled.survivor, meer.select(ADJACENCY, meer.learned_key(value, ADJACENCY), BATCH, SIZE)
        )
        torch.testing.assert_close(pooled.score, value.sigmoid())
    if not list(layer.parameters()):
        return
    pooled.x.square().sum().backward()
    for parameter in layer.parameters():
        assert float(parameter.grad.abs().sum()) > 0


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (lambda: 1, "called with x"),
        (lambda *args: args[0].sum(1), "name what it takes"),
        (lambda x, weights: x.sum(1), "must have a default"),
        (7, "not 7"),
        (lambda x: x, r"\[34\]"),
        (lambda x: x.sum(1) * torch.inf, "finite"),
    ],
)
def test_what_cannot_be_a_score_is_refused_in_words(score, message):
    with pytest.raises(InputError, match=message):
        call(MIVSPool(CHANNELS, score))


class Positive(Score):
    """A score of one's own: positive weights, used as they are, with a parameter that it draws itself."""

    def __init__(self, channels):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.rand(channels))

    def forward(self, x, adjacency, batch, batch_size):
        return (x * self.weight).sum(1).exp()


def test_a_score_of_ones_own_is_used_as_it_is_and_resets_itself():
    score = Positive(CHANNELS)
    pooled = call(MIVSPool(CHANNELS, score))
    assert torch.equal(pooled.score, (X * score.weight).sum(1).exp())
    torch.manual_seed(0)
    expected = torch.rand(CHANNELS)
    torch.manual_seed(0)
    score.reset_parameters()
    assert torch.equal(score.weight, expected)


def test_shares_of_a_cluster_add_up_to_one_and_what_is_dropped_has_none(make):
    selection = call(make(CHANNELS)).selection
    if selection.score is None or selection.cluster is None:
        with pytest.raises(InputError, match="MIVSPool"):
            selection.shares()
        return
    kept = selection.cluster >= 0
    shares = selection.shares().double()
    assert not shares[~kept].any()
    total = torch.zeros(selection.num_nodes, dtype=torch.float64).index_add(
        0, selection.cluster[kept], shares[kept]
    )
    torch.testing.assert_close(total, torch.ones_like(total), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("score", SCORES)
def test_pooling_and_selection_copy_no_edges_to_64_bits(monkeypatch: pytest.MonkeyPatch, score: str) -> None:
    """Of 10⁸ edges one such copy takes 1.6 GB (``mivspool bench large``)."""
    edge_index = ADJACENCY.edge_index

    def copied(graph: Adjacency) -> None:
        pytest.fail("the edges were copied to 64 bits")

    for name in ("col", "row", "edge_index"):
        monkeypatch.setattr(Adjacency, name, property(copied))
    x = X.clone().requires_grad_()
    MIVSPool(CHANNELS, score)(x, edge_index, None, BATCH, SIZE).x.sum().backward()
    meer.select(edge_index, X[:, 0], BATCH, SIZE, complement=True)
    with pytest.raises(pytest.fail.Exception):
        _ = ADJACENCY.edge_index
