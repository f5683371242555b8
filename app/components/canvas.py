"""The graph canvas of the app's pages: a component that holds a whole trace and steps through it in the browser.

``graph_canvas`` is what a page needs, with ``cursor_of`` and ``move`` of ``mivspool.streamlit``, which mounts it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from app.server.streamlit_internals import told
from mivspool.streamlit import Cursor, Labels, mount

Layout = Literal["full", "graph", "still"]
Mode = Literal["", "predict", "edit"]


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
    requested: int = 0,
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
    projector; None where it never may; ``requested``: the number of the request that this answers
    (``requested_of``). ``levels``: which level this is, of how many. ``hide``: parts that are not shown
    (``app.ui.common.CONTROLS["canvas"]``). ``on_request`` runs when the canvas asks the page to show something else
    (``requested_of``).
    ``mode`` "edit" lets a person change the graph: ``complement`` says how its trace is made, ``on_edited`` runs when a
    change has rested (``edited_of``), ``edit`` names the change that ``trace`` answers, ``original`` is the trace to
    compare with where that is another.
    ``on_cursor`` runs when the cursor has rested somewhere new.
    Returns the cursor, or None as long as it has not moved on this trace.
    """
    return mount(
        trace,
        key=key,
        start=start,
        options={
            "layout": layout,
            "height": height,
            "labels": labels,
            "scores": scores,
            "keys": keys,
            "words": words,
            "mode": mode,
            "present": bool(present),
            "presentable": present is not None,
            "requested": requested,
            "levels": list(levels),
            "hide": list(hide),
            "complement": complement,
            "difficulty": difficulty,
        },
        edit=edit,
        original=original,
        on_cursor=on_cursor,
        on_another=on_another,
        on_request=on_request,
        on_edited=on_edited,
    )


def harder_of(key: str) -> bool:
    """Whether the graph that the canvas ``key`` asks for just now is to be harder, for use in a callback."""
    return bool(told(key, "another") == "harder")


def requested_of(key: str) -> dict[str, Any]:
    """What the canvas ``key`` asks for just now, for use in a callback: ``present`` (bool) or ``level`` (int), with
    the number ``n`` of the request."""
    return dict(told(key, "request") or {})


def edited_of(key: str) -> dict[str, Any]:
    """The change that the canvas ``key`` reports just now, for use in a callback (``edited.take``)."""
    return dict(told(key, "edited") or {})
