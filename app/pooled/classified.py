"""The levels behind the answer to a classification: made again of its document, or of the model's scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
import torch

from app import backend
from app.ui import common
from mivspool import meer
from mivspool.graphs.graph import Graph
from mivspool.levels import Level, adjacency_of
from mivspool.pooling import METHODS
from mivspool.service.schemas import Classified, ModelDocument, Scores
from mivspool.sparse import Adjacency


def levels_of(
    source: str, model: ModelDocument, mapping: backend.Mapping, graph: Graph, answer: Classified
) -> list[Level]:
    """The pooled levels behind an answer. Those of a large graph are made of the model's scores."""
    if not backend.is_large(graph):
        return [_level(document) for document in answer.levels or []]
    if model.score is None:
        return []
    version = backend.version(model.name)
    return _levels_of_large(backend.visitor(), source, model.name, version, mapping, graph)


@st.cache_resource(max_entries=2, show_spinner=common.CLASSIFYING_LARGE)
def _levels_of_large(
    visitor: str | None, source: str, model: str, version: str, mapping: backend.Mapping, _graph: Graph
) -> list[Level]:
    architecture = backend.card(model).config["architecture"]
    options = {**METHODS[architecture["method"]].options, **architecture.get("options", {})}
    found = backend.scores(_graph, model, mapping)
    return levels_by_scores(_graph, found, bool(options.get("complement")))


def levels_by_scores(graph: Graph, found: Scores, complement: bool) -> list[Level]:
    """The levels by a model's scores alone: what it selected is computed again, as the model computed it."""
    adjacency, nodes = adjacency_of(graph), graph.nodes
    levels: list[Level] = []
    for told in found.levels:
        values = torch.tensor([told.score[node] for node in nodes], dtype=torch.float64)
        rounded, key = _order(told.rounded, nodes, values, adjacency)
        trace = meer.trace(adjacency, key, complement=complement)
        level = Level(
            told.level, nodes, adjacency, values, key, trace, rounded=rounded, reduction=told.reduction
        )
        levels.append(level)
        nodes, adjacency = level.reduced_nodes, level.reduced
    return levels


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
    trace = meer.trace(adjacency, key, complement=bool(document["added"]))
    return Level(
        document["level"], nodes, adjacency, score, key, trace, rounded=rounded,
        reduction=document.get("reduction", "mean"),
    )  # fmt: skip


def _order(
    told: Mapping[str, int] | None, nodes: Sequence[str], score: torch.Tensor, adjacency: Adjacency
) -> tuple[torch.Tensor | None, torch.Tensor]:
    """What the order compares: of a learned score what is told of it, rounded, and its key; else the score."""
    if told is None:
        return None, score
    rounded = torch.tensor([told[node] for node in nodes], dtype=torch.int64)
    return rounded, meer.structural_key(rounded, adjacency)
