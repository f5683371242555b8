"""A small data set in which the class can be told from the structure alone."""

from __future__ import annotations

import numpy as np
import pytest

from mivspool.graphs.dataset import Dataset


def cycles_and_stars(graphs: int = 40, name: str = "TOY", attributes: bool = True, seed: int = 0) -> Dataset:
    """Cycles (class 0) and stars (class 1) of 4 to 9 vertices, with an attribute that says nothing."""
    rng = np.random.default_rng(seed)
    ptr, edge_ptr, edges, target = [0], [0], [], []
    for i in range(graphs):
        n, star = int(rng.integers(4, 10)), i % 2
        pairs = [(0, v) for v in range(1, n)] if star else [*((v, v + 1) for v in range(n - 1)), (0, n - 1)]
        edges += [(ptr[-1] + u, ptr[-1] + v) for u, v in sorted(pairs)]
        ptr.append(ptr[-1] + n)
        edge_ptr.append(len(edges))
        target.append(star)
    return Dataset(
        name=name,
        ptr=np.asarray(ptr),
        edges=np.asarray(edges).T.copy(),
        edge_ptr=np.asarray(edge_ptr),
        node_label=np.asarray(rng.integers(0, 3, ptr[-1])),
        label_names=("a", "b", "c"),
        node_attributes=rng.normal(size=(ptr[-1], 1)) if attributes else None,
        attribute_names=("noise",) if attributes else (),
        target=np.asarray(target),
        classes=("cycle", "star"),
    )


@pytest.fixture(scope="session")
def toy() -> Dataset:
    return cycles_and_stars()
