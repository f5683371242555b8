"""Compiled passes over vertex features on the CPU (numba, cached on disk), forward and backward.

A CSR is rowptr uint64 [N + 1] and col uint32 [M] (``Adjacency.csr``). Features are [N, C], contiguous, float32 or
float64; graphs of a batch are ``ptr`` int64 [B + 1]. ``kind`` int64 [N]: vertex v has row kind[v] of features [U, C]
in which no row stands twice; empty: row v. Each row is summed in the order of its neighbours, so that a graph's
numbers do not depend on the batch it is in. Input is trusted here: whoever calls a pass has asked for types, shapes and
indices before (``checks.py``); ``tests/arrays/entries.py`` lists them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mivspool.arrays.compiled import compiled, compiled_sums


@compiled
def pointers(batch: Any, ptr: Any) -> int:
    """Fills ptr int64 [B + 1] (zeroed by the caller) from ``batch`` int64 [N].

    The first vertex that is not in its place is returned: sorted, at least 0 and below B; −1: none.
    """
    last = np.int64(0)
    graphs = ptr.size - 1
    for v in range(batch.size):
        b = batch[v]
        if b < last or b >= graphs:
            return v
        ptr[b + 1] = v + 1  # the last one stays
        last = b
    for b in range(graphs):
        if ptr[b + 1] < ptr[b]:
            ptr[b + 1] = ptr[b]
    return -1


@compiled
def propagate(rowptr: Any, col: Any, values: Any, diagonal: Any, x: Any, out: Any) -> None:
    """out = M x for M as CSR with a diagonal (empty: none)."""
    width = x.shape[1]
    for v in range(rowptr.size - 1):
        row = out[v]
        if diagonal.size:
            own = diagonal[v]
            for c in range(width):
                row[c] = own * x[v, c]
        else:
            row[:] = 0
        for e in range(rowptr[v], rowptr[v + 1]):
            weight = values[e]
            other = x[col[e]]
            for c in range(width):
                row[c] += weight * other[c]


@compiled_sums
def entries(rowptr: Any, col: Any, grad: Any, x: Any, of_values: Any, of_diagonal: Any) -> None:
    """The gradient of each entry of M in y = M x, grad[v] · x[w] (and of the diagonal; empty: none)."""
    width = x.shape[1]
    for v in range(rowptr.size - 1):
        slope = grad[v]
        if of_diagonal.size:
            here = x[v]
            dot = slope[0] * here[0]
            for c in range(1, width):
                dot += slope[c] * here[c]
            of_diagonal[v] = dot
        for e in range(rowptr[v], rowptr[v + 1]):
            other = x[col[e]]
            dot = slope[0] * other[0]
            for c in range(1, width):
                dot += slope[c] * other[c]
            of_values[e] = dot


@compiled
def normalise(
    rowptr: Any, col: Any, weight: Any, loops: Any, self_loop: float, scale: Any, values: Any, diagonal: Any
) -> None:
    """values [M] and diagonal [N] of D^(-1/2) (A + loops + self_loop·I) D^(-1/2); empty weight: 1, empty loops: 0.

    ``scale`` float64 [N] is a buffer.
    """
    n = scale.size
    for v in range(n):
        total = self_loop
        if loops.size:
            total += loops[v]
        if weight.size:
            for e in range(rowptr[v], rowptr[v + 1]):
                total += weight[e]
        else:
            total += rowptr[v + 1] - rowptr[v]
        scale[v] = 1.0 / np.sqrt(total) if total > 0 else 1.0
    for v in range(n):
        for e in range(rowptr[v], rowptr[v + 1]):
            value = scale[v] * scale[col[e]]
            values[e] = value * weight[e] if weight.size else value
        if diagonal.size:
            diagonal[v] = scale[v] * scale[v] * (self_loop + (loops[v] if loops.size else 0.0))


@compiled
def readout(x: Any, ptr: Any, out: Any, top: Any) -> None:
    """mean ‖ max of each graph into out [B, 2C]; top int32 [B, C]: the first vertex that has the maximum."""
    width = x.shape[1]
    for b in range(ptr.size - 1):
        first, last = ptr[b], ptr[b + 1]
        mean, best, where = out[b, :width], out[b, width:], top[b]
        if first == last:
            out[b] = 0
            where[:] = -1
            continue
        row = x[first]
        for c in range(width):
            mean[c] = row[c]
            best[c] = row[c]
            where[c] = first
        for v in range(first + 1, last):
            row, here = x[v], np.int32(v)
            for c in range(width):
                mean[c] += row[c]
            for c in range(width):
                if row[c] > best[c]:
                    best[c] = row[c]
                    where[c] = here
        for c in range(width):
            mean[c] /= last - first


@compiled
def readout_backward(grad: Any, ptr: Any, top: Any, out: Any) -> None:
    """The gradient of ``readout`` in x."""
    width = out.shape[1]
    for b in range(ptr.size - 1):
        first, last = ptr[b], ptr[b + 1]
        if first == last:
            continue
        mean = grad[b, :width] / (last - first)
        for v in range(first, last):
            out[v] = mean
        for c in range(width):
            out[top[b, c], c] += grad[b, width + c]


@compiled
def weighted_mean(x: Any, kind: Any, score: Any, cluster: Any, total: Any, out: Any) -> int:
    """Eq. 12: out [N', C], and total [N'], the sum of each cluster's scores (both zeroed by the caller).

    Returns the first cluster whose scores sum up to 0, which has no mean; −1: none.
    """
    width = x.shape[1]
    for v in range(cluster.size):
        c = cluster[v]
        if c < 0:
            continue
        s = score[v]
        total[c] += s
        row, sums = x[kind[v] if kind.size else v], out[c]
        for k in range(width):
            sums[k] += s * row[k]
    for c in range(total.size):
        if total[c] == 0:
            return c
        row = out[c]
        share = 1 / total[c]
        for k in range(width):
            row[k] *= share
    return -1


@compiled_sums
def weighted_mean_score(
    grad: Any, x: Any, kind: Any, pooled: Any, total: Any, cluster: Any, along: Any, out: Any
) -> None:
    """The gradient of Eq. 12 in the scores, [N]; ``along`` [N'] is a buffer."""
    width = x.shape[1]
    for c in range(total.size):
        dot = grad[c, 0] * pooled[c, 0]
        for k in range(1, width):
            dot += grad[c, k] * pooled[c, k]
        along[c] = dot
    for v in range(cluster.size):
        c = cluster[v]
        if c < 0:
            out[v] = 0
            continue
        row, slope = x[kind[v] if kind.size else v], grad[c]
        dot = slope[0] * row[0]
        for k in range(1, width):
            dot += slope[k] * row[k]
        out[v] = (dot - along[c]) / total[c]


@compiled
def weighted_mean_features(grad: Any, score: Any, total: Any, cluster: Any, out: Any) -> None:
    """The gradient of Eq. 12 in the features, [N, C]."""
    width = grad.shape[1]
    for v in range(cluster.size):
        c = cluster[v]
        row = out[v]
        if c < 0:
            row[:] = 0
            continue
        share = score[v] / total[c]
        slope = grad[c]
        for k in range(width):
            row[k] = share * slope[k]


@compiled
def weighted_mean_rows(grad: Any, kind: Any, score: Any, total: Any, cluster: Any, out: Any) -> None:
    """The gradient of Eq. 12 in the rows, [U, C] (zeroed by the caller)."""
    width = grad.shape[1]
    for v in range(cluster.size):
        c = cluster[v]
        if c < 0:
            continue
        row = out[kind[v]]
        share = score[v] / total[c]
        slope = grad[c]
        for k in range(width):
            row[k] += share * slope[k]


@compiled
def gated(x: Any, kept: Any, gate: Any, out: Any) -> None:
    """out [K, C] = gate ⊙ x[kept] for kept int64 [K] and gate [K]."""
    for i in range(kept.size):
        row, sums, factor = x[kept[i]], out[i], gate[i]
        for c in range(row.size):
            sums[c] = factor * row[c]


@compiled_sums
def gated_backward(grad: Any, x: Any, kept: Any, gate: Any, of_x: Any, of_gate: Any) -> None:
    """Gradients of ``gated`` for ``kept`` in order, each once: of_x [N, C] in one pass, of_gate [K]."""
    i = 0
    for v in range(x.shape[0]):
        out = of_x[v]
        if i == kept.size or kept[i] != v:
            out[:] = 0
            continue
        row, slope, factor = x[v], grad[i], gate[i]
        dot = slope[0] * row[0]
        for c in range(1, row.size):
            dot += slope[c] * row[c]
        for c in range(row.size):
            out[c] = factor * slope[c]
        of_gate[i] = dot
        i += 1


@compiled
def gather(grad: Any, kind: Any, out: Any) -> None:
    """out [U, C] += the gradients of all vertices of each kind (zeroed by the caller)."""
    width = grad.shape[1]
    for v in range(kind.size):
        row, slope = out[kind[v]], grad[v]
        for k in range(width):
            row[k] += slope[k]


@compiled
def bias_relu(x: Any, bias: Any) -> None:
    """x = ReLU(x + bias), in place."""
    zero = x.dtype.type(0)
    for v in range(x.shape[0]):
        row = x[v]
        for k in range(row.size):
            value = row[k] + bias[k]
            row[k] = zero if value < zero else value  # what is not a number stays so


@compiled
def relu_backward(grad: Any, y: Any, out: Any, total: Any) -> None:
    """out = grad where y > 0, else 0; total [C] += its column sums (the bias's gradient)."""
    width = y.shape[1]
    for v in range(y.shape[0]):
        slope, value, row = grad[v], y[v], out[v]
        for k in range(width):
            g = slope[k] if value[k] > 0 else grad.dtype.type(0)
            row[k] = g
            total[k] += g


@compiled
def cut(graphs: Any, ptr: Any, rowptr: Any, col: Any, vertex: Any, batch: Any, out_rowptr: Any) -> Any:
    """The block-diagonal CSR of some graphs: fills vertex, batch [N] and out_rowptr [N + 1], returns its col."""
    n = 0
    entries = 0
    for b in range(graphs.size):
        first, last = ptr[graphs[b]], ptr[graphs[b] + 1]
        for v in range(first, last):
            vertex[n] = v
            batch[n] = b
            entries += rowptr[v + 1] - rowptr[v]
            n += 1
            out_rowptr[n] = entries
    out_col = np.empty(entries, np.uint32)
    filled = 0
    start = 0
    for b in range(graphs.size):
        first, last = ptr[graphs[b]], ptr[graphs[b] + 1]
        for e in range(rowptr[first], rowptr[last]):
            out_col[filled] = np.uint32(np.int64(col[e]) - first + start)
            filled += 1
        start += last - first
    return out_col


@compiled
def sum_around(rowptr: Any, col: Any, values: Any, out: Any) -> None:
    """out [N]: the sum of ``values`` [N] over each vertex's neighbours."""
    for v in range(out.size):
        total = values.dtype.type(0)
        for e in range(rowptr[v], rowptr[v + 1]):
            total += values[col[e]]
        out[v] = total


@compiled
def rounded(value: Any, bits: int, out: Any) -> None:
    """out int32 [N]: the values, which are squeezed, in multiples of 2^−bits."""
    for v in range(value.size):
        out[v] = np.int64(np.rint(np.float64(value[v]) * (1 << bits)))


@compiled
def learned_key(
    first: int, last: int, rounded: Any, rowptr: Any, col: Any, degree_bits: int, around_bits: int, key: Any
) -> None:
    """The key of ``meer.learned_key``, int64 [N], of ``rounded`` int32 [N], for the vertices ``first`` to ``last``."""
    for i in range(first, last):
        v = np.uint32(i)
        around = np.int64(0)
        for e in range(rowptr[v], rowptr[v + 1]):
            around += rounded[col[e]]
        degree = np.int64(rowptr[v + 1] - rowptr[v])
        degree = degree if degree < 1 << degree_bits else np.int64((1 << degree_bits) - 1)
        around &= np.int64((1 << around_bits) - 1)
        key[v] = (np.int64(rounded[v]) << (degree_bits + around_bits)) | (degree << around_bits) | around
