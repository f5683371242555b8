"""Compiled loops of the pooling methods, over the CSR of a batch; they trust their input."""

from __future__ import annotations

from typing import Any

import numpy as np

from mivspool.arrays.compiled import compiled


@compiled
def _doubled(array: Any) -> Any:
    larger = np.empty(2 * array.size, np.int64)
    larger[: array.size] = array
    return larger


@compiled
def nearby(rowptr: Any, col: Any, cluster: Any, num_clusters: int, hops: int, own: bool) -> Any:
    """Breadth-first from each survivor, ``hops`` deep; survivors are numbered in the vertices' order.

    ``own``: whether a survivor is near itself.
    """
    n = cluster.size
    seen = np.full(n, -1, np.int64)
    queue = np.empty(n, np.int64)
    out_ptr = np.zeros(num_clusters + 1, np.int64)
    out = np.empty(max(16, 2 * col.size + num_clusters), np.int64)
    filled = 0
    for v in range(n):
        if cluster[v] < 0:
            continue
        seen[v] = v
        queue[0] = v
        begin, end, first = 0, 1, filled
        if own:
            if filled == out.size:
                out = _doubled(out)
            out[filled] = cluster[v]
            filled += 1
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
                                out = _doubled(out)
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
    eliminated = np.zeros(n, np.bool_)
    beside = np.full(n, -1, np.int64)
    loss = threshold.copy()
    for i in range(n):
        v = order[i]
        g = batch[v]
        if rowptr[v] == rowptr[v + 1]:
            kept[v] = True
            continue
        if eliminated[v]:
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
                eliminated[col[e]] = True
                value[col[e]] = 0.0
    return kept


@compiled
def learn_structure(rowptr: Any, col: Any, of_row: Any, of_col: Any, bonus: Any, slope: float) -> Any:
    """``structure.learned``, forward: rowptr and col of A', its weights, its diagonal; P, the place of each entry's
    transpose, and the places that became edges.

    The pattern is symmetric, sorted, and has its diagonal. Sparsemax leaves out what falls under the threshold until
    nothing does (Michelot 1986).
    """
    n, m = of_row.size, col.size
    p, transposed = np.empty(m, of_row.dtype), np.empty(m, np.int64)
    filled = rowptr[:-1].copy()
    for r in range(n):
        begin, end = rowptr[r], rowptr[r + 1]
        total = 0.0
        for k in range(begin, end):
            c = col[k]
            transposed[filled[c]] = k
            filled[c] += 1
            value = of_row[r] + of_col[c]
            p[k] = (value if value > 0 else slope * value) + bonus[k]
            total += p[k]
        size, tau = end - begin, (total - 1) / (end - begin)
        while True:
            total, above = 0.0, 0
            for k in range(begin, end):
                if p[k] > tau:
                    total += p[k]
                    above += 1
            if above == 0 or above >= size:
                break
            size, tau = above, (total - 1) / above
        for k in range(begin, end):
            p[k] = max(p[k] - tau, 0)
    out_ptr, place = np.zeros(n + 1, np.int64), np.empty(m, np.int64)
    weight, loops = np.empty(m, np.float64), np.zeros(n, np.float64)
    count = 0
    for r in range(n):
        for k in range(rowptr[r], rowptr[r + 1]):
            value = (p[k] + p[transposed[k]]) / 2
            if col[k] == r:
                loops[r] = value
            elif value > 0:
                place[count], weight[count] = k, value
                count += 1
        out_ptr[r + 1] = count
    place = place[:count].copy()
    return out_ptr, col[place], weight[:count].copy(), loops, p, transposed, place


@compiled
def learn_structure_backward(
    of_weight: Any, of_loops: Any, rowptr: Any, col: Any, row: Any, column: Any, slope: float,
    p: Any, transposed: Any, place: Any,
) -> Any:  # fmt: skip
    """Gradients of ``row`` [N'], ``column`` [N'] and the bonus [M]: sparsemax takes the support's mean away."""
    n, m = row.size, col.size
    given = np.zeros(m, np.float64)
    for i in range(place.size):
        given[place[i]] = of_weight[i]
    of_row, of_column, of_bonus = np.zeros_like(row), np.zeros_like(row), np.zeros(m, row.dtype)
    for r in range(n):
        for k in range(rowptr[r], rowptr[r + 1]):
            if col[k] == r:
                given[k] = of_loops[r]
    for r in range(n):
        total, support = 0.0, 0
        for k in range(rowptr[r], rowptr[r + 1]):
            if p[k] > 0:
                total += (given[k] + given[transposed[k]]) / 2
                support += 1
        for k in range(rowptr[r], rowptr[r + 1]):
            if p[k] > 0:
                slope_here = (given[k] + given[transposed[k]]) / 2 - total / support
                of_bonus[k] = slope_here
                if row[r] + column[col[k]] <= 0:
                    slope_here *= slope
                of_row[r] += slope_here
                of_column[col[k]] += slope_here
    return of_row, of_column, of_bonus
