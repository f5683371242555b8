"""The levels of pooling in a graph's data: those of step, right in any batch."""

from __future__ import annotations

import pickle

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import SumAggregation

from mivspool.errors import InputError
from mivspool.graphs import Graph
from mivspool.levels import step
from mivspool.pyg import AddMIVSLevels, ConnectMIVS, PooledData, Unpool
from tests.pooling.drawn import features, graphs


def data_of(adjacency, seed=0):
    n = adjacency.num_nodes
    return Data(x=features(n, seed, torch.float32), edge_index=adjacency.edge_index, y=torch.tensor([seed]))


@given(graphs(), st.sampled_from(["degree", "uniform"]), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_levels_are_those_of_step(adjacency, score, complement):
    data = data_of(adjacency)
    pooled = AddMIVSLevels(3, score, complement, seed=4)(data)
    assert pooled.num_levels == 3
    for k, level in enumerate(
        step(Graph.from_data(data), score, seed=4, complement=complement, levels=3), start=1
    ):
        assert torch.equal(pooled[f"cluster_{k}"], level.cluster)
        assert torch.equal(pooled[f"perm_{k}"], level.survivors)
        assert torch.equal(pooled[f"edge_index_{k}"], level.reduced.edge_index)
        assert torch.equal(pooled[f"edge_weight_{k}"].double(), level.reduced.weight)
        assert pooled[f"num_nodes_{k}"] == level.survivors.numel()
    assert set(data.keys()) == {"x", "edge_index", "y"}  # what was given is not changed


@given(st.lists(graphs(), min_size=1, max_size=4))
@settings(max_examples=30, deadline=None)
def test_a_batch_pools_as_its_graphs_do_alone(drawn):
    """Eq. 12 and SᵀAS of a batch by its indices are those of each graph, and the batch comes apart again."""
    alone = [AddMIVSLevels(2)(data_of(one, seed)) for seed, one in enumerate(drawn)]
    batch = Batch.from_data_list(alone)
    assert batch.num_levels == 2
    x, index, weight = batch.x, batch.edge_index, None
    for k in (1, 2):
        chosen = batch.selection(k)
        connected = ConnectMIVS()(chosen, index, weight, batch.batch_of(k - 1))
        assert torch.equal(connected.edge_index, batch[f"edge_index_{k}"])
        assert torch.equal(connected.edge_attr, batch[f"edge_weight_{k}"])
        assert torch.equal(connected.batch, batch.batch_of(k))
        assert torch.equal(chosen.cluster_index[batch[f"perm_{k}"]], torch.arange(batch.size_of(k)))
        x = SumAggregation()(
            x * chosen.weight.unsqueeze(1), chosen.cluster_index, dim_size=chosen.num_clusters
        )
        index, weight = connected.edge_index, connected.edge_attr
        assert Unpool()(x, chosen).size(0) == batch.size_of(k - 1)
    for one, back in zip(alone, batch.to_data_list(), strict=True):
        assert set(one.keys()) == set(back.keys())
        for name, value in one.to_dict().items():
            assert torch.equal(torch.as_tensor(back[name]), torch.as_tensor(value)), name


def test_workers_of_a_loader_compute_and_pickle_them():
    ring = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
    one = Data(x=torch.rand(4, 2), edge_index=torch.cat([ring, ring.flip(0)], 1))

    (batch,) = DataLoader(
        Mapped([one] * 3, AddMIVSLevels(2)), batch_size=3, num_workers=1, multiprocessing_context="spawn"
    )
    assert batch.size_of(1) == 6
    assert batch.batch_of(1).tolist() == [0, 0, 1, 1, 2, 2]
    assert isinstance(pickle.loads(pickle.dumps(AddMIVSLevels()(one))), PooledData)


class Mapped(torch.utils.data.Dataset):
    """A data set that transforms when it is asked."""

    def __init__(self, graphs, transform):
        self.graphs, self.transform = graphs, transform

    def __len__(self):
        return len(self.graphs)

    def __getitem__(self, index):
        return self.transform(self.graphs[index])


def test_what_cannot_be_is_refused_in_words():
    with pytest.raises(InputError, match="at least 1"):
        AddMIVSLevels(0)
    with pytest.raises(InputError, match="learned"):
        AddMIVSLevels(1, "multiview")
    with pytest.raises(InputError, match="both directions"):
        AddMIVSLevels()(Data(edge_index=torch.tensor([[0], [1]]), num_nodes=2))
    pooled = AddMIVSLevels()(Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=2))
    for level in (0, 2):
        with pytest.raises(InputError, match="no level"):
            pooled.selection(level)
    assert repr(AddMIVSLevels(2)) == "AddMIVSLevels(levels=2, score='degree', complement=False)"
