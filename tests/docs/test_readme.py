"""README's lines of Python run, and what it says of them is so."""

from __future__ import annotations

import re
from pathlib import Path

import torch
from torch_geometric.nn import GCNConv, TopKPooling

from tests.pooling.drawn import awkward

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
BLOCK = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)


def given():
    adjacency, batch, _ = awkward()
    torch.manual_seed(0)
    return {"x": torch.randn(adjacency.num_nodes, 128), "edge_index": adjacency.edge_index, "batch": batch}


def test_the_block_runs():
    exec(BLOCK, given())


def test_what_stands_where_topkpooling_stood_gives_what_topkpooling_gives():
    """The line that says so makes the layer; a network goes on with its result as with TopKPooling's."""
    (line,) = (line for line in BLOCK.splitlines() if "replaces TopKPooling" in line)
    imports = "\n".join(line for line in BLOCK.splitlines() if line.startswith(("import ", "from ")))
    names: dict = {}
    exec(f"{imports}\n{line}", names)
    layer = names[line.partition(" = ")[0]]
    inputs = given()
    for pool in (TopKPooling(128), layer):
        x, edge_index, edge_weight, batch, perm, score = pool(
            inputs["x"], inputs["edge_index"], torch.ones(inputs["edge_index"].size(1)), inputs["batch"]
        )
        assert x.size(0) == batch.numel() == perm.numel() == score.numel()
        assert x.dtype == edge_weight.dtype == score.dtype == inputs["x"].dtype
        assert edge_weight.numel() == edge_index.size(1)
        assert torch.equal(batch, inputs["batch"][perm])
        GCNConv(128, 8)(x, edge_index, edge_weight).sum().backward()
