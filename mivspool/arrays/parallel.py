"""Meer's algorithm for a GPU, in torch operations: update by update (Eq. 10), without waiting for the device.

Only entries from a vertex to a better one are kept: a better candidate beside a vertex makes it wait, a better
survivor eliminates it, and nothing else can happen to it. Settled vertices are dropped, and termination is checked,
only every few updates. An update reads the remaining entries twice and the vertices a few times.
"""

from __future__ import annotations

import secrets
from typing import Any

import torch
from torch import Tensor

from mivspool.arrays import edges, greedy

# updates between two checks of what remains (the first check comes after one update, which settles most vertices)
EVERY = 4
# a path with rising scores needs n / 2 updates: after so many the CPU, which is linear, settles the rest
MOST = 64

_SEED = secrets.randbits(62)


def settle(edge_index: Tensor, key: Tensor) -> tuple[Tensor, Tensor]:
    """survivor bool [N] and settled_at int64 [N] (1 … T), on the device of ``key`` [N], which has no NaN.

    ``edge_index`` int64 [2, M] holds both directions of each edge; self-loops and repeated edges do no harm.
    """
    n = key.numel()
    row, col = edge_index[0], edge_index[1]
    mine, theirs = key[row], key[col]
    row, col = _where((theirs > mine) | ((theirs == mine) & (col < row)), row, col)
    candidate = torch.ones(n, dtype=torch.bool, device=key.device)
    survivor = torch.zeros_like(candidate)
    settled_at = torch.zeros(n, dtype=torch.int64, device=key.device)
    k = 0
    while row.numel() and k < MOST:
        for _ in range(EVERY if k else 1):
            k += 1
            chosen = candidate & ~_beside(candidate, row, col)
            settled = candidate & (chosen | _beside(chosen, row, col))
            survivor |= chosen
            settled_at.masked_fill_(settled, k)
            candidate &= ~settled
        row, col = _where(candidate[row] & candidate[col], row, col)
    if row.numel():
        _finish(row, col, key, candidate, survivor, settled_at, k)
    else:
        # no remaining candidate has a candidate for a neighbour
        survivor |= candidate
        settled_at.masked_fill_(candidate, k + 1)
    return survivor, settled_at


def balance(edge_index: Tensor) -> Tensor:
    """``edges._balance`` by tensors: int64 [], 0 where every entry of [2, M] stands as often in both directions."""
    row, col = edge_index[0], edge_index[1]
    z = ((torch.minimum(row, col) << 32) | torch.maximum(row, col)) + _SEED
    # splitmix64; a shift of int64 keeps the sign, which is masked out, and products wrap
    z = (z ^ ((z >> 30) & (2**34 - 1))) * (0xBF58476D1CE4E5B9 - 2**64)
    z = (z ^ ((z >> 27) & (2**37 - 1))) * (0x94D049BB133111EB - 2**64)
    z = z ^ ((z >> 31) & (2**33 - 1))
    return (z * torch.sign(col - row)).sum()


def _beside(those: Tensor, row: Tensor, col: Tensor) -> Tensor:
    """bool [N]: the vertices with one of ``those`` among their better neighbours."""
    n = those.numel()
    found = torch.zeros(n + 1, dtype=torch.bool, device=those.device)
    # all writes to a place write the same: no order, no atomic operation; place n is for those that must not count
    found.index_fill_(0, torch.where(those[col], row, n), True)
    return found[:n]


def _where(wanted: Tensor, row: Tensor, col: Tensor) -> tuple[Tensor, Tensor]:
    place = torch.nonzero(wanted).reshape(-1)
    return row[place], col[place]


def _finish(
    row: Tensor, col: Tensor, key: Tensor, candidate: Tensor, survivor: Tensor, settled_at: Tensor, k: int
) -> None:
    """Settle, on the CPU, the candidates that remain after k updates."""
    left = torch.nonzero(candidate).reshape(-1)
    place = torch.empty_like(settled_at)
    place[left] = torch.arange(left.numel(), device=left.device)
    low, high = place[row].cpu(), place[col].cpu()
    rowptr, near, _ = edges.csr(torch.cat([low, high]).numpy(), torch.cat([high, low]).numpy(), left.numel())
    survives, at = greedy.trace(rowptr, near, greedy.comparable(_plain(key[left])))
    survivor[left] = torch.from_numpy(survives).to(left.device)
    settled_at[left] = torch.from_numpy(at).to(left.device) + k


def _plain(key: Tensor) -> Any:
    """The key in a type that numpy has (bfloat16 is not one), on the CPU."""
    return key.to(torch.float64 if key.is_floating_point() else torch.int64).cpu().contiguous().numpy()
