"""Where a page's graph comes from: data sets, classics and uploads behind one name, and what is kept of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import strings, uploads
from mivspool.errors import InputError, ReadError
from mivspool.graphs.classics import CLASSICS, load_classic
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.datasets import DATASETS, find_dataset, load_dataset
from mivspool.graphs.graph import Graph
from mivspool.graphs.presets import PREFIX, PRESETS, preset_of
from mivspool.graphs.randomly import name_of, numbers_of, random_graph

CLASSIC, FILE, MADE, RANDOM = "classics", "file", "presets", "random"
RANDOM_FIRST, RANDOM_SEEDS = "random:14:18:0", 1000

# attributes that name a vertex for people, the first that is there
_LABELS = ("label", "name", "atom_symbol", "element", "club")


@dataclass(frozen=True)
class Place:
    """Where a graph stands: its collection (a data set, CLASSIC, MADE or FILE), its number in it, and of how many."""

    collection: str
    index: int
    count: int


def place(source: str) -> Place:
    """Where the graph of this name stands. Raises an error with a sentence where there is none of that name."""
    if uploads.is_upload(source):
        file, index = uploads.split(source)
        return Place(FILE, index, uploads.count(file))
    if source in CLASSICS:
        return Place(CLASSIC, list(CLASSICS).index(source), len(CLASSICS))
    preset = preset_of(source)
    if preset is not None:
        return Place(MADE, list(PRESETS).index(preset.name), len(PRESETS))
    drawn = numbers_of(source)
    if drawn is not None:
        return Place(RANDOM, drawn[2], max(RANDOM_SEEDS, drawn[2] + 1))
    name, _, number = source.rpartition(":")
    found = find_dataset(name)
    if found is not None and number.isdecimal() and len(number) < 10:
        return Place(found.name, int(number), found.graphs)
    from mivspool.graphs.source import _unknown

    error = _unknown(source)
    if isinstance(error, ReadError):  # it may be a file for others than this page
        shown = source if len(source) <= 40 else f"{source[:39]}…"
        raise InputError(f"{strings.fill(strings.FIND_NONE, text=shown)} {strings.FIND_HOW}")
    raise error


def named(where: Place, index: int, source: str) -> str:
    """The name of another graph of the same collection, counted round."""
    index %= max(where.count, 1)
    if where.collection == FILE:
        return uploads.join(uploads.split(source)[0], index)
    if where.collection == RANDOM:
        vertices, edges, _ = numbers_of(source) or (0, 0, 0)
        return name_of(vertices, edges, index)
    if where.collection == CLASSIC:
        return list(CLASSICS)[index]
    if where.collection == MADE:
        return f"{PREFIX}{list(PRESETS)[index]}"
    return f"{where.collection}:{index}"


def load(source: str) -> Graph:
    """The graph of this name. Raises an error with a sentence."""
    if uploads.is_upload(source):
        return uploads.graph(*uploads.split(source))
    if source in CLASSICS:
        return load_classic(source)
    preset = preset_of(source)
    if preset is not None:
        return preset.graph()
    drawn = numbers_of(source)
    if drawn is not None:
        return random_graph(*drawn)
    where = place(source)
    return dataset(where.collection)[where.index]


def dataset(name: str) -> Dataset:
    """A data set; the library keeps it. Raises DatasetError."""
    return load_dataset(name)


def collections() -> list[str]:
    """Every data set, the classics, the presets, random graphs, a person's own."""
    return [*DATASETS, CLASSIC, MADE, RANDOM, FILE]


def collection_title(name: str) -> str:
    """What the menu calls a collection."""
    if name == CLASSIC:
        return strings.COLLECTION_CLASSICS
    if name == MADE:
        return strings.COLLECTION_MADE
    if name == RANDOM:
        return strings.COLLECTION_RANDOM
    if name == FILE:
        return strings.COLLECTION_FILE
    return f"{DATASETS[name].title} · {DATASETS[name].about.partition(':')[0]}"


def entry(source: str, where: Place) -> str:
    """What stands for a graph in the menu: itself where it has a name of its own, else its collection."""
    return source if where.collection in {CLASSIC, MADE} else where.collection


def graph_title(source: str, graph: Graph) -> str:
    """What a graph is called on the page."""
    if source in CLASSICS:
        return CLASSICS[source].title
    preset = preset_of(source)
    if preset is not None:
        return preset.title
    drawn = numbers_of(source)
    return graph.name if drawn is None else strings.RANDOM_TITLE.format(seed=drawn[2])


@st.cache_resource(max_entries=128, show_spinner=False)
def positions(source: str, _graph: Graph) -> NDArray[np.float64]:
    """Where the vertices are drawn, float64 [n, 2]: computed once a graph and kept."""
    from mivspool.graphs import positions as lay_out

    return lay_out(_graph)


def vertex_labels(graph: Graph) -> list[str] | None:
    """A word a vertex beside its id, where the graph brings one that says something else than the id."""
    name = label_attribute(graph)
    return None if name is None else _texts(graph.node_attributes[name])


def label_attribute(graph: Graph) -> str | None:
    """The attribute that ``vertex_labels`` shows, where there is one."""
    for name in _LABELS:
        values = graph.node_attributes.get(name, ())
        if any(value is not None for value in values) and _texts(values) != list(graph.nodes):
            return name
    return None


def _texts(values: tuple[Any, ...]) -> list[str]:
    return ["" if value is None else str(value) for value in values]
