"""The columns of a network's input, filled by a schema."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mivspool.graphs.labels import one_hot_codes
from mivspool.graphs.schema import InputSchema


def fill(
    schema: InputSchema,
    code: NDArray[np.int64] | None,
    attributes: NDArray[np.float64] | None,
    degree: NDArray[np.int64],
) -> NDArray[np.float32]:
    """float32 [n, d]: the schema's columns; a label code of -1 and an attribute of NaN become zeros.

    ``code`` int64 [n] into the vocabulary, ``attributes`` float64 [n, A], ``degree`` int64 [n].
    """
    x = np.zeros((len(degree), schema.num_features), dtype=np.float32)
    start = 0
    if code is not None:
        start = len(schema.node_labels or ())
        x[:, :start] = one_hot_codes(code, start)
    if schema.attributes and attributes is not None:
        mean = np.asarray([m for _, m, _ in schema.attributes])
        deviation = np.asarray([s for _, _, s in schema.attributes])
        standard = (attributes - mean) / deviation
        x[:, start : start + len(mean)] = np.where(np.isfinite(standard), standard, 0)
        start += len(mean)
    if schema.max_degree is not None:
        x[np.arange(len(degree)), start + np.minimum(degree, schema.max_degree)] = 1
    return x
