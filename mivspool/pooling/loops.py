"""Compiled loops of the pooling methods, over the CSR of a batch; they trust their input."""

from __future__ import annotations

from typing import Any

import numpy as np

from mivspool.arrays.compiled import compiled


@compiled
def nearby(rowptr: Any, col: Any, cluster: Any, num_clusters: int, hops: int) -> Any:
    """Breadth-first from each survivor, ``hops`` deep; survivors are numbered in the vertices' order."""
    n = cluster.size
    seen = np.full(n, -1, np.int64)
    queue = np.empty(n, np.int64)
    out_ptr = np.zeros(num_clusters + 1, np.int64)
    out = np.empty(max(16, 2 * col.size), np.int64)
    filled = 0
    for v in range(n):
        if cluster[v] < 0:
            continue
        seen[v] = v
        queue[0] = v
        begin, end, first = 0, 1, filled
        for _ in range(hops):
            last = end
            for i in range(begin, last):
                u = queue[i]
                for e in range(rowptr[u], rowptr[u + 1]):
                    w = col[e]
                    if seen[w] != v:
                        seen[w] = v
                        queue[end] = w
                        end += 1
                        if cluster[w] >= 0:
                            if filled == out.size:
                                larger = np.empty(2 * out.size, np.int64)
                                larger[:filled] = out
                                out = larger
                            out[filled] = cluster[w]
                            filled += 1
            begin = last
        out[first:filled].sort()
        out_ptr[cluster[v] + 1] = filled
    return out_ptr, out[:filled].copy()


@compiled
def greedy(
    rowptr: Any, col: Any, order: Any, batch: Any, entropy: Any, probability: Any, threshold: Any
) -> Any:
    """Algorithm 1, graph by graph along ``order``: the kept vertices, bool [N].

    The loss changes only around the vertex that is tried: with it at 1 and its neighbours at 0, every
    product with a neighbour vanishes.
    """
    n = order.size
    value = probability.copy()
    kept = np.zeros(n, np.bool_)
    struck = np.zeros(n, np.bool_)
    beside = np.full(n, -1, np.int64)
    loss = threshold.copy()
    for i in range(n):
        v = order[i]
        g = batch[v]
        if rowptr[v] == rowptr[v + 1]:
            kept[v] = True
            continue
        if struck[v]:
            continue
        for e in range(rowptr[v], rowptr[v + 1]):
            beside[col[e]] = v
        change = -entropy[v] * (1 - value[v])
        for e in range(rowptr[v], rowptr[v + 1]):
            u = col[e]
            around = 0.0
            for f in range(rowptr[u], rowptr[u + 1]):
                w = col[f]
                # an edge between two neighbours of v is met from both ends
                around += value[w] if beside[w] != v else 0.5 * value[w]
            change += entropy[u] * value[u] - 2 * value[u] * around
        if loss[g] + change <= threshold[g] + 1e-9 * (1 + abs(threshold[g])):
            loss[g] += change
            kept[v] = True
            value[v] = 1.0
            for e in range(rowptr[v], rowptr[v + 1]):
                struck[col[e]] = True
                value[col[e]] = 0.0
    return kept
