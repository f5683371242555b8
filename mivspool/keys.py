"""What vertices are compared by: the strict order of keys, and the key of a learned score.

Scores that are given compare exactly. A learned score carries floating-point noise, which would break ties at random:
its key is the score rounded, then the degree, then the sum of the neighbours' rounded scores.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from mivspool.arrays import passes, threads
from mivspool.arrays.buffers import borrow
from mivspool.arrays.checks import FLOATS, expect
from mivspool.arrays.eager import eager
from mivspool.arrays.table import operation
from mivspool.sparse import Adjacency

# a learned value is compared in multiples of 2**-SCORE_BITS (docs/decisions.md: exact ties survive batching); a key
# holds it in 25 bits with its sign, then the degree, then the sum of the neighbours' rounded values
SCORE_BITS = 17
_DEGREE_BITS, _AROUND_BITS = 12, 27
_MOST = (2**24 - 1) / 2**SCORE_BITS


def positions(key: Tensor) -> Tensor:
    """int64 [N]: each vertex's place in the strict order, 0 the best; higher ``key`` [N] first, then lower index."""
    order = torch.argsort(key, descending=True, stable=True)
    position = torch.empty_like(order)
    position[order] = torch.arange(order.numel(), device=order.device)
    return position


def rounded(value: Tensor) -> Tensor:
    """What is compared of a learned value.

    From 1 on, its logarithm: 1 + log v (and −1 − log −v), since floating-point noise grows with the value. It never
    falls where the value rises, and stays below 2²⁴ for every number there is (from e¹²⁷ on it no longer rises).

    Args:
        value: real [N], of any size.

    Returns:
        int64 [N], in multiples of 2⁻¹⁷.
    """
    return torch.round(_squeezed(value) * 2**SCORE_BITS).to(torch.int64)


def _fits(value: Tensor, adjacency: Adjacency) -> bool:
    """True; InputError unless there is a value per vertex."""
    expect("score", value, value.dtype, adjacency.num_nodes)
    return True


@eager
@operation(exact=_fits)
def learned_key(value: Tensor, adjacency: Adjacency) -> Tensor:
    """What the order compares of a learned value, exactly.

    The value rounded (:func:`rounded`), so that floating-point noise does not break ties; then the degree; then the
    sum of the neighbours' rounded values: the index decides only between vertices that agree in all three.

    Args:
        value: real [N], before any sigmoid that may saturate.
        adjacency: the graph.

    Returns:
        int64 [N].
    """
    return _key(rounded(value), adjacency)


@learned_key.on_cpu
def _learned_key_compiled(value: Tensor, adjacency: Adjacency) -> Tensor:
    flat = value.detach().reshape(-1).contiguous()
    plain = False
    if flat.dtype in FLOATS and flat.numel():
        # most scores lie in [0, 1] and need no squeezing
        low, high = torch.aminmax(flat)
        plain = float(low) >= -1 and float(high) <= 1
    return _key_compiled(flat if plain else _squeezed(flat), adjacency)


@eager
@operation(exact=_fits)
def structural_key(rounded: Tensor, adjacency: Adjacency) -> Tensor:
    """:func:`learned_key` of values that are rounded already.

    Args:
        rounded: int64 [N], as :func:`rounded` gives them.
        adjacency: the graph.

    Returns:
        int64 [N].
    """
    return _key(rounded, adjacency)


@structural_key.on_cpu
def _structural_key_compiled(rounded: Tensor, adjacency: Adjacency) -> Tensor:
    return _key_compiled(rounded.to(torch.float64) / 2**SCORE_BITS, adjacency)


def _key(rounded: Tensor, adjacency: Adjacency) -> Tensor:
    degree = adjacency.degree.clamp(max=2**_DEGREE_BITS - 1)
    around = adjacency.sum_around(rounded) & (2**_AROUND_BITS - 1)
    key: Tensor = (rounded << (_DEGREE_BITS + _AROUND_BITS)) | (degree << _AROUND_BITS) | around
    return key


def _key_compiled(squeezed: Tensor, adjacency: Adjacency) -> Tensor:
    _fits(squeezed, adjacency)
    value, (rowptr, col) = squeezed.numpy(), adjacency.csr
    parts = threads.rows(rowptr)
    (multiples,) = borrow((value.size, np.int32))
    slices = threads.slices(value.size, threads.IN_ORDER)
    threads.together(passes.rounded, [(value[v:w], SCORE_BITS, multiples[v:w]) for v, w in slices])
    key = np.empty(value.size, np.int64)
    threads.together(passes.learned_key, parts, multiples, rowptr, col, _DEGREE_BITS, _AROUND_BITS, key)
    return torch.from_numpy(key)


def _squeezed(value: Tensor) -> Tensor:
    """float64: the value itself in [−1, 1], beyond it 1 + its logarithm, with its sign."""
    value = value.detach().to(torch.float64)
    size = value.abs()
    return torch.where(size <= 1, size, 1 + torch.log(size.clamp(min=1))).clamp(max=_MOST) * value.sign()
