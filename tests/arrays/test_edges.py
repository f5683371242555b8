"""An edge list becomes the same CSR whether it is found to be in order in one pass, or dealt and sorted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mivspool.arrays import edges, threads
from mivspool.errors import InputError

N, M = 40, 3 * edges._PIECE // 2  # more than a piece


@pytest.fixture(params=[1, 2, 3])
def _several(request: pytest.FixtureRequest) -> Iterator[None]:
    """The list is split as a large one would be."""
    with threads.splitting(request.param):
        yield


def in_order() -> tuple[np.ndarray, np.ndarray]:
    return np.sort(np.arange(M) * 7 % N), np.arange(M) * 11 % N


PLACES = [0, 1, M // 3, edges._PIECE - 1, edges._PIECE, M // 2, 2 * M // 3, M - 2, M - 1]


@pytest.mark.usefixtures("_several")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("vertex", [0, N // 2, N - 1])
def test_a_list_that_is_in_order_but_for_one_row(place: int, vertex: int) -> None:
    row, col = in_order()
    row[place] = vertex
    rowptr, out, _ = edges.csr(row, col, N)
    assert rowptr.tolist() == np.searchsorted(np.sort(row), np.arange(N + 1)).tolist()
    assert out.tolist() == col[np.argsort(row, kind="stable")].tolist()


@pytest.mark.usefixtures("_several")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("wrong", [-1, -(2**40), N, 2**40])
def test_an_index_out_of_range_is_named_wherever_it_stands(place: int, end: int, wrong: int) -> None:
    pair = in_order()
    pair[end][place] = wrong
    with pytest.raises(InputError, match=f"edge_index has vertex {wrong}, but there are {N} vertices"):
        edges.csr(*pair, N)


@pytest.mark.usefixtures("_several")
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("place", PLACES)
def test_an_entry_in_one_direction_alone_is_found_wherever_it_stands(place: int, shuffled: bool) -> None:
    low = np.arange(M // 2) % (N - 1)
    row, col = np.concatenate([low, low + 1]), np.concatenate([low + 1, low])
    order = np.random.default_rng(0).permutation(row.size) if shuffled else np.argsort(row, kind="stable")
    row, col = row[order], col[order]
    assert edges.csr(row, col, N)[2]
    col[place] = (row[place] + 2) % N
    assert not edges.csr(row, col, N)[2]
