"""What a page says agrees with the numbers beside it."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import torch

from app import pooled, sources
from app.components import cluster
from app.train import job_view
from app.train import words as train_words
from app.ui import common
from mivspool.graphs.graph import Graph
from mivspool.levels import step
from mivspool.messages import fill
from mivspool.service.jobs_schemas import Confusion


@pytest.mark.parametrize("source", ["karate", "preset:bridge", "MAO:3"])
@pytest.mark.parametrize("complement", [False, True])
def test_the_edges_listed_add_up_to_the_entry_of_the_reduced_matrix(source: str, complement: bool) -> None:
    """Also at level 1 and beyond, where a vertex has edges inside itself."""
    loops = 0
    for level in pooled.pool(source, "uniform", 3, complement, False).levels:
        (rows, columns), weight = level.adjacency.with_diagonal()
        dense = torch.zeros(len(level.nodes), len(level.nodes), dtype=torch.float64)
        dense[rows, columns] = weight.double()
        s = torch.nn.functional.one_hot(level.cluster, len(level.reduced_nodes)).double()
        expected = s.T @ dense @ s
        for column in range(len(level.reduced_nodes)):
            for entry in cluster.entries(level, column):
                assert entry.total == float(expected[column, entry.end])
                assert entry.total == sum(edge.weight * edge.times for edge in entry.edges)
                rows, columns, values = cluster.block(level, column, entry.end)
                assert values.sum() == entry.total
                assert values.shape == (len(rows), len(columns))
                for chosen, home in ((rows, column), (columns, entry.end)):
                    assert sorted(chosen) == np.flatnonzero(level.cluster.numpy() == home).tolist()
                for edge in entry.edges:
                    assert edge.times == (2 if entry.end == column and edge.u != edge.v else 1)
                    loops += edge.u == edge.v
            assert {entry.end for entry in cluster.entries(level, column)} == set(
                torch.nonzero(expected[column]).reshape(-1).tolist()
            )
    assert loops or source == "preset:bridge"


def test_an_edge_inside_a_vertex_is_not_said_to_be_counted_twice() -> None:
    levels = pooled.pool("karate", "uniform", 3, False, False).levels
    level = next(level for level in levels if level.adjacency.loops is not None)
    made = "".join(cluster._eq3(level, column) for column in range(len(level.reduced_nodes)))
    assert common.INSIDE_VERTEX in made
    plain = "".join(cluster._eq3(levels[0], column) for column in range(len(levels[0].reduced_nodes)))
    assert common.INSIDE_VERTEX not in plain


def test_features_that_are_standardised_say_so() -> None:
    for source, standardised in (("karate", True), ("MAO:3", False)):
        pooling = pooled.pool(source, "uniform", 0, False, False)
        level = pooling.levels[0]
        made = cluster._eq12(pooling, level, 0, 0)
        assert (common.STANDARDISED in made) == standardised, source
        assert sources.load(source).num_nodes == len(level.nodes)


def test_an_accuracy_says_which_mean_it_is() -> None:
    one = Confusion(classes=["0", "1"], matrix=[[4, 1], [1, 4]], runs=1)
    assert job_view.tested({"test_accuracy": 0.8}, one) == fill(train_words.TESTED, accuracy=80.0, n=10)
    # ten folds: the mean of their accuracies is not the share of all test graphs where folds differ in size
    many = Confusion(classes=["0", "1"], matrix=[[300, 141], [100, 6]], runs=10)
    said = job_view.tested({"test_accuracy": 0.557, "test_accuracy_std": 0.01}, many)
    assert "Mean" in said
    assert "55.7" in said
    assert f"{100 * 306 / 547:.1f}" in said
    assert "547" in said


def test_what_is_multiplied_out_costs_no_more_than_it_shows() -> None:
    leaves = 3_000
    edges = np.stack([np.zeros(leaves, np.int64), np.arange(1, leaves + 1)])
    star = Graph("star", tuple(map(str, range(leaves + 1))), edges)
    level = step(star, "degree")[0]
    assert level.reduced_nodes == ("0",)
    tracemalloc.start()
    cluster._eq3(level, 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3_000 * leaves  # bytes; a block of A would be 8 per pair of vertices
