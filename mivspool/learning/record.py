"""What a network makes of a few graphs at every epoch of its training: scores, survivors, clusters, probabilities.

The pass is the saved model's own (evaluation mode, the chosen graphs side by side), so the record of the best epoch is
to the bit what that model says. Each epoch holds what has changed since the one before it; the whole is bounded.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mivspool.errors import InputError, ModelError
from mivspool.graphs import InputSchema, fit_graph
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.fit import LABEL
from mivspool.graphs.graph import Graph
from mivspool.learning.batches import Batch
from mivspool.learning.folds import Split
from mivspool.learning.inference import Inputs
from mivspool.learning.network import Classifier, Forward
from mivspool.learning.runs import MOST_WATCHED, MOST_WATCHED_VERTICES
from mivspool.messages import count
from mivspool.sparse import Adjacency

MOST_VALUES = 400_000
"""Numbers of a record, about 4 MB as JSON: beyond it, only every second epoch is kept, as often as is needed."""

Entry = dict[str, Any]


@dataclass(frozen=True)
class Watch:
    """Whose passes are recorded: ``graphs`` of the data set by index (None: one of each class), and ``own`` ones."""

    graphs: tuple[int, ...] | None = None
    own: tuple[Graph, ...] = ()


@dataclass(eq=False)
class Record:
    """The passes of a run so far.

    ``graphs``: each as plain data: ``name``, ``index`` in the data set (None: one's own), ``part`` ("test",
    "validation", "training" or "own"), ``label`` (its class or None), ``nodes``, ``edges`` (pairs of places in
    ``nodes``), ``positions`` or None.

    ``entries``: from the untrained network, epoch 0, on. An entry is ``{"epoch", "graphs"}`` with one dictionary per
    graph that holds what has changed since the entry before: ``loss`` (None without a class), ``probabilities`` by
    class, and ``levels``, a dictionary per pooling of ``score`` (one number per vertex of the level), ``head`` (for
    each, the vertex that it is assigned to: itself where it survives, −1 where it is dropped) and ``edges`` of the
    reduced graph. Vertices are places in ``nodes``; those of a level are in rising order. A score of float32 has nine
    digits, which give it back.

    ``every``: which epochs are kept, beside the best one. ``changed``: the place of the first entry that is another one
    than when this was last set.
    """

    graphs: list[dict[str, Any]]
    classes: list[str]
    entries: list[Entry] = field(default_factory=list)
    every: int = 1
    changed: int = 0
    _values: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._values = sum(map(_size, self.entries))

    @property
    def epochs(self) -> list[int]:
        """The epochs there are."""
        return [entry["epoch"] for entry in self.entries]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "graphs": self.graphs,
            "classes": self.classes,
            "entries": self.entries,
            "every": self.every,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Record:
        """What ``to_dict`` wrote."""
        return cls(list(data["graphs"]), list(data["classes"]), list(data["entries"]), int(data["every"]))

    def states(self) -> Iterator[tuple[int, list[dict[str, Any]]]]:
        """Each epoch with all that is known of each graph at it; the dictionaries are the same ones each time."""
        state: list[dict[str, Any]] = [{} for _ in self.graphs]
        for entry in self.entries:
            for known, change in zip(state, entry["graphs"], strict=True):
                _merge(known, copy.deepcopy(change))
            yield entry["epoch"], state

    def at(self, epoch: int) -> list[dict[str, Any]]:
        """All that is known of each graph at an epoch. Raises InputError for one that is not kept."""
        for kept, state in self.states():
            if kept == epoch:
                return state
        raise InputError(f"epoch {epoch} is not recorded; the recorded epochs are {_some(self.epochs)}")

    def thinned(self, most: int, best: int) -> Record:
        """A copy of at most ``most`` numbers; where epoch 0, the ``best`` and the last one have more, these alone."""
        made = Record.from_dict(copy.deepcopy(self.to_dict()))
        made._thin(most, best)
        return made

    def add(self, entry: Entry, best: int) -> None:
        """Append an entry; ``best``: the epoch of the lowest validation loss so far."""
        self.changed = min(self.changed, len(self.entries))
        self.entries.append(entry)
        self._values += _size(entry)
        if self.every > 1:
            self._drop(best)
        self._thin(MOST_VALUES, best)

    def _thin(self, most: int, best: int) -> None:
        """Keep every second epoch until ``most`` numbers are not exceeded; epoch 0, the best and the last one stay."""
        while self._values > most and self.every <= self.entries[-1]["epoch"]:
            self.every *= 2
            self._drop(best)

    def _drop(self, best: int) -> None:
        """Leave out the epochs that are not kept any more; their changes go into the next entry."""
        last = len(self.entries) - 1
        kept: list[Entry] = []
        waiting: Entry | None = None
        for place, entry in enumerate(self.entries):
            if waiting is not None:
                _merge(waiting, entry)
                waiting["epoch"] = entry["epoch"]
                entry = waiting
                waiting = None
            if entry["epoch"] % self.every and entry["epoch"] != best and place != last:
                self.changed = min(self.changed, len(kept))
                waiting = entry
            else:
                kept.append(entry)
        if len(kept) < len(self.entries):
            self.entries = kept
            self._values = sum(map(_size, kept))


class Recorder:
    """Adds a pass of the watched graphs to a record, epoch by epoch.

    ``shared``: for each batch of validation graphs, the watched ones in it, whose pass is made anyway; ``own``: the
    other ones, side by side, whose places in the record are ``places``. ``targets``: the class of each graph, by
    number.
    """

    def __init__(
        self,
        record: Record,
        targets: Sequence[int | None],
        shared: Sequence[Sequence[tuple[int, int]]],
        own: Inputs | None,
        places: Sequence[int],
    ) -> None:
        self.record, self.targets, self.shared, self.own, self.places = record, targets, shared, own, places
        self._known: list[dict[str, Any]] = [{} for _ in record.graphs]
        for _, state in record.states():
            self._known = state
        self._kept: dict[tuple[int, int], tuple[NDArray[Any], NDArray[Any]]] = {}

    def note(
        self, epoch: int, best: int, network: Classifier, validation: Sequence[tuple[Batch, Forward]]
    ) -> bool:
        """Take the passes of an epoch down; whether that was due.

        ``best``: the epoch of the lowest validation loss so far. ``validation``: each batch with its pass in evaluation
        mode. The network is left in evaluation mode; neither its weights nor a random state are touched.
        """
        if epoch % self.record.every and epoch != best:
            return False
        graphs: list[dict[str, Any]] = [{} for _ in self.record.graphs]
        for wanted, (batch, out) in zip(self.shared, validation, strict=True):
            if wanted:
                self._take(network, out, batch.batch, wanted, graphs)
        if self.own is not None:
            passed = self.own.forward(network.eval())
            wanted = [(place, i) for i, place in enumerate(self.places)]
            self._take(network, passed.out, passed.batch, wanted, graphs)
        self.record.add({"epoch": epoch, "graphs": graphs}, best)
        return True

    def _take(
        self,
        network: Classifier,
        out: Forward,
        batch: Tensor,
        wanted: Sequence[tuple[int, int]],
        graphs: list[dict[str, Any]],
    ) -> None:
        """What has changed of the wanted graphs of a pass; ``batch`` int64 [N]: the graph of each vertex."""
        logits = out.logits.detach()[[i for _, i in wanted]].to("cpu", torch.float64)
        likelihood = torch.log_softmax(logits, 1).tolist()
        for (place, _), probabilities, known in zip(
            wanted, torch.softmax(logits, 1).tolist(), likelihood, strict=True
        ):
            target = self.targets[place]
            graphs[place]["loss"] = None if target is None else _number(-known[target])
            graphs[place]["probabilities"] = [_number(value) for value in probabilities]
            graphs[place]["levels"] = []
        inside = [i for _, i in wanted]
        of = batch.cpu().numpy()
        ends = (np.searchsorted(of, inside), np.searchsorted(of, inside, "right"))
        # of each vertex of a graph on this level, which vertex of the graph it is
        origins = [np.arange(last - first) for first, last in zip(*ends, strict=True)]
        moved = [False] * len(wanted)  # whether this level or one below has other clusters than before
        for k, (level, pooling) in enumerate(zip(out.levels, network.poolings, strict=True)):
            if (
                level.survivor is None or level.cluster is None
            ):  # a soft S: its vertices are none of the graph's
                break
            survivor, cluster = level.survivor.cpu().numpy(), level.cluster.cpu().numpy()
            score = None if level.score is None else level.score.detach().cpu().numpy()
            of = level.batch.cpu().numpy()
            after = (np.searchsorted(of, inside), np.searchsorted(of, inside, "right"))
            for at, (place, _) in enumerate(wanted):
                here, there = slice(ends[0][at], ends[1][at]), (int(after[0][at]), int(after[1][at]))
                change: dict[str, Any] = {} if score is None else {"score": _numbers(score[here])}
                own = survivor[here], cluster[here] - there[0]
                kept = self._kept.get((place, k))
                moved[at] = moved[at] or kept is None or not all(map(np.array_equal, kept, own))
                self._kept[place, k] = own
                heads = origins[at][own[0]]
                if moved[at]:
                    change["head"] = np.where(own[1] < 0, -1, heads[np.maximum(own[1], 0)]).tolist()
                if moved[at] or pooling.weighted:
                    change["edges"] = _edges(level.adjacency, *there, heads)
                graphs[place]["levels"].append(self._new(place, k, change))
                origins[at] = heads
            ends = after
        for place, _ in wanted:
            if not graphs[place]["levels"]:
                del graphs[place]["levels"]

    def _new(self, graph: int, level: int, found: dict[str, Any]) -> dict[str, Any]:
        """What of a level differs from what is known."""
        levels = self._known[graph].setdefault("levels", [])
        if level == len(levels):
            levels.append({})
        change = {name: value for name, value in found.items() if levels[level].get(name) != value}
        levels[level].update(change)
        return change


def begin(
    watch: Watch,
    dataset: Dataset,
    parts: Split,
    schema: InputSchema,
    batch_size: int,
    found: Mapping[str, Any] | None = None,
) -> Recorder | None:
    """The recorder of a run, None where there is nothing to record.

    ``batch_size``: how many validation graphs go through the network at once. ``found``: the record of its checkpoint,
    to go on with. Raises InputError for graphs that there are not, that the network cannot read or that are too many,
    and for a checkpoint that records others.
    """
    indices = _chosen(dataset, parts) if watch.graphs is None else list(dict.fromkeys(watch.graphs))
    graphs = [*(dataset[index] for index in indices), *watch.own]
    if not graphs:
        return None
    _check(graphs)
    at = {index: place for place, index in enumerate(parts.validation.tolist())}
    shared: list[list[tuple[int, int]]] = [[] for _ in range(0, len(at), batch_size)]
    described, targets, places, pairs = [], [], [], []
    for place, graph in enumerate(graphs):
        index = indices[place] if place < len(indices) else None
        described.append(_describe(graph, index, parts))
        targets.append(dataset.classes.index(graph.label) if graph.label in dataset.classes else None)
        if index in at:
            shared[at[index] // batch_size].append((place, at[index] % batch_size))
        else:
            places.append(place)
            pairs.append((_features(graph, schema, index is None), graph.edges))
    record = Record(described, list(dataset.classes))
    if found is not None:
        record = Record.from_dict(found)
        if [one["name"] for one in record.graphs] != [one["name"] for one in described]:
            raise InputError("the checkpoint records other graphs: delete it, or record the same ones")
    return Recorder(record, targets, shared, Inputs.join(pairs) if pairs else None, places)


def _features(graph: Graph, schema: InputSchema, own: bool) -> NDArray[np.float32]:
    """float32 [n, d]; of a graph of the data set by the names it has there."""
    known = {LABEL: LABEL} if schema.node_labels is not None else {}
    known |= {name: name for name, _, _ in schema.attributes}
    try:
        return fit_graph(graph, schema, None if own else known).x
    except ModelError as error:
        raise InputError(f"{graph.name} cannot be recorded: {error.message}") from error


def _chosen(dataset: Dataset, parts: Split) -> list[int]:
    """One graph of each class, of median size: of the validation graphs, whose pass is made anyway, where they have it.

    Fewer where there are many classes, or where the graphs are too large.
    """
    size = dataset.num_nodes
    chosen: list[int] = []
    for target in range(len(dataset.classes)):
        for part in (parts.validation, parts.test, parts.train):
            own = part[(dataset.target[part] == target) & (size[part] > 0)]
            if len(own):
                order = own[np.argsort(size[own], kind="stable")]
                chosen.append(int(order[len(order) // 2]))
                break
    chosen = chosen[:MOST_WATCHED]
    while sum(int(size[index]) for index in chosen) > MOST_WATCHED_VERTICES:
        chosen.remove(max(chosen, key=lambda index: int(size[index])))
    return chosen


def _check(graphs: Sequence[Graph]) -> None:
    if len(graphs) > MOST_WATCHED:
        raise InputError(
            f"{count(len(graphs), 'graph')} are too many to record: choose at most {MOST_WATCHED}"
        )
    vertices = sum(graph.num_nodes for graph in graphs)
    if vertices > MOST_WATCHED_VERTICES:
        raise InputError(
            f"the graphs to record have {count(vertices, 'vertex')} together, and at most "
            f"{MOST_WATCHED_VERTICES:,} are recorded: choose fewer or smaller graphs"
        )


def _describe(graph: Graph, index: int | None, parts: Split) -> dict[str, Any]:
    held = {"test": parts.test, "validation": parts.validation, "training": parts.train}
    part = next((name for name, graphs in held.items() if index is not None and index in graphs), "own")
    return {
        "name": graph.name,
        "index": index,
        "part": part,
        "label": graph.label,
        "nodes": list(graph.nodes),
        "edges": graph.edges.T.tolist(),
        "positions": None if graph.positions is None else graph.positions.tolist(),
    }


def _number(value: float) -> float | None:
    """None for what JSON has no number for."""
    return value if math.isfinite(value) else None


def _numbers(values: NDArray[Any]) -> list[float | None]:
    """Float32 as decimals of nine digits, which give the values back; others as they are."""
    if values.dtype == np.float32:
        return [_number(float(f"{value:.9g}")) for value in values.tolist()]
    return [_number(value) for value in values.tolist()]


def _edges(adjacency: Adjacency, first: int, last: int, origin: NDArray[np.int64]) -> list[list[int]]:
    """Each edge once of a reduced graph, the vertices ``first`` to ``last - 1`` of a batch; its ends by ``origin``."""
    rowptr = adjacency.rowptr[first : last + 1].cpu().numpy()
    col = adjacency.col[int(rowptr[0]) : int(rowptr[-1])].cpu().numpy() - first
    row = np.repeat(np.arange(last - first), np.diff(rowptr))
    once = row < col
    edges: list[list[int]] = np.stack([origin[row[once]], origin[col[once]]], axis=1).tolist()
    return edges


def _merge(known: dict[str, Any], change: Mapping[str, Any]) -> None:
    """Put a change over what is known: both of one graph, or both whole entries."""
    for name, value in change.items():
        if name in {"graphs", "levels"} and known.get(name):
            for own, other in zip(known[name], value, strict=True):
                _merge(own, other)
        else:
            known[name] = value


def _size(entry: Entry) -> int:
    """About how many numbers an entry holds."""
    size = 0
    for graph in entry["graphs"]:
        size += 1 + len(graph["probabilities"])
        for level in graph.get("levels", ()):
            size += len(level.get("score", ())) + len(level.get("head", ())) + 2 * len(level.get("edges", ()))
    return size


def _some(epochs: Sequence[int]) -> str:
    shown = ", ".join(map(str, epochs[:5]))
    return f"{shown}, … {epochs[-1]}" if len(epochs) > 5 else shown or "none"
