"""What the classes of a data set stand for, where its authors say it; else a class is called by its label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mivspool.graphs.collection import COLLECTIONS, DataSet, origin_of
from mivspool.graphs.graph import Graph


def class_names(dataset: str, classes: Sequence[str] | None = None) -> Mapping[str, str]:
    """Label → published meaning of the classes of a data set by name; empty where none is published.

    ``classes``: the labels in question. Where one of them is none of the data set's, another data set has that name,
    and nothing is guessed.
    """
    known = COLLECTIONS.get(dataset)
    if not isinstance(known, DataSet) or not set(classes or ()) <= known.class_names.keys():
        return {}
    return known.class_names


def class_source(dataset: str) -> str:
    """Who says what the classes of a data set stand for, a sentence; empty where nobody does."""
    known = COLLECTIONS.get(dataset)
    return known.class_source if isinstance(known, DataSet) else ""


def meaning_of(dataset: str, classes: Sequence[str]) -> tuple[Mapping[str, str], str]:
    """Label → published meaning of these classes of a data set, and who says so; both empty where nobody does."""
    names = class_names(dataset, classes)
    return names, class_source(dataset) if names else ""


def class_title(label: str, names: Mapping[str, str]) -> str:
    """What a class is called: "enzyme (class 1)", or "class 1" where its meaning is not known."""
    return f"{names[label]} (class {label})" if label in names else f"class {label}"


def class_of(graph: Graph) -> str:
    """What the class of a graph is called; empty where it has none."""
    if graph.label is None:
        return ""
    origin = origin_of(graph)
    return class_title(graph.label, origin.class_names if isinstance(origin, DataSet) else {})
