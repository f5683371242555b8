"""The record of a training as a component: it holds all epochs, and scrubs through them in the browser.

Python sends what is known so far, and hears where the cursor rests (``place_of``).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from mivspool import colours
from mivspool.canvas.modules import joined
from mivspool.canvas.strings import NUMBERS

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


def record_view(
    record: dict[str, Any],
    *,
    job: str,
    key: str,
    start: Place,
    words: dict[str, Any],
    on_place: Callable[[], None],
) -> None:
    """Show the record of a job.

    ``record``: ``graphs``, ``entries`` and ``classes`` of a ``RecordDocument``, each graph with its ``positions``, a
    ``title`` and ``about``; ``names`` and ``classes``: the classes as the data set and as people call them;
    ``curves``: a list for each of train_loss, val_loss, train_accuracy and val_accuracy; ``best``: an epoch or None;
    ``running``; ``competes``: whose scores decide, those of "neighbours" or of "all".
    ``start``: where it begins when the job is shown first. ``on_place`` runs when the cursor has rested somewhere new.
    """
    _component(
        key=key,
        data={
            "job": job,
            "start": {"epoch": start.epoch, "graph": start.graph, "level": start.level},
            "words": words,
            "numbers": NUMBERS,
            **record,
        },
        on_place_change=on_place,
    )


def place_of(key: str, job: str) -> Place | None:
    """Where the cursor of the record ``key`` rests, for use in a callback; None if it is of another job."""
    told = st.session_state.get(key, {}).get("place") or {}
    if told.get("job") != job:
        return None
    return Place(int(told["epoch"]), int(told["graph"]), int(told["level"]))
