"""Graphs through a classifier: many at once, each with the result it would have alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mivspool import meer
from mivspool.graphs.graph import Graph
from mivspool.graphs.schema import InputSchema
from mivspool.learning.network import Classifier, Forward
from mivspool.levels import Level
from mivspool.pooling import MIVSPool
from mivspool.sparse import Adjacency

# vertices that go through the network at once: about 50 MB an activation of 128 channels
MOST_VERTICES = 100_000
_FROM_DATASET = re.compile(r"([A-Z0-9-]+):\d+")


@dataclass(eq=False)
class Inputs:
    """B graphs side by side: ``x`` float32 [N, d], ``edges`` int64 [2, E] (each once), ``sizes`` of the graphs."""

    x: Tensor
    edges: Tensor
    sizes: list[int]
    _placed: dict[torch.device, tuple[Tensor, Adjacency, Tensor]] = field(default_factory=dict, repr=False)

    @classmethod
    def join(cls, parts: Sequence[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]) -> Inputs:
        """From each graph's x [n, d] and edges [2, e], numbered from 0."""
        sizes = [len(x) for x, _ in parts]
        shift = np.concatenate([[0], np.cumsum(sizes)])
        edges = [edge + start for (_, edge), start in zip(parts, shift.tolist(), strict=False)]
        return cls(
            torch.from_numpy(np.concatenate([x for x, _ in parts])),
            torch.from_numpy(np.concatenate(edges, axis=1)),
            sizes,
        )

    @torch.inference_mode()
    def forward(self, classifier: Classifier) -> Passed:
        """One pass where the classifier lies, without gradients; it must be in evaluation mode."""
        x, adjacency, batch = self._on(next(classifier.parameters()).device)
        out = classifier.detailed(x, adjacency, batch, len(self.sizes))
        return Passed(classifier, out, adjacency, batch, torch.softmax(out.logits.to(torch.float64), 1).cpu())

    def _on(self, device: torch.device) -> tuple[Tensor, Adjacency, Tensor]:
        """Features, adjacency and the graph of each vertex on a device; kept for the next pass."""
        if device not in self._placed:
            both = torch.cat([self.edges, self.edges.flip(0)], 1)
            adjacency = Adjacency.from_edge_index(both, num_nodes=self.x.size(0)).to(device)
            batch = torch.repeat_interleave(torch.tensor(self.sizes)).to(device)
            self._placed[device] = self.x.to(device), adjacency, batch
        return self._placed[device]


@dataclass(eq=False)
class Passed:
    """What a pass left: ``probabilities`` float64 [B, classes] and, on demand, the levels of one of its graphs.

    ``adjacency``: the graphs; ``out``: all that was computed of them.
    """

    classifier: Classifier
    out: Forward
    adjacency: Adjacency
    batch: Tensor
    probabilities: Tensor

    @cached_property
    def _starts(self) -> list[Tensor]:
        """For each block, where each graph's vertices begin, int64 [B + 1]."""
        batches = [self.batch.cpu(), *(pooled.batch.cpu() for pooled in self.out.levels)]
        count = self.probabilities.size(0)
        return [
            torch.cat(
                [torch.zeros(1, dtype=torch.int64), torch.cumsum(torch.bincount(b, minlength=count), 0)]
            )
            for b in batches
        ]

    @torch.inference_mode()
    def levels(self, index: int, nodes: tuple[str, ...]) -> list[Level]:
        """The pooled levels of graph ``index`` with vertex ids ``nodes``; none for another method than MIVSPool."""
        made = []
        for k, (pooled, pooling) in enumerate(zip(self.out.levels, self.classifier.poolings, strict=False)):
            if not isinstance(pooling, MIVSPool) or pooled.score is None or pooled.selection.value is None:
                break
            start, end = (int(v) for v in self._starts[k][index : index + 2])
            adjacency = part(self.out.inputs[k], start, end).to("cpu")
            score = pooled.score[start:end].clone().cpu()
            compared = pooled.selection.value[start:end].clone().cpu()
            key = pooling.scorer.key(compared, adjacency)
            rounded = meer.rounded(compared) if pooling.scorer.learned else None
            trace = meer.trace(adjacency, key, complement=pooling.complement)
            x = self.out.features[k][start:end].clone().cpu()
            scores = score.to(torch.float64)
            level = Level(
                k, nodes, adjacency, scores, key, trace, x, rounded=rounded, reduction=pooling.reduction
            )
            made.append(level)
            nodes = level.reduced_nodes
        return made


@dataclass(frozen=True, eq=False)
class Classification:
    """What a model says of one graph.

    ``probabilities`` by class, in the order of ``classes``; ``calibrated``: the same, calibrated, None if the
    calibration of the model was not measured or the graph lies outside its domain. ``class_names``: label → published
    meaning. ``coverage``: share of the vertices whose label the model knows. ``true``: the graph's own class, where it
    is one of the model's. ``outside``: why the graph lies outside the model's domain; ``warnings``: these, and what
    else is to be known. ``levels``: each block's pooling with the model's scores.
    """

    graph: Graph
    model: str
    classes: tuple[str, ...]
    probabilities: tuple[float, ...]
    calibrated: tuple[float, ...] | None
    class_names: Mapping[str, str]
    coverage: float
    outside: tuple[str, ...]
    warnings: tuple[str, ...]
    true: str | None
    label_attribute: str | None
    passed: Passed
    index: int

    @property
    def predicted(self) -> str:
        """The most probable class."""
        return self.classes[int(np.argmax(self.probabilities))]

    @cached_property
    def levels(self) -> list[Level]:
        """Each block's pooling, from the input on."""
        return self.passed.levels(self.index, self.graph.nodes)

    def to_json(self, *, levels: bool = True) -> dict[str, Any]:
        """One entry of ``classify --json`` (the source is the caller's to add)."""
        graph = self.graph
        document: dict[str, Any] = {
            "graph": {
                "name": graph.name,
                "num_nodes": graph.num_nodes,
                "num_edges": graph.num_edges,
                "repairs": list(graph.repairs),
            },
            "model": self.model,
            "predicted": self.predicted,
            "class_names": dict(self.class_names),
            "probabilities": dict(zip(self.classes, self.probabilities, strict=True)),
            "calibrated": None
            if self.calibrated is None
            else dict(zip(self.classes, self.calibrated, strict=True)),
            "true": self.true,
            "coverage": self.coverage,
            "label_attribute": self.label_attribute,
            "outside": list(self.outside),
            "warnings": list(self.warnings),
        }
        return document | ({"levels": [level.to_json() for level in self.levels]} if levels else {})


def portions(sizes: Sequence[int], most: int | None = None) -> Iterator[slice]:
    """Runs of graphs whose sizes add up to at most ``most`` (default: ``MOST_VERTICES``); a larger one goes alone."""
    most = MOST_VERTICES if most is None else most
    start, total = 0, 0
    for i, size in enumerate(sizes):
        if i > start and total + size > most:
            yield slice(start, i)
            start, total = i, 0
        total += size
    if start < len(sizes):
        yield slice(start, len(sizes))


def without(
    classifier: Classifier,
    x: np.ndarray[Any, np.dtype[np.float32]],
    edges: np.ndarray[Any, np.dtype[np.int64]],
    removed: np.ndarray[Any, np.dtype[np.bool_]],
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The class probabilities of a graph without some of its vertices, K times.

    What remains is classified as a graph of its own, so its survivors are selected again.

    Args:
        classifier: in evaluation mode.
        x: the features of the graph, [n, C].
        edges: its edges, [2, e], each once.
        removed: the vertices to remove each time, bool [K, n]; equal rows are classified once.

    Returns:
        float64 [K, classes]; NaN where no vertex remains.
    """
    kept = {row.tobytes(): ~row for row in removed if not row.all()}
    rest = list(kept.values())
    rows: list[Any] = []
    for portion in portions([int(keep.sum()) + edges.shape[1] for keep in rest]):
        parts = [(x[keep], induced(edges, keep)) for keep in rest[portion]]
        rows += list(Inputs.join(parts).forward(classifier).probabilities.numpy())
    classes = classifier.config.num_classes
    found = dict(zip(kept, rows, strict=True))
    nothing = np.full(classes, np.nan)
    return np.array([found.get(row.tobytes(), nothing) for row in removed]).reshape(len(removed), classes)


def clusters_of(levels: Sequence[Level], n: int) -> list[np.ndarray[Any, np.dtype[np.bool_]]]:
    """For each level, which vertices of the graph belong to each cluster: bool [K, n], one row per reduced vertex."""
    found = []
    cluster = np.arange(n)
    for level in levels:
        cluster = level.cluster.numpy()[cluster]
        found.append(cluster == np.arange(len(level.reduced_nodes))[:, None])
    return found


def vertices_of(graph: Graph, inside: np.ndarray[Any, np.dtype[np.bool_]]) -> tuple[str, ...]:
    """The ids of the vertices that ``inside`` marks, bool [n]."""
    return tuple(graph.nodes[v] for v in np.flatnonzero(inside).tolist())


def induced(
    edges: np.ndarray[Any, np.dtype[np.int64]], keep: np.ndarray[Any, np.dtype[np.bool_]]
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """int64 [2, e']: the edges between the vertices kept, bool [n], numbered anew."""
    number = np.cumsum(keep) - 1
    inside = keep[edges[0]] & keep[edges[1]]
    return np.asarray(number[edges[:, inside]], dtype=np.int64)


def part(adjacency: Adjacency, start: int, end: int) -> Adjacency:
    """The graph of vertices ``start`` to ``end - 1``, which must have no edges to others."""
    first, last = int(adjacency.rowptr[start]), int(adjacency.rowptr[end])
    return Adjacency(
        adjacency.rowptr[start : end + 1] - first,
        adjacency.col[first:last] - start,
        None if adjacency.weight is None else adjacency.weight[first:last].clone(),
        None if adjacency.loops is None else adjacency.loops[start:end].clone(),
    )


def true_class(graph: Graph, classes: Sequence[str], schema: InputSchema) -> str | None:
    """The graph's own class where the model has it; a class of another data set is not the model's."""
    match = _FROM_DATASET.fullmatch(graph.name)
    if match and match[1] != schema.dataset:
        return None
    return graph.label if graph.label in classes else None
