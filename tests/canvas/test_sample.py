"""A sample of a level that is too large to draw says nothing that is not so of the whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mivspool import meer
from mivspool.canvas import sample
from mivspool.canvas.sample import Part, part_of
from mivspool.graphs.graph import Graph
from mivspool.levels import Level, step


def made(kind: str, random: np.random.Generator) -> Graph:
    if kind == "star":
        pairs = np.stack([np.zeros(499, dtype=np.int64), np.arange(1, 500)])
    elif kind == "complete":
        pairs = np.stack(np.triu_indices(90, 1))
    elif kind == "pairs":
        pairs = np.arange(600).reshape(-1, 2).T
    elif kind == "empty":
        pairs = np.zeros((2, 0), dtype=np.int64)
    else:
        pairs = np.sort(random.integers(0, 500, (2, 1200)), axis=0)
        pairs = np.unique(pairs[:, pairs[0] < pairs[1]], axis=1)
    n = 600 if kind in ("pairs", "empty") else int(pairs.max()) + 1
    return Graph(kind, tuple(f"v{i}" for i in range(n)), pairs)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "MOST_VERTICES": 80,
        "MOST_EDGES": 3000,
        "SAMPLE_VERTICES": 40,
        "SAMPLE_EDGES": 160,
    }.items():
        monkeypatch.setattr(sample, name, value)


def parts() -> Iterator[Part]:
    random = np.random.default_rng(11)
    for kind in ("random", "star", "complete", "pairs", "empty"):
        for score, complement in (("uniform", False), ("degree", True), ("multiview", False)):
            for level in step(made(kind, random), score, complement=complement, levels=2):
                part = part_of(level)
                if part.sampled:
                    yield part


def test_states_scores_and_clusters_are_the_wholes() -> None:
    seen = 0
    for part in parts():
        seen += 1
        ours, theirs, v = part.level, part.whole, part.vertices
        assert len(ours.nodes) <= 41
        assert ours.nodes == tuple(theirs.nodes[i] for i in v.tolist())
        assert ours.num_iterations == theirs.num_iterations
        for name in ("survivor", "settled_at", "added"):
            assert (getattr(ours.trace, name) == getattr(theirs.trace, name)[v]).all()
        assert (ours.score == theirs.score[v]).all()
        assert (ours.factor == theirs.factor[v]).all()
        assert (v[ours.trace.cluster.numpy()] == theirs.trace.cluster.numpy()[v]).all()
        assert (meer.rank(ours.key).argsort() == meer.rank(theirs.key)[v].argsort()).all()
        assert [part.place(i) for i in v.tolist()] == list(range(len(v)))
    assert seen >= 12


def dense(level: Level, reduced: bool) -> np.ndarray:
    adjacency = level.reduced if reduced else level.adjacency
    (row, col), weight = adjacency.with_diagonal()
    matrix = np.zeros((adjacency.num_nodes, adjacency.num_nodes))
    matrix[row.numpy(), col.numpy()] = weight.numpy()
    return matrix


def test_edges_and_the_reduced_graphs_weights_are_the_wholes() -> None:
    for part in parts():
        v = part.vertices
        whole = dense(part.whole, False)
        assert (dense(part.level, False) == whole[np.ix_(v, v)]).all()
        off = whole * (1 - np.eye(len(whole))) != 0
        assert (part.outside == off[v].sum(1) - off[np.ix_(v, v)].sum(1)).all()
        kept = np.asarray([part.whole.reduced_nodes.index(name) for name in part.level.reduced_nodes])
        assert (dense(part.level, True) == dense(part.whole, True)[np.ix_(kept, kept)]).all()


def test_it_is_around_the_vertex_asked_for() -> None:
    level = step(made("random", np.random.default_rng(3)), "degree")[0]
    for around in (0, 17, 250):
        part = part_of(level, around)
        assert part.place(around) >= 0
        near = level.adjacency.col[level.adjacency.rowptr[around] : level.adjacency.rowptr[around + 1]]
        assert all(part.place(u) >= 0 for u in near.tolist()[:10])


def test_what_can_be_drawn_is_left_whole() -> None:
    level = step(Graph("path", tuple("abcd"), np.asarray([[0, 1, 2], [1, 2, 3]])), "degree")[0]
    part = part_of(level)
    assert part.level is level
    assert not part.sampled
    assert part.place(3) == 3
    assert part.place(4) == -1
