"""What the pages compute of a graph, kept with bounds: its levels, and each level as the canvas wants it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import backend, sources
from app.pooled import answers
from app.pooled.viewport import Seen, see
from app.state import GIVEN
from app.ui import common
from app.ui.texts import fill
from mivspool.canvas import sample
from mivspool.canvas.payload import reduced_data
from mivspool.errors import InputError, MIVSPoolError, ModelError
from mivspool.graphs.collections.teaching import preset_of
from mivspool.graphs.graph import Graph
from mivspool.levels import SCORE_ATTRIBUTE, Level, features, step
from mivspool.pooling.score import SCORES

MOST_LEVELS = 40
_LARGE = 100_000  # vertices and edges of a graph whose levels take so much memory that few are kept


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
    source: str
    labels: list[str] | None
    learned: bool
    score: str = ""  # which one a model has learned
    key: tuple[Any, ...] = ()  # says which pooling it is, to keep what is made of it

    def seen(self, level: int, around: str = "") -> Seen:
        """One level for the canvas; a sample of one that is too large, ``around`` a vertex of the graph."""
        return see(
            self.source,
            self.graph,
            self.levels[level],
            origin=self.origin[level],
            sizes=self.sizes[level],
            labels=self.labels,
            learned=self.learned,
            around=self._at(level, around),
        )

    def reduced(self, level: int, seen: Seen) -> dict[str, Any]:
        """The reduced graph of what is seen of a level, for a canvas that stands still."""
        kept = seen.level.survivors.numpy()
        clusters = self.levels[level].cluster.numpy()[seen.part.vertices[kept]]
        return reduced_data(seen.level, seen.positions[kept], self.sizes[level + 1][clusters].tolist())

    def _at(self, level: int, vertex: str) -> int | None:
        """The vertex of a level that a vertex of the graph has become a part of."""
        at = self.graph.index.get(vertex)
        for below in self.levels[:level] if at is not None else ():
            at = int(below.cluster[at])
        return at


def pool(source: str, score: str, seed: int, complement: bool, weights: bool, model: str = "") -> Pooling:
    """Pool the graph of this name with this score, or as a model does. Raises an error with a sentence.

    ``model``: a model's name; it has its own scores and blocks, so only the graph's name matters beside it.
    """
    graph = sources.load(source)
    if model:
        return _by_model(backend.visitor(), source, model, backend.version(model), graph)
    return _by_score(source, score, seed, complement, weights, graph)


def scored_by(score: str, seed: int, model: str, level: int, levels: int) -> str:
    """A sentence: where the scores that are shown come from."""
    if model:
        return fill(common.SCORED["model"], score=score, model=model, block=level + 1, blocks=levels)
    if is_learned(score):
        return fill(common.SCORED["random"], score=score, seed=seed)
    if score == GIVEN:
        return common.SCORED["given"]
    return fill(common.SCORED["drawn"], drawn=fill(SCORES[score].drawn, seed=seed))


def _by_score(source: str, score: str, seed: int, complement: bool, weights: bool, graph: Graph) -> Pooling:
    keep = _kept_small if graph.num_nodes + graph.num_edges <= _LARGE else _kept_large
    return keep(source, score, seed, complement, weights, graph)


@st.cache_resource(max_entries=24, show_spinner=False)
def _kept_small(
    source: str, score: str, seed: int, complement: bool, weights: bool, _graph: Graph
) -> Pooling:
    return _made(source, score, seed, complement, weights, _graph)


@st.cache_resource(max_entries=2, show_spinner=common.POOLING_LARGE)
def _kept_large(
    source: str, score: str, seed: int, complement: bool, weights: bool, _graph: Graph
) -> Pooling:
    return _made(source, score, seed, complement, weights, _graph)


def _made(source: str, score: str, seed: int, complement: bool, weights: bool, graph: Graph) -> Pooling:
    values = given_scores(source) if score == GIVEN else score
    levels = step(graph, values, seed=seed, complement=complement, levels=MOST_LEVELS, weights=weights)
    key = (source, score, seed, complement, weights)
    return _pooling(key, source, graph, levels, is_learned(score))


def given_scores(source: str) -> tuple[float, ...]:
    """The scores that a graph brings itself: a preset's, or an attribute of its vertices.

    Raises InputError where there are none, and what reading the graph raises.
    """
    preset = preset_of(source)
    if preset is not None and not isinstance(preset.score, str):
        return preset.score
    values = sources.load(source).node_attributes.get(SCORE_ATTRIBUTE, ())
    if not values or not all(_is_score(value) for value in values):
        raise InputError("this graph brings no scores of its own: choose another score")
    return tuple(float(value) for value in values)


def brings_scores(source: str) -> bool:
    """Whether a graph brings scores of its own."""
    try:
        return bool(given_scores(source))
    except MIVSPoolError:
        return False


def _is_score(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 < float(value) < float("inf")


def too_large(pooling: Pooling, level: int) -> bool:
    """Whether only a sample of a level is drawn."""
    shown = pooling.levels[min(max(level, 0), len(pooling.levels) - 1)]
    return sample.too_large(len(shown.nodes), shown.adjacency.col.numel() // 2)


def is_learned(score: str) -> bool:
    """Whether a score of the menu is a learned one."""
    return score != GIVEN and SCORES[score].learned


def score_label(score: str) -> str:
    """What the menu calls a score."""
    return common.GIVEN_LABEL if score == GIVEN else SCORES[score].label


def score_about(score: str) -> str:
    """A sentence on a score."""
    return common.GIVEN_ABOUT if score == GIVEN else SCORES[score].about


def scores_for(source: str) -> list[str]:
    """The scores that the menu offers beside this graph: its own first, where it brings some."""
    return [GIVEN, *SCORES] if brings_scores(source) else [*SCORES, GIVEN]


@st.cache_resource(max_entries=24, show_spinner=False)
def _by_model(visitor: str | None, source: str, model: str, version: str, _graph: Graph) -> Pooling:
    found = backend.classified(source, model, (), _graph)
    known = next((known for known in backend.models() if known.name == model), None)
    if found.error is not None or known is None:
        raise ModelError(found.error or f"there is no model {model[:60]}")
    answer = answers.levels_of(source, known, (), _graph, found)
    x = features(_graph)
    for level in answer.levels:
        level.x = x
        reduced = level.reduced_x
        assert reduced is not None
        x = reduced
    key = (visitor, source, model, version)
    return _pooling(key, source, _graph, answer.levels, answer.learned, known.score or "")


def _pooling(
    key: tuple[Any, ...], source: str, graph: Graph, levels: list[Level], learned: bool, score: str = ""
) -> Pooling:
    origin = [np.arange(graph.num_nodes)]
    sizes = [np.ones(graph.num_nodes, dtype=np.int64)]
    for level in levels:
        kept = level.survivors.numpy()
        origin.append(origin[-1][kept])
        gathered = np.bincount(level.cluster.numpy(), weights=sizes[-1], minlength=len(kept))
        sizes.append(gathered.astype(np.int64))
    return Pooling(graph, levels, origin, sizes, source, sources.vertex_labels(graph), learned, score, key)


def seen(pooling: Pooling, level: int, around: str = "") -> Seen:
    """``pooling.seen(level, around)``, kept."""
    return _seen(pooling.key, level, around, pooling)


def reduced(pooling: Pooling, level: int, around: str = "") -> dict[str, Any]:
    """``pooling.reduced(level, …)``, kept."""
    return _reduced(pooling.key, level, around, pooling)


@st.cache_resource(max_entries=24, show_spinner=False)
def _seen(key: tuple[Any, ...], level: int, around: str, _pooling: Pooling) -> Seen:
    return _pooling.seen(level, around)


@st.cache_resource(max_entries=24, show_spinner=False)
def _reduced(key: tuple[Any, ...], level: int, around: str, _pooling: Pooling) -> dict[str, Any]:
    return _pooling.reduced(level, seen(_pooling, level, around))
