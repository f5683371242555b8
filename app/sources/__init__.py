"""Where a page's graph comes from: data sets, classics and uploads behind one name, and what is kept of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app.sources import uploads, words
from mivspool.errors import InputError, MIVSPoolError, ReadError
from mivspool.graphs.collection import COLLECTIONS, collection_of
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.datasets import DATASETS, load_dataset
from mivspool.graphs.graph import Graph
from mivspool.graphs.labels import label_texts
from mivspool.graphs.source import unknown
from mivspool.levels import own_scores
from mivspool.messages import fill

FILE = "file"  # the collection of a person's own graphs

# attributes that name a vertex for people, the first that is there
_LABELS = ("label", "name", "atom_symbol", "element", "club")


@dataclass(frozen=True)
class Place:
    """Where a graph stands: its collection (one of COLLECTIONS, or FILE), its number in it, and of how many."""

    collection: str
    index: int
    count: int


def place(source: str) -> Place:
    """Where the graph of this name stands. Raises an error with a sentence where there is none of that name."""
    if uploads.is_upload(source):
        file, index = uploads.split(source)
        return Place(FILE, index, uploads.count(file, uploads.reading(source)))
    collection = collection_of(source)
    if collection is not None:
        index, count = collection.index(source) or 0, len(collection)
        return Place(collection.name, index, count if collection.name in DATASETS else max(count, index + 1))
    error = unknown(source)
    if isinstance(error, ReadError):  # it may be a file for others than this page
        shown = source if len(source) <= 40 else f"{source[:39]}…"
        raise InputError(f"{fill(words.FIND_NONE, text=shown)} {words.FIND_HOW}")
    raise error


def named(where: Place, index: int, source: str) -> str:
    """The name of another graph of the same collection, counted round."""
    index %= max(where.count, 1)
    if where.collection == FILE:
        return uploads.join(uploads.split(source)[0], index, uploads.reading(source))
    return COLLECTIONS[where.collection].source(index, source)


def load(source: str) -> Graph:
    """The graph of this name. Raises an error with a sentence."""
    if uploads.is_upload(source):
        return uploads.graph(*uploads.split(source), uploads.reading(source))
    collection = collection_of(source)
    if collection is None:
        raise unknown(source)
    return collection.load(source)


def given_scores(source: str) -> tuple[float, ...]:
    """The scores that a graph brings itself, an attribute of its vertices.

    Raises InputError where there are none, and what reading the graph raises.
    """
    values = own_scores(load(source))
    if values is None:
        raise InputError("this graph brings no scores of its own: choose another score")
    return tuple(values.tolist())


def brings_scores(source: str) -> bool:
    """Whether a graph brings scores of its own."""
    try:
        return bool(given_scores(source))
    except MIVSPoolError:
        return False


def dataset(name: str) -> Dataset:
    """A data set; the library keeps it. Raises DatasetError."""
    return load_dataset(name)


def collections() -> list[str]:
    """Every collection by name, a person's own graphs last."""
    return [*COLLECTIONS, FILE]


def collection_title(name: str) -> str:
    """What the menu calls a collection."""
    if name == FILE:
        return words.COLLECTION_FILE
    collection = COLLECTIONS[name]
    return (
        f"{collection.title} · {collection.about.partition(':')[0]}" if name in DATASETS else collection.title
    )


def entry(source: str, where: Place) -> str:
    """What stands for a graph in the menu: itself where it has a name of its own, else its collection."""
    return source if where.collection != FILE and COLLECTIONS[where.collection].named else where.collection


def graph_title(source: str, graph: Graph) -> str:
    """What a graph is called on the page."""
    collection = None if uploads.is_upload(source) else collection_of(source)
    return graph.name if collection is None or collection.name in DATASETS else collection.title_of(source)


@st.cache_resource(max_entries=128, show_spinner=False)
def positions(source: str, _graph: Graph) -> NDArray[np.float64]:
    """Where the vertices are drawn, float64 [n, 2]: computed once per graph and kept."""
    from mivspool.graphs import positions as lay_out

    return lay_out(_graph)


def vertex_labels(graph: Graph) -> list[str] | None:
    """One label per vertex, where the graph has labels that differ from the ids."""
    name = label_attribute(graph)
    return None if name is None else label_texts(graph.node_attributes[name])


def label_attribute(graph: Graph) -> str | None:
    """The attribute that ``vertex_labels`` shows, where there is one."""
    for name in _LABELS:
        texts = label_texts(graph.node_attributes.get(name))
        if texts is not None and texts != list(graph.nodes):
            return name
    return None
