"""A graph, pooled by a score or as a model does; what was pooled is kept, with bounds. What is drawn: ``view.py``."""

from __future__ import annotations

import streamlit as st

from app import backend, sources
from app.pooled import classified
from app.pooled.pooling import Pooling
from app.state import GIVEN
from app.ui import common
from mivspool.canvas import sample
from mivspool.errors import ModelError
from mivspool.graphs.graph import Graph
from mivspool.levels import step
from mivspool.messages import fill
from mivspool.pooling.score import SCORES
from mivspool.service.schemas import Classified, ModelDocument

__all__ = [
    "Pooling",
    "is_learned",
    "of_answer",
    "pool",
    "score_about",
    "score_label",
    "scored_by",
    "scores_offered",
    "too_large",
]

MOST_LEVELS = 40
_LARGE = 100_000  # vertices and edges of a graph whose levels take so much memory that few are kept


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
    values = sources.given_scores(source) if score == GIVEN else score
    levels = step(graph, values, seed=seed, complement=complement, levels=MOST_LEVELS, weights=weights)
    return Pooling(graph, levels, source, (source, score, seed, complement, weights))


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


def scores_offered(own: bool) -> list[str]:
    """The scores of the menu, user-defined ones first beside a graph that brings scores of its own."""
    return [GIVEN, *SCORES] if own else [*SCORES, GIVEN]


@st.cache_resource(max_entries=24, show_spinner=False)
def _by_model(visitor: str | None, source: str, model: str, version: str, _graph: Graph) -> Pooling:
    found = backend.classified(source, model, (), _graph)
    known = next((known for known in backend.models() if known.name == model), None)
    if found.error is not None or known is None:
        raise ModelError(found.error or f"there is no model {model[:60]}")
    levels = classified.levels_of(source, known, (), _graph, found)
    return Pooling(_graph, levels, source, (visitor, source, model, version), known.score or "")


def of_answer(
    source: str, model: ModelDocument, mapping: backend.Mapping, graph: Graph, answer: Classified
) -> Pooling:
    """The pooling behind the answer to a classification."""
    levels = classified.levels_of(source, model, mapping, graph, answer)
    key = (backend.visitor(), source, model.name, model.version, mapping)
    return Pooling(graph, levels, source, key, model.score or "")
