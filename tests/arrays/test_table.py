"""One law for every operation: in torch operations it gives what it gives compiled, results and gradients."""

from __future__ import annotations

import copy
import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor

import mivspool
from mivspool import meer
from mivspool.arrays.table import operation, operations, tensors_alone
from mivspool.pooling.parts.views import in_parts
from mivspool.sparse import Adjacency, Propagation
from tests.pooling.drawn import graphs, union

for _part in ("arrays", "pooling", "learning"):
    for _module in pkgutil.walk_packages([f"{mivspool.__path__[0]}/{_part}"], f"mivspool.{_part}."):
        importlib.import_module(_module.name)

Make = Callable[[st.DataObject], tuple[Any, ...]]
CASES: dict[str, tuple[Make, Callable[[Any], Any]]] = {}
"""operation → (arguments for it, drawn; what of its result both implementations must agree on)."""


def case(name: str, reading: Callable[[Any], Any] = lambda result: result) -> Callable[[Make], Make]:
    """Decorator: this function draws arguments for the operation ``name``; float tensors get gradients if asked for."""

    def add(make: Make) -> Make:
        assert name not in CASES, name
        CASES[name] = make, reading
        return make

    return add


def numbers(data: st.DataObject, *shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    """Drawn numbers [*shape], with ties or hardly any."""
    generator = torch.Generator().manual_seed(data.draw(st.integers(0, 2**16)))
    if data.draw(st.booleans()):
        return torch.randint(-1, 2, shape, generator=generator).to(dtype)
    return torch.randn(*shape, generator=generator, dtype=dtype)


def real(data: st.DataObject, *shape: int) -> Tensor:
    """:func:`numbers` in single or double precision."""
    return numbers(data, *shape, dtype=data.draw(st.sampled_from([torch.float32, torch.float64])))


def learned(given: Tensor) -> Tensor:
    return given.requires_grad_()


def weighted(data: st.DataObject) -> Adjacency:
    """A graph with or without weights and a diagonal."""
    adjacency = data.draw(graphs())
    n = adjacency.num_nodes
    if data.draw(st.booleans()):
        adjacency.loops = numbers(data, n).abs()
    if data.draw(st.booleans()):
        half = numbers(data, n, n).abs() + 0.5
        adjacency.weight = (half + half.T)[adjacency.row, adjacency.col]
    return adjacency


def batches(data: st.DataObject) -> tuple[Adjacency, Tensor, int]:
    """Graphs side by side, an empty one among them."""
    parts = data.draw(st.lists(graphs(), min_size=1, max_size=3))
    adjacency, batch, _ = union(parts)
    return adjacency, torch.where(batch > 0, batch + 1, batch), len(parts) + 1


def clusters(data: st.DataObject, n: int, least: int = -1) -> tuple[Tensor, int]:
    """Each vertex's cluster, int64 [n], of which none is empty; −1: dropped."""
    drawn = data.draw(st.lists(st.integers(least, n - 1), min_size=n, max_size=n))
    names, cluster = np.unique([v for v in drawn if v >= 0], return_inverse=True)
    out = torch.full((n,), -1, dtype=torch.int64)
    out[torch.tensor(drawn) >= 0] = torch.from_numpy(cluster)
    return out, len(names)


def edge_list(data: st.DataObject) -> tuple[Tensor, Tensor, int]:
    """A symmetric list in any order, with loops and repetitions."""
    n = data.draw(st.integers(1, 6))
    pairs = data.draw(st.lists(st.tuples(*[st.integers(0, n - 1)] * 2), max_size=10))
    listed = data.draw(st.permutations([*pairs, *((v, u) for u, v in pairs)]))
    row, col = torch.tensor(listed, dtype=torch.int64).reshape(-1, 2).T.contiguous()
    return row, col, n


def scored(data: st.DataObject) -> tuple[Adjacency, Tensor]:
    adjacency = data.draw(graphs())
    kind = data.draw(st.sampled_from([torch.float32, torch.float64, torch.int64]))
    return adjacency, numbers(data, adjacency.num_nodes).to(kind)


@case("arrays.checks:_sum_is_nan")
def _(data):
    values = real(data, data.draw(st.integers(0, 5)))
    values[data.draw(st.integers(0, 5)) :] = data.draw(st.sampled_from([0.0, float("nan"), float("inf")]))
    return (values.to(data.draw(st.sampled_from([torch.float16, torch.float32, torch.float64]))),)


@case("sparse:_check_entries")
def _(data):
    adjacency = data.draw(graphs())
    return adjacency.rowptr, adjacency.col


@case("sparse:_from_edges")
def _(data):
    row, col, n = edge_list(data)
    half = numbers(data, n, n)
    return row, col, (half + half.T)[row, col] if data.draw(st.booleans()) else None, n


@case("sparse:_balanced")
def _(data):
    row, col, _ = edge_list(data)
    return (torch.stack([row, col])[:, : data.draw(st.integers(0, row.numel()))],)


@case("sparse:_sum_around")
def _(data):
    adjacency = weighted(data)
    values = numbers(data, adjacency.num_nodes)
    return adjacency, values.to(torch.int64) if data.draw(st.booleans()) else values


@case("sparse:_contract")
def _(data):
    adjacency = weighted(data)
    return adjacency, *clusters(data, adjacency.num_nodes)


@case("sparse:_normalise")
def _(data):
    kind = data.draw(st.sampled_from([torch.float32, torch.float64]))
    return weighted(data), *(data.draw(st.booleans()) for _ in range(3)), kind


@case("sparse:_pattern")
def _(data):
    return (weighted(data),)


def matrix(data: st.DataObject) -> tuple[Propagation, Tensor]:
    adjacency = data.draw(graphs())
    x = real(data, adjacency.num_nodes, 3)
    own = numbers(data, adjacency.num_nodes, dtype=x.dtype) if data.draw(st.booleans()) else None
    return Propagation(adjacency, numbers(data, adjacency.num_entries, dtype=x.dtype), own), x


@case("sparse:_multiply")
def _(data):
    propagation, x = matrix(data)
    return x, propagation


@case("sparse:_slopes")
def _(data):
    propagation, x = matrix(data)
    return x, numbers(data, *x.shape, dtype=x.dtype), propagation


@case("arrays.segments:pointers")
def _(data):
    return batches(data)[1:]


@case("arrays.segments:readout")
def _(data):
    _, batch, size = batches(data)
    return learned(real(data, batch.numel(), 3)), batch, size


@case("arrays.segments:spread")
def _(data):
    kind = torch.tensor(data.draw(st.lists(st.integers(0, 3), max_size=8)), dtype=torch.int64)
    return learned(real(data, 4, 3)), kind


@case("arrays.segments:gated")
def _(data):
    kept = torch.tensor(sorted(data.draw(st.sets(st.integers(0, 5)))), dtype=torch.int64)
    return learned(real(data, 6, 3)), kept, learned(real(data, kept.numel()))


@case("arrays.segments:weighted_mean")
def _(data):
    n = data.draw(st.integers(1, 8))
    cluster, number = clusters(data, n)
    x = real(data, n, 3)
    score = numbers(data, n, dtype=x.dtype).abs() + 0.1
    if not data.draw(st.booleans()):
        return learned(x), learned(score), cluster, number
    kind = torch.tensor(data.draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n)))
    return learned(x), learned(score), cluster, number, kind


@case("keys:learned_key")
def _(data):
    adjacency = data.draw(graphs())
    return real(data, adjacency.num_nodes) * 10.0 ** data.draw(st.integers(-3, 30)), adjacency


@case("keys:structural_key")
def _(data):
    adjacency = data.draw(graphs())
    return meer.rounded(real(data, adjacency.num_nodes) * 10), adjacency


@case("solvers:survivors")
def _(data):
    adjacency, key = scored(data)
    return adjacency.edge_index if data.draw(st.booleans()) else adjacency, key


@case("solvers:settle")
def _(data):
    return scored(data)


@case("solvers:assign")
def _(data):
    adjacency, key = scored(data)
    return adjacency, key, numbers(data, adjacency.num_nodes) > 0


@case("solvers:settled_by_index")
def _(data):
    adjacency, key = scored(data)
    trace = meer.trace(adjacency, key, complement=data.draw(st.booleans()))
    return adjacency, key, trace.survivor & ~trace.added, trace.survivor, trace.settled_at, trace.cluster


@case("pooling.base:_numbers")
def _(data):
    x = real(data, 4)
    return x, list(x[: data.draw(st.integers(0, 4))])


@case("pooling.parts.directions:share")
def _(data):
    x = real(data, 5, 3)
    return learned(x), learned(numbers(data, data.draw(st.integers(1, 3)), 3, dtype=x.dtype))


@case("pooling.parts.views:multiview")
def _(data):
    adjacency, batch, size = batches(data)
    along = numbers(data, adjacency.num_nodes, 2)
    given_ = learned(along), learned(numbers(data, 15)), adjacency, batch, size, 3, 0.1
    # of ranks that only rounding tells apart, either may be the maximum, which has a gradient of its own
    rank = in_parts(*given_).views[:, 2]
    for graph in range(size):
        best = rank[batch == graph].sort(descending=True).values[:2]
        assume(best.numel() < 2 or best[0] - best[1] > 1e-9)
    return given_


@case("pooling.parts.hops:_nearby")
def _(data):
    adjacency = data.draw(graphs())
    n = adjacency.num_nodes
    kept = torch.tensor(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    cluster = torch.where(kept, torch.cumsum(kept, 0) - 1, -1)
    return adjacency, cluster, int(kept.sum()), data.draw(st.integers(1, 3)), data.draw(st.booleans())


@case("pooling.parts.structure:learned")
def _(data):
    adjacency = data.draw(graphs())
    n = adjacency.num_nodes
    own = torch.cat([adjacency.edge_index, torch.arange(n).repeat(2, 1)], dim=1)
    col = own[1, torch.argsort(own[0] * n + own[1])]
    rowptr = torch.cat([torch.zeros(1, dtype=torch.int64), torch.cumsum(adjacency.degree + 1, 0)])
    return rowptr, col, *(learned(numbers(data, size)) for size in (n, n, col.numel())), 0.2


@case("learning.convolution:linear_relu")
def _(data):
    x = real(data, 5, 3)
    return learned(x), learned(numbers(data, 3, 4, dtype=x.dtype)), learned(numbers(data, 4, dtype=x.dtype))


@case("learning.batches:_cut")
def _(data):
    parts = data.draw(st.lists(graphs(), min_size=1, max_size=4))
    ptr = torch.tensor([0, *np.cumsum([part.num_nodes for part in parts])])
    chosen = data.draw(st.lists(st.integers(0, len(parts) - 1), max_size=5))
    return torch.tensor(chosen, dtype=torch.int64), ptr, union(parts)[0]


@case("learning.batches:_kinds", reading=lambda found: found[0] if found[1] is None else found[0][found[1]])
def _(data):
    row = torch.tensor(data.draw(st.lists(st.integers(0, 1), min_size=1, max_size=12)))
    return (numbers(data, 2, 3, dtype=torch.float32)[row],)


@case("learning.normalisation:trained")
def _(data):
    n = data.draw(st.integers(2, 9))
    x = real(data, n, 3)
    parameters = [numbers(data, 3, dtype=x.dtype) for _ in range(2)]
    return learned(x), *map(learned, parameters), x.new_zeros(3), x.new_ones(3), 0.1, 1e-2


def flat(result: Any) -> list[Tensor | None]:
    """The tensors of a result, in order."""
    if result is None or isinstance(result, Tensor):
        return [result]
    if isinstance(result, Adjacency):
        return [result.rowptr, result.col, result.weight, result.loops]
    if isinstance(result, Propagation):
        return [*flat(result.adjacency), result.values, result.diagonal]
    if isinstance(result, list | tuple):
        return [part for entry in result for part in flat(entry)]
    return [torch.tensor(result)]


def found(
    name: str, given_: tuple[Any, ...], device: str = "cpu"
) -> tuple[list[Tensor | None], list[Tensor | None]]:
    """The tensors that an operation gives on a device, and the gradients of a sum of them in its arguments."""
    given_ = tuple(moved(copy.deepcopy(one), device) for one in given_)
    parts = flat(CASES[name][1](operations()[name](*given_)))
    leaves = [part for part in given_ if isinstance(part, Tensor) and part.requires_grad]
    made = [part for part in parts if part is not None and part.requires_grad]
    if not made:
        return parts, []
    total = sum(
        (part * torch.arange(1, part.numel() + 1).reshape(part.shape).cos().to(device)).sum() for part in made
    )
    return parts, list(torch.autograd.grad(total, leaves, allow_unused=True))


def moved(argument: Any, device: str) -> Any:
    """An argument on a device; a leaf stays one."""
    if isinstance(argument, Tensor):
        return argument.detach().to(device).requires_grad_(argument.requires_grad)
    if isinstance(argument, Propagation):
        diagonal = moved(argument.diagonal, device)
        return Propagation(argument.adjacency.to(device), moved(argument.values, device), diagonal)
    return argument.to(device) if isinstance(argument, Adjacency) else argument


@pytest.mark.parametrize("name", operations())
@settings(max_examples=30)
@given(data=st.data())
def test_an_operation_gives_the_same_in_torch_operations_and_compiled(name, data):
    assert name in CASES, f"{name} is in the table: give it a case here"
    arguments = CASES[name][0](data)
    expected = found(name, arguments)
    with tensors_alone():
        other = found(name, arguments)
    same(expected, other)
    if operations()[name].exact(*arguments):
        assert [bits(part) for part in other[0]] == [bits(part) for part in expected[0]]


def bits(part: Tensor | None) -> Any:
    return None if part is None else (part.dtype, tuple(part.shape), part.detach().numpy().tobytes())


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
@pytest.mark.parametrize("name", operations())
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_an_operation_gives_the_same_on_a_gpu(name, data):
    arguments = CASES[name][0](data)
    same(found(name, arguments), found(name, arguments, "cuda"))


def same(expected: Any, other: Any) -> None:
    """Both give tensors in the same places, of the same types and numbers."""
    for ours, theirs in zip(expected, other, strict=True):
        assert [part is None for part in ours] == [part is None for part in theirs]
        for one, two in zip(ours, theirs, strict=True):
            if one is not None and two is not None:
                assert one.dtype == two.dtype
                torch.testing.assert_close(two.cpu(), one)


def test_every_case_is_an_operation():
    assert set(CASES) == set(operations())


def test_the_first_argument_decides_and_may_be_named():
    calls = []

    @operation
    def doubled(x, by=2):
        calls.append("tensors")
        return x * by

    @doubled.on_cpu
    def _(x, by=2):
        calls.append("cpu")
        return x * by

    try:
        assert doubled(torch.ones(1)) == 2
        assert doubled(by=3, x=torch.ones(1)) == 3
        assert doubled(torch.ones(1, device="meta")).is_meta
        with tensors_alone():
            assert doubled(torch.ones(1)) == 2
        assert doubled(torch.ones(1)) == 2
        assert calls == ["cpu", "cpu", "tensors", "tensors", "cpu"]
    finally:
        del operations_by_name()[f"{doubled.__module__}:{doubled.__qualname__}"]


def operations_by_name():
    from mivspool.arrays import table

    return table._operations
