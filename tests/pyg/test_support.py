"""docs/pyg.md says what works with the layer and what is refused: each row of its table is a test here."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.explain import Explainer, GNNExplainer
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GraphConv, global_mean_pool

from mivspool.errors import InputError
from mivspool.pyg import MIVSPooling
from tests.pooling.drawn import CHANNELS, awkward, features

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "pyg.md").read_text(encoding="utf-8")
ADJACENCY, BATCH, SIZE = awkward()
EDGES, X = ADJACENCY.edge_index, features(ADJACENCY.num_nodes, dtype=torch.float32)


class Net(torch.nn.Module):
    """A convolution, the layer, a convolution with its weights, a readout."""

    def __init__(self, score="multiview"):
        super().__init__()
        self.first, self.second = GraphConv(CHANNELS, 8), GraphConv(8, 2)
        self.pool = MIVSPooling(8, score)

    def forward(self, x, edge_index, batch):
        x = self.first(x, edge_index).relu()
        x, edge_index, weight, batch, _, _ = self.pool(x, edge_index, None, batch)
        return global_mean_pool(self.second(x, edge_index, weight), batch, SIZE)


@pytest.fixture
def net():
    torch.manual_seed(3)
    return Net()


def test_the_table_and_these_tests_have_the_same_rows():
    rows = re.findall(r"^\| ([^|]+) \| (yes|no|in part|not tested)", DOCS, re.MULTILINE)
    tested = {
        name.removeprefix("test_row_").replace("_", " ") for name in globals() if name.startswith("test_row_")
    }
    named = {re.sub(r"[^a-z0-9]+", " ", row.lower()).strip() for row, _ in rows}
    assert named == tested


def test_row_torch_compile(net):
    torch.compiler.reset()
    torch.testing.assert_close(torch.compile(net, backend="eager")(X, EDGES, BATCH), net(X, EDGES, BATCH))
    torch.compiler.reset()


def test_row_autocast(net):
    with torch.autocast("cpu", torch.bfloat16):
        out = net(X, EDGES, BATCH)
    out.float().sum().backward()
    assert all(bool(p.grad.isfinite().all()) for p in net.parameters())


def test_row_float16_bfloat16(net):
    for dtype in (torch.float16, torch.bfloat16):
        out = net.to(dtype).pool(torch.rand(X.size(0), 8, dtype=dtype), EDGES, None, BATCH)
        assert {one.dtype for one in out} == {dtype, torch.int64}


def test_row_double_backward(net):
    net, x = net.double(), X.double().requires_grad_()
    (slope,) = torch.autograd.grad(net(x, EDGES, BATCH).square().sum(), x, create_graph=True)
    slope.square().sum().backward()
    assert bool(x.grad.isfinite().all())
    assert float(x.grad.abs().sum()) > 0


def test_row_distributeddataparallel(net, tmp_path):
    from torch import distributed

    def check():
        wrapped = torch.nn.parallel.DistributedDataParallel(net)
        found, expected = wrapped(X, EDGES, BATCH), net(X, EDGES, BATCH)
        torch.testing.assert_close(found, expected)
        found.sum().backward()
        assert all(p.grad is not None for p in net.parameters())

    distributed.init_process_group("gloo", init_method=f"file://{tmp_path}/meet", rank=0, world_size=1)
    try:
        check()  # a call: what wraps the network ends before its group, or torch may wait for itself for ever
    finally:
        distributed.destroy_process_group()


def test_row_lightning(net, tmp_path):
    import pytorch_lightning as lightning

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.net, self.losses = net, []

        def training_step(self, batch, _):
            loss = torch.nn.functional.cross_entropy(
                self.net(batch.x, batch.edge_index, batch.batch), batch.y
            )
            self.losses.append(float(loss.detach()))
            return loss

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters(), lr=0.05)

    ring = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
    edge_index = torch.cat([ring, ring.flip(0)], 1)
    data = [
        Data(x=torch.rand(4, CHANNELS) + k % 2, edge_index=edge_index, y=torch.tensor([k % 2]))
        for k in range(SIZE)
    ]
    trainer = lightning.Trainer(
        max_epochs=10, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
        enable_model_summary=False, default_root_dir=tmp_path,
    )  # fmt: skip
    module = Module()
    trainer.fit(module, DataLoader(data, batch_size=SIZE))
    assert module.losses[-1] < module.losses[0]


def test_row_dataloader_workers():
    """What a worker pools comes back through a pipe: the layer and its results pickle."""
    data = Data(x=X, edge_index=EDGES)
    torch.manual_seed(3)
    pooling = Pooled(MIVSPooling(CHANNELS, "degree"), data)
    (out,) = torch.utils.data.DataLoader(
        pooling, num_workers=1, batch_size=None, multiprocessing_context="spawn"
    )
    for one, other in zip(out, pooling[0], strict=True):
        assert torch.equal(one, other)


class Pooled(torch.utils.data.Dataset):
    """One graph, pooled when it is asked for."""

    def __init__(self, layer, data):
        self.layer, self.data = layer, data

    def __len__(self):
        return 1

    def __getitem__(self, index):
        if index:
            raise IndexError(index)
        return [part.detach() for part in self.layer(self.data.x, self.data.edge_index)]


def explainer(net, **masks):
    return Explainer(
        net, GNNExplainer(epochs=5), explanation_type="model", **masks,
        model_config={"mode": "multiclass_classification", "task_level": "graph", "return_type": "raw"},
    )  # fmt: skip


def test_row_explainers(net):
    """Of vertices and features; masks of edges fit convolutions before the first pooling alone, as with TopKPooling."""
    found = explainer(net.eval(), node_mask_type="attributes")(X, EDGES, batch=BATCH)
    assert found.node_mask.shape == X.shape
    assert bool(found.node_mask.isfinite().all())
    assert float(found.node_mask.abs().sum()) > 0
    with pytest.raises((ValueError, RuntimeError, AssertionError)):
        explainer(net, node_mask_type="attributes", edge_mask_type="object")(X, EDGES, batch=BATCH)


def test_row_torch_export(net):
    with pytest.raises(InputError, match=r"torch\.export"):
        torch.export.export(net.pool, (torch.rand(X.size(0), 8), EDGES))


def test_row_torchscript(net):
    with pytest.raises(InputError, match="scripted"):
        torch.jit.script(net.pool)
    with pytest.raises(InputError, match="traced"):
        torch.jit.trace(net.pool, (torch.rand(X.size(0), 8), EDGES))


def test_row_onnx(net, tmp_path):
    """By the exporter that traces; the other one goes through torch.export."""
    with pytest.raises(InputError, match="ONNX"):
        torch.onnx.export(net.pool, (torch.rand(X.size(0), 8), EDGES), tmp_path / "pool.onnx", dynamo=False)


def test_row_graphgym():
    """The layer and the stage are registered, and gradients reach every weight of GraphGym's network with them."""
    from torch_geometric.graphgym.register import layer_dict, stage_dict

    import mivspool.pyg.graphgym  # noqa: F401

    assert "mivspool" in stage_dict
    layer = layer_dict["mivspool"](SimpleNamespace(dim_in=CHANNELS, dim_out=CHANNELS))
    batch = Batch(x=X, edge_index=EDGES, batch=BATCH)
    expected = layer.model(X, EDGES, None, BATCH)
    out = layer(batch)
    for one, other in zip((out.x, out.edge_index, out.edge_attr, out.batch), expected[:4], strict=True):
        assert torch.equal(one, other)
    with pytest.raises(InputError, match="channels"):
        layer_dict["mivspool"](SimpleNamespace(dim_in=CHANNELS, dim_out=2))
    from torch_geometric.graphgym.config import cfg, set_cfg
    from torch_geometric.graphgym.models import head  # noqa: F401
    from torch_geometric.graphgym.models.gnn import GNN

    set_cfg(cfg)
    cfg.gnn.head = "graph"
    cfg.gnn.stage_type, cfg.gnn.layer_type, cfg.gnn.layers_mp = "mivspool", "gcnconv", 2
    cfg.dataset.task, cfg.model.graph_pooling, cfg.dataset.transductive = "graph", "mean", False
    torch.manual_seed(3)
    network = GNN(CHANNELS, 2)
    graphs = Batch(x=X, edge_index=EDGES, batch=BATCH, y=torch.zeros(SIZE, dtype=torch.int64))
    found, _ = network(graphs)
    assert found.shape == (SIZE, 2)
    found.sum().backward()
    assert all(p.grad is not None for p in network.parameters())
