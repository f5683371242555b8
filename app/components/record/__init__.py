"""The record of a training as a component: it holds all epochs, and scrubs through them in the browser.

Python sends what is known so far, and hears where the cursor rests (``place_of``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from app.components.record import words
from app.ui.texts import visible
from mivspool import colours
from mivspool.canvas.modules import joined
from mivspool.canvas.strings import NUMBERS
from mivspool.graphs import positions
from mivspool.graphs.classes import class_names, class_title
from mivspool.graphs.graph import Graph
from mivspool.messages import fill
from mivspool.pooling import METHODS

_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Place:
    """Where a person is in a record: the epoch (−1: wherever it begins), the graph and the level, by their places."""

    epoch: int = -1
    graph: int = 0
    level: int = 0


_component: Any = st.components.v2.component(
    "mivspool_record",
    html="",
    js=f"{joined(_HERE / 'mount.js')}\nconst COLOURS = {json.dumps(colours.for_canvas())};\n"
    "export default (component) => mountRecord(component, COLOURS);\n",
    css=(_HERE / "record.css").read_text(encoding="utf-8"),
)


def drawn(graph: dict[str, Any], classes: Sequence[str]) -> dict[str, Any]:
    """A graph of a record (``RecordedGraph``) as the component takes it, with a place for every vertex."""
    given = None if graph["positions"] is None else np.asarray(graph["positions"], dtype=np.float64)
    edges = np.asarray(graph["edges"], dtype=np.int64).reshape(-1, 2).T
    at = positions(Graph(graph["name"], tuple(graph["nodes"]), edges, positions=given))
    name, label = visible(graph["name"]), graph["label"]
    title = name
    if label in classes:
        names = class_names(graph["name"].rpartition(":")[0], classes)
        title = fill(words.RECORD_GRAPH, title=class_title(visible(label), names), name=name)
    return {
        "title": title,
        "about": words.RECORD_PARTS[graph["part"]],
        "label": label,
        "nodes": [visible(node) for node in graph["nodes"]],
        "edges": graph["edges"],
        "positions": np.round(at, 3).tolist(),
    }


def document(
    *,
    graphs: Sequence[dict[str, Any]],
    entries: Sequence[dict[str, Any]],
    classes: Sequence[str],
    dataset: str,
    method: str,
    curves: Mapping[str, Sequence[float]],
    best: int | None,
    running: bool = False,
) -> dict[str, Any]:
    """A record as the component takes it.

    Args:
        graphs: what :func:`drawn` gives of each.
        entries: of a ``RecordDocument``.
        classes: the labels of the classes.
        dataset: the data set that they are classes of.
        method: the pooling method of the network.
        curves: a list for each of train_loss, val_loss, train_accuracy and val_accuracy.
        best: the epoch of the lowest validation loss, if there is one yet.
        running: whether the training goes on.
    """
    names = class_names(dataset, classes)
    return {
        "graphs": graphs,
        "entries": entries,
        "names": classes,
        "classes": [class_title(visible(label), names) for label in classes],
        "curves": curves,
        "best": best,
        "running": running,
        "competes": "all" if method in METHODS and METHODS[method].kind == "selective" else "neighbours",
    }


def record_view(
    record: dict[str, Any],
    *,
    job: str,
    key: str,
    start: Place,
    on_place: Callable[[], None] | None = None,
) -> None:
    """Show the record of a job.

    ``record``: what :func:`document` gives.
    ``start``: where it begins when the job is shown first. ``on_place`` runs when the cursor has rested somewhere new;
    without it the page hears nothing of the cursor.
    """
    _component(
        key=key,
        data={
            "job": job,
            "start": {"epoch": start.epoch, "graph": start.graph, "level": start.level},
            "words": words.RECORD,
            "numbers": NUMBERS,
            "tells": on_place is not None,
            **record,
        },
        on_place_change=on_place or (lambda: None),
    )


def place_of(key: str, job: str) -> Place | None:
    """Where the cursor of the record ``key`` rests, for use in a callback; None if it is of another job."""
    told = st.session_state.get(key, {}).get("place") or {}
    if told.get("job") != job:
        return None
    return Place(int(told["epoch"]), int(told["graph"]), int(told["level"]))
