"""What each layer of a classifier computes for one vertex, from its features to the logits.

It follows the network's description (``Classifier.layers``) and so works for every network. The outputs of modules are
taken from the forward pass itself, by hooks; readouts, which are not modules, are recomputed from the features of that
pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from mivspool.errors import InputError
from mivspool.graphs.graph import Graph
from mivspool.learning.inference import Inputs
from mivspool.learning.layers import Layer
from mivspool.learning.network import Classifier, joined, read_out
from mivspool.pooling import MIVSPool, Pooled
from mivspool.pooling.scores.multiview import MultiView
from mivspool.sparse import Adjacency

VIEWS = ("structure", "feature", "diffusion")
LayerValues = dict[str, Any]


@torch.inference_mode()
def inside(classifier: Classifier, inputs: Inputs, graph: Graph, vertex: str) -> list[LayerValues]:
    """What each layer computes for a vertex of the graph and, after the first pooling, for its cluster.

    Args:
        classifier: in evaluation mode.
        inputs: the graph alone.
        graph: the graph, for the ids of its vertices.
        vertex: the id of one of them.

    Returns:
        One document per layer of ``classifier.layers``, with ``kind``, ``name``, ``level`` and, by kind:

        - convolution, normalisation: ``vertex`` and its features ``before`` and ``after``; for a convolution also
          ``neighbours`` (including the vertex itself), each with its ``weight`` in the product;
        - pooling: ``vertex``, its features ``before`` and its ``score``; the ``views`` of a multiview score, each with
          ``value``, the ``largest`` value of the graph, ``scaled`` (the first divided by the second), ``gate`` and
          ``weight`` (the softmax of the gates); the ``members`` of its cluster, each with its score and its ``factor``
          in Eq. 12; the features ``after`` of the reduced vertex, and its id, ``next``;
        - readout: ``mean``, ``maximum``, ``maximum_vertex`` and, if the network has one, ``sum``;
        - join: ``value``;
        - mlp: ``steps``, each with ``name`` and ``value``; ``logits`` and ``probabilities``.

        Once a method has dropped the vertex or split it among all clusters, its id and features are None.

    Raises:
        InputError: if the graph has no such vertex.
    """
    if vertex not in graph.index:
        raise InputError(f"the graph has no vertex {vertex[:60]!r}")
    with _watched(classifier) as seen:
        passed = inputs.forward(classifier)
    levels, place = passed.out.levels, graph.index[vertex]
    return _Walk(classifier, levels, inputs.x, passed.adjacency, seen, graph.nodes, place).documents()


class _Walk:
    """Goes through the layers, and keeps the position of the vertex and the ids of the vertices on each level."""

    def __init__(
        self,
        classifier: Classifier,
        levels: list[Pooled],
        x: Tensor,
        adjacency: Adjacency,
        seen: dict[nn.Module, tuple[Tensor, Tensor]],
        nodes: tuple[str, ...],
        at: int,
    ) -> None:
        self.classifier, self.seen, self.adjacency = classifier, seen, adjacency
        self.levels = iter(levels)
        self.nodes: tuple[str, ...] = nodes
        self.at: int | None = at
        self.weighted = False
        self.read: list[Tensor] = []
        self.x = x

    def documents(self) -> list[LayerValues]:
        modules = {
            "convolution": iter(self.classifier.convolutions),
            "normalisation": iter(self.classifier.normalisations),
            "pooling": iter(self.classifier.poolings),
        }
        opens: dict[str, Callable[[Layer, Any], LayerValues]] = {
            "convolution": self._convolution,
            "normalisation": self._normalisation,
            "pooling": self._pooling,
            "readout": self._readout,
            "join": self._join,
            "mlp": self._mlp,
        }
        return [
            {"kind": layer.kind, "name": layer.name, "level": layer.level}
            | opens[layer.kind](layer, next(modules[layer.kind]) if layer.kind in modules else None)
            for layer in self.classifier.layers
        ]

    def _row(self, x: Tensor) -> list[float] | None:
        return None if self.at is None else _list(x[self.at])

    def _named(self) -> str | None:
        return None if self.at is None else self.nodes[self.at]

    def _convolution(self, layer: Layer, module: nn.Module) -> LayerValues:
        before, self.x = self.seen[module]
        matrix = self.classifier.matrix(layer, self.adjacency, self.weighted, before.dtype)
        neighbours: list[LayerValues] = []
        if self.at is not None and matrix is None:
            neighbours = [{"vertex": self.nodes[self.at], "weight": 1.0}]
        elif self.at is not None and matrix is not None:
            unit = before.new_zeros(len(self.nodes), 1)
            unit[self.at] = 1
            row = matrix.multiply(unit)[:, 0]  # the matrix is symmetric
            neighbours = [
                {"vertex": self.nodes[v], "weight": float(row[v])}
                for v in torch.nonzero(row).flatten().tolist()
            ]
        return {
            "vertex": self._named(),
            "before": self._row(before),
            "neighbours": neighbours,
            "after": self._row(self.x),
        }

    def _normalisation(self, layer: Layer, module: nn.Module) -> LayerValues:
        before, after = self.seen[module]
        if layer.level is None:
            return {"value": _list(after[0]), "before": _list(before[0])}
        self.x = after
        return {"vertex": self._named(), "before": self._row(before), "after": self._row(after)}

    def _pooling(self, layer: Layer, module: nn.Module) -> LayerValues:
        pooled = next(self.levels)
        found: LayerValues = {
            "vertex": self._named(),
            "before": self._row(self.x),
            "score": None,
            "views": None,
        }
        at, selection = self.at, pooled.selection
        if at is not None and pooled.score is not None:
            found["score"] = float(pooled.score[at])
        if at is not None and isinstance(module, MIVSPool) and isinstance(module.scorer, MultiView):
            found["views"] = self._views(module.scorer, at)
        found["members"] = []
        after = None
        if at is not None and selection.cluster is not None and int(selection.cluster[at]) >= 0:
            after = int(selection.cluster[at])
            members = torch.nonzero(selection.cluster == after).flatten()
            factor = None
            if isinstance(module, MIVSPool) and selection.score is not None:
                own = selection.score[members]
                factor = own if module.reduction == "sum" else own / own.sum()
            found["members"] = [
                {
                    "vertex": self.nodes[v],
                    "score": None if pooled.score is None else float(pooled.score[v]),
                    "factor": None if factor is None else float(factor[k]),
                }
                for k, v in enumerate(members.tolist())
            ]
        self.nodes = self._survivors(pooled)
        self.x, self.adjacency, self.at = pooled.x, pooled.adjacency, after
        self.weighted = bool(getattr(module, "weighted", False))
        return found | {"after": self._row(self.x), "next": self._named()}

    def _survivors(self, pooled: Pooled) -> tuple[str, ...]:
        if pooled.survivor is None:
            return tuple(f"cluster {k}" for k in range(pooled.x.size(0)))
        return tuple(self.nodes[v] for v in torch.nonzero(pooled.survivor).flatten().tolist())

    def _views(self, scorer: MultiView, at: int) -> list[LayerValues]:
        batch = torch.zeros(len(self.nodes), dtype=torch.int64, device=self.x.device)
        parts = scorer.in_parts(self.x, self.adjacency, batch, 1)
        return [
            {
                "name": name,
                "value": float(parts.views[at, k]),
                "largest": float(parts.largest[at, k]),
                "scaled": float(parts.scaled[at, k]),
                "gate": float(parts.gates[at, k]),
                "weight": float(parts.weights[at, k]),
            }
            for k, name in enumerate(VIEWS)
        ]

    def _readout(self, layer: Layer, _: Any) -> LayerValues:
        batch = torch.zeros(self.x.size(0), dtype=torch.int64, device=self.x.device)
        of = layer.options["of"]
        value = read_out(of, self.x, batch, 1)
        self.read.append(value)
        parts = dict(zip(of, value[0].split(self.x.size(1)), strict=True))
        found: LayerValues = {
            "maximum" if name == "max" else name: _list(part) for name, part in parts.items()
        }
        if "max" in parts:
            first = self.x.cpu().numpy().argmax(0)  # of equal maxima the first, as in the readout's gradient
            found["maximum_vertex"] = [self.nodes[v] for v in first.tolist()]
        return found

    def _join(self, layer: Layer, _: Any) -> LayerValues:
        return {"value": _list(joined(layer.name, self.read)[0])}

    def _mlp(self, layer: Layer, _: Any) -> LayerValues:
        steps = [
            {"name": type(module).__name__.lower(), "value": _list(self.seen[module][1][0])}
            for module in self.classifier.mlp
            if not isinstance(module, nn.Dropout)  # no effect in evaluation mode
        ]
        logits = torch.tensor(steps[-1]["value"], dtype=torch.float64)
        return {
            "steps": steps,
            "logits": steps[-1]["value"],
            "probabilities": torch.softmax(logits, 0).tolist(),
        }


@contextmanager
def _watched(classifier: Classifier) -> Iterator[dict[nn.Module, tuple[Tensor, Tensor]]]:
    """Input and output of each convolution, normalisation and step of the MLP during the passes in this context."""
    seen: dict[nn.Module, tuple[Tensor, Tensor]] = {}

    def keep(module: nn.Module, given: tuple[Any, ...], out: Any) -> None:
        seen[module] = given[0], out

    watched = [*classifier.convolutions, *classifier.normalisations, *classifier.mlp]
    handles = [module.register_forward_hook(keep) for module in watched]
    try:
        yield seen
    finally:
        for handle in handles:
            handle.remove()


def _list(values: Tensor) -> list[float]:
    found: list[float] = np.asarray(values.cpu(), dtype=np.float64).tolist()
    return found
