"""MIVSPool in GraphGym: importing this module registers the layer and the stage "mivspool".

``gnn.stage_type: mivspool`` in a configuration pools after each of the ``gnn.layers_mp`` layers; "stack" with
``gnn.layer_type: mivspool`` pools alone. Stages that add or join the features of two layers ("skipsum", "skipconcat")
need the same vertices in both, so that they cannot pool.
"""

from __future__ import annotations

from typing import Any

import torch
from torch_geometric.graphgym.register import register_layer, register_stage

from mivspool.errors import InputError
from mivspool.pyg.pooling import MIVSPooling

__all__ = ["MIVSPoolingLayer", "MIVSPoolingStage"]


@register_layer("mivspool")
class MIVSPoolingLayer(torch.nn.Module):
    """``MIVSPooling`` on a batch of GraphGym: x [N, C], ``edge_index``, ``edge_attr`` and ``batch`` become the pooled
    ones.

    Args:
        layer_config: GraphGym's; ``dim_in`` and ``dim_out`` must be the same.
        kwargs: those of ``MIVSPooling``.

    Raises:
        InputError: where ``dim_in`` and ``dim_out`` differ.
    """

    def __init__(self, layer_config: Any, **kwargs: Any) -> None:
        super().__init__()
        if layer_config.dim_in != layer_config.dim_out:
            raise InputError(
                f"pooling keeps the {layer_config.dim_in} channels of x: it cannot make {layer_config.dim_out} of "
                "them; set gnn.dim_inner so, or take the stage mivspool"
            )
        self.model = MIVSPooling(layer_config.dim_in, **kwargs)

    def forward(self, batch: Any) -> Any:
        """The batch, pooled in place."""
        batch.x, batch.edge_index, batch.edge_attr, batch.batch, _, _ = self.model(
            batch.x, batch.edge_index, batch.get("edge_attr"), batch.batch
        )
        return batch


@register_stage("mivspool")
class MIVSPoolingStage(torch.nn.Module):
    """``num_layers`` layers of GraphGym's ``gnn.layer_type``, each followed by ``MIVSPooling``.

    Args:
        dim_in: C of x [N, C].
        dim_out: the channels of each layer.
        num_layers: how many.
    """

    def __init__(self, dim_in: int, dim_out: int, num_layers: int) -> None:
        super().__init__()
        from torch_geometric.graphgym.models.gnn import GNNLayer  # this needs yacs, and registering does not

        self.layers = torch.nn.ModuleList(
            GNNLayer(dim_out if k else dim_in, dim_out) for k in range(num_layers)
        )
        self.poolings = torch.nn.ModuleList(MIVSPooling(dim_out) for _ in range(num_layers))

    def forward(self, batch: Any) -> Any:
        """The batch, convolved and pooled in place."""
        for layer, pooling in zip(self.layers, self.poolings, strict=True):
            batch = layer(batch)
            batch.x, batch.edge_index, batch.edge_attr, batch.batch, _, _ = pooling(
                batch.x, batch.edge_index, batch.get("edge_attr"), batch.batch
            )
        return batch
