"""What the app hands out as data reads back, whole, and no cell of it is a formula to a spreadsheet."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from scipy.sparse import load_npz

from app import pooled
from app.components import assignment
from app.pooled import Pooling
from app.sources import uploads
from app.step import exports
from mivspool.canvas.sample import part_of
from mivspool.graphs.export import WRITERS
from mivspool.graphs.read import read_graphs

RISKY = ("=cmd|' /C calc'!A0", "+1", "-1+2", "@SUM(A1)", "\tx", "\u202egnp.exe", "<script>alert(1)</script>")


@pytest.fixture(scope="module")
def pooling() -> Pooling:
    return pooled.pool("karate", "uniform", 1, False, False)


@pytest.fixture(scope="module")
def hostile() -> Pooling:
    rows = "\n".join(f'"{name}","v{i}"' for i, name in enumerate(RISKY))
    source = uploads.keep(f"source,target\n{rows}\nv0,v1\n".encode(), "=cmd.csv")
    return pooled.pool(source, "degree", 0, False, False)


@pytest.mark.parametrize("what", ["graph", "level", "reduced"])
@pytest.mark.parametrize("form", list(WRITERS))
def test_graphs_read_back(pooling: Pooling, form: str, what: str) -> None:
    write, extension, _ = exports._writing(pooling, 1, what, form)
    (back,) = read_graphs(write(), f"x{extension}")
    graph = exports.graph_of(pooling, 1, what)
    assert back.nodes == graph.nodes
    assert (back.edges == graph.edges).all()
    if what != "graph":
        kept = pooling.levels[1].nodes if what == "level" else pooling.levels[1].reduced_nodes
        assert graph.nodes == kept
        assert back.edge_weight is not None
        assert back.edge_weight.tolist() == graph.edge_weight.tolist()
    if what == "reduced" and form != "csv":
        inside = sum(float(value) for value in back.node_attributes["diagonal"])
        assert inside + 2 * back.edge_weight.sum() == 2 * pooling.graph.num_edges


def test_s_and_scores_are_whole(pooling: Pooling) -> None:
    level = pooling.levels[0]
    rows = list(csv.reader(io.StringIO(exports.table(level, "S", "csv").decode())))[1:]
    assert {row[0]: row[1] for row in rows} == {
        v: level.reduced_nodes[c] for v, c in zip(level.nodes, level.cluster.tolist(), strict=True)
    }
    scores = list(csv.reader(io.StringIO(exports.table(level, "scores", "csv").decode())))[1:]
    assert [float(value) for _, value in scores] == level.score.tolist()
    matrix = load_npz(io.BytesIO(exports.table(level, "S", "npz"))).toarray()
    assert (matrix == np.eye(len(level.reduced_nodes))[level.cluster.numpy()]).all()


def test_a_sample_is_never_what_is_handed_out(pooling: Pooling, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mivspool.canvas.sample.MOST_VERTICES", 10)
    monkeypatch.setattr("mivspool.canvas.sample.SAMPLE_VERTICES", 8)
    part = part_of(pooling.levels[0])
    assert len(part.level.nodes) < 10
    assert assignment.as_csv(part.whole).count(b"\n") == 1 + pooling.graph.num_nodes


def test_no_cell_is_a_formula(hostile: Pooling) -> None:
    level = hostile.levels[0]
    assert set(RISKY) - set(level.nodes) <= {"\tx"}  # a tab round an id is not part of it
    for text in (
        assignment.as_csv(level),
        exports.table(level, "S", "csv"),
        exports.table(level, "scores", "csv"),
        exports._writing(hostile, 0, "graph", "csv")[0](),
    ):
        cells = [cell for row in csv.reader(io.StringIO(text.decode())) for cell in row]
        assert len(cells) > 10
        risky = [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
        assert set(risky) <= {"+1"}  # a number is one
