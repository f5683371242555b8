"""The graph canvas in Streamlit: :func:`st_mivspool_canvas` for any app, and what MIVSPool's own app mounts it by.

The canvas itself is ``mivspool.canvas``, which knows nothing of Streamlit. Installed by ``mivspool[app]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mivspool import levels
from mivspool.canvas import script, style
from mivspool.canvas.notebook import Held, held_of
from mivspool.errors import InputError
from mivspool.extras import need
from mivspool.graphs.given import Given, graph_of
from mivspool.graphs.graph import Graph
from mivspool.messages import count

need("The canvas in Streamlit", "streamlit")

import streamlit as st

Labels = Literal["id", "label", "none"]


@dataclass(frozen=True)
class Cursor:
    """Where a person is in a trace: the step (iterations 0 … T, then assignment and pooling) and the vertex, or −1.

    ``part``: 0 where a person steps by whole iterations, else which of the three parts of the iteration is shown.
    """

    step: int
    vertex: int
    part: int = 0


def st_mivspool_canvas(
    graph: Given,
    score: str | Sequence[float] | Mapping[str, float] = "multiview",
    *,
    key: str,
    height: int = 440,
    seed: int = 0,
    complement: bool = False,
    level: int = 0,
    step: int = 0,
    labels: Labels = "id",
    on_cursor: Callable[[], None] | None = None,
) -> Cursor:
    """Show how MIVSPool pools a graph, and let a person step through it; the app runs again when the cursor rests.

    Args:
        graph: a Graph, a ``Data`` of PyTorch Geometric or a networkx graph.
        score: a name of ``SCORES``, or one value per vertex, as :func:`mivspool.step` takes it.
        key: names this canvas in the session.
        height: of the graph, in pixels.
        seed: of the uniform score, and of the random weights that a learned score has here.
        complement: MIVSPool_comp, at least ⌈n/2⌉ vertices are kept.
        level: how many times the graph was pooled before.
        step: where the cursor stands when this graph is shown first; afterwards it is the person's.
        labels: what stands beside a vertex: its id, the graph's label, or nothing.
        on_cursor: called before the app runs again because the cursor has rested somewhere new.

    Returns:
        The step and the index of the selected vertex (−1 for none). The best vertex is selected at first.

    Raises:
        InputError: for a score or a level that there is not, and for more than 20,000 vertices.
        MissingPackageError: (at the import) where Streamlit is not installed.
    """
    values = score if isinstance(score, str | Mapping) else tuple(map(float, score))
    held = _held(graph_of(graph), values, seed, complement, level)
    start = Cursor(step, held.best)
    options = {"layout": "full", "height": height, "labels": labels, "scores": True, "keys": False}
    return mount(held.trace, key=key, start=start, options=options, on_cursor=on_cursor) or start


@st.cache_resource(max_entries=24, show_spinner=False)
def _held(
    graph: Graph, score: str | Sequence[float] | Mapping[str, float], seed: int, complement: bool, level: int
) -> Held:
    made = levels.step(graph, score, seed=seed, complement=complement, levels=max(level, 0) + 1)
    if not 0 <= level < len(made):
        raise InputError(
            f"this graph has {count(len(made), 'level')}, numbered from 0: there is no level {level}"
        )
    return held_of(made[level])


# ---- what mounts a canvas, whoever it belongs to ----------------------------------------------------------------

_component = st.components.v2.component(
    "mivspool_canvas",
    js=f"{script()}\nexport default (component) => mount(component, SETTINGS);\n",
    css=style(),
    html="",
)


def mount(
    trace: dict[str, Any],
    *,
    key: str,
    options: dict[str, Any],
    start: Cursor | None = None,
    edit: dict[str, Any] | None = None,
    original: dict[str, Any] | None = None,
    on_cursor: Callable[[], None] | None = None,
    on_another: Callable[[], None] | None = None,
    on_request: Callable[[], None] | None = None,
    on_edited: Callable[[], None] | None = None,
) -> Cursor | None:
    """A canvas of a trace (``payload.trace_data``) with these options of its script; the rest as of ``graph_canvas``.

    Returns the cursor, or None as long as it has not moved on this trace.
    """
    result = _component(
        key=key,
        data={
            "trace": trace,
            "options": options,
            "edit": edit,
            "original": original,
            "start": _start(key, trace["id"], start),
            "command": _command(key, trace["id"]),
        },
        on_cursor_change=on_cursor or (lambda: None),
        on_another_change=on_another or (lambda: None),
        on_request_change=on_request or (lambda: None),
        on_edited_change=on_edited or (lambda: None),
    )
    return _cursor(result.cursor, trace["id"])


def cursor_of(key: str, trace_id: str) -> Cursor | None:
    """The cursor that the canvas ``key`` reported last, for use in a callback; None if of another trace."""
    return _cursor(st.session_state.get(key, {}).get("cursor"), trace_id)


def move(
    key: str, trace_id: str, *, step: int | None = None, part: int = 0, vertex: int | None = None
) -> None:
    """Let a page move the cursor of a canvas it shows (a click in a table, say), from the next run on."""
    counter = int(st.session_state.get(f"{key}:commands", 0)) + 1
    st.session_state[f"{key}:commands"] = counter
    command: dict[str, Any] = {"n": counter, "trace": trace_id}
    if step is not None:
        command |= {"step": step, "part": part}
    if vertex is not None:
        command["vertex"] = vertex
    st.session_state[f"{key}:command"] = command


def _cursor(value: Any, trace_id: str) -> Cursor | None:
    if not value or value.get("id") != trace_id:
        return None
    return Cursor(int(value["step"]), int(value["vertex"]), int(value.get("part", 0)))


def _start(key: str, trace_id: str, start: Cursor | None) -> dict[str, int]:
    """Where a trace starts, with a number of its own.

    It stays what it was as long as the trace is shown: other data would be sent again, and the trace with it. The
    browser remembers how far a person went from the start of that number.
    """
    kept = st.session_state.get(f"{key}:start")
    if kept is None or kept[0] != trace_id:
        begin = start or Cursor(0, -1)
        number = kept[1]["n"] + 1 if kept else 1
        kept = (trace_id, {"step": begin.step, "part": begin.part, "vertex": begin.vertex, "n": number})
        st.session_state[f"{key}:start"] = kept
    made: dict[str, int] = kept[1]
    return made


def _command(key: str, trace_id: str) -> dict[str, Any] | None:
    command: dict[str, Any] | None = st.session_state.get(f"{key}:command")
    return command if command and command["trace"] == trace_id else None
