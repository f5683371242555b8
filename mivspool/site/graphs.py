"""The graphs of the static site: which, with which scores, and each as the data that the pages load."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.canvas.payload import trace_data
from mivspool.errors import DatasetError, InputError
from mivspool.graphs import CLASSICS, open_source, positions
from mivspool.graphs.collection import COLLECTIONS
from mivspool.graphs.collections.teaching import PREFIX, PRESETS, preset_of
from mivspool.graphs.graph import Graph
from mivspool.graphs.labels import label_texts
from mivspool.lecture import challenges
from mivspool.lecture.chapters import CHAPTERS
from mivspool.levels import PooledGraph, feature_names, step
from mivspool.messages import fill
from mivspool.site import strings

GIVEN = "given"  # the score of a preset whose values are given by hand
OFFERED = ("uniform", "degree", "multiview")
MAO = tuple(f"MAO:{i}" for i in range(12))
CHALLENGES = 5  # graphs to predict on, of each difficulty
MOST_VERTICES = 5000  # of one graph: the page of more would be slow to load
MOST_COMPARED = 600  # of a graph on which every method is computed
MOST_LEVELS = 12
_DIGITS = {True: 9, False: 12}  # of a score: as many as a float32 has, or as tell scores of one graph apart
MOST_NUMBERS = 4000  # of one level's features; beyond, Eq. 12 is shown by scores alone


@dataclass(frozen=True, eq=False)
class Entry:
    """One graph of the site. ``scores``: name → what ``step`` takes; the first is shown first."""

    source: str
    title: str
    says: str
    group: str
    graph: Graph
    scores: dict[str, str | tuple[float, ...]]
    seed: int = 0
    complement: bool = False

    @property
    def file(self) -> str:
        """The name of its data file, without the folder."""
        return f"{re.sub(r'[^a-z0-9]+', '-', self.source.lower()).strip('-') or 'graph'}.js"

    @property
    def compared(self) -> bool:
        """Whether every method is computed on it: not where it is there to be predicted."""
        return self.group != strings.GROUP_CHALLENGES and self.graph.num_nodes <= MOST_COMPARED

    def about(self) -> dict[str, Any]:
        """What the list of graphs says of it; ``hard``: how hard its first score is to predict."""
        first = next(iter(self.scores.values()))
        level = step(self.graph, first, seed=self.seed, complement=self.complement)[0]
        return {
            "hard": 0 if self.complement else challenges.difficulty(level),
            "source": self.source,
            "file": self.file,
            "title": self.title,
            "says": self.says,
            "scores": list(self.scores),
            "n": self.graph.num_nodes,
            "m": self.graph.num_edges,
            "complement": self.complement,
            "compared": self.compared,
        }

    def data(self) -> dict[str, list[dict[str, Any]]]:
        """Score → the levels of this graph by it, each a trace with what stands below it.

        What the first levels have alike (places, edges, features) stands in that of the first score alone.
        """
        made = {
            name: written(self.graph, score, seed=self.seed, complement=self.complement)
            for name, score in self.scores.items()
        }
        for trace in (level["trace"] for levels in made.values() for level in levels):
            trace["score"] = [float(f"{value:.{_DIGITS[trace['learned']]}g}") for value in trace["score"]]
        first, *others = (levels[0] for levels in made.values())
        for level in others:
            level["trace"] = _different(level["trace"], first["trace"])
        for levels in list(made.values())[1:]:
            levels[0] = _different(levels[0], first)
        return made


def _different(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The entries of ``one`` that ``other`` does not have alike."""
    return {key: value for key, value in one.items() if key not in other or other[key] != value}


def written(
    graph: Graph,
    score: str | tuple[float, ...],
    *,
    seed: int = 0,
    complement: bool = False,
    levels: int = MOST_LEVELS,
) -> list[dict[str, Any]]:
    """The levels of a graph, each a trace with what stands below it (of a changed graph: ``model/levels.js``)."""
    at, labels = positions(graph), label_texts(graph.node_attributes.get("label"))
    pooled = PooledGraph(graph, step(graph, score, seed=seed, complement=complement, levels=levels))
    return [_level(pooled, k, at, labels) for k in range(len(pooled.levels))]


def entries(more: Sequence[str] = ()) -> tuple[list[Entry], list[str]]:
    """The presets, the classics, some molecules of MAO, and ``more`` SOURCEs; and what had to be left out, in words.

    Raises InputError, DatasetError or ReadError for one of ``more`` that cannot be opened or is too large.
    """
    made: list[Entry] = []
    missing: list[str] = []
    for source in (*(f"{PREFIX}{name}" for name in PRESETS), *CLASSICS, *MAO):
        try:
            made.append(_entry(source))
        except DatasetError as error:
            missing.append(f"{source}: {error.message}")
    known = {entry.source for entry in made}
    for hard in range(1, challenges.HARDEST + 1):
        for number in range(1, CHALLENGES + 1):
            drawn = challenges.draw(hard, number)
            if drawn.source not in known:
                known.add(drawn.source)
                title = fill(strings.CHALLENGE, level=hard, number=number)
                made.append(
                    replace(_entry(drawn.source, strings.GROUP_CHALLENGES), title=title, seed=drawn.seed)
                )
    lost = [scene.source for scene in scenes() if scene.source not in known]
    if lost:
        raise DatasetError(f"the chapters need {lost[0]}, which is not on this machine")
    for source in more:
        if source not in known:
            made.append(_entry(source, strings.GROUP_OWN))
    files: dict[str, str] = {}
    for entry in made:
        other = files.setdefault(entry.file, entry.source)
        if other != entry.source:
            raise InputError(f"{other} and {entry.source} would have the same file, {entry.file}: rename one")
    return made, missing


@dataclass(frozen=True)
class Scene:
    """The graph of a chapter and the score by which it is pooled."""

    source: str
    score: str


def scenes() -> list[Scene]:
    """One a chapter, in their order."""
    found = []
    for chapter in CHAPTERS:
        if chapter.preset:
            score = PRESETS[chapter.preset].score
            found.append(Scene(f"{PREFIX}{chapter.preset}", score if isinstance(score, str) else GIVEN))
        else:
            found.append(Scene(chapter.source, chapter.score))
    return found


def _entry(source: str, group: str = "") -> Entry:
    graph = open_source(source)
    if graph.num_nodes > MOST_VERTICES:
        raise InputError(fill(strings.TOO_LARGE, source=source, n=graph.num_nodes, most=MOST_VERTICES))
    offered: dict[str, str | tuple[float, ...]] = {name: name for name in OFFERED}
    preset = preset_of(source)
    if preset is not None:
        first = preset.score if isinstance(preset.score, str) else GIVEN
        scores = {first: preset.score, **{k: v for k, v in offered.items() if k != first}}
        return Entry(
            source,
            preset.title,
            preset.says,
            group or COLLECTIONS["presets"].title,
            graph,
            scores,
            preset.seed,
            preset.complement,
        )
    if source in CLASSICS:
        classic = CLASSICS[source]
        about = f"{classic.about[:1].upper()}{classic.about[1:]}."
        return Entry(source, classic.title, about, group or COLLECTIONS["classics"].title, graph, offered)
    name = source if source.startswith("MAO:") else graph.name
    return Entry(source, name, "", group or strings.GROUP_MAO, graph, offered)


def _level(
    pooled: PooledGraph, k: int, at: NDArray[np.float64], labels: Sequence[str] | None
) -> dict[str, Any]:
    """Level k; where it is the graph itself its features have names."""
    level, kept = pooled.levels[k], pooled.origin[k]
    words = None if labels is None else [labels[v] for v in kept.tolist()]
    sizes = pooled.sizes[k].tolist() if k else None
    diagonal = level.adjacency.loops
    data: dict[str, Any] = {
        "trace": trace_data(level, at[kept], labels=words, sizes=sizes, learned=level.learned),
        "loops": None if diagonal is None else diagonal.tolist(),
        "hard": challenges.difficulty(level),
        "checks": level.checks,
        "metrics": {name: round(value, 4) for name, value in level.metrics.items()},
    }
    if k == 0 and level.x is not None and level.x.numel() <= MOST_NUMBERS:
        values = [[round(value, 3) for value in row] for row in level.x.tolist()]
        data["features"] = {"names": list(feature_names(pooled.graph)), "values": values}
    return data
