"""Compiled loops on several cores: each thread takes a slice, as many threads as torch computes with.

``torch.set_num_threads`` and OMP_NUM_THREADS hold here too. These are threads of our own: of numba's layers, one aborts
when Python threads call it at once, and the others are not everywhere. They are shared by all callers and started when
a large graph first wants them. A kernel waits for no other, and a caller does itself what no thread has begun: any
number of callers get on.
"""

from __future__ import annotations

import os
import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

import torch

# of fewer vertices and entries per slice, handing them over takes what is gained (docs/performance.md)
LEAST = 2**18
# what one is worth in a loop that reads all in order and does little with each
IN_ORDER = 1 / 8
# so many slices at most where each needs arrays as long as the graph
FEW = 8

Slices = list[tuple[int, int]]
_Task = tuple["Future[Any]", Callable[[], Any]]


class _Pool:
    def __init__(self) -> None:
        self.tasks: SimpleQueue[_Task] = SimpleQueue()
        self.size = 0
        self.starting = threading.Lock()

    def start(self, wanted: int) -> bool:
        """Whether a thread is there; so many if the system allows."""
        with self.starting:
            while self.size < wanted:
                thread = threading.Thread(
                    target=_work, args=(self.tasks,), name="mivspool-arrays", daemon=True
                )
                try:
                    thread.start()
                except RuntimeError:  # no more threads, or the interpreter is ending
                    break
                self.size += 1
        return self.size > 0


_pool = _Pool()


def _renew() -> None:
    """A process that was forked has none of its parent's threads."""
    global _pool
    _pool = _Pool()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


def _work(tasks: SimpleQueue[_Task]) -> None:
    while True:
        future, call = tasks.get()
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(call())
            except BaseException as error:
                future.set_exception(error)
        del future, call  # they hold arrays


def together(kernel: Callable[..., Any], parts: Sequence[tuple[Any, ...]], *shared: Any) -> list[Any]:
    """``kernel(*part, *shared)`` for all parts at once, and what they return, in order."""
    pool = _pool
    if len(parts) == 1 or not pool.start(len(parts) - 1):
        return [kernel(*part, *shared) for part in parts]
    tasks: list[_Task] = [(Future(), partial(kernel, *part, *shared)) for part in parts[1:]]
    for task in tasks:
        pool.tasks.put(task)
    try:
        results = [kernel(*parts[0], *shared)]
        for future, call in reversed(tasks):
            results.insert(1, call() if future.cancel() else future.result())
    except BaseException:
        # what has begun writes into buffers that the next call uses again
        for future, _ in tasks:
            if not future.cancel():
                future.exception()
        raise
    return results


def slices(size: int, each: float = 1) -> Slices:
    """``range(size)`` in equal parts, one per thread; fewer where a part would have less than ``LEAST`` to do.

    ``each``: how many vertices and entries one of them stands for.
    """
    number = _number(int(size * each), size)
    if number == 1:
        return [(0, size)]
    return list(pairwise(size * i // number for i in range(number + 1)))


def rows(rowptr: Any, most: int | None = None) -> Slices:
    """The vertices of a CSR in parts with about as many vertices and entries each, one per thread, or ``most``."""
    n = rowptr.size - 1
    size = n + int(rowptr[n])
    number = min(_number(size, n), most or n)
    if number <= 1:
        return [(0, n)]
    wanted = (size * i // number for i in range(1, number))
    ends = (bisect_left(range(n), least, key=lambda v: v + int(rowptr[v])) for least in wanted)
    return list(pairwise([0, *ends, n]))


@contextmanager
def splitting(number: int) -> Iterator[None]:
    """Inside, the smallest graph is split, by so many threads: to compile what only several run, and for tests."""
    global LEAST, IN_ORDER
    least, in_order, before = LEAST, IN_ORDER, torch.get_num_threads()
    LEAST = IN_ORDER = 1
    torch.set_num_threads(number)
    try:
        yield
    finally:
        LEAST, IN_ORDER = least, in_order
        torch.set_num_threads(before)


def _number(work: int, most: int) -> int:
    return max(1, min(torch.get_num_threads(), work // LEAST, most)) if work >= 2 * LEAST else 1
