"""README's lines of Python run, and what it says of them is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.utils import to_undirected

from tests.pooling.drawn import awkward

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
LIBRARY, NETWORK = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_library_block_runs():
    adjacency, batch, _ = awkward()
    torch.manual_seed(0)
    x = torch.randn(adjacency.num_nodes, 128)
    exec(LIBRARY, {"x": x, "edge_index": adjacency.edge_index, "batch": batch})


def of_class(goal):
    """A ring, with chords where the class is 1."""
    n = int(torch.randint(8, 20, (1,)))
    pairs = [(v, (v + 1) % n) for v in range(n)] + [(v, (v + 2) % n) for v in range(n * goal)]
    edge_index = to_undirected(torch.tensor(pairs).t())
    x = torch.nn.functional.one_hot(torch.bincount(edge_index[0]) % 3, 3).float()
    return Data(x=x, edge_index=edge_index, y=torch.tensor([goal]))


@pytest.mark.parametrize("pooling", ["MIVSPooling", "TopKPooling"])
def test_the_network_learns_with_the_pooling_and_with_the_line_as_it_was(pooling):
    """The comment says what the line was: with that in its place the network is PyTorch Geometric's."""
    (line,) = (line for line in NETWORK.splitlines() if "# was " in line)
    made, before = line.split("  # was ")
    source = NETWORK
    if pooling == "TopKPooling":
        source = source.replace("MIVSPooling(hidden)", before).replace(
            "from mivspool.pyg import MIVSPooling", "from torch_geometric.nn import TopKPooling"
        )
    assert pooling in source
    assert "MIVSPooling(hidden)" in made
    names: dict = {}
    exec(source, names)
    torch.manual_seed(0)
    (batch,) = DataLoader([of_class(i % 2) for i in range(16)], batch_size=16)
    network = names["Net"](classes=2, hidden=16).eval()
    out = network(batch.x, batch.edge_index, batch.batch)
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
    losses = []
    for _ in range(10):
        loss = torch.nn.functional.cross_entropy(out, batch.y)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
        out = network(batch.x, batch.edge_index, batch.batch)
    assert losses[-1] < losses[0] / 2
