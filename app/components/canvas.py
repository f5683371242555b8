"""The graph canvas: a Streamlit component that holds a whole trace and steps through it in the browser.

``graph_canvas`` is all that a page needs. The canvas itself is ``mivspool.canvas``, which knows nothing of Streamlit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from mivspool.canvas import script, style

Layout = Literal["full", "graph", "still"]
Labels = Literal["id", "label", "none"]
Mode = Literal["", "predict", "edit"]


@dataclass(frozen=True)
class Cursor:
    """Where a person is in a trace: the step (iterations 0 … T, then assignment and pooling) and the vertex, or −1.

    ``part``: 0 where a person steps by whole iterations, else which of the three parts of the iteration is shown.
    """

    step: int
    vertex: int
    part: int = 0


_component = st.components.v2.component(
    "mivspool_canvas",
    js=f"{script()}\nexport default (component) => mount(component, SETTINGS);\n",
    css=style(),
    html="",
)


def graph_canvas(
    trace: dict[str, Any],
    *,
    key: str,
    start: Cursor | None = None,
    layout: Layout = "full",
    height: int = 440,
    labels: Labels = "id",
    scores: bool = True,
    keys: bool = True,
    words: bool = False,
    mode: Mode = "",
    present: bool | None = None,
    levels: tuple[int, int] = (0, 1),
    hide: Sequence[str] = (),
    complement: bool = False,
    edit: dict[str, Any] | None = None,
    original: dict[str, Any] | None = None,
    difficulty: tuple[int, int] | None = None,
    on_cursor: Callable[[], None] | None = None,
    on_another: Callable[[], None] | None = None,
    on_request: Callable[[], None] | None = None,
    on_edited: Callable[[], None] | None = None,
) -> Cursor | None:
    """Show a trace (``payload.trace_data``) and let a person step through it.

    ``start``: where the cursor stands when this trace is shown first; afterwards it is the person's.
    ``layout``: ``full`` with score bars and why panel, ``graph`` the graph with its
    controls alone, ``still`` nothing but the graph.
    ``keys``: whether the page's arrow keys, Home, End and space step here when nothing else has the focus; one canvas
    of a page may have that. ``words``: elements of the page with ``data-light`` light vertices and are lit by them
    (``js/modes/highlight.js``). ``mode``: "predict" asks before each iteration which vertices will survive,
    and ``on_another`` runs when another graph is asked for after the last (``harder_of``): one as hard as this, or
    harder; ``difficulty``: how hard it is, of how many. ``present``: whether the canvas fills the window for a
    projector; None where it never may. ``levels``: which level this is, of how many. ``hide``: parts that are not shown
    (``app.ui.common.CONTROLS["canvas"]``). ``on_request`` runs when the canvas asks the page to show something else
    (``requested_of``).
    ``mode`` "edit" lets a person change the graph: ``complement`` says how its trace is made, ``on_edited`` runs when a
    change has rested (``edited_of``), ``edit`` names the change that ``trace`` answers, ``original`` is the trace to
    compare with where that is another.
    ``on_cursor`` runs when the cursor has rested somewhere new.
    Returns the cursor, or None as long as it has not moved on this trace.
    """
    result = _component(
        key=key,
        data={
            "trace": trace,
            "options": {
                "layout": layout,
                "height": height,
                "labels": labels,
                "scores": scores,
                "keys": keys,
                "words": words,
                "mode": mode,
                "present": bool(present),
                "presentable": present is not None,
                "levels": list(levels),
                "hide": list(hide),
                "complement": complement,
                "difficulty": difficulty,
            },
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


def harder_of(key: str) -> bool:
    """Whether the graph that the canvas ``key`` asks for just now is to be harder, for use in a callback."""
    return bool(st.session_state.get(key, {}).get("another") == "harder")


def requested_of(key: str) -> dict[str, Any]:
    """What the canvas ``key`` asks for just now, for use in a callback: ``present`` (bool) or ``level`` (int)."""
    return dict(st.session_state.get(key, {}).get("request") or {})


def edited_of(key: str) -> dict[str, Any]:
    """The change that the canvas ``key`` reports just now, for use in a callback (``edited.take``)."""
    return dict(st.session_state.get(key, {}).get("edited") or {})


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
