"""Nothing vanishes because it is large: it is computed, or a sentence says what is missing and why."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import streamlit as st

from app import backend, sources
from app.compare import methods, page, plots
from app.components import cluster, left_out, mapping, network_figure
from app.ui import common
from mivspool.compare import compare
from mivspool.content import shared
from mivspool.content.compare import reductions
from mivspool.content.compare import words as compare_words
from mivspool.graphs.graph import Graph
from mivspool.learning.layers import describe
from mivspool.learning.runs import NetworkConfig
from mivspool.messages import fill
from mivspool.service.schemas import Without, WithoutCluster


def test_a_trained_method_pools_a_large_graph_as_it_pools_any(
    monkeypatch: pytest.MonkeyPatch, own_backend: Callable[[], None]
) -> None:
    own_backend()
    graph = sources.load("MAO:3")
    found = []
    for large in (backend._LARGE, 0):
        monkeypatch.setattr(backend, "_LARGE", large)
        st.cache_data.clear()
        st.cache_resource.clear()
        found.append(methods.pooled("MAO:3", "mivspool:multiview", 0, "mao-mivspool", 3, graph))
    whole, in_parts = found
    assert [row.survivors for row in whole] == [row.survivors for row in in_parts]
    assert in_parts


def test_each_method_that_was_chosen_is_in_the_table_or_a_sentence_says_why() -> None:
    star = Graph("star", tuple("abcde"), np.array([[0, 0, 0, 0], [1, 2, 3, 4]]))
    found = {
        name: compare(star, [name], 3, 0, renumberings=0) for name in ("mivspool:degree", "gpool", "ndp")
    }
    for level in range(3):
        shown = {
            name for name, rows in found.items() if level < len(rows) and rows[level].measures is not None
        }
        said = page.absent(found, level)
        for name in found:
            assert (name in shown) != any(reductions.title(name) in sentence for sentence in said), (
                name,
                level,
            )
    assert page.absent({"gpool": []}, 0), "also one that made nothing at all"


def test_a_shared_assignment_that_is_too_large_to_multiply_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = compare(sources.load("karate"), ["diffpool"], 2, 0, renumberings=0)
    exact = reductions.reduced(rows, 1, sources.load("karate"))
    assert exact is not None
    assert exact.exact
    monkeypatch.setattr(reductions, "_MOST_PRODUCT", 0)
    made = reductions.reduced(rows, 1, sources.load("karate"))
    assert made is not None
    assert not made.exact
    drawn = reductions.panel(made, sources.positions("karate", sources.load("karate")), "DiffPool", [])
    assert compare_words.NOTE_LARGEST in drawn["notes"]


def test_the_pyramid_says_which_edges_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = compare(sources.load("karate"), ["mivspool:degree"], 1, 0, renumberings=0)
    assert plots.undrawn(rows) == 0
    monkeypatch.setattr(reductions, "MOST_EDGES", 70)
    assert plots.undrawn(rows) == 78 - 70


def test_a_cluster_says_how_many_neighbours_are_not_listed() -> None:
    leaves = 20  # each a centre of its own cluster: paths of two hang on one centre
    edges = [(0, i) for i in range(1, leaves + 1)] + [(i, leaves + i) for i in range(1, leaves + 1)]
    ids = tuple(map(str, range(2 * leaves + 1)))
    scores = np.array([0.9] + [0.1] * leaves + [0.5] * leaves)
    graph = Graph("spider", ids, np.array(edges).T, node_attributes={"score": tuple(scores.tolist())})
    from mivspool.levels import step

    level = step(graph, tuple(scores.tolist()))[0]
    column = int(level.cluster[0])
    made = cluster._eq3(level, column)
    ends = {int(c) for c in level.cluster.tolist()}
    listed = made.count("<tr>")
    assert listed < len(ends), "the example has more than are listed"
    assert fill(common.MORE_CLUSTERS, more=len(ends) - cluster.MOST_MEMBERS) in made


def test_bars_say_how_many_clusters_they_leave_to_the_table() -> None:
    clusters = [
        WithoutCluster(survivor=f"{i}", vertices=["a"], probabilities={"1": 0.5, "0": 0.5}, change=-0.3)
        for i in range(45)
    ]
    found = Without(
        model="m", graph="g", predicted="1", probabilities={"1": 0.8, "0": 0.2}, level=0, clusters=clusters
    )
    assert fill(shared.LEFT_OUT_MORE, n=45, shown=30) in left_out.bars(clusters, found)
    assert fill(shared.LEFT_OUT_MORE, n=30, shown=30) not in left_out.bars(clusters[:30], found)


def test_the_figure_says_how_many_classes_it_leaves_out() -> None:
    shares = {f"class {i}": 1 / 12 for i in range(12)}
    layers = [layer.to_dict() for layer in describe(NetworkConfig(3, 12))]
    network = network_figure.Network(layers, [], 5, 4, shares)
    for tall in (False, True):
        assert fill(common.FIGURE_MORE, n=4) in network_figure.drawing(network, -1, tall)


def test_a_list_of_labels_says_how_many_more_there_are() -> None:
    names = [f"L{i}" for i in range(30)]
    assert mapping.listed(names).endswith(fill(shared.MORE, n=10))
    assert mapping.listed(names[:20]).endswith("L19")
