"""Pooling methods side by side on one graph: what each made of it, level by level, kept with bounds."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import streamlit as st
import torch
from torch import Tensor

from app import backend
from app.pooled import classified
from mivspool.compare import GIVEN, Choice, Row, choices, compare
from mivspool.content.compare import reductions
from mivspool.errors import MIVSPoolError
from mivspool.graphs.graph import Graph
from mivspool.levels import Level
from mivspool.pooling import SCORES, MIVSPool
from mivspool.pooling.parts.measure import measure
from mivspool.pooling.score import Score
from mivspool.sparse import Adjacency

LEAST = 2  # methods side by side
_LARGE = 1500  # vertices from which fewer levels are pooled ahead


def levels_ahead(graph: Graph) -> int:
    """How often a graph is pooled, before anyone asks for it."""
    return 4 if graph.num_nodes <= _LARGE else 1


def pooled(source: str, name: str, seed: int, model: str, levels: int, graph: Graph) -> list[Row]:
    """The rows of one method, a level each. ``model``: a model that pools by this method, or empty."""
    if reductions.by_given(name):
        return _untrained(source, name, 0, levels, graph)
    if model:
        return _trained(backend.visitor(), source, name, model, backend.version(model), levels, graph)
    return _untrained(source, name, seed, levels, graph)


@st.cache_resource(max_entries=48, show_spinner=False)
def _untrained(source: str, name: str, seed: int, levels: int, _graph: Graph) -> list[Row]:
    renumberings = 2 if _graph.num_nodes <= _LARGE else 1
    return compare(_graph, [name], levels, seed, renumberings=renumberings)


class _KnownScore(Score):
    """The score that stands in the first feature: a model's own, as the backend gives it."""

    learned: ClassVar[bool] = True

    def forward(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
        """The first column of x."""
        return x[:, 0]


@st.cache_resource(max_entries=48, show_spinner=False)
def _trained(
    visitor: str | None, source: str, name: str, model: str, version: str, levels: int, _graph: Graph
) -> list[Row]:
    """The pooling of each block of a model, measured here. Raises a MIVSPoolError where it does not take the graph."""
    choice, graph = choices(name)[0], _graph
    answer = backend.classified(source, model, (), graph)
    if answer.error is not None:
        return [Row(choice, 0, model, graph.nodes, Adjacency.from_edge_index(_edges(graph), None, graph.num_nodes),
                    refused=answer.error)]  # fmt: skip
    known = next(known for known in backend.models() if known.name == model)
    made = classified.levels_of(source, known, (), graph, answer)[:levels]
    return [_row(level, choice, model) for level in made if len(level.nodes) and _joined(level)]


def _row(level: Level, choice: Choice, model: str) -> Row:
    layer = MIVSPool(1, _KnownScore(), **choice.method.options).eval()
    measures, made = measure(layer, level.score.unsqueeze(1), level.adjacency)
    # the time and the memory of scores that come from elsewhere say nothing
    measures = dataclasses.replace(measures, seconds=float("nan"), memory=0)
    return Row(choice, level.level, model, level.nodes, level.adjacency, made, level.reduced_nodes, measures)


def _joined(level: Level) -> bool:
    return level.level == 0 or level.adjacency.col.numel() > 0


def _edges(graph: Graph) -> Tensor:
    return torch.from_numpy(graph.edge_index)


def models_for(name: str) -> list[str]:
    """The models whose network pools by this method and score."""
    choice = choices(name)[0]
    if choice.score is None or choice.score == GIVEN or not SCORES[choice.score].learned:
        return []
    try:
        found = backend.models()
    except MIVSPoolError:
        return []  # without a backend the page goes on with random weights, and says so
    return [
        model.name for model in found if (model.method, model.score) == (choice.method.name, choice.score)
    ]


# ---- a method's reduced graph over the original one -------------------------------------------------------------
