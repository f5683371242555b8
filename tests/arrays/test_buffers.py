"""Borrowed buffers: the lengths and types asked for, no overlap, kept from call to call, not shared by threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivspool.arrays import buffers

WANTED = st.lists(
    st.tuples(st.integers(0, 100), st.sampled_from([np.uint32, np.int64, np.float64])), max_size=6
)


@given(WANTED, st.sampled_from([buffers.borrow, buffers.allocate]))
def test_every_array_is_its_own(wanted, give):
    arrays = give(*wanted)
    assert [(a.size, a.dtype.type) for a in arrays] == wanted
    assert not any(np.shares_memory(a, b) for a, b in combinations(arrays, 2))
    assert all(a.ctypes.data % 8 == 0 for a in arrays)


def test_a_buffer_is_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffers, "KEPT", 2**20)
    monkeypatch.setattr(buffers, "_buffer", buffers._Buffer())
    (first,) = buffers.borrow((1000, np.int64))
    assert np.shares_memory(first, buffers.borrow((500, np.float64))[0])
    (large,) = buffers.borrow((2**20, np.int64))
    assert not np.shares_memory(large, buffers.borrow((10, np.int64))[0])


def test_threads_have_buffers_of_their_own() -> None:
    (mine,) = buffers.borrow((1000, np.int64))
    with ThreadPoolExecutor(1) as pool:
        (other,) = pool.submit(buffers.borrow, (1000, np.int64)).result()
    assert not np.shares_memory(mine, other)
