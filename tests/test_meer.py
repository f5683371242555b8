"""Meer's algorithm: the order, the states, the complement, the ties, and the key of learned scores (DESIGN)."""

from __future__ import annotations

import doctest
from itertools import combinations, product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mivspool import meer
from mivspool.arrays import parallel
from mivspool.arrays.edges import balanced
from mivspool.arrays.table import tensors_alone
from mivspool.errors import InputError
from mivspool.graphs import dataset_features, load_dataset
from mivspool.learning.batches import Resident
from mivspool.learning.convolution import GCN
from mivspool.pooling.methods.gpool import GPool
from mivspool.pooling.methods.sagpool import SagPool
from mivspool.pooling.parts.measure import renumber
from mivspool.pooling.scores.multiview import MultiView
from tests.pooling.drawn import features, graphs, of_edges, single, union

TIED = st.lists(st.integers(1, 3), min_size=12, max_size=12)


def test_every_graph_of_five_vertices_with_every_tie():
    """1,024 graphs with each of 243 scores out of {1, 2, 3}, side by side as one; each against the walk in Python."""
    pairs = list(combinations(range(5), 2))
    scores = list(product((1, 2, 3), repeat=5))
    n = 5 * len(scores)
    for chosen in range(1 << len(pairs)):
        once = [pair for i, pair in enumerate(pairs) if chosen >> i & 1]
        beside = [{u for pair in once for u in pair if v in pair and u != v} for v in range(5)]
        index = torch.tensor(once, dtype=torch.int64).reshape(-1, 2).t()
        shift = 5 * torch.arange(len(scores)).repeat_interleave(index.size(1))
        index = index.repeat(1, len(scores)) + shift
        score = torch.tensor(scores).reshape(-1)
        adjacency_index = torch.cat([index, index.flip(0)], dim=1)
        kept = meer.select(adjacency_index, score).reshape(-1, 5)
        survivor, _ = meer.iterate(adjacency_index, meer.rank(score))
        assert torch.equal(kept.reshape(-1), survivor)
        assert kept.tolist() == [walk(beside, values) for values in scores]
        assert kept.numel() == n


def walk(beside, values):
    kept = set()
    for v in sorted(range(len(values)), key=lambda v: (-values[v], v)):
        if not beside[v] & kept:
            kept.add(v)
    return [v in kept for v in range(len(values))]


def test_the_example_of_equation_10_runs():
    assert doctest.testmod(meer) == (0, 3)


def test_the_order_is_score_then_index():
    assert meer.rank(torch.tensor([0.5, 0.9, 0.5, 0.1, 0.9])).tolist() == [2, 0, 3, 4, 1]


@given(graphs(), TIED)
def test_every_vertex_has_one_state_and_keeps_it(adjacency, values):
    n = adjacency.num_nodes
    trace = meer.trace(adjacency, torch.tensor(values[:n]))
    last = int(trace.num_iterations)
    assert bool(trace.candidates(0).all())
    assert not bool(trace.candidates(last).any())
    for k in range(last + 1):
        views = torch.stack([trace.candidates(k), trace.survivors(k), trace.non_survivors(k)])
        assert bool((views.sum(0) == 1).all())
        if k:
            assert not bool((trace.candidates(k) & ~trace.candidates(k - 1)).any())
            assert bool((trace.candidates(k - 1) & ~trace.candidates(k)).any())  # each update settles some
        names = ["candidate", "survivor", "non-survivor"]
        assert [trace.state(v, k) for v in range(n)] == [names[i] for i in views.int().argmax(0).tolist()]


@given(graphs(), TIED, st.randoms())
def test_what_a_vertex_becomes_does_not_depend_on_its_number_where_scores_differ(adjacency, values, random):
    n = adjacency.num_nodes
    score = torch.tensor(values[:n]) + torch.arange(n) / 100
    order = list(range(n))
    random.shuffle(order)
    place = torch.argsort(torch.tensor(order))
    other = meer.trace(place[adjacency.edge_index], score[torch.tensor(order)])
    trace = meer.trace(adjacency, score)
    for name in ("survivor", "settled_at"):
        assert torch.equal(getattr(other, name)[place], getattr(trace, name))
    assert trace.ties_broken.tolist() == [0]


@given(graphs(), TIED)
def test_the_complement_only_adds_the_best(adjacency, values):
    n = adjacency.num_nodes
    score = torch.tensor(values[:n])
    plain, whole = meer.trace(adjacency, score), meer.trace(adjacency, score, complement=True)
    missing = max((n + 1) // 2 - int(plain.survivor.sum()), 0)
    assert torch.equal(whole.survivor, plain.survivor | whole.added)
    assert not bool((plain.survivor & whole.added).any())
    assert int(whole.added.sum()) == missing
    out = [v for v in meer.rank(score).argsort().tolist() if not plain.survivor[v]]
    assert sorted(torch.nonzero(whole.added).reshape(-1).tolist()) == sorted(out[:missing])
    assert meer.maximal(adjacency, whole.survivor)
    assert torch.equal(whole.settled_at, plain.settled_at)


@given(graphs(), TIED)
def test_why_says_what_the_definition_says(adjacency, values):
    n = adjacency.num_nodes
    score = torch.tensor(values[:n])
    trace, position = meer.trace(adjacency, score), meer.rank(score)
    for v in range(n):
        beside = adjacency.col[adjacency.rowptr[v] : adjacency.rowptr[v + 1]].tolist()
        for k in range(int(trace.num_iterations) + 1):
            reason = meer.why(trace, adjacency, score, v, k)
            before = min(k, int(trace.settled_at[v]) - 1)
            rivals = [u for u in beside if trace.settled_at[u] > before]
            assert reason.rival == min(rivals, key=lambda u: int(position[u]), default=None)
            assert reason.beats_rival == all(position[v] < position[u] for u in rivals)
            assert (reason.eliminated_by is None) == bool(trace.survivor[v])
            if reason.eliminated_by is not None:
                assert trace.survivor[reason.eliminated_by]
                assert trace.settled_at[reason.eliminated_by] == trace.settled_at[v]
            assert reason.assigned_to == int(trace.cluster[v])


@given(graphs(), TIED)
def test_who_points_to_none_survives_and_who_points_to_a_survivor_is_eliminated(adjacency, values):
    n = adjacency.num_nodes
    score = torch.tensor(values[:n])
    trace, position = meer.trace(adjacency, score), meer.rank(score)
    for k in range(1, int(trace.num_iterations) + 1):
        to = meer.pointers(trace, adjacency, score, k).tolist()
        new = trace.survivors(k) & ~trace.survivors(k - 1)
        for v in range(n):
            assert (to[v] >= 0) == bool(trace.candidates(k - 1)[v])
            assert (to[v] == v) == bool(new[v])
            if to[v] not in (-1, v):
                assert position[to[v]] < position[v]
                assert meer.why(trace, adjacency, score, v, k - 1).rival == to[v]
                assert not new[to[v]] or trace.settled_at[v] == k


def test_a_path_with_rising_scores_takes_half_as_many_updates_as_vertices():
    adjacency = of_edges([(i, i + 1) for i in range(9)], 10)
    trace = meer.trace(adjacency, torch.arange(10))
    assert trace.num_iterations.tolist() == [5]
    assert trace.settled_at.tolist() == [5, 5, 4, 4, 3, 3, 2, 2, 1, 1]


def test_eight_and_nine_on_sets_that_break_them():
    adjacency = of_edges([(0, 1), (1, 2)], 4)
    assert not meer.independent(adjacency, torch.tensor([True, True, False, True]))
    assert not meer.maximal(adjacency, torch.tensor([False, True, False, False]))
    both = torch.tensor([False, True, False, True])
    assert meer.independent(adjacency, both)
    assert meer.maximal(adjacency, both)


@given(graphs(), st.integers(0, 50))
def test_a_learned_score_is_compared_without_its_noise(adjacency, seed):
    """What moves a score by less than half a step changes nothing; a step does; the degree comes before the index."""
    n = adjacency.num_nodes
    steps = torch.randint(1, 2**17, (n,), generator=torch.Generator().manual_seed(seed))
    score = steps.double() / 2**17
    noise = (features(n, seed)[:, 0].clamp(-3, 3) / 3) * 0.49 / 2**17
    assert torch.equal(meer.learned_key(score + noise, adjacency), meer.learned_key(score, adjacency))
    higher = torch.zeros(n, dtype=torch.float64)
    higher[0] = 1 / 2**17
    assert int(meer.learned_key(score + higher, adjacency)[0]) > int(meer.learned_key(score, adjacency)[0])
    equal = meer.learned_key(torch.full((n,), 0.5), adjacency)
    best = int(torch.argmax(equal))
    assert int(adjacency.degree[best]) == int(adjacency.degree.max())


EXTREME = st.lists(
    st.one_of(
        st.floats(allow_nan=False, allow_infinity=False),
        st.floats(-1, 1),
        st.floats(allow_nan=False, allow_infinity=False, width=32),
        st.sampled_from([0.0, -0.0, 2.0, -2.0, 3.4e38, -3.4e38, 1.79e308, -1.79e308, 5e-324]),
    ),
    min_size=12,
    max_size=12,
)


@given(graphs(), EXTREME)
def test_the_key_rises_with_any_finite_value(adjacency, values):
    """Never an overflow: the order of the keys is that of the values, up to the rounding."""
    n = adjacency.num_nodes
    value = torch.tensor(values[:n], dtype=torch.float64)
    rounded, key = meer.rounded(value), meer.learned_key(value, adjacency)
    for u in range(n):
        for v in range(n):
            if value[u] <= value[v]:
                assert rounded[u] <= rounded[v]
            if rounded[u] < rounded[v]:
                assert key[u] < key[v]
            far = 2.0**-15 * max(1.0, abs(float(value[v])))
            if value[u] < value[v] - far and max(abs(float(value[u])), abs(float(value[v]))) < 1e50:
                assert key[u] < key[v]
    assert torch.equal(meer.structural_key(rounded, adjacency), key)


@given(graphs(), EXTREME, st.sampled_from([torch.float32, torch.float64]))
def test_the_key_is_the_same_compiled_and_by_tensors(adjacency, values, dtype):
    value = torch.tensor(values[: adjacency.num_nodes], dtype=torch.float64).clamp(-3.4e38, 3.4e38).to(dtype)
    with tensors_alone():
        by_tensors = meer.learned_key(value, adjacency)
    assert torch.equal(meer.learned_key(value, adjacency), by_tensors)


@given(graphs(), EXTREME, st.randoms())
def test_the_key_belongs_to_the_vertex_and_to_nothing_else(adjacency, values, random):
    """Neither to its number nor to what else is in the batch."""
    n = adjacency.num_nodes
    value = torch.tensor(values[:n], dtype=torch.float64)
    key = meer.learned_key(value, adjacency)
    order = list(range(n))
    random.shuffle(order)
    order = torch.tensor(order)
    assert torch.equal(meer.learned_key(value[order], renumber(adjacency, order)), key[order])
    both = union([adjacency, of_edges([(0, 1), (1, 2)], 3)])[0]
    together = meer.learned_key(torch.cat([value, torch.tensor([0.5, 7.0, -1e9])]), both)
    assert torch.equal(together[:n], key)


def earlier_key(score, adjacency):
    """The order of 0.1.0 for values in (0, 1], by which the published multiview runs were made."""
    rounded = torch.round(score.double() * 2**17).long()
    around = adjacency.sum_around(rounded).clamp(max=2**33 - 1)
    return (rounded << 45) | (adjacency.degree.clamp(max=2**12 - 1) << 33) | around


def earlier_raw_key(score, adjacency):
    """The order of 0.1.0 of gPool and SagPool."""
    value = score.double()
    size = value.abs()
    squeezed = torch.where(size <= 1, size, 1 + torch.log(size.clamp(min=1))) * value.sign()
    rounded = torch.round(squeezed * 2**17).long()
    around = adjacency.sum_around(rounded) & (2**26 - 1)
    return (rounded << 38) | (adjacency.degree.clamp(max=2**12 - 1) << 26) | around


def test_on_data_multiview_and_the_top_k_methods_keep_the_order_they_were_published_with():
    """All of MAO, features after a GCN, as initialised and with weights ten times as large."""
    dataset = load_dataset("MAO")
    batch = Resident(dataset, dataset_features(dataset)[0]).cut(np.arange(len(dataset)))
    torch.manual_seed(0)
    graph = batch.adjacency, batch.batch, batch.batch_size
    for scale in (1.0, 10.0):
        x = scale * GCN(batch.propagated.size(1), 32)(batch.propagated, None).detach()
        score = MultiView(32)(x, *graph).detach()
        before, now = earlier_key(score, graph[0]), meer.learned_key(score, graph[0])
        assert torch.equal(
            torch.unique(before, return_inverse=True)[1], torch.unique(now, return_inverse=True)[1]
        )
        for layer in (GPool(32), SagPool(32)):
            value = layer.score(x, *graph).detach()
            before, now = earlier_raw_key(value, graph[0]), meer.learned_key(value, graph[0])
            assert torch.equal(
                torch.unique(before, return_inverse=True)[1], torch.unique(now, return_inverse=True)[1]
            )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"score": torch.tensor([1.0, float("nan")])}, "vertex 1 is not a number"),
        ({"score": torch.zeros(2, 2)}, "one value per vertex"),
        ({"score": torch.zeros(1)}, "vertex 1"),
        ({"edge_index": torch.zeros(2, 2)}, "int64"),
        ({"edge_index": torch.tensor([[0, -1], [-1, 0]])}, "vertex -1"),
        ({"batch": torch.zeros(3, dtype=torch.int64)}, "3 entries for 2 vertices"),
        ({"batch": torch.tensor([0, 4]), "batch_size": 2}, "graph 4"),
    ],
)
def test_bad_input_is_refused_in_words(arguments, message):
    good = {"edge_index": torch.tensor([[0, 1], [1, 0]]), "score": torch.tensor([1.0, 2.0])}
    with pytest.raises(InputError, match=message):
        meer.trace(**{**good, **arguments})


@pytest.mark.parametrize(
    "call",
    [
        lambda graph, score: meer.select(graph, score),
        lambda graph, score: meer.trace(graph, score),
        lambda graph, score: meer.clusters(graph, score, *single(3)),
        lambda graph, score: meer.assign(graph, torch.tensor([True, False, True]), score),
        lambda graph, score: meer.why(meer.trace(graph, torch.ones(3)), graph, score, 0, 0),
        lambda graph, score: meer.rank(score),
    ],
)
@pytest.mark.parametrize(
    ("score", "message"),
    [
        (torch.tensor([1.0, 2.0, float("nan")]), "vertex 2 is not a number"),
        (torch.tensor(1.0), "one value per vertex"),
        (torch.zeros(3, 2), "one value per vertex"),
        (torch.ones(3, dtype=torch.complex64), "real"),
    ],
)
def test_a_score_without_an_order_is_refused_by_every_call(call, score, message):
    with pytest.raises(InputError, match=message):
        call(of_edges([(0, 1), (1, 2)], 3), score)


@st.composite
def edge_lists(draw):
    """(edge_index int64 [2, M], its pairs): in any order, with loops and repetitions, symmetric or not."""
    pairs = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12))
    if draw(st.booleans()):
        pairs += [(v, u) for u, v in pairs]
    pairs = draw(st.permutations(pairs)) if draw(st.booleans()) else sorted(pairs)
    return torch.tensor(pairs).t(), set(pairs)


@pytest.mark.parametrize("call", [meer.select, meer.trace, meer.iterate])
@given(edge_lists())
def test_edges_that_are_not_symmetric_are_refused_by_every_call(call, edges):
    """Whatever the order, with loops and repeated entries, and no list that is symmetric is refused."""
    edge_index, pairs = edges
    if all((v, u) in pairs for u, v in pairs):
        call(edge_index, torch.arange(7))
    else:
        with pytest.raises(InputError, match="symmetric"):
            call(edge_index, torch.arange(7))


@given(edge_lists())
def test_balance_is_the_same_question_compiled_and_by_tensors(edges):
    """0 where each entry stands as often in both directions: what the two forms answer at once."""
    listed = [tuple(pair) for pair in edges[0].t().tolist()]
    even = all(listed.count((u, v)) == listed.count((v, u)) for u, v in listed)
    assert (int(parallel.balance(edges[0])) == 0) == even
    assert balanced(*edges[0].contiguous().numpy()) == even


def test_a_score_and_a_graph_of_other_sizes():
    with pytest.raises(InputError, match="3 scores for 2 vertices"):
        meer.select(of_edges([(0, 1)], 2), torch.zeros(3))


def test_a_batch_has_its_own_counts():
    adjacency = of_edges([(0, 1), (1, 2), (2, 3), (4, 5)], 7)
    batch = torch.tensor([0, 0, 0, 0, 2, 2, 3])
    trace = meer.trace(adjacency, torch.tensor([1, 2, 3, 4, 5, 5, 1]), batch, 5)
    assert trace.num_iterations.tolist() == [2, 0, 1, 1, 0]
    assert trace.ties_broken.tolist() == [0, 0, 1, 0, 0]
    assert single(7)[1] == 1
