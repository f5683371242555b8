"""Borrowed room: the lengths and types asked for, no overlap, kept from call to call, and never shared by threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivspool.arrays import room

WANTED = st.lists(
    st.tuples(st.integers(0, 100), st.sampled_from([np.uint32, np.int64, np.float64])), max_size=6
)


@given(WANTED, st.sampled_from([room.borrow, room.together]))
def test_every_array_is_its_own(wanted, give):
    arrays = give(*wanted)
    assert [(a.size, a.dtype.type) for a in arrays] == wanted
    assert not any(np.shares_memory(a, b) for a, b in combinations(arrays, 2))
    assert all(a.ctypes.data % 8 == 0 for a in arrays)


def test_room_is_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "KEPT", 2**20)
    monkeypatch.setattr(room, "_room", room._Room())
    (first,) = room.borrow((1000, np.int64))
    assert np.shares_memory(first, room.borrow((500, np.float64))[0])
    (large,) = room.borrow((2**20, np.int64))
    assert not np.shares_memory(large, room.borrow((10, np.int64))[0])


def test_threads_have_rooms_of_their_own() -> None:
    (mine,) = room.borrow((1000, np.int64))
    with ThreadPoolExecutor(1) as pool:
        (other,) = pool.submit(room.borrow, (1000, np.int64)).result()
    assert not np.shares_memory(mine, other)
