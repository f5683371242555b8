"""Random graphs: connected, simple, of the size their name says, the same everywhere."""

from __future__ import annotations

import pytest
import torch

from mivspool.errors import InputError
from mivspool.graphs.collections.random_graphs import random_graph
from mivspool.graphs.source import open_source
from mivspool.pooling.parts.measure import structure
from mivspool.sparse import Adjacency


@pytest.mark.parametrize(("n", "m"), [(1, 0), (2, 1), (5, 10), (14, 18), (200, 300)])
def test_connected_and_of_the_size_that_the_name_says(n: int, m: int) -> None:
    graph = open_source(f"random:{n}:{m}:7")
    assert (graph.num_nodes, graph.num_edges) == (n, m)
    assert graph.name == f"random:{n}:{m}:7"
    assert not (graph.edges[0] >= graph.edges[1]).any()
    index = torch.from_numpy(graph.edge_index)
    assert structure(Adjacency.from_edge_index(index, num_nodes=n)).components == 1


def test_a_name_is_one_graph_for_ever() -> None:
    assert random_graph(6, 7, 3).edges.T.tolist() == [
        [0, 3], [0, 4], [1, 4], [1, 5], [2, 5], [3, 5], [4, 5],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "source", ["random:4:2:1", "random:4:7:1", "random:0:0:1", "random:9", "random:a:b:c"]
)
def test_what_cannot_be_drawn_gets_a_sentence(source: str) -> None:
    with pytest.raises(InputError, match="random"):
        open_source(source)
