"""Pooling methods side by side on one graph or a whole data set: what the Compare page and ``compare`` show.

The methods get the same features and, where nothing was trained, random weights of the same seed; each goes its
own way from level to level.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, overload

import numpy as np
import torch
from torch import Tensor

from mivspool.errors import InputError
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.given import Given, Several, dataset_of, graph_of, graphs_of, is_one
from mivspool.graphs.graph import SCORE_ATTRIBUTE, Graph
from mivspool.graphs.labels import MOST_COLUMNS, one_hot_codes
from mivspool.levels import adjacency_of, features, own_scores
from mivspool.pooling import METHODS, SCORES, Method, Pooled, Pooling, method
from mivspool.pooling.parts.measure import Measures, measure
from mivspool.pooling.score import DEFAULT
from mivspool.pooling.score import score as score_class
from mivspool.sparse import Adjacency

DIFFPOOL_SHARE = 0.25
GIVEN = "given"
"""The score of a choice that pools by the scores that a graph brings."""
_BY_GIVEN = "given scores"


class Trained(Protocol):
    """What is used of a trained model (``learning.models.Model``)."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def classifier(self) -> Any:
        """Its network."""

    @property
    def schema(self) -> Any:
        """What its input must be."""


@dataclass(frozen=True)
class Choice:
    """A method, and the score it pools by where it takes one; GIVEN: the scores that the graph brings."""

    method: Method
    score: str | None

    @property
    def key(self) -> str:
        """How a person names it: "gpool", "mivspool:uniform", "gpool:given"."""
        return self.method.name if self.score is None else f"{self.method.name}:{self.score}"

    @property
    def title(self) -> str:
        """For a heading."""
        return self.method.title if self.score is None else f"{self.method.title}, {self.score}"


@dataclass(eq=False)
class Row:
    """What one method did at one level.

    ``nodes``: ids of the level's n vertices; ``reduced_nodes``: of the n' reduced ones (a survivor keeps its id;
    a cluster of DiffPool is "c0", "c1", …). ``adjacency``: the graph before. ``weights``: "seed 0", the model's
    name, or "given scores". ``refused``: the sentence of a method that could not pool this graph; then ``pooled`` and
    ``measures`` are None.
    """

    choice: Choice
    level: int
    weights: str
    nodes: tuple[str, ...]
    adjacency: Adjacency
    pooled: Pooled | None = None
    reduced_nodes: tuple[str, ...] = ()
    measures: Measures | None = None
    refused: str | None = None

    @property
    def survivors(self) -> list[str]:
        """The ids of the vertices kept as themselves; none for a soft S."""
        return [] if self.pooled is None or self.pooled.survivor is None else list(self.reduced_nodes)

    def to_json(self) -> dict[str, Any]:
        """One entry of ``methods`` in ``compare --json``."""
        about = {"name": self.choice.method.name, "score": self.choice.score, "level": self.level}
        if self.measures is None:
            kind = self.choice.method.kind
            return about | {"selection": kind, "weights": self.weights, "refused": self.refused}
        return about | self.measures.to_json() | {"survivors": self.survivors, "weights": self.weights}


@dataclass(frozen=True)
class Summary:
    """One method at one level over a data set: each measure's values over the graphs it has a meaning for."""

    choice: Choice
    level: int
    weights: str
    graphs: int
    values: Mapping[str, np.ndarray]
    refused: int = 0

    def to_json(self) -> dict[str, Any]:
        """The same with mean, sample deviation and quartiles for the values."""
        about = {"name": self.choice.method.name, "score": self.choice.score, "level": self.level}
        about |= {"selection": self.choice.method.kind, "weights": self.weights}
        about |= {"graphs": self.graphs, "refused": self.refused}
        return about | {name: spread(values) for name, values in self.values.items()}


def spread(values: np.ndarray) -> dict[str, Any] | None:
    """Mean, sample standard deviation, quartiles, smallest and largest of [K] values; None without values."""
    if values.size == 0:
        return None
    return {
        "mean": float(values.mean()),
        "std": float(values.std(ddof=1)) if values.size > 1 else 0.0,
        "quartiles": np.percentile(values, [25, 50, 75]).tolist(),
        "min": float(values.min()),
        "max": float(values.max()),
    }


def choices(names: str | Sequence[str] = "all", given: bool = False) -> list[Choice]:
    """The methods named: "all", or names such as "gpool", "mivspool:uniform" (a list, or with commas between).

    "all" is every method that pools, MIVSPool once with each score; first those that pool by the scores that the graph
    brings, where ``given``. Raises InputError for a name or a score that is not known.
    """
    if isinstance(names, str):
        names = [part.strip() for part in names.split(",") if part.strip()]
    made: list[Choice] = []
    for name in names:
        if name == "all":
            made += [choice for choice in _all(given) if choice not in made]
            continue
        base, _, score = name.partition(":")
        made.append(_choice(method(base), score or None))
    if not made:
        raise InputError("name at least one method, or all")
    return made


def _all(given: bool) -> list[Choice]:
    made = [Choice(entry, GIVEN) for entry in METHODS.values() if given and entry.given is not None]
    for entry in METHODS.values():
        if (
            entry.takes_score and not entry.options
        ):  # a variant of a method is shown with the reference score alone
            made += [Choice(entry, score) for score in [DEFAULT, *(s for s in SCORES if s != DEFAULT)]]
        elif entry.name != "none":
            made.append(_choice(entry, None))
    return made


def _choice(entry: Method, score: str | None) -> Choice:
    if score == GIVEN and entry.given is not None:
        return Choice(entry, GIVEN)
    if not entry.takes_score:
        if score is not None:
            raise InputError(f"{entry.name} takes no score: {entry.name}:{score} is no method")
        return Choice(entry, None)
    score_class(score or DEFAULT)
    return Choice(entry, score or DEFAULT)


@overload
def compare(
    graph: Graph,
    methods: str | Sequence[str] = "all",
    levels: int = 1,
    seed: int = 0,
    models: Sequence[Trained] = (),
    renumberings: int = 2,
    repeats: int = 3,
) -> list[Row]: ...


@overload
def compare(
    graph: Any,
    methods: str | Sequence[str] = "all",
    levels: int = 1,
    seed: int = 0,
    models: Sequence[Trained] = (),
    renumberings: int = 2,
    repeats: int = 3,
) -> Any: ...


def compare(
    graph: Given | Several,
    methods: str | Sequence[str] = "all",
    levels: int = 1,
    seed: int = 0,
    models: Sequence[Trained] = (),
    renumberings: int = 2,
    repeats: int = 3,
) -> list[Row] | list[list[Row]]:
    """Every method on one graph, level by level, measured: the rows of a method follow each other.

    ``graph``: a Graph, a ``Data`` of PyTorch Geometric or a networkx graph; of a ``Batch``, a data set or a list of
    them, the rows of each are given in a list (:func:`compare_dataset` sums them up). ``models``: trained models; a
    method of theirs uses their weights, and their features. The others use the graph's own features
    (``levels.features``) and random weights of ``seed``. Choices with the score "given" pool by the scores that
    the graph brings (``levels.own_scores``). ``repeats``: how often each step is timed. A method ends before ``levels``
    where no edge is left. Raises InputError for methods or levels that cannot be used; a method that refuses this graph
    has a row that says so.
    """
    if not is_one(graph):
        return [
            compare(one, methods, levels, seed, models, renumberings, repeats) for one in graphs_of(graph)
        ]
    graph = graph_of(graph)
    values = own_scores(graph)
    chosen, adjacency = choices(methods, given=values is not None), adjacency_of(graph)
    if levels < 1:
        raise InputError(f"levels must be at least 1, not {levels}")
    x = features(graph)
    rows: list[Row] = []
    for choice in chosen:
        trained = next((model for model in models if _fits(model, choice)), None)
        if choice.score == GIVEN:
            if values is None:
                rows.append(Row(choice, 0, _BY_GIVEN, graph.nodes, adjacency, refused=_brings_none(graph)))
                continue
            steps = _given(choice, x, adjacency, values)
        elif trained is None:
            steps = _untrained(choice, x, adjacency, seed)
        else:
            steps = _trained(trained, graph, adjacency)
        rows += _rows(choice, graph.nodes, steps, levels, renumberings, repeats)
    return rows


def compare_dataset(
    dataset: Dataset | Several,
    methods: str | Sequence[str] = "all",
    levels: int = 1,
    seed: int = 0,
    graphs: int | None = None,
    renumberings: int = 0,
    on_graph: Callable[[int, int], None] | None = None,
) -> list[Summary]:
    """Every method on every graph of a data set, or on ``graphs`` of them, evenly spread over it.

    ``dataset``: a Dataset, or what ``graphs.given.dataset_of`` makes one of.

    DiffPool's number of clusters is the same for all: a quarter of the data set's mean number of vertices.
    ``on_graph(done, of)`` is told how far it is. Errors as in :func:`compare`.
    """
    chosen, dataset = choices(methods), dataset_of(dataset)
    if graphs is not None and graphs < 1:
        raise InputError(f"graphs must be at least 1, not {graphs}")
    index = np.arange(len(dataset))
    if graphs is not None and graphs < len(dataset):
        index = np.linspace(0, len(dataset) - 1, graphs).round().astype(np.int64)
    clusters = math.ceil(DIFFPOOL_SHARE * float(dataset.num_nodes.mean()))
    found: dict[tuple[str, int], list[dict[str, Any]]] = {}
    refused: dict[tuple[str, int], int] = {}
    for done, i in enumerate(index.tolist()):
        graph = dataset[i]
        adjacency, x = adjacency_of(graph), _dataset_features(dataset, i, graph)
        for choice in chosen:
            if choice.score != GIVEN:
                steps = _untrained(choice, x, adjacency, seed, clusters)
            elif (values := own_scores(graph)) is not None:
                steps = _given(choice, x, adjacency, values)
            else:
                refused[choice.key, 0] = refused.get((choice.key, 0), 0) + 1
                continue
            for row in _rows(choice, graph.nodes, steps, levels, renumberings, repeats=1):
                place = (choice.key, row.level)
                if row.measures is None:
                    refused[place] = refused.get(place, 0) + 1
                else:
                    found.setdefault(place, []).append(row.measures.to_json())
        if on_graph is not None:
            on_graph(done + 1, index.size)
    by_key = {choice.key: choice for choice in chosen}
    rows = []
    for key, level in sorted(
        found.keys() | refused.keys(), key=lambda row: (list(by_key).index(row[0]), row[1])
    ):
        entries = found.get((key, level), [])
        columns = _columns(entries) if entries else {}
        weights = _BY_GIVEN if by_key[key].score == GIVEN else f"seed {seed}"
        rows.append(Summary(by_key[key], level, weights, len(entries), columns, refused.get((key, level), 0)))
    return rows


@dataclass(eq=False)
class _Step:
    """What a level starts from: the layer, its input, and in words where its weights are from."""

    layer: Pooling
    x: Tensor
    adjacency: Adjacency
    weights: str


def _untrained(
    choice: Choice, x: Tensor, adjacency: Adjacency, seed: int, clusters: int | None = None
) -> Callable[[int, Pooled | None], _Step | None]:
    """The steps of a method with random weights: each level's layer on what the level before made."""
    size = clusters or math.ceil(DIFFPOOL_SHARE * max(adjacency.num_nodes, 1))

    def step(level: int, last: Pooled | None) -> _Step | None:
        inputs = (x, adjacency) if last is None else (last.x, last.adjacency)
        if last is not None and inputs[1].num_entries == 0:
            return None
        options: dict[str, Any] = {name: {"seed": seed, "level": level}[name] for name in choice.method.takes}
        if choice.score is not None:
            options["score"] = choice.score
        if choice.method.name == "diffpool":
            options["clusters"] = size
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed * 1000 + level)
            layer = choice.method.make(inputs[0].size(1), **options).eval()
        return _Step(layer, *inputs, f"seed {seed}")

    return step


def _brings_none(graph: Graph) -> str:
    return f"{graph.name} brings no scores: give its vertices a positive attribute {SCORE_ATTRIBUTE!r}"


def _given(
    choice: Choice, x: Tensor, adjacency: Adjacency, values: Tensor
) -> Callable[[int, Pooled | None], _Step | None]:
    """The steps of a method by scores that are given: they stand in the first feature, and follow the survivors."""
    kept: list[Tensor] = []

    def step(level: int, last: Pooled | None) -> _Step | None:
        if last is None:
            score, others, before = values, x, adjacency
        elif last.survivor is None or last.adjacency.num_entries == 0:
            return None
        else:
            score, others, before = kept[-1][last.survivor], last.x[:, 1:], last.adjacency
        kept.append(score)
        assert choice.method.given is not None
        layer = choice.method.given(1 + others.size(1)).double().eval()
        return _Step(layer, torch.cat([score.unsqueeze(1), others.double()], dim=1), before, _BY_GIVEN)

    return step


def _trained(
    model: Trained, graph: Graph, adjacency: Adjacency
) -> Callable[[int, Pooled | None], _Step | None]:
    """The steps of a model's own network: each block's pooling on the features that its convolution made."""
    from mivspool.graphs.features import fit_graph

    x = torch.from_numpy(fit_graph(graph, model.schema).x)
    batch = torch.zeros(graph.num_nodes, dtype=torch.int64)
    with torch.no_grad():
        out = model.classifier.eval().detailed(x, adjacency, batch, 1)

    def step(level: int, last: Pooled | None) -> _Step | None:
        if level >= len(out.levels) or (last is not None and last.adjacency.num_entries == 0):
            return None
        return _Step(model.classifier.poolings[level], out.features[level], out.inputs[level], model.name)

    return step


def _rows(
    choice: Choice,
    nodes: tuple[str, ...],
    steps: Callable[[int, Pooled | None], _Step | None],
    levels: int,
    renumberings: int,
    repeats: int,
) -> Iterator[Row]:
    last: Pooled | None = None
    for level in range(levels):
        step = steps(level, last)
        if step is None:
            return
        row = Row(choice, level, step.weights, nodes, step.adjacency)
        try:
            made = measure(step.layer, step.x, step.adjacency, renumberings=renumberings, repeats=repeats)
        except InputError as error:
            row.refused = error.message
            yield row
            return
        row.measures, row.pooled = made
        last, row.reduced_nodes = row.pooled, _names(row.pooled, nodes)
        yield row
        nodes = row.reduced_nodes


def _names(pooled: Pooled, nodes: tuple[str, ...]) -> tuple[str, ...]:
    if pooled.survivor is None:
        return tuple(f"c{i}" for i in range(pooled.selection.num_nodes))
    return tuple(nodes[i] for i in torch.nonzero(pooled.survivor).reshape(-1).tolist())


def _fits(model: Trained, choice: Choice) -> bool:
    config = model.classifier.config
    return bool(config.method == choice.method.name and config.score == choice.score)


def _columns(entries: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    names = [name for name, value in entries[0].items() if not isinstance(value, str)]
    return {
        name: np.array([entry[name] for entry in entries if entry[name] is not None], dtype=np.float64)
        for name in names
        if name != "stretch_sources"
    }


def _dataset_features(dataset: Dataset, index: int, graph: Graph) -> Tensor:
    """The features of one graph, with the same columns for every graph of its data set."""
    if dataset.node_label is None or dataset.label_names is None:
        return features(graph)
    if len(dataset.label_names) > MOST_COLUMNS:  # they name vertices, in every graph of the data set
        others = {name: values for name, values in graph.node_attributes.items() if name != "label"}
        return features(replace(graph, node_attributes=others))
    own = dataset.node_label[int(dataset.ptr[index]) : int(dataset.ptr[index + 1])]
    return torch.from_numpy(one_hot_codes(own, len(dataset.label_names)))
