"""A backend's answer as the canvas and the figure want it: the levels of a document made into levels again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from app import backend
from app.pooled.viewport import Seen, see
from app.ui import common
from mivspool import meer
from mivspool.canvas.payload import trace_data
from mivspool.graphs.graph import Graph
from mivspool.levels import Level, adjacency_of
from mivspool.pooling import METHODS, SCORES
from mivspool.service.schemas import Classified, ModelDocument, Scores
from mivspool.sparse import Adjacency


@dataclass(frozen=True, eq=False)
class Answer:
    """The pooled levels of one graph with a model's own scores.

    ``origin[l]`` int64 [n_l]: the vertex of the graph that each vertex of level l is; ``sizes[l]`` int64 [n_l]: how
    many vertices of the graph it stands for.
    """

    levels: list[Level]
    origin: list[NDArray[np.int64]]
    sizes: list[NDArray[np.int64]]
    learned: bool

    def trace(
        self, level: int, positions: NDArray[np.float64], labels: Sequence[str] | None
    ) -> dict[str, Any]:
        """One level for the canvas; ``positions`` float64 [n, 2] and ``labels`` of the graph's vertices."""
        kept = self.origin[level]
        words = None if labels is None else [labels[v] for v in kept.tolist()]
        sizes = self.sizes[level].tolist() if level else None
        return trace_data(
            self.levels[level], positions[kept], labels=words, sizes=sizes, learned=self.learned
        )

    def seen(self, level: int, source: str, graph: Graph, labels: Sequence[str] | None, around: str) -> Seen:
        """As much of one level of the graph called ``source`` as can be drawn; ``around`` a vertex of the graph."""
        at = graph.index.get(around)
        for below in self.levels[:level] if at is not None else ():
            at = int(below.cluster[at])
        return see(
            source,
            graph,
            self.levels[level],
            origin=self.origin[level],
            sizes=self.sizes[level],
            labels=labels,
            learned=self.learned,
            around=at,
        )


def levels_of(
    source: str, model: ModelDocument, mapping: backend.Mapping, graph: Graph, answer: Classified
) -> Answer:
    """The pooled levels behind an answer. Those of a large graph are made of the model's scores."""
    if not backend.is_large(graph):
        return answer_of(graph, answer.levels or [], model.score)
    if model.score is None:
        return answer_of(graph, [], None)
    return _levels_of_large(
        backend.visitor(), source, model.name, backend.version(model.name), mapping, graph, model.score
    )


@st.cache_resource(max_entries=2, show_spinner=common.CLASSIFYING_LARGE)
def _levels_of_large(
    visitor: str | None,
    source: str,
    model: str,
    version: str,
    mapping: backend.Mapping,
    _graph: Graph,
    score: str,
) -> Answer:
    architecture = backend.card(model).config["architecture"]
    options = {**METHODS[architecture["method"]].options, **architecture.get("options", {})}
    found = backend.scores(_graph, model, mapping)
    return answer_by_scores(_graph, found, score, bool(options.get("complement")))


def answer_by_scores(graph: Graph, found: Scores, score: str | None, complement: bool) -> Answer:
    """From a model's scores alone: the selections are made anew, as the model made them.

    For large graphs, whose levels are a large document.
    """
    learned = score in SCORES and SCORES[str(score)].learned
    adjacency, nodes = adjacency_of(graph), graph.nodes
    levels: list[Level] = []
    for told in found.levels:
        values = torch.tensor([told.score[node] for node in nodes], dtype=torch.float64)
        rounded, key = _order(told.rounded, nodes, values, adjacency)
        course = meer.trace(adjacency, key, complement=complement)
        level = Level(told.level, nodes, adjacency, values, key, course, rounded=rounded)
        levels.append(level)
        nodes, adjacency = level.reduced_nodes, level.reduced
    return _answer(graph, levels, learned)


def answer_of(graph: Graph, documents: Sequence[dict[str, Any]], score: str | None) -> Answer:
    """From the levels of a classification (``step --json``), the first of which is the graph itself.

    ``score``: which score the model pools by; learned ones compare rounded.
    """
    learned = score in SCORES and SCORES[str(score)].learned
    return _answer(graph, [_level(document) for document in documents], learned)


def _answer(graph: Graph, levels: list[Level], learned: bool) -> Answer:
    origin, sizes = [], []
    stands_for = np.arange(graph.num_nodes)
    for level in levels:
        origin.append(np.asarray([graph.index[node] for node in level.nodes], dtype=np.int64))
        sizes.append(np.bincount(stands_for, minlength=len(level.nodes)).astype(np.int64))
        stands_for = level.cluster.numpy()[stands_for]
    return Answer(levels, origin, sizes, learned)


def _level(document: dict[str, Any]) -> Level:
    """A level of a document; the order is computed again from what the model compared."""
    nodes = tuple(document["nodes"])
    place = {node: i for i, node in enumerate(nodes)}
    ends = [(place[u], place[v], float(weight)) for u, v, weight in document["edges"]]
    pairs = torch.tensor([(u, v) for u, v, _ in ends], dtype=torch.int64).reshape(-1, 2).T
    weights = torch.tensor([weight for *_, weight in ends], dtype=torch.float64)
    apart = pairs[0] != pairs[1]
    adjacency = Adjacency.from_edge_index(
        torch.cat([pairs, pairs[:, apart].flip(0)], 1), torch.cat([weights, weights[apart]]), len(nodes)
    )
    score = torch.tensor([document["score"][node] for node in nodes], dtype=torch.float64)
    rounded, key = _order(document.get("rounded"), nodes, score, adjacency)
    course = meer.trace(adjacency, key, complement=bool(document["added"]))
    return Level(document["level"], nodes, adjacency, score, key, course, rounded=rounded)


def _order(
    told: Mapping[str, int] | None, nodes: Sequence[str], score: torch.Tensor, adjacency: Adjacency
) -> tuple[torch.Tensor | None, torch.Tensor]:
    """What the order compares: of a learned score what is told of it, rounded, and its key; else the score."""
    if told is None:
        return None, score
    rounded = torch.tensor([told[node] for node in nodes], dtype=torch.int64)
    return rounded, meer.structural_key(rounded, adjacency)
