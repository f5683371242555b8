"""What the pages compute of a graph, kept with bounds: its levels, and each level as the canvas wants it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import sources
from app.state import GIVEN
from mivspool.canvas.payload import reduced_data, trace_data
from mivspool.errors import InputError, ModelError
from mivspool.graphs.graph import Graph
from mivspool.graphs.presets import preset_of
from mivspool.levels import Level, features, step
from mivspool.pooling.scores import SCORES

MOST_LEVELS = 40


@dataclass(frozen=True, eq=False)
class Pooling:
    """A graph pooled down to one vertex a component.

    ``origin[l]`` int64 [n_l]: the original vertex that each vertex of level l is; ``sizes[l]`` int64 [n_l]: how many
    original vertices it stands for. Both have one entry more than ``levels``: the last reduced graph.
    """

    graph: Graph
    levels: list[Level]
    origin: list[NDArray[np.int64]]
    sizes: list[NDArray[np.int64]]
    positions: NDArray[np.float64]
    labels: list[str] | None
    learned: bool

    def trace(self, level: int) -> dict[str, Any]:
        """One level for the canvas."""
        kept = self.origin[level]
        labels = None if self.labels is None else [self.labels[v] for v in kept.tolist()]
        sizes = self.sizes[level].tolist() if level else None
        return trace_data(
            self.levels[level], self.positions[kept], labels=labels, sizes=sizes, learned=self.learned
        )

    def reduced(self, level: int) -> dict[str, Any]:
        """The reduced graph of one level for a canvas that stands still."""
        kept = self.origin[level + 1]
        return reduced_data(self.levels[level], self.positions[kept], self.sizes[level + 1].tolist())


def pool(source: str, score: str, seed: int, complement: bool, weights: bool, model: str = "") -> Pooling:
    """Pool the graph of this name with this score, or as a model does. Raises an error with a sentence.

    ``model``: a model's name; it has its own scores and blocks, so only the graph's name matters beside it.
    """
    graph = sources.load(source)
    if model:
        return _by_model(source, model, graph)
    return _by_score(source, score, seed, complement, weights, graph)


@st.cache_resource(max_entries=24, show_spinner=False)
def _by_score(source: str, score: str, seed: int, complement: bool, weights: bool, _graph: Graph) -> Pooling:
    values = given_scores(source) if score == GIVEN else score
    levels = step(_graph, values, seed=seed, complement=complement, levels=MOST_LEVELS, weights=weights)
    return _pooling(source, _graph, levels, is_learned(score))


def given_scores(source: str) -> tuple[float, ...]:
    """The values of a preset whose scores are given by hand. Raises InputError where there are none."""
    preset = preset_of(source)
    if preset is None or isinstance(preset.score, str):
        raise InputError("this graph brings no scores of its own: choose another score")
    return preset.score


def is_learned(score: str) -> bool:
    """Whether a score of the menu is a learned one."""
    return score != GIVEN and SCORES[score].learned


def scores_for(source: str) -> list[str]:
    """The scores that the menu offers beside this graph."""
    preset = preset_of(source)
    by_hand = preset is not None and not isinstance(preset.score, str)
    return [GIVEN, *SCORES] if by_hand else list(SCORES)


@st.cache_resource(max_entries=24, show_spinner=False)
def _by_model(source: str, model: str, _graph: Graph) -> Pooling:
    from app import backend
    from app.answers import answer_of

    found = backend.classified(source, model, (), _graph)
    if found.error is not None or found.levels is None:
        raise ModelError(found.error or f"{model} does not take this graph")
    score = next((known.score for known in backend.models() if known.name == model), None)
    answer = answer_of(_graph, found.levels, score)
    x = features(_graph)
    for level in answer.levels:
        level.x = x
        reduced = level.reduced_x
        assert reduced is not None
        x = reduced
    return _pooling(source, _graph, answer.levels, answer.learned)


def _pooling(source: str, graph: Graph, levels: list[Level], learned: bool) -> Pooling:
    origin = [np.arange(graph.num_nodes)]
    sizes = [np.ones(graph.num_nodes, dtype=np.int64)]
    for level in levels:
        kept = level.survivors.numpy()
        origin.append(origin[-1][kept])
        gathered = np.bincount(level.cluster.numpy(), weights=sizes[-1], minlength=len(kept))
        sizes.append(gathered.astype(np.int64))
    drawn, labels = sources.positions(source, graph), sources.vertex_labels(graph)
    return Pooling(graph, levels, origin, sizes, drawn, labels, learned)


@st.cache_resource(max_entries=24, show_spinner=False)
def trace(_pooling: Pooling, key: tuple[Any, ...], level: int) -> dict[str, Any]:
    """``_pooling.trace(level)``, kept; ``key`` says which pooling it is."""
    return _pooling.trace(level)


@st.cache_resource(max_entries=24, show_spinner=False)
def reduced(_pooling: Pooling, key: tuple[Any, ...], level: int) -> dict[str, Any]:
    """``_pooling.reduced(level)``, kept; ``key`` says which pooling it is."""
    return _pooling.reduced(level)
