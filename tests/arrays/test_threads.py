"""Several threads: the answer of one, to the bit, whatever their number, and however many callers there are."""

from __future__ import annotations

import gc
import os
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import Future
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from mivspool import meer
from mivspool.arrays import edges, greedy, threads
from mivspool.sparse import Adjacency
from tests.arrays.test_greedy import scored_graphs, shapes

NUMBERS, LEAST = (1, 2, 3, 8), threads.LEAST


@pytest.fixture(autouse=True)
def _small() -> Iterator[None]:
    """The smallest graph is split too, and the tests after these have the threads that they had."""
    with threads.splitting(2):
        yield


def everything(edge_index: Tensor, score: Tensor) -> dict[str, object]:
    """All that several threads compute of a graph, arrays as bytes."""
    row, col = (end.contiguous().numpy() for end in edge_index)
    n = score.numel()
    adjacency = Adjacency.from_edge_index(edge_index, num_nodes=n)
    rowptr, near = adjacency.csr
    trace = meer.trace(edge_index, score, complement=True)
    one_way = near.copy()
    one_way[:1] = (one_way[:1] + 1) % n
    found = {
        "edge list": edges.csr(row, col, n),
        "adjacency": edges.adjacency(row, col, n),
        "balanced": (edges.balanced(row, col), edges.balanced(row[1:], col[1:])),
        "fault": (edges.fault(rowptr.view(np.int64), near), edges.fault(rowptr.view(np.int64), one_way)),
        "select": meer.select(edge_index, score),
        "select from CSR": meer.select(adjacency, score),
        "trace": (trace.survivor, trace.settled_at, trace.num_iterations, trace.ties_broken, trace.cluster),
        "assign": meer.assign(adjacency, meer.select(edge_index, score), score),
        "key": meer.learned_key(score.to(torch.float64).clamp(-1e6, 1e6), adjacency),
    }
    return {name: plain(one) for name, one in found.items()}


def plain(found: object) -> object:
    """With its arrays as bytes, which are equal where each bit is."""
    if isinstance(found, tuple):
        return tuple(map(plain, found))
    if isinstance(found, Tensor):
        found = found.numpy()
    return (str(found.dtype), found.tobytes()) if isinstance(found, np.ndarray) else found


def same_by_all(edge_index: Tensor, score: Tensor, repeats: int = 1) -> None:
    """One thread has no other to agree with, and the other tests hold it to Eq. 10 and 11."""
    torch.set_num_threads(1)
    expected = everything(edge_index, score)
    for number in NUMBERS[1:] * repeats:
        torch.set_num_threads(number)
        assert everything(edge_index, score) == expected


@given(scored_graphs(most=40))
@settings(max_examples=40, deadline=None)
def test_every_number_of_threads_gives_the_same(graph: tuple[Tensor, Tensor]) -> None:
    same_by_all(*graph)


def large(shape: str, kind: str, n: int = 3000) -> tuple[Tensor, Tensor]:
    """A graph that each of eight threads has a part of, edges sorted by row, and its scores."""
    once = shapes(n)[shape]
    n = int(once.max()) + 1
    edge_index = torch.cat([once, once.flip(0)], dim=1)
    edge_index = edge_index[:, torch.argsort(edge_index[0] * n + edge_index[1])]
    rising = torch.arange(n, dtype=torch.float64)
    drawn = torch.rand(n, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    return edge_index, {"rising": rising, "falling": -rising, "equal": torch.ones(n), "drawn": drawn}[kind]


SHAPES = ("path", "grid", "star", "random")
KINDS = ("rising", "falling", "equal", "drawn")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_shape_and_score_is_the_same_again_and_again(shape: str, kind: str) -> None:
    """A short sample of what ``python -m tests.soak threads`` does a thousand times."""
    same_by_all(*large(shape, kind), repeats=2)


def again_and_again(repeats: int) -> int:
    """Every shape and score, so often by each number of threads; how many graphs that are."""
    with threads.splitting(2):
        for shape, kind in product(SHAPES, KINDS):
            same_by_all(*large(shape, kind), repeats)
    return len(SHAPES) * len(KINDS)


def test_a_hundred_callers_at_once() -> None:
    """As Streamlit's threads call; each thread has its own number of threads (torch's own rule)."""
    graphs = [large("random", kind) for kind in ("equal", "drawn", "rising", "falling")]
    torch.set_num_threads(1)
    expected = [meer.select(*graph) for graph in graphs]
    torch.set_num_threads(3)
    barrier, wrong = threading.Barrier(100), []

    def call(i: int) -> None:
        torch.set_num_threads(2 + i % 3)
        barrier.wait()
        for j in range(i, i + 4):
            if not torch.equal(meer.select(*graphs[j % 4]), expected[j % 4]):
                wrong.append(i)

    callers = [threading.Thread(target=call, args=(i,)) for i in range(100)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(60)
    assert not any(caller.is_alive() for caller in callers)
    assert not wrong


def test_one_thread_is_obeyed_and_a_small_graph_needs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads._Pool, "start", None)
    graph = large("random", "drawn")
    torch.set_num_threads(1)
    everything(*graph)
    torch.set_num_threads(8)
    with pytest.raises(TypeError):
        everything(*graph)
    monkeypatch.setattr(threads, "LEAST", LEAST)
    everything(*graph)


def test_as_many_slices_as_torch_has_threads() -> None:
    for number in NUMBERS:
        torch.set_num_threads(number)
        assert len(threads.slices(1000)) == number
    assert threads.slices(3) == [(0, 1), (1, 2), (2, 3)]
    assert threads.slices(0) == [(0, 0)]


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 8))
def test_slices_of_a_graph_follow_each_other_and_are_of_one_size(degrees: list[int], number: int) -> None:
    torch.set_num_threads(8)
    rowptr = np.cumsum([0, *degrees])
    parts = threads.rows(rowptr, number)
    assert len(parts) == min(number, max(len(degrees), 1))
    assert [end for part in parts for end in part] == sorted(end for part in parts for end in part)
    assert [v for v, _ in parts[1:]] == [w for _, w in parts[:-1]]
    assert (parts[0][0], parts[-1][1]) == (0, len(degrees))
    size = len(degrees) + sum(degrees)
    assert all(rowptr[w] - rowptr[v] + w - v <= size / len(parts) + 10 for v, w in parts)


def test_what_no_thread_begins_the_caller_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """All other threads are busy, or none can be started."""
    parts = [(i,) for i in range(5)]
    expected = [(i, threading.get_ident()) for i in range(5)]

    def kernel(i: int) -> tuple[int, int]:
        return i, threading.get_ident()

    monkeypatch.setattr(threads, "_pool", threads._Pool())
    monkeypatch.setattr(threading.Thread, "start", lambda self: None)
    assert threads.together(kernel, parts) == expected

    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "_pool", threads._Pool())
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert threads.together(kernel, parts) == expected
    assert threads._pool.tasks.empty()


def test_an_error_in_a_slice_is_the_callers() -> None:
    def kernel(i: int, ready: threading.Event) -> None:
        ready.set() if i else ready.wait(60)
        if i:
            raise ValueError("the second slice")

    with pytest.raises(ValueError, match="the second slice"):
        threads.together(kernel, [(0,), (1,)], threading.Event())


def test_an_interrupted_caller_waits_for_the_slices_that_have_begun() -> None:
    """They write into buffers that its next call uses again."""
    begun, over = threading.Event(), threading.Event()

    def kernel(i: int) -> None:
        if i:
            begun.set()
            time.sleep(0.2)
            over.set()
        else:
            begun.wait(60)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        threads.together(kernel, [(0,), (1,)])
    assert over.is_set()


def test_a_call_that_is_over_holds_no_arrays() -> None:
    array = np.zeros(10)
    gone = weakref.ref(array)
    threads.together(lambda i, array: array.sum(), [(0,), (1,)], array)
    # the other thread has let go of the call when it takes the next one
    done: Future[None] = Future()
    threads._pool.tasks.put((done, lambda: None))
    done.result(60)
    del array
    gc.collect()
    assert gone() is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_process_that_was_forked_has_threads_of_its_own() -> None:
    rowptr, col = Adjacency.from_edge_index(large("random", "drawn")[0]).csr
    key = np.arange(rowptr.size - 1)
    torch.set_num_threads(2)
    expected = greedy.survivors(rowptr, col, key)
    before = threads._pool
    child = os.fork()
    if child == 0:
        same = bool((greedy.survivors(rowptr, col, key) == expected).all())
        os._exit(0 if same and threads._pool is not before and threads._pool.size == 1 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
